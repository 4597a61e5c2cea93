import type { access } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { blacklistQuery } from '../../entities/access/access-queries.ts'
import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { RelativeTime } from '../../shared/ui/data/relative-time.tsx'
import type { Bulk } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import { RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import { useAdministration } from './administration.ts'
import { PeopleBulk, PeopleButtons } from './people-bulk.tsx'
import { accountOf, personColumn, personNameOf } from './person-cell.tsx'
import css from './rows.module.css'
import { usePersonActions } from './use-person-actions.ts'

type Blocked = access.Blacklisted

const keyOf = ({ userId }: Blocked) => userId

/** The people who are kept out, whatever rights they had. */
export function BlacklistSection() {
  const { machineId, limits } = useAdministration()
  const { access: t, table } = useText()
  const query = useQuery(blacklistQuery(machineId))
  const actions = usePersonActions()
  const view = useTableView({ id: 'keys.blacklist' })
  const [bulk, setBulk] = useState<Bulk<Blocked>>()
  const isLimited = limits.mode !== undefined

  const columns = useMemo(
    (): readonly TableColumn<Blocked>[] => [
      personColumn<Blocked>(t.columns.person),
      {
        id: 'since',
        title: t.blacklist.since,
        ...{ width: 140, grow: 1, rank: 2 },
        value: ({ since }) => since,
        csv: ({ since }) => timeCell(since),
        cell: ({ since }) => <RelativeTime at={since} />,
      },
      actionsColumn<Blocked>(table.actions, 112, (person) => (
        <RowActions>
          <Button size="small" disabled={isLimited} onClick={() => void actions.lift(person)}>
            {t.blacklist.lift}
            <span className="sr-only">{person.name}</span>
          </Button>
        </RowActions>
      )),
    ],
    [t, table, actions, isLimited],
  )

  return (
    <>
      <DataTable
        title={t.tabs.blacklist}
        lead={t.blacklist.lead}
        view={view}
        source={wholeList(query)}
        columns={columns}
        rowKey={keyOf}
        rowName={personNameOf}
        search={t.search}
        searched={accountOf}
        {...(!isLimited && {
          bulk: (chosen: readonly Blocked[]) => (
            <PeopleButtons
              acts={[{ id: 'lift', action: t.blacklist.lift, run: actions.each.lift }]}
              rows={chosen}
              keyOf={keyOf}
              onAsk={setBulk}
            />
          ),
        })}
        empty={{
          icon: 'ban',
          title: t.blacklist.empty,
          hint: t.blacklist.emptyHint,
          action: (
            <Link
              to="/administrateCenter"
              search={(before) => ({ ...before, tab: 'visitors' as const })}
              className={css.link}
            >
              {t.blacklist.toVisitors}
            </Link>
          ),
        }}
      >
        {limits.mode && query.data && query.data.length > 0 && <p className={css.quiet}>{t.lacks.lift}</p>}
      </DataTable>
      {bulk && <PeopleBulk bulk={bulk} view={view} onClose={() => setBulk(undefined)} />}
    </>
  )
}
