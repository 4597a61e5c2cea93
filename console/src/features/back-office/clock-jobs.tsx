import type { operator } from '@busbar/contract'
import type { ReactNode } from 'react'
import { emptyMark, formatNumber } from '../../shared/i18n/index.ts'
import { List } from '../../shared/resource/list.tsx'
import { whole } from '../../shared/resource/rows.ts'
import { Lines } from '../../shared/ui/table/cells.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { jobsOverviewQuery } from './operator-queries.ts'
import { type OperatorText, useOperatorText } from './operator-text.ts'

type ClockJob = operator.ClockJobRow

/** The word for a queue or a clock job; those of other versions get a general one. */
export function wordFor(
  { otherName }: OperatorText['jobs'],
  words: Readonly<Record<string, string>>,
  name: string,
): string {
  return Object.hasOwn(words, name) ? (words[name] ?? '') : otherName(name)
}

/** The numbers of waiting, running and failed jobs of each queue. */
export function JobQueues(): ReactNode {
  const t = useOperatorText().jobs
  return (
    <List
      id="operator.queues"
      title={t.queues}
      rows={whole(jobsOverviewQuery, ({ queues }) => queues)}
      rowKey="queue"
      titles={{ ...t.states, queue: t.queue }}
      columns={{
        queue: { kind: 'name', value: ({ queue }) => wordFor(t, t.queueNames, queue), grow: 2 },
        waiting: { kind: 'count', value: 'waiting', rank: 2 },
        running: { kind: 'count', value: 'running', rank: 3 },
        failed: { kind: 'count', value: 'failed', rank: 1 },
      }}
      hasKeys={false}
      isHiddenWhile="empty"
      empty={{ icon: 'clock', title: t.empty }}
    />
  )
}

/** Failing jobs come first: the list is long, and they are reported only here. */
const failingFirst = (jobs: readonly ClockJob[]) =>
  jobs.toSorted((one, other) => other.failures - one.failures)

/** Scheduled jobs: the last run, its duration, and the next one. */
export function ClockJobs(): ReactNode {
  const t = useOperatorText().jobs
  const outcomeOf = ({ isRunning, lastAt, error, failures }: ClockJob) => {
    if (isRunning) return t.running
    if (lastAt === null) return emptyMark
    if (!error) return t.ok
    return <Lines main={<Tag tone="bad">{t.failures(failures)}</Tag>} minor={error} />
  }
  return (
    <List
      id="operator.clock"
      title={t.clock}
      rows={whole(jobsOverviewQuery, ({ clock }) => failingFirst(clock))}
      rowKey="name"
      titles={{ ...t.clockColumns, outcome: t.clockColumns.error }}
      columns={{
        name: {
          kind: 'name',
          value: ({ name }) => wordFor(t, t.clockNames, name),
          minor: ({ everyS }) => t.every(everyS),
          width: 300,
        },
        last: { kind: 'time', value: 'lastAt', none: t.never, rank: 3, card: 'plain' },
        took: {
          kind: 'count',
          value: 'lastMs',
          words: (ms) => `${formatNumber(Math.round(ms))} ms`,
          width: 90,
          rank: 5,
        },
        next: { kind: 'time', value: 'nextAt', rank: 4, card: 'plain' },
        outcome: { kind: 'text', value: 'failures', cell: outcomeOf, rank: 2, card: 'plain' },
      }}
      hasKeys={false}
      search={t.clockSearch}
      empty={{ icon: 'clock', title: t.empty }}
    />
  )
}
