import { operator } from '@busbar/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatDate, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import type { Bulk } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import { Switch } from '../../shared/ui/switch.tsx'
import { NameCell, RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { showToast } from '../../shared/ui/toast/toast-store.ts'
import { type Act, ActDialog } from './act-dialog.tsx'
import { lockEnterpriseAct, updateEnterprise } from './enterprise-acts.ts'
import { OperatorBulk } from './operator-bulk.tsx'
import { enterprisesQuery, operatorKey } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { useOpenSubject } from './subject-lists.tsx'
import { useOperatorList } from './use-operator-list.ts'

type Enterprise = operator.EnterpriseRow
type LockState = (typeof operator.lockStates)[number]

const keyOf = ({ eid }: Enterprise) => eid
const nameOf = ({ name }: Enterprise) => name
/** Every enterprise, and the functions it may use. */
export function EnterprisesSection(): ReactNode {
  const all = useOperatorText()
  const t = all.enterprises
  const { table } = useText()
  const list = useOperatorList({ id: 'enterprises', queryOf: enterprisesQuery })
  const queries = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: (wished: { eid: number; enableProject: boolean }) => call(operator.updateEnterprise, wished),
    onSuccess: () => showToast(all.done),
    onSettled: () => queries.invalidateQueries({ queryKey: operatorKey }),
  })
  const [act, setAct] = useState<Act>()
  const [bulk, setBulk] = useState<Bulk<Enterprise>>()
  const open = useOpenSubject()

  const columns = useMemo((): readonly TableColumn<Enterprise>[] => {
    const states = { active: '', locked: t.locked, leaving: t.leaving }
    return [
      {
        id: 'name',
        title: t.columns.name,
        ...{ width: 180, grow: 2, rank: 0, pinned: 'start', card: 'name', sort: 'platform' },
        value: nameOf,
        cell: ({ name, state }) => (
          <NameCell name={name} tags={states[state] && <Tag tone="bad">{states[state]}</Tag>} />
        ),
      },
      {
        id: 'eid',
        title: t.columns.eid,
        ...{ width: 80, rank: 7, sort: 'platform' },
        value: ({ eid }) => eid,
        cell: ({ eid }) => eid,
      },
      {
        id: 'owner',
        title: t.columns.owner,
        ...{ width: 120, grow: 1, rank: 3 },
        value: ({ owner }) => owner,
      },
      { id: 'members', title: t.columns.members, width: 100, rank: 4, value: ({ members }) => members },
      { id: 'machines', title: t.columns.machines, width: 100, rank: 5, value: ({ machines }) => machines },
      {
        id: 'created',
        title: t.columns.created,
        ...{ width: 110, rank: 6, sort: 'platform' },
        value: ({ createdAt }) => createdAt,
        csv: ({ createdAt }) => timeCell(createdAt),
        cell: ({ createdAt }) => formatDate(createdAt),
      },
      {
        id: 'projects',
        title: t.columns.projects,
        ...{ width: 100, rank: 2 },
        csv: ({ enableProject }) => Number(enableProject),
        cell: ({ eid, name, enableProject }) => (
          <Switch
            label={t.projectsOf(name)}
            checked={enableProject}
            disabled={isPending}
            onChange={(wished) => mutate({ eid, enableProject: wished })}
          />
        ),
      },
      actionsColumn<Enterprise>(table.actions, 96, (row) => (
        <RowActions>
          <Button kind="ghost" size="small" onClick={() => setAct(lockEnterpriseAct(all, row))}>
            {row.state === 'locked' ? t.unlock : t.lock}
            <span className="sr-only">{row.name}</span>
          </Button>
        </RowActions>
      )),
    ]
  }, [t, all, table, mutate, isPending])

  const askMany = (rows: readonly Enterprise[], state: LockState) => {
    const action = state === 'locked' ? t.lock : t.unlock
    setBulk({
      title: all.bulk(action, rows.length),
      body: state === 'locked' ? t.confirmLockBody : rows.map(nameOf).join(', '),
      action,
      danger: state === 'locked',
      rows,
      ...{ keyOf, nameOf },
      run: ({ eid }) => updateEnterprise(eid, { state }),
      done: all.done,
    })
  }

  const askProjects = (rows: readonly Enterprise[], enableProject: boolean) => {
    const action = enableProject ? all.pages.openProjects : all.pages.closeProjects
    setBulk({
      title: all.bulk(action, rows.length),
      body: rows.map(nameOf).join(', '),
      action,
      rows,
      ...{ keyOf, nameOf },
      run: ({ eid }) => updateEnterprise(eid, { enableProject }),
      done: all.done,
    })
  }

  return (
    <>
      <DataTable
        {...list}
        title={all.parts.enterprises}
        lead={t.lead}
        columns={columns}
        rowKey={keyOf}
        rowName={nameOf}
        search={t.search}
        onOpen={({ eid }) => open('enterprises', eid)}
        fileName={all.parts.enterprises}
        empty={{ icon: 'group', title: t.empty }}
        bulk={(rows) => (
          <>
            <Button size="small" onClick={() => askMany(rows, 'locked')}>
              {t.lock}
            </Button>
            <Button size="small" onClick={() => askMany(rows, 'active')}>
              {t.unlock}
            </Button>
            <Button size="small" onClick={() => askProjects(rows, true)}>
              {all.pages.openProjects}
            </Button>
            <Button size="small" onClick={() => askProjects(rows, false)}>
              {all.pages.closeProjects}
            </Button>
          </>
        )}
      />
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
      {bulk && <OperatorBulk bulk={bulk} view={list.view} onClose={() => setBulk(undefined)} />}
    </>
  )
}
