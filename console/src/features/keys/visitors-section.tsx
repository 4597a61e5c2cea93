import { access } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { visitorsQuery } from '../../entities/access/access-queries.ts'
import { isOver } from '../../entities/access/visit-time.ts'
import { VisitTimeText } from '../../entities/access/visit-time-text.tsx'
import { emptyMark, useLang, useText } from '../../shared/i18n/index.ts'
import { useReturnedDraft } from '../../shared/session/drafts.ts'
import { Button } from '../../shared/ui/button.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import type { Bulk } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import { MenuItem, MenuLine } from '../../shared/ui/menu/menu.tsx'
import { RowMenu } from '../../shared/ui/people/row-menu.tsx'
import { RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import { useNow } from '../../shared/ui/use-now.ts'
import { AddPersonDialog } from './add-person-dialog.tsx'
import { useAdministration } from './administration.ts'
import { AlarmBit, ModeBit } from './grant-bits.tsx'
import { PeopleBulk, PeopleButtons } from './people-bulk.tsx'
import { sortVisitors } from './people-order.ts'
import { accountOf, personColumn, personNameOf } from './person-cell.tsx'
import css from './rows.module.css'
import { type PersonActions, usePersonActions } from './use-person-actions.ts'
import { VisitTimeDialog } from './visit-time-dialog.tsx'

type Visitor = access.Visitor

/** A visitor's end is shown immediately, not with the next answer. */
const overTickMs = 1_000
const keyOf = ({ id }: Visitor) => id

/** Visitors: let in, given longer, ended. */
export function VisitorsSection() {
  const { machineId, isAkey, mayPropose, limits, userId } = useAdministration()
  const t = useText().access
  const lang = useLang()
  const query = useQuery(visitorsQuery(machineId))
  const actions = usePersonActions()
  const view = useTableView({ id: 'keys.visitors' })
  const [bulk, setBulk] = useState<Bulk<Visitor>>()
  const now = useNow(overTickMs)
  const [adding, setAdding] = useState<{ account?: string | undefined }>()
  useReturnedDraft(`visitor-${machineId}`, userId, setAdding)
  const [changed, setChanged] = useState<Visitor>()
  const overIds = query.data
    ?.filter(({ visitTime }) => isOver(visitTime, now))
    .map(({ id }) => id)
    .join()
  const visitors = useMemo(() => {
    const collator = new Intl.Collator(lang === 'cn' ? 'zh-CN' : 'en', { numeric: true })
    // The order depends on which visits are over, not on every second that passes.
    return overIds === undefined ? undefined : query.data && sortVisitors(query.data, Date.now(), collator)
  }, [query.data, overIds, lang])
  const over = useMemo(() => new Set(overIds ? overIds.split(',').map(Number) : []), [overIds])
  const isOverNow = useCallback(({ id }: Visitor) => over.has(id), [over])
  const columns = useVisitorColumns({
    actions,
    isOverNow,
    raises: isAkey ? 'raise' : mayPropose ? 'propose' : undefined,
    onChangeTime: setChanged,
  })

  const add = (
    <Button kind="primary" icon="plus" onClick={() => setAdding({})}>
      {t.visitors.add}
    </Button>
  )
  return (
    <>
      <DataTable
        title={t.tabs.visitors}
        lead={t.visitors.lead}
        note={over.size > 0 && <span className={css.note}>{t.visitors.over(over.size)}</span>}
        view={view}
        source={wholeList(query, visitors)}
        columns={columns}
        rowKey={keyOf}
        rowName={personNameOf}
        rowClass={(visitor) => (isOverNow(visitor) ? css.over : undefined)}
        search={t.search}
        searched={accountOf}
        bulk={(chosen) => {
          const inside = chosen.filter((visitor) => !isOverNow(visitor))
          return (
            <>
              {inside.length > 0 && (
                <PeopleButtons
                  acts={[{ id: 'end', action: t.visitors.end, run: actions.each.end }]}
                  rows={inside}
                  keyOf={keyOf}
                  onAsk={setBulk}
                />
              )}
              <PeopleButtons
                acts={[
                  { id: 'remove', action: t.visitors.remove, run: actions.each.remove },
                  { id: 'block', action: t.visitors.block, danger: true, run: actions.each.block },
                ]}
                rows={chosen}
                keyOf={keyOf}
                onAsk={setBulk}
              />
            </>
          )
        }}
        fileName={t.tabs.visitors}
        actions={query.data?.length !== 0 && add}
        empty={{ icon: 'user', title: t.visitors.empty, hint: t.visitors.emptyHint, action: add }}
      >
        {limits.mode && query.data && query.data.length > 0 && <p className={css.quiet}>{t.lacks.mode}</p>}
      </DataTable>
      {bulk && <PeopleBulk bulk={bulk} view={view} onClose={() => setBulk(undefined)} />}
      {adding && (
        <AddPersonDialog kind="visitor" account={adding.account} onClose={() => setAdding(undefined)} />
      )}
      {changed && <VisitTimeDialog visitor={changed} onClose={() => setChanged(undefined)} />}
    </>
  )
}

interface VisitorColumnsOptions {
  readonly actions: PersonActions
  readonly isOverNow: (visitor: Visitor) => boolean
  /** How the caller may promote them to Bkey: directly, or with the Akey's consent. */
  readonly raises: 'raise' | 'propose' | undefined
  readonly onChangeTime: (visitor: Visitor) => void
}

function useVisitorColumns(options: VisitorColumnsOptions): readonly TableColumn<Visitor>[] {
  const { actions, isOverNow, raises, onChangeTime } = options
  const { access: t, table } = useText()
  return useMemo(
    (): readonly TableColumn<Visitor>[] => [
      personColumn<Visitor>(t.columns.person),
      {
        id: 'may',
        title: t.columns.may,
        ...{ width: 184, rank: 3, card: 'plain' },
        value: ({ limitRead }) => t.modes[limitRead === 1 ? 'ro' : 'rw'],
        cell: (visitor) => <ModeBit grant={visitor} actions={actions} fixed={isOverNow(visitor)} />,
      },
      {
        id: 'until',
        title: t.columns.until,
        ...{ width: 150, grow: 1.1, rank: 2, card: 'plain' },
        value: ({ visitTime }) =>
          visitTime === access.visitTimes.forever ? Number.MAX_SAFE_INTEGER : visitTime,
        csv: ({ visitTime }) => (visitTime > 0 ? timeCell(visitTime) : visitTime < 0 ? t.time.forever : null),
        cell: (visitor) => <VisitTimeText visitTime={isOverNow(visitor) ? 0 : visitor.visitTime} />,
      },
      {
        id: 'alarms',
        title: t.columns.alarms,
        ...{ width: 120, rank: 4 },
        value: ({ limitAlarm }) => (limitAlarm === 0 ? t.no : t.yes),
        cell: (visitor) =>
          isOverNow(visitor) ? emptyMark : <AlarmBit grant={visitor} actions={actions} fixed={false} />,
      },
      actionsColumn<Visitor>(table.actions, 144, (visitor) => (
        <RowActions>
          {isOverNow(visitor) ? (
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
            {!isOverNow(visitor) && (
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
        </RowActions>
      )),
    ],
    [t, table, actions, isOverNow, raises, onChangeTime],
  )
}
