import { operator } from '@busbar/contract'
import type { ReactNode } from 'react'
import { formatNumber } from '../../shared/i18n/index.ts'
import { calls } from '../../shared/resource/acts.tsx'
import { ClockJobs, JobQueues, wordFor } from './clock-jobs.tsx'
import { OperatorList, operatorPages } from './operator-list.tsx'
import { jobsEveryMs } from './operator-queries.ts'
import { type OperatorText, useOperatorText } from './operator-text.ts'
import { SetAsideFacts } from './set-aside-facts.tsx'

type Job = operator.JobRow

/** The queue and what a job works on. */
function nameOf(t: OperatorText['jobs'], { queue, ids }: Job): string {
  const subjects: Readonly<Record<string, (id: string) => string>> = t.subjects
  const own = Object.entries(ids).map(([name, id]) => subjects[name]?.(String(id)) ?? String(id))
  return [wordFor(t, t.queueNames, queue), ...own].join(' · ')
}

const idsOf = ({ queue, jobId }: Job) => ({ queue, jobId })

/** Queued jobs, their queues, and scheduled jobs. */
export function JobsSection(): ReactNode {
  const all = useOperatorText()
  const t = all.jobs
  const namesOf = (jobs: readonly Job[]) => jobs.map((job) => nameOf(t, job)).join(', ')
  return (
    <>
      <OperatorList
        id="operator.jobs"
        title={all.parts.jobs}
        lead={t.lead}
        rows={operatorPages(
          operator.listJobs,
          {},
          {
            countedMax: operator.rowsCountedMax,
            refreshMs: jobsEveryMs,
            searchOf: (typed) => searchedFor(t, typed),
          },
        )}
        rowKey="jobId"
        titles={t.columns}
        columns={{
          job: {
            kind: 'name',
            value: (job) => nameOf(t, job),
            minor: ({ jobId }) => jobId,
            width: 200,
            grow: 2,
          },
          state: {
            kind: 'state',
            value: 'state',
            words: t.states,
            tones: { failed: 'bad' },
            minor: ({ done, total, error }) =>
              error ||
              (done !== null && total !== null && t.progress(formatNumber(done), formatNumber(total))),
            width: 150,
            grow: 1.2,
            rank: 2,
            card: 'plain',
          },
          tries: { kind: 'count', value: 'tries', width: 70, rank: 5 },
          at: { kind: 'time', value: 'createdAt', rank: 4, card: 'plain' },
          next: { kind: 'time', value: ({ endedAt, nextAt }) => endedAt ?? nextAt, rank: 3, card: 'plain' },
        }}
        filters={{ only: { title: t.columns.state, choices: t.filters } }}
        search={t.search}
        isRefreshed
        acts={[
          {
            ...calls(operator.retryJob, idsOf),
            label: t.retry,
            danger: false,
            fits: ({ state }) => state === 'failed',
            asks: { title: () => t.confirmRetry, many: (count) => all.bulk(t.retry, count), body: namesOf },
            done: all.done,
          },
          {
            ...calls(operator.cancelJob, idsOf),
            label: t.cancel,
            fits: ({ state }) => state === 'waiting' || state === 'running',
            asks: {
              title: () => t.confirmCancel,
              many: (count) => all.bulk(t.cancel, count),
              body: (jobs) => (jobs.length === 1 ? `${namesOf(jobs)}. ${t.cancelBody}` : t.cancelBody),
            },
            done: all.done,
          },
        ]}
        empty={{ icon: 'clock', title: t.empty, hint: t.emptyHint }}
      />
      <JobQueues />
      <SetAsideFacts />
      <ClockJobs />
    </>
  )
}

/** The platform knows queues by their names: the beginning of a queue's word stands for that. */
function searchedFor({ queueNames }: OperatorText['jobs'], search: string): string {
  const begun = search.toLowerCase()
  const queue = Object.entries(queueNames).find(([, word]) => word.toLowerCase().startsWith(begun))
  return queue?.[0] ?? search
}
