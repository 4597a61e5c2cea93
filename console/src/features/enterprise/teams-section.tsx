import { enterprises, mayCall } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { spaceKey, type Team, teamsQuery } from '../../entities/enterprise/enterprise-queries.ts'
import { call } from '../../shared/api/client.ts'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button, IconButton } from '../../shared/ui/button.tsx'
import { type Confirmation, ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx'
import { NameCell, RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import type { SectionProps } from './manage-section.ts'
import { TeamDialog } from './team-dialog.tsx'

const keyOf = ({ id }: Team) => id
const nameOf = ({ name }: Team) => name

/** Teams and the devices they look after. */
export function TeamsSection({ space, permission }: SectionProps): ReactNode {
  const { enterprises: words, table } = useText()
  const t = words.manage.teams
  const { eid } = space
  const queries = useQueryClient()
  const query = useQuery(teamsQuery(eid))
  const view = useTableView({ id: 'enterprise.teams' })
  const [edited, edit] = useState<Team | 'new'>()
  const [asked, ask] = useState<Confirmation>()
  const mayAdd = mayCall(enterprises.createTeam, permission)
  const mayChange = mayCall(enterprises.updateTeam, permission)

  const columns = useMemo(
    (): readonly TableColumn<Team>[] => [
      {
        id: 'name',
        title: t.columns.name,
        ...{ width: 160, grow: 1, rank: 0, pinned: 'start', card: 'name' },
        value: nameOf,
        cell: (team) => (
          <NameCell name={team.name} minor={t.counts(team.members.length, team.machines.length)} />
        ),
      },
      {
        id: 'kind',
        title: t.columns.kind,
        ...{ width: 140, rank: 2, card: 'plain', filter: { kind: 'choice', choices: t.kinds } },
        value: ({ kind }) => kind,
        csv: ({ kind }) => t.kinds[kind],
        cell: ({ kind }) => t.kinds[kind],
      },
      {
        id: 'people',
        title: t.columns.people,
        ...{ width: 160, grow: 2, rank: 3, card: 'plain' },
        value: ({ members }) => members.map(({ name }) => name).join(' · '),
      },
      {
        id: 'devices',
        title: t.columns.devices,
        ...{ width: 96, rank: 4, card: 'none' },
        value: ({ machines }) => machines.length,
        cell: ({ machines }) => formatNumber(machines.length),
      },
      actionsColumn<Team>(
        table.actions,
        84,
        (team) =>
          mayChange && (
            <RowActions>
              <IconButton icon="edit" size="small" label={t.edit(team.name)} onClick={() => edit(team)} />
              <IconButton
                icon="trash"
                size="small"
                label={t.removeTitle(team.name)}
                onClick={() =>
                  ask({
                    title: t.removeTitle(team.name),
                    body: t.removeBody,
                    action: t.remove,
                    done: t.removed(team.name),
                    call: () => call(enterprises.removeTeam, { eid, id: team.id }),
                  })
                }
              />
            </RowActions>
          ),
      ),
    ],
    [t, table, mayChange, eid],
  )

  const removeMany = (teams: readonly Team[]): Confirmation => ({
    title: t.removeMany(teams.length),
    body: t.removeBody,
    action: t.remove,
    done: t.removedMany(teams.length),
    call: async () => {
      for (const { id } of teams) await call(enterprises.removeTeam, { eid, id })
      view.select(new Set())
    },
  })

  const add = mayAdd && (
    <Button kind="primary" icon="plus" onClick={() => edit('new')}>
      {t.add}
    </Button>
  )
  return (
    <>
      <DataTable
        title={words.manage.tabs.teams}
        lead={mayAdd ? undefined : words.manage.adminOnly}
        view={view}
        source={wholeList(query)}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        fileName={words.manage.tabs.teams}
        {...(mayChange && {
          onOpen: edit,
          bulk: (teams: readonly Team[]) => (
            <Button size="small" onClick={() => ask(removeMany(teams))}>
              {t.remove}
            </Button>
          ),
        })}
        empty={{ icon: 'user', title: t.empty, hint: t.emptyHint, action: add }}
        actions={query.data && query.data.length > 0 && add}
      />
      {edited && (
        <TeamDialog eid={eid} team={edited === 'new' ? undefined : edited} onClose={() => edit(undefined)} />
      )}
      {asked && (
        <ConfirmDialog
          confirmation={asked}
          onClose={() => ask(undefined)}
          onSettled={() => queries.invalidateQueries({ queryKey: spaceKey(eid) })}
        />
      )}
    </>
  )
}
