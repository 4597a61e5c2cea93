import { operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatExact, formatNumber } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { type Act, ActDialog } from './act-dialog.tsx'
import { Panel } from './clock-jobs.tsx'
import { Cell, NameCell, rowCss } from './operator-list.tsx'
import { factsSetAsideQuery } from './operator-queries.ts'
import { useOperatorText } from './operator-text.ts'

const template = 'minmax(200px, 1.6fr) 150px 56px minmax(160px, 1.6fr) 96px'

/** Facts that a durable follower failed with for good, the oldest first; each can be given to it again. */
export function SetAsideFacts(): ReactNode {
  const all = useOperatorText()
  const t = all.jobs.setAside
  const { data } = useQuery(factsSetAsideQuery)
  const [act, setAct] = useState<Act>()
  if (!data) return null
  const { list, total } = data
  const count =
    total > list.length ? `${all.total(formatNumber(total))} · ${t.oldest(formatNumber(list.length))}` : ''
  return (
    <>
      <Panel
        title={t.title}
        lead={t.lead}
        count={count}
        template={template}
        columns={Object.values(t.columns)}
        empty={list.length === 0 && <EmptyState icon="check" title={t.empty} hint={t.emptyHint} />}
      >
        {list.map((fact) => (
          <li key={`${fact.follower} ${fact.factId}`} className={rowCss.row}>
            <NameCell name={fact.kind} minor={aboutOf(fact)} />
            <Cell caption={t.columns.at} wide>
              <time dateTime={new Date(fact.at).toISOString()}>{formatExact(fact.at)}</time>
            </Cell>
            <Cell caption={t.columns.tries}>{formatNumber(fact.tries)}</Cell>
            <Cell caption={t.columns.error} wide>
              <p>{fact.error}</p>
              <p className={rowCss.minor}>{t.since(formatExact(fact.setAsideAt))}</p>
            </Cell>
            <div className={rowCss.actions}>
              <Button kind="ghost" size="small" onClick={() => setAct(retryOf(fact))}>
                {t.retry}
                <span className="sr-only">
                  {fact.kind} {fact.factId}
                </span>
              </Button>
            </div>
          </li>
        ))}
      </Panel>
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
    </>
  )

  function aboutOf({ follower, machineId, userId, eid }: operator.SetAsideRow): string {
    const subjects = [
      machineId !== null && t.machine(String(machineId)),
      userId !== null && t.user(String(userId)),
      eid !== null && t.enterprise(String(eid)),
    ]
    return [t.by(follower), ...subjects.filter((subject) => subject !== false)].join(' · ')
  }

  function retryOf({ follower, factId, kind }: operator.SetAsideRow): Act {
    return {
      title: t.confirmRetry,
      body: `${kind}. ${t.confirmBody}`,
      action: t.retry,
      run: () => call(operator.retryFactSetAside, { follower, factId }),
    }
  }
}
