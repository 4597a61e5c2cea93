import { operator } from '@busbar/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { emptyMark, formatExact, formatNumber } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { type Act, ActDialog } from './act-dialog.tsx'
import { ClockJobs, JobQueues, wordFor } from './clock-jobs.tsx'
import { Cell, NameCell, OperatorList, rowCss, Tag } from './operator-list.tsx'
import { factsSetAsideQuery, jobsOverviewQuery, jobsQuery } from './operator-queries.ts'
import { type OperatorText, useOperatorText } from './operator-text.ts'
import { SetAsideFacts } from './set-aside-facts.tsx'
import { useList } from './use-list.ts'

const template = 'minmax(180px, 2fr) minmax(150px, 1.4fr) 48px 150px 150px 96px'
const tones = {
  failed: 'bad',
  done: 'good',
  waiting: 'plain',
  running: 'accent',
  cancelled: 'plain',
} as const

/** Queued jobs, the queues they stand in, and what runs by the clock. */
export function JobsSection(): ReactNode {
  const all = useOperatorText()
  const t = all.jobs
  const state = useList<'waiting' | 'running' | 'failed'>()
  const query = useQuery(jobsQuery({ ...state.ask, search: searchedFor(t, state.ask.search) }))
  const [act, setAct] = useState<Act>()
  const queries = useQueryClient()

  function refresh() {
    void query.refetch()
    void queries.invalidateQueries(jobsOverviewQuery)
    void queries.invalidateQueries(factsSetAsideQuery)
  }

  function ask(job: operator.JobRow) {
    const { queue, jobId } = job
    const name = nameOf(t, job)
    if (job.state === 'failed')
      setAct({
        title: t.confirmRetry,
        body: name,
        action: t.retry,
        run: () => call(operator.retryJob, { queue, jobId }),
      })
    else
      setAct({
        title: t.confirmCancel,
        body: `${name}. ${t.cancelBody}`,
        action: t.cancel,
        danger: true,
        run: () => call(operator.cancelJob, { queue, jobId }),
      })
  }

  return (
    <>
      <OperatorList
        title={all.parts.jobs}
        lead={t.lead}
        query={query}
        state={state}
        searched={t.search}
        filters={t.filters}
        columns={Object.values(t.columns)}
        template={template}
        empty={{ icon: 'clock', title: t.empty, hint: t.emptyHint }}
        countedMax={operator.rowsCountedMax}
        row={(job) => (
          <li key={job.jobId} className={rowCss.row}>
            <NameCell name={nameOf(t, job)} minor={job.jobId} />
            <Cell caption={t.columns.state} wide>
              <Tag tone={tones[job.state]}>{t.states[job.state]}</Tag>
              {job.done !== null && job.total !== null && (
                <p className={rowCss.minor}>{t.progress(formatNumber(job.done), formatNumber(job.total))}</p>
              )}
              {job.error && <p className={rowCss.minor}>{job.error}</p>}
            </Cell>
            <Cell caption={t.columns.tries}>{formatNumber(job.tries)}</Cell>
            <Cell caption={t.columns.at} wide>
              <Time at={job.createdAt} />
            </Cell>
            <Cell caption={t.columns.next} wide>
              <Time at={job.endedAt ?? job.nextAt} />
            </Cell>
            <div className={rowCss.actions}>
              {(job.state === 'failed' || job.state === 'waiting' || job.state === 'running') && (
                <Button kind="ghost" size="small" onClick={() => ask(job)}>
                  {job.state === 'failed' ? t.retry : t.cancel}
                  <span className="sr-only">{nameOf(t, job)}</span>
                </Button>
              )}
            </div>
          </li>
        )}
      >
        <Button icon="refresh" busy={query.isFetching} onClick={refresh}>
          {all.refresh}
        </Button>
      </OperatorList>
      <JobQueues />
      <SetAsideFacts />
      <ClockJobs />
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
    </>
  )
}

/** The queue and what a job works on. */
function nameOf(t: OperatorText['jobs'], { queue, ids }: operator.JobRow): string {
  const subjects: Readonly<Record<string, (id: string) => string>> = t.subjects
  const own = Object.entries(ids).map(([name, id]) => subjects[name]?.(String(id)) ?? String(id))
  return [wordFor(t, t.queueNames, queue), ...own].join(' · ')
}

/** The platform knows queues by their names: the beginning of a queue's word stands for that. */
function searchedFor({ queueNames }: OperatorText['jobs'], search: string): string {
  if (search === '') return ''
  const begun = search.toLowerCase()
  const queue = Object.entries(queueNames).find(([, word]) => word.toLowerCase().startsWith(begun))
  return queue?.[0] ?? search
}

function Time({ at }: { at: number | null }) {
  return at === null ? emptyMark : <time dateTime={new Date(at).toISOString()}>{formatExact(at)}</time>
}
