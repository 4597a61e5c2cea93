import type { access } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { bkeysQuery } from '../../entities/access/access-queries.ts'
import { useText } from '../../shared/i18n/index.ts'
import { useReturnedDraft } from '../../shared/session/drafts.ts'
import { Button } from '../../shared/ui/button.tsx'
import type { Bulk } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import { MenuItem, MenuLine } from '../../shared/ui/menu/menu.tsx'
import { RowMenu } from '../../shared/ui/people/row-menu.tsx'
import { RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import { AddPersonDialog } from './add-person-dialog.tsx'
import { useAdministration } from './administration.ts'
import { AlarmBit, ModeBit } from './grant-bits.tsx'
import { PeopleBulk, PeopleButtons } from './people-bulk.tsx'
import { accountOf, personColumn, personNameOf } from './person-cell.tsx'
import css from './rows.module.css'
import { usePersonActions } from './use-person-actions.ts'

type Bkey = access.Bkey

const keyOf = ({ id }: Bkey) => id

/** The Bkeys, who look after the machine with the Akey. */
export function BkeysSection() {
  const { machineId, isAkey, mayPropose, userId } = useAdministration()
  const { access: t, table } = useText()
  const query = useQuery(bkeysQuery(machineId))
  const actions = usePersonActions()
  const view = useTableView({ id: 'keys.bkeys' })
  const [bulk, setBulk] = useState<Bulk<Bkey>>()
  const [adding, setAdding] = useState<{ account?: string | undefined }>()
  useReturnedDraft(`bkey-${machineId}`, userId, setAdding)

  const columns = useMemo(
    (): readonly TableColumn<Bkey>[] => [
      personColumn<Bkey>(t.columns.person, true),
      {
        id: 'may',
        title: t.columns.may,
        ...{ width: 170, grow: 0.6, rank: 2, card: 'plain' },
        value: ({ limitRead }) => t.modes[limitRead === 1 ? 'ro' : 'rw'],
        cell: (bkey) => <ModeBit grant={bkey} actions={actions} fixed={!isAkey} />,
      },
      {
        id: 'alarms',
        title: t.columns.alarms,
        ...{ width: 110, grow: 0.4, rank: 3 },
        value: ({ limitAlarm }) => (limitAlarm === 0 ? t.no : t.yes),
        cell: (bkey) => <AlarmBit grant={bkey} actions={actions} fixed={!isAkey && bkey.userId !== userId} />,
      },
      actionsColumn<Bkey>(
        table.actions,
        56,
        (bkey) =>
          isAkey && (
            <RowActions>
              <RowMenu name={bkey.name}>
                <MenuItem icon="arrowDown" onAction={() => actions.lower(bkey)}>
                  {t.bkeys.lower}
                </MenuItem>
                <MenuLine />
                <MenuItem icon="ban" danger onAction={() => actions.block(bkey)}>
                  {t.visitors.block}
                </MenuItem>
              </RowMenu>
            </RowActions>
          ),
      ),
    ],
    [t, table, actions, isAkey, userId],
  )

  const add = (isAkey || mayPropose) && (
    <Button kind="primary" icon="plus" onClick={() => setAdding({})}>
      {isAkey ? t.bkeys.add : t.bkeys.propose}
    </Button>
  )
  return (
    <>
      <DataTable
        title={t.tabs.bkeys}
        lead={t.bkeys.lead}
        view={view}
        source={wholeList(query)}
        columns={columns}
        rowKey={keyOf}
        rowName={personNameOf}
        search={t.search}
        searched={accountOf}
        {...(isAkey && {
          bulk: (chosen: readonly Bkey[]) => (
            <PeopleButtons
              acts={[
                { id: 'lower', action: t.bkeys.lower, run: actions.each.lower },
                { id: 'block', action: t.visitors.block, danger: true, run: actions.each.block },
              ]}
              rows={chosen}
              keyOf={keyOf}
              onAsk={setBulk}
            />
          ),
        })}
        actions={query.data?.length !== 0 && add}
        empty={{
          icon: 'key',
          title: t.bkeys.empty,
          hint: isAkey || mayPropose ? t.bkeys.emptyHint : t.bkeys.emptyBkey,
          action: add,
        }}
      >
        {!isAkey && query.data && query.data.length > 0 && (
          <p className={css.quiet}>{mayPropose ? t.bkeys.akeyOnly : t.bkeys.akeyOnlyAll}</p>
        )}
      </DataTable>
      {bulk && <PeopleBulk bulk={bulk} view={view} onClose={() => setBulk(undefined)} />}
      {adding && (
        <AddPersonDialog kind="bkey" account={adding.account} onClose={() => setAdding(undefined)} />
      )}
    </>
  )
}
