import { operator } from '@busbar/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { emptyMark, formatDate, formatNumber } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { showNotice } from '../../shared/ui/notice-store.ts'
import { Switch } from '../../shared/ui/switch.tsx'
import { type Act, ActDialog } from './act-dialog.tsx'
import { Cell, NameCell, OperatorList, rowCss, Tag } from './operator-list.tsx'
import { enterprisesQuery, operatorKey } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'
import { useList } from './use-list.ts'

const template = 'minmax(200px, 2fr) minmax(120px, 1fr) 90px 90px 110px 110px 110px'

/** Every enterprise, and the functions it may use. */
export function EnterprisesSection(): ReactNode {
  const all = useOperatorText()
  const t = all.enterprises
  const state = useList()
  const query = useQuery(enterprisesQuery(state.ask))
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (wished: { eid: number; enableProject: boolean }) => call(operator.updateEnterprise, wished),
    onSuccess: () => showNotice(all.done),
    onSettled: () => queries.invalidateQueries({ queryKey: operatorKey }),
  })
  const [act, setAct] = useState<Act>()

  function ask({ eid, name, state }: operator.EnterpriseRow): void {
    const isLocked = state === 'locked'
    setAct({
      title: isLocked ? t.unlock : t.confirmLock(name),
      body: isLocked ? name : t.confirmLockBody,
      action: isLocked ? t.unlock : t.lock,
      danger: !isLocked,
      run: () =>
        call(operator.updateEnterprise, { eid, state: isLocked ? 'active' : 'locked' }, { noNotice: true }),
      onDone: () => showNotice(all.done),
    })
  }

  return (
    <>
      <OperatorList
        title={all.parts.enterprises}
        lead={t.lead}
        query={query}
        state={state}
        searched={t.search}
        columns={Object.values(t.columns)}
        template={template}
        empty={{ icon: 'group', title: t.empty }}
        row={(row) => (
          <li key={row.eid} className={rowCss.row}>
            <NameCell
              name={row.name}
              minor={`eid ${row.eid}`}
              tags={
                row.state !== 'active' && (
                  <Tag tone="bad">{row.state === 'locked' ? t.locked : t.leaving}</Tag>
                )
              }
            />
            <Cell caption={t.columns.owner}>{row.owner || emptyMark}</Cell>
            <Cell caption={t.columns.members}>{formatNumber(row.members)}</Cell>
            <Cell caption={t.columns.machines}>{formatNumber(row.machines)}</Cell>
            <Cell caption={t.columns.created}>{formatDate(row.createdAt)}</Cell>
            <Cell caption={t.columns.projects}>
              <Switch
                label={t.projectsOf(row.name)}
                checked={row.enableProject}
                disabled={change.isPending}
                onChange={(enableProject) => change.mutate({ eid: row.eid, enableProject })}
              />
            </Cell>
            <div className={rowCss.actions}>
              <Button kind="ghost" size="small" onClick={() => ask(row)}>
                {row.state === 'locked' ? t.unlock : t.lock}
                <span className="sr-only">{row.name}</span>
              </Button>
            </div>
          </li>
        )}
      />
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
    </>
  )
}
