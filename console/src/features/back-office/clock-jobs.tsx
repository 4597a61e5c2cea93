import type { operator } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, type ReactNode, useId } from 'react'
import { emptyMark, formatExact, formatNumber } from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import css from './clock-jobs.module.css'
import list from './operator-list.module.css'
import { Cell, NameCell, rowCss, Tag } from './operator-list.tsx'
import { jobsOverviewQuery } from './operator-queries.ts'
import { type OperatorText, useOperatorText } from './operator-text.ts'

const queueTemplate = 'minmax(220px, 1fr) minmax(220px, 2fr)'
const clockTemplate = 'minmax(220px, 1.6fr) 150px 90px 150px minmax(160px, 1fr)'

/** The word for a queue or a clock job; one of an older version that is gone has none. */
export function wordFor(
  { otherName }: OperatorText['jobs'],
  words: Readonly<Record<string, string>>,
  name: string,
): string {
  return Object.hasOwn(words, name) ? (words[name] ?? '') : otherName(name)
}

/** How many jobs of each queue wait, run and have failed. */
export function JobQueues(): ReactNode {
  const t = useOperatorText().jobs
  const { data } = useQuery(jobsOverviewQuery)
  if (!data || data.queues.length === 0) return null
  return (
    <Panel title={t.queues} template={queueTemplate}>
      {data.queues.map(({ queue, waiting, running, failed }) => (
        <li key={queue} className={rowCss.row}>
          <NameCell name={wordFor(t, t.queueNames, queue)} />
          <Cell wide>
            {t.queueFigures(formatNumber(waiting), formatNumber(running), formatNumber(failed))}
          </Cell>
        </li>
      ))}
    </Panel>
  )
}

/** The work that time alone asks for: its last run, how long it took, and the next one. */
export function ClockJobs(): ReactNode {
  const t = useOperatorText().jobs
  const { data } = useQuery(jobsOverviewQuery)
  if (!data) return null
  return (
    <Panel title={t.clock} template={clockTemplate} columns={Object.values(t.clockColumns)}>
      {data.clock.toSorted(byFailures).map((job) => (
        <li key={job.name} className={rowCss.row}>
          <NameCell name={wordFor(t, t.clockNames, job.name)} minor={t.every(job.everyS)} />
          <Cell caption={t.clockColumns.last} wide>
            {job.lastAt === null ? t.never : <Time at={job.lastAt} />}
          </Cell>
          <Cell caption={t.clockColumns.took}>
            {job.lastMs === null ? emptyMark : `${formatNumber(Math.round(job.lastMs))} ms`}
          </Cell>
          <Cell caption={t.clockColumns.next} wide>
            <Time at={job.nextAt} />
          </Cell>
          <Cell caption={t.clockColumns.error} wide>
            <Outcome job={job} />
          </Cell>
        </li>
      ))}
    </Panel>
  )
}

/** Those that fail come first: the list is long, and nothing else tells of them. */
const byFailures = (one: operator.ClockJobRow, other: operator.ClockJobRow) => other.failures - one.failures

function Outcome({ job }: { job: operator.ClockJobRow }) {
  const t = useOperatorText().jobs
  if (job.isRunning) return <Tag tone="accent">{t.running}</Tag>
  if (job.lastAt === null) return emptyMark
  if (!job.error) return <Tag tone="good">{t.ok}</Tag>
  return (
    <>
      <Tag tone="bad">{t.failures(job.failures)}</Tag>
      <p className={rowCss.minor}>{job.error}</p>
    </>
  )
}

interface PanelProps {
  title: string
  /** The grid the columns stand in. */
  template: string
  columns?: readonly string[]
  /** Under the title. */
  lead?: string
  /** Beside the title. */
  count?: string
  /** Instead of rows. */
  empty?: ReactNode
  children?: ReactNode
}

/** A part of the page with rows of its own. */
export function Panel({ title, template, columns = [], lead, count, empty, children }: PanelProps) {
  const titleId = useId()
  return (
    <section
      className={classes(list.panel, css.panel)}
      style={{ '--columns': template } as CSSProperties}
      aria-labelledby={titleId}
    >
      <header className={list.head}>
        <div className={list.words}>
          <h2 id={titleId} className={list.title}>
            {title}
            {count && <span className={list.count}>{count}</span>}
          </h2>
          {lead && <p className={list.lead}>{lead}</p>}
        </div>
      </header>
      {empty}
      {columns.length > 0 && !empty && (
        <div className={list.names} aria-hidden="true">
          {columns.map((name) => (
            <span key={name} className="cut">
              {name}
            </span>
          ))}
        </div>
      )}
      {!empty && <ul aria-labelledby={titleId}>{children}</ul>}
    </section>
  )
}

const Time = ({ at }: { at: number }) => <time dateTime={new Date(at).toISOString()}>{formatExact(at)}</time>
