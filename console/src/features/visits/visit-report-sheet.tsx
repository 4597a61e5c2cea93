import type { AnswerOf, visits as contract, telemetry } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { subjectOf, wayWords } from '../../entities/visit/changes/change-words.ts'
import { useChangesText } from '../../entities/visit/changes/changes-text.ts'
import { useValueWords } from '../../entities/visit/value-change.tsx'
import { formatSpan } from '../../entities/visit/visit-time.ts'
import { endWords, lengthOf, rightWords, targetWords } from '../../entities/visit/visit-words.ts'
import {
  formatBytes,
  formatClock,
  formatExact,
  formatMinute,
  formatNumber,
  getZone,
  isSameDay,
  type Text as Texts,
  useLang,
  useText,
} from '../../shared/i18n/index.ts'
import { personQuery } from '../../shared/session/account-queries.ts'
import { useBrand } from '../../shared/session/brand.ts'
import { BrandMark } from '../../shared/ui/brand-mark.tsx'
import { TimeSpan } from '../../shared/ui/data/time-span.tsx'
import { Icon } from '../../shared/ui/icon.tsx'
import { Box, Grid, Panel, Row, Text } from '../../shared/ui/layout/layout.tsx'
import { sumUp, type VisitTotals } from './visit-report.ts'
import css from './visit-report-sheet.module.css'

type Report = AnswerOf<typeof contract.getVisitReport>

/** The report as printed. */
export function VisitReportSheet({ report }: { report: Report }) {
  const t = useText().visitReport
  const changes = useChangesText().report
  const now = usePrintTime()
  return (
    <Panel as="article" className={css.sheet}>
      <Head report={report} now={now} />
      {report.isCut && (
        <Row as="p" pad="10 12" below={16} gap={8} tone="warn" className={css.cut} role="alert">
          <Icon name="warning" />
          {t.cut}
        </Row>
      )}
      <Part title={t.visits} none={report.visits.length === 0 ? t.visitsNone : undefined}>
        <VisitTable visits={report.visits} now={now} />
      </Part>
      <Part title={t.writes} none={report.writes.length === 0 ? t.writesNone : undefined}>
        <WriteTable writes={report.writes} />
      </Part>
      <Part title={changes.title} none={report.changes.length === 0 ? changes.none : undefined}>
        <ChangeTable changes={report.changes} />
      </Part>
      <Totals totals={sumUp(report, now)} />
      <Signatures />
    </Panel>
  )
}

/** The time of opening, and after printing that of the print. */
function usePrintTime(): number {
  const [at, setAt] = useState(() => Date.now())
  useEffect(() => {
    const note = () => setAt(Date.now())
    addEventListener('beforeprint', note)
    return () => removeEventListener('beforeprint', note)
  }, [])
  return at
}

function Head({ report: { machine, from, to }, now }: { report: Report; now: number }) {
  const t = useText().visitReport
  const { platformName } = useBrand()
  const lang = useLang()
  const { data: person } = useQuery(personQuery)
  return (
    <Box as="header" below={20} className={css.head}>
      <Row as="p" gap={8} tone="soft" weight={600}>
        <BrandMark size={22} />
        {platformName[lang]}
      </Row>
      <h1>{t.title}</h1>
      <Grid as="dl" data-subject="" padY={12} gap="6 16" className={css.facts}>
        <dt>{t.machine}</dt>
        <dd>{machine.name}</dd>
        <dt>{t.code}</dt>
        <dd className="mono">{machine.machineCode}</dd>
        <dt>{t.period}</dt>
        <dd>
          <TimeSpan from={from} to={Math.min(to, now)} hasYear />
        </dd>
        <dt>{t.printed}</dt>
        <dd>{person && t.printedBy(person.name, formatMinute(now))}</dd>
      </Grid>
      <Text as="p" above={8} tone="quiet">
        {t.zone(getZone())}
      </Text>
    </Box>
  )
}

/** A heading with its table, or the text in its place. */
function Part({ title, none, children }: { title: string; none: string | undefined; children: ReactNode }) {
  const titleId = useId()
  return (
    <Box below={24}>
      <h2 id={titleId}>{title}</h2>
      {none ? (
        <Text as="p" above={8} tone="quiet">
          {none}
        </Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element has to be reachable by the keyboard
        <section className={`${css.scroller} fades`} tabIndex={0} aria-labelledby={titleId}>
          {children}
        </section>
      )}
    </Box>
  )
}

