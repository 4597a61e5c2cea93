import type { access } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { memo, useMemo, useState } from 'react'
import { visitorsQuery } from '../../entities/access/access-queries.ts'
import { isOver } from '../../entities/access/visit-time.ts'
import { VisitTimeText } from '../../entities/access/visit-time-text.tsx'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { useReturnedDraft } from '../../shared/session/drafts.ts'
import { Button } from '../../shared/ui/button.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { MenuItem, MenuLine } from '../../shared/ui/menu/menu.tsx'
import css from '../../shared/ui/people/people.module.css'
import { RowMenu } from '../../shared/ui/people/row-menu.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import { AddPersonDialog } from './add-person-dialog.tsx'
import { useAdministration } from './administration.ts'
import { AlarmBit, ModeBit } from './grant-bits.tsx'
import { PeopleList } from './people-list.tsx'
import { sortVisitors } from './people-order.ts'
import { PersonCell } from './person-cell.tsx'
import { type PersonActions, usePersonActions } from './use-person-actions.ts'
import { VisitTimeDialog } from './visit-time-dialog.tsx'

const template = 'minmax(170px, 1.5fr) 164px minmax(150px, 1.1fr) 84px 128px'
/** A visitor whose time passes is over at once, not at the next answer. */
const overTickMs = 1_000

/** Who may enter for a while: let in, given longer, ended. */
export function VisitorsSection() {
  const { machineId, isAkey, mayPropose, limits, userId } = useAdministration()
  const t = useText().access
  const lang = useLang()
  const query = useQuery(visitorsQuery(machineId))
  const actions = usePersonActions()
  const now = useNow(overTickMs)
  const [adding, setAdding] = useState<{ account?: string | undefined }>()
  useReturnedDraft(`visitor-${machineId}`, userId, setAdding)
  const [changed, setChanged] = useState<access.Visitor>()
  const overIds = query.data
    ?.filter(({ visitTime }) => isOver(visitTime, now))
    .map(({ id }) => id)
    .join()
  const visitors = useMemo(() => {
    const collator = new Intl.Collator(lang === 'cn' ? 'zh-CN' : 'en', { numeric: true })
    // Who is over decides the order, not every second that passes.
    return overIds === undefined ? undefined : query.data && sortVisitors(query.data, Date.now(), collator)
  }, [query.data, overIds, lang])
  const over = overIds ? overIds.split(',').length : 0

  const add = (
    <Button kind="primary" icon="plus" onClick={() => setAdding({})}>
      {t.visitors.add}
    </Button>
  )
  return (
    <>
      <PeopleList
        title={t.tabs.visitors}
        lead={t.visitors.lead}
        countNote={over ? t.visitors.over(over) : undefined}
        query={query}
        people={visitors}
        columns={[t.columns.person, t.columns.may, t.columns.until, t.columns.alarms]}
        template={template}
        row={(visitor) => (
          <VisitorRow
            key={visitor.id}
            visitor={visitor}
            over={isOver(visitor.visitTime, now)}
            raises={isAkey ? 'raise' : mayPropose ? 'propose' : undefined}
            actions={actions}
            onChangeTime={setChanged}
          />
        )}
        add={query.data?.length === 0 ? undefined : add}
        empty={
          <EmptyState icon="user" title={t.visitors.empty} hint={t.visitors.emptyHint}>
            {add}
          </EmptyState>
        }
      >
        {limits.mode && query.data && query.data.length > 0 && <p className={css.quiet}>{t.lacks.mode}</p>}
      </PeopleList>
      {adding && (
        <AddPersonDialog kind="visitor" account={adding.account} onClose={() => setAdding(undefined)} />
      )}
      {changed && <VisitTimeDialog visitor={changed} onClose={() => setChanged(undefined)} />}
    </>
  )
}

interface VisitorRowProps {
  visitor: access.Visitor
  over: boolean
  /** How the caller may make them Bkey: at once, or with the Akey's consent. */
  raises: 'raise' | 'propose' | undefined
  actions: PersonActions
  onChangeTime: (visitor: access.Visitor) => void
}

const VisitorRow = memo(function VisitorRow(props: VisitorRowProps) {
  const { visitor, over, raises, actions, onChangeTime } = props
  const t = useText().access
  return (
    <li className={classes(css.row, over && css.over)}>
      <PersonCell person={visitor} />
      <ModeBit grant={visitor} actions={actions} fixed={over} />
      <VisitTimeText visitTime={over ? 0 : visitor.visitTime} className={css.line} />
      {over ? (
        <span className={css.none}>—</span>
      ) : (
        <AlarmBit grant={visitor} actions={actions} fixed={false} />
      )}
      <div className={css.actions}>
        {over ? (
          <Button size="small" onClick={() => onChangeTime(visitor)}>
            {t.visitors.again}
            <span className="sr-only">{visitor.name}</span>
          </Button>
        ) : (
          <Button size="small" onClick={() => actions.end(visitor)}>
            {t.visitors.end}
            <span className="sr-only">{visitor.name}</span>
          </Button>
        )}
        <RowMenu name={visitor.name}>
          {!over && (
            <MenuItem icon="clock" onAction={() => onChangeTime(visitor)}>
              {t.visitors.change}
            </MenuItem>
          )}
          {raises && (
            <MenuItem icon="key" onAction={() => actions[raises](visitor)}>
              {t.visitors[raises]}
            </MenuItem>
          )}
          <MenuItem icon="trash" onAction={() => actions.remove(visitor)}>
            {t.visitors.remove}
          </MenuItem>
          <MenuLine />
          <MenuItem icon="ban" danger onAction={() => actions.block(visitor)}>
            {t.visitors.block}
          </MenuItem>
        </RowMenu>
      </div>
    </li>
  )
})
