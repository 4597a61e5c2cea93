import { operator } from '@busbar/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { call } from '../../shared/api/client.ts'
import { formatNumber, useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import { timeCell } from '../../shared/ui/data/csv.ts'
import type { Bulk } from '../../shared/ui/dialogs/bulk-dialog.tsx'
import { ExactTime, Lines, NameCell, RowActions } from '../../shared/ui/table/cells.tsx'
import { actionsColumn, type TableColumn } from '../../shared/ui/table/column.ts'
import { DataTable } from '../../shared/ui/table/data-table.tsx'
import { Tag } from '../../shared/ui/tag.tsx'
import { type Act, ActDialog } from './act-dialog.tsx'
import { ClockJobs, JobQueues, wordFor } from './clock-jobs.tsx'
import { OperatorBulk } from './operator-bulk.tsx'
import { factsSetAsideKey, jobsOverviewQuery, jobsQuery } from './operator-queries.ts'
import { type OperatorText, useOperatorText } from './operator-text.ts'
import { SetAsideFacts } from './set-aside-facts.tsx'
import { useOnly, useOperatorList } from './use-operator-list.ts'

type Job = operator.JobRow

const keyOf = ({ jobId }: Job) => jobId

/** The queue and what a job works on. */
function nameOf(t: OperatorText['jobs'], { queue, ids }: Job): string {
  const subjects: Readonly<Record<string, (id: string) => string>> = t.subjects
  const own = Object.entries(ids).map(([name, id]) => subjects[name]?.(String(id)) ?? String(id))
  return [wordFor(t, t.queueNames, queue), ...own].join(' · ')
}

const isOpen = ({ state }: Job) => state === 'waiting' || state === 'running'
const retry = ({ queue, jobId }: Job) => call(operator.retryJob, { queue, jobId }, { noNotice: true })
const cancel = ({ queue, jobId }: Job) => call(operator.cancelJob, { queue, jobId }, { noNotice: true })

/** Queued jobs, their queues, and scheduled jobs. */
export function JobsSection(): ReactNode {
  const all = useOperatorText()
  const t = all.jobs
  const { table } = useText()
  const list = useOperatorList({
    id: 'jobs',
    queryOf: (ask) => jobsQuery({ ...ask, search: searchedFor(t, ask.search) }),
    countedMax: operator.rowsCountedMax,
  })
  const filters = useOnly<Job>(t.columns.state, t.filters)
  const [act, setAct] = useState<Act>()
  const [bulk, setBulk] = useState<Bulk<Job>>()
  const queries = useQueryClient()

  const columns = useMemo((): readonly TableColumn<Job>[] => {
    const ask = (job: Job) =>
      setAct(
        job.state === 'failed'
          ? { title: t.confirmRetry, body: nameOf(t, job), action: t.retry, run: () => retry(job) }
          : {
              title: t.confirmCancel,
              body: `${nameOf(t, job)}. ${t.cancelBody}`,
              action: t.cancel,
              danger: true,
              run: () => cancel(job),
            },
      )
    return [
      {
        id: 'job',
        title: t.columns.job,
        ...{ width: 200, grow: 2, rank: 0, pinned: 'start', card: 'name' },
        value: (job) => nameOf(t, job),
        cell: (job) => <NameCell name={nameOf(t, job)} minor={job.jobId} />,
      },
      {
        id: 'state',
        title: t.columns.state,
        ...{ width: 150, grow: 1.2, rank: 2, card: 'plain' },
        value: ({ state }) => t.states[state],
        cell: ({ state, done, total, error }) => (
          <Lines
            main={state === 'failed' ? <Tag tone="bad">{t.states.failed}</Tag> : t.states[state]}
            minor={
              error ||
              (done !== null && total !== null && t.progress(formatNumber(done), formatNumber(total)))
            }
          />
        ),
      },
      { id: 'tries', title: t.columns.tries, width: 70, rank: 5, value: ({ tries }) => tries },
      {
        id: 'at',
        title: t.columns.at,
        ...{ width: 178, rank: 4, card: 'plain' },
        value: ({ createdAt }) => createdAt,
        csv: ({ createdAt }) => timeCell(createdAt),
        cell: ({ createdAt }) => <ExactTime at={createdAt} />,
      },
      {
        id: 'next',
        title: t.columns.next,
        ...{ width: 178, rank: 3, card: 'plain' },
        value: ({ endedAt, nextAt }) => endedAt ?? nextAt,
        csv: ({ endedAt, nextAt }) => timeCell(endedAt ?? nextAt),
        cell: ({ endedAt, nextAt }) => <ExactTime at={endedAt ?? nextAt} />,
      },
      actionsColumn<Job>(table.actions, 104, (job) =>
        job.state === 'failed' || isOpen(job) ? (
          <RowActions>
            <Button kind="ghost" size="small" onClick={() => ask(job)}>
              {job.state === 'failed' ? t.retry : t.cancel}
              <span className="sr-only">{nameOf(t, job)}</span>
            </Button>
          </RowActions>
        ) : null,
      ),
    ]
  }, [t, table])

  const askMany = (jobs: readonly Job[], action: string, run: (job: Job) => Promise<unknown>) =>
    setBulk({
      title: all.bulk(action, jobs.length),
      body: run === cancel ? t.cancelBody : jobs.map((job) => nameOf(t, job)).join(', '),
      action,
      danger: run === cancel,
      rows: jobs,
      keyOf,
      nameOf: (job) => nameOf(t, job),
      run,
      done: all.done,
    })

  return (
    <>
      <DataTable
        {...list}
        title={all.parts.jobs}
        lead={t.lead}
        columns={columns}
        filters={filters}
        rowKey={keyOf}
        rowName={(job) => nameOf(t, job)}
        search={t.search}
        fileName={all.parts.jobs}
        empty={{ icon: 'clock', title: t.empty, hint: t.emptyHint }}
        bulk={(jobs) => {
          const failed = jobs.filter(({ state }) => state === 'failed')
          const open = jobs.filter(isOpen)
          return (
            <>
              {failed.length > 0 && (
                <Button size="small" onClick={() => askMany(failed, t.retry, retry)}>
                  {t.retry} ({formatNumber(failed.length)})
                </Button>
              )}
              {open.length > 0 && (
                <Button size="small" onClick={() => askMany(open, t.cancel, cancel)}>
                  {t.cancel} ({formatNumber(open.length)})
                </Button>
              )}
            </>
          )
        }}
        actions={
          <Button
            icon="refresh"
            busy={list.source.isFetching}
            onClick={() => {
              list.source.retry()
              void queries.invalidateQueries(jobsOverviewQuery)
              void queries.invalidateQueries({ queryKey: factsSetAsideKey })
            }}
          >
            {all.refresh}
          </Button>
        }
      />
      <JobQueues />
      <SetAsideFacts />
      <ClockJobs />
      {act && <ActDialog act={act} onClose={() => setAct(undefined)} />}
      {bulk && <OperatorBulk bulk={bulk} view={list.view} onClose={() => setBulk(undefined)} />}
    </>
  )
}

/** The platform knows queues by their names: the beginning of a queue's word stands for that. */
function searchedFor({ queueNames }: OperatorText['jobs'], search: string): string {
  if (search === '') return ''
  const begun = search.toLowerCase()
  const queue = Object.entries(queueNames).find(([, word]) => word.toLowerCase().startsWith(begun))
  return queue?.[0] ?? search
}