function VisitTable({ visits, now }: { visits: readonly contract.Visit[]; now: number }) {
  const text = useText()
  const t = text.visitReport
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{t.columns.person}</th>
          <th scope="col">{t.columns.by}</th>
          <th scope="col">{t.columns.mode}</th>
          <th scope="col">{t.columns.span}</th>
          <th scope="col" className={css.number}>
            {t.columns.lasted}
          </th>
          <th scope="col" className={css.number}>
            {t.columns.bytes}
          </th>
          <th scope="col">{t.columns.ended}</th>
        </tr>
      </thead>
      <tbody>
        {visits.map((visit) => (
          <tr key={visit.sessionId}>
            <th scope="row">{visit.user.name}</th>
            <td>{rightWords(visit, text)}</td>
            <td>
              {[
                text.visits.modes[visit.mode],
                targetWords(visit, text),
                ...visit.ports.map(({ name }) => name),
              ]
                .filter(Boolean)
                .join(' · ')}
            </td>
            <td>
              <span className={css.whole}>{formatExact(visit.from)} –</span>{' '}
              {!visit.live && <span className={css.whole}>{formatUntil(visit)}</span>}
            </td>
            <td className={css.number}>{formatSpan(lengthOf(visit, now))}</td>
            <td className={css.number}>
              <span className={css.whole}>{formatBytes(visit.bytesOut)}</span> /{' '}
              <span className={css.whole}>{formatBytes(visit.bytesIn)}</span>
            </td>
            <td>{visit.live ? t.live : endWords(visit, text)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The end of a visit; the day of its beginning is not repeated. */
function formatUntil({ from, until }: contract.Visit): string {
  return isSameDay(from, until) ? formatClock(until) : formatExact(until)
}

function WriteTable({ writes }: { writes: readonly contract.WriteLogEntry[] }) {
  const text = useText()
  const t = text.visitReport
  const say = useValueWords()
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{t.writeColumns.at}</th>
          <th scope="col">{t.writeColumns.person}</th>
          <th scope="col">{t.writeColumns.tag}</th>
          <th scope="col">{t.writeColumns.change}</th>
          <th scope="col">{t.writeColumns.result}</th>
        </tr>
      </thead>
      <tbody>
        {writes.map((write) => (
          <tr key={write.id}>
            <th scope="row">
              <span className={css.whole}>{formatExact(write.at)}</span>
            </th>
            <td>{write.user || text.visits.pane.atMachine}</td>
            <td>{write.tag}</td>
            <td className={css.digits}>
              {say(write.from)} → <b>{say(write.to)}</b>
            </td>
            <td>{resultWords(write, say, text)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function ChangeTable({ changes }: { changes: Report['changes'] }) {
  const { writeColumns } = useText().visitReport
  const t = useChangesText()
  const say = useValueWords()
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{writeColumns.at}</th>
          <th scope="col">{writeColumns.person}</th>
          <th scope="col">{writeColumns.tag}</th>
          <th scope="col">{t.report.change}</th>
          <th scope="col">{t.report.way}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={[change.sessionId, change.tagId, change.port, change.unit, change.place].join(' ')}>
            <th scope="row">
              <span className={css.whole}>{formatExact(change.at)}</span>
            </th>
            <td>{change.user}</td>
            <td>{subjectOf(change, t)}</td>
            <td className={css.digits}>
              {say(change.from)} → <b>{say(change.to)}</b>
            </td>
            <td>{wayWords(change, t)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Whether the machine accepted a value, the value it kept instead, and its explanation. */
function resultWords(
  { state, kept, reason, note }: contract.WriteLogEntry,
  say: (value: telemetry.TagValue) => string,
  { visits: { pane }, visitReport }: Texts,
): string {
  const isWrong = state === 'failed' || state === 'timedOut'
  const words = [
    pane.states[state],
    isWrong && kept !== null ? pane.kept(say(kept)) : '',
    reason,
    note && visitReport.noted(note),
  ]
  return words.filter(Boolean).join(' · ')
}

function Totals({ totals }: { totals: VisitTotals }) {
  const t = useText().visitReport
  const changed = useChangesText().report.total
  const { visits, people, lengthMs, bytesIn, bytesOut, writes, confirmed, changes } = totals
  const rows: readonly (readonly [string, string])[] = [
    [t.total.visits, formatNumber(visits)],
    [t.total.people, formatNumber(people)],
    [t.total.lasted, formatSpan(lengthMs)],
    [t.total.bytes, formatBytes(bytesIn + bytesOut)],
    [t.total.writes, formatNumber(writes)],
    [t.total.confirmed, formatNumber(confirmed)],
    [changed, formatNumber(changes)],
  ]
  return (
    <section className={css.whole} aria-label={t.totals}>
      <h2>{t.totals}</h2>
      <dl className={css.totals}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Lines for signatures on paper. */
function Signatures() {
  const t = useText().visitReport.signatures
  return (
    <section className={css.signatures}>
      {[t.visitor, t.owner].map((role) => (
        <div key={role}>
          <h2>{role}</h2>
          {[t.name, t.date, t.signature].map((line) => (
            <Row key={line} as="p" align="end" tone="quiet" size={12} className={css.line}>
              {line}
            </Row>
          ))}
        </div>
      ))}
    </section>
  )
}
