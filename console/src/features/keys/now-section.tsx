import type { access } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { memo, useMemo } from 'react'
import { bkeysQuery, reachQuery, visitorsQuery } from '../../entities/access/access-queries.ts'
import { VisitTimeText } from '../../entities/access/visit-time-text.tsx'
import { useLang, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { classes } from '../../shared/ui/classes.ts'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { MenuItem } from '../../shared/ui/menu/menu.tsx'
import css from '../../shared/ui/people/people.module.css'
import { RowMenu } from '../../shared/ui/people/row-menu.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import { useAdministration } from './administration.ts'
import { ModeText } from './grant-bits.tsx'
import { LiveVisits } from './live-visits.tsx'
import { PeopleList } from './people-list.tsx'
import { sortReach } from './people-order.ts'
import { PersonCell } from './person-cell.tsx'
import { usePersonActions } from './use-person-actions.ts'

const template = 'minmax(170px, 1.5fr) 110px 110px minmax(150px, 1.1fr) 128px'
const overTickMs = 1_000

/** Who is inside, and who could be: by what right, for how long, and the way to take it back. */
export function NowSection() {
  const { machineId } = useAdministration()
  const t = useText().access
  const lang = useLang()
  const query = useQuery(reachQuery(machineId))
  const now = useNow(overTickMs)
  const collator = useMemo(() => new Intl.Collator(lang === 'cn' ? 'zh-CN' : 'en', { numeric: true }), [lang])
  return (
    <>
      <LiveVisits />
      <PeopleList
        title={t.tabs.now}
        lead={t.now.lead}
        query={query}
        people={query.data && sortReach(query.data, now, collator)}
        columns={[t.columns.person, t.columns.by, t.columns.may, t.columns.until]}
        template={template}
        row={(reach) => <ReachRow key={`${reach.by} ${reach.userId}`} reach={reach} />}
        empty={<EmptyState icon="lock" title={t.now.empty} hint={t.now.emptyHint} />}
      />
    </>
  )
}

/** Kept as it is while the clock of the section moves on: there may be hundreds. */
const ReachRow = memo(function ReachRow({ reach }: { reach: access.Reach }) {
  return (
    <li className={css.row}>
      <PersonCell person={reach} />
      <RightTag by={reach.by} />
      <ModeText mode={reach.mode} />
      <VisitTimeText
        visitTime={reach.until}
        note={reach.by === 'akey' ? '' : undefined}
        className={classes(css.line, css.end)}
      />
      <ReachActions reach={reach} />
    </li>
  )
})

function RightTag({ by }: { by: access.Reach['by'] }) {
  const t = useText().access
  return (
    <span className={classes(css.tag, by === 'akey' && css.akey, by === 'bkey' && css.bkey)}>{t.by[by]}</span>
  )
}

/** Takes a right back where it stands. Nobody takes their own, nobody the Akey's. */
function ReachActions({ reach }: { reach: access.Reach }) {
  const { machineId, isAkey, userId } = useAdministration()
  const t = useText().access
  const actions = usePersonActions()
  const visitors = useQuery(visitorsQuery(machineId)).data
  const bkeys = useQuery(bkeysQuery(machineId)).data
  const visitor = reach.by === 'visitor' ? visitors?.find((each) => each.userId === reach.userId) : undefined
  const bkey = reach.by === 'bkey' ? bkeys?.find((each) => each.userId === reach.userId) : undefined
  const mayTake = reach.userId !== userId && (visitor !== undefined || (isAkey && bkey !== undefined))
  if (!mayTake) return <div className={css.actions} />
  return (
    <div className={css.actions}>
      {visitor && (
        <Button size="small" onClick={() => actions.end(visitor)}>
          {t.visitors.end}
          <span className="sr-only">{reach.name}</span>
        </Button>
      )}
      {bkey && (
        <Button size="small" onClick={() => actions.lower(bkey)}>
          {t.bkeys.lower}
          <span className="sr-only">{reach.name}</span>
        </Button>
      )}
      <RowMenu name={reach.name}>
        <MenuItem icon="ban" danger onAction={() => actions.block(reach)}>
          {t.visitors.block}
        </MenuItem>
      </RowMenu>
    </div>
  )
}
