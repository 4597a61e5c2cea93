import type { operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { emptyMark, formatNumber } from '../../shared/i18n/index.ts'
import { timeCell } from '../../shared/ui/data/csv.ts'
import { ExactTime, Lines, NameCell } from '../../shared/ui/table/cells.tsx'
import type { TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { wholeList } from '../../shared/ui/table/table-source.ts'
import { useTableView } from '../../shared/ui/table/use-table-view.ts'
import { Tag } from '../../shared/ui/tag.tsx'
import { jobsOverviewQuery } from './operator-queries.ts'
import { type OperatorText, useOperatorText } from './operator-text.ts'

type Queue = operator.JobQueueRow
type ClockJob = operator.ClockJobRow

const queueOf = ({ queue }: Queue) => queue
const clockNameOf = ({ name }: ClockJob) => name

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
  const query = useQuery(jobsOverviewQuery)
  const view = useTableView({ id: 'operator.queues' })
  const columns = useMemo(
    (): readonly TableColumn<Queue>[] => [
      {
        id: 'queue',
        title: t.queue,
        ...{ width: 180, grow: 2, rank: 0, card: 'name' },
        value: ({ queue }) => wordFor(t, t.queueNames, queue),
        cell: ({ queue }) => <NameCell name={wordFor(t, t.queueNames, queue)} />,
      },
      { id: 'waiting', title: t.states.waiting, width: 110, rank: 2, value: ({ waiting }) => waiting },
      { id: 'running', title: t.states.running, width: 110, rank: 3, value: ({ running }) => running },
      { id: 'failed', title: t.states.failed, width: 110, rank: 1, value: ({ failed }) => failed },
    ],
    [t],
  )
  if (!query.data?.queues.length) return null
  return (
    <DataTable
      title={t.queues}
      view={view}
      source={wholeList(query, query.data.queues)}
      columns={columns}
      rowKey={queueOf}
      rowName={queueOf}
      hasKeys={false}
      empty={{ icon: 'clock', title: t.empty }}
    />
  )
}

/** Scheduled jobs: the last run, its duration, and the next one. */
export function ClockJobs(): ReactNode {
  const t = useOperatorText().jobs
  const query = useQuery(jobsOverviewQuery)
  const view = useTableView({ id: 'operator.clock' })
  const clock = query.data?.clock
  const rows = useMemo(() => clock?.toSorted(byFailures), [clock])
  const columns = useMemo(
    (): readonly TableColumn<ClockJob>[] => [
      {
        id: 'name',
        title: t.clockColumns.name,
        ...{ width: 190, grow: 1.6, rank: 0, card: 'name' },
        value: ({ name }) => wordFor(t, t.clockNames, name),
        cell: ({ name, everyS }) => (
          <NameCell name={wordFor(t, t.clockNames, name)} minor={t.every(everyS)} />
        ),
      },
      {
        id: 'last',
        title: t.clockColumns.last,
        ...{ width: 178, rank: 3, card: 'plain' },
        value: ({ lastAt }) => lastAt,
        csv: ({ lastAt }) => timeCell(lastAt),
        cell: ({ lastAt }) => (lastAt === null ? t.never : <ExactTime at={lastAt} />),
      },
      {
        id: 'took',
        title: t.clockColumns.took,
        ...{ width: 90, rank: 5 },
        value: ({ lastMs }) => lastMs,
        cell: ({ lastMs }) => (lastMs === null ? emptyMark : `${formatNumber(Math.round(lastMs))} ms`),
      },
      {
        id: 'next',
        title: t.clockColumns.next,
        ...{ width: 178, rank: 4, card: 'plain' },
        value: ({ nextAt }) => nextAt,
        csv: ({ nextAt }) => timeCell(nextAt),
        cell: ({ nextAt }) => <ExactTime at={nextAt} />,
      },
      {
        id: 'outcome',
        title: t.clockColumns.error,
        ...{ width: 160, grow: 1, rank: 2, card: 'plain' },
        value: ({ failures }) => failures,
        cell: (job) => <Outcome job={job} />,
      },
    ],
    [t],
  )
  return (
    <DataTable
      title={t.clock}
      view={view}
      source={wholeList(query, rows)}
      columns={columns}
      rowKey={clockNameOf}
      rowName={clockNameOf}
      hasKeys={false}
      search={t.clockSearch}
      empty={{ icon: 'clock', title: t.empty }}
    />
  )
}

/** Failing jobs come first: the list is long, and they are reported only here. */
const byFailures = (one: ClockJob, other: ClockJob) => other.failures - one.failures

function Outcome({ job }: { job: ClockJob }) {
  const t = useOperatorText().jobs
  if (job.isRunning) return t.running
  if (job.lastAt === null) return emptyMark
  if (!job.error) return t.ok
  return <Lines main={<Tag tone="bad">{t.failures(job.failures)}</Tag>} minor={job.error} />
}
