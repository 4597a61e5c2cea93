import { reports } from '@busbar/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../shared/api/client.ts'
import { formatBytes, formatMinute, useLang } from '../../../shared/i18n/index.ts'
import { formatTimeSpan } from '../../../shared/i18n/time-span.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import { Menu, MenuItem } from '../../../shared/ui/menu/menu.tsx'
import { Skeleton } from '../../../shared/ui/skeleton.tsx'
import { Tag } from '../../../shared/ui/tag.tsx'
import { useAct } from '../../../shared/ui/use-act.ts'
import { reportFileUrl } from '../report-address.ts'
import { type Report, type ReportRun, reportRunsQuery, reportsKey } from '../report-queries.ts'
import css from '../reports.module.css'
import { useReportsText } from '../reports-text.ts'
import { runTones } from '../run-tones.ts'

/** The latest runs of a report, with their files and the result for each recipient. */
export function ReportRuns({ report }: { report: Report }) {
  const t = useReportsText().runs
  const lang = useLang()
  const { data } = useQuery(reportRunsQuery(report.id, lang))
  const run = useAct({
    call: (send: boolean) => call(reports.runReport, { id: report.id, send }),
    done: (send) => (send ? t.startedToSend : t.started),
    touched: [reportsKey],
  })
  return (
    <section className={css.runs} aria-label={t.title}>
      <Row gap={12} justify="between">
        <h3 className={css.subtitle}>{t.title}</h3>
        {report.mayEdit && (
          <Menu
            label={t.now}
            trigger={
              <Button icon="refresh" size="small" busy={run.isPending}>
                {t.now}
              </Button>
            }
          >
            <MenuItem icon="download" onAction={() => run.mutate(false)}>
              {t.onlyMake}
            </MenuItem>
            <MenuItem icon="mail" onAction={() => run.mutate(true)}>
              {t.makeAndSend}
            </MenuItem>
          </Menu>
        )}
      </Row>
      {!data && <Skeleton height={120} />}
      {data?.length === 0 && <p className={css.minor}>{t.none}</p>}
      <ul className={css.runList}>
        {data?.map((one) => (
          <RunRow key={one.id} run={one} />
        ))}
      </ul>
    </section>
  )
}

function RunRow({ run }: { run: ReportRun }) {
  const t = useReportsText()
  const { state, error, from, to, at, isAsked, files, leftOut, deliveries } = run
  return (
    <li className={css.run} data-state={state}>
      <p className={css.runTitle}>
        <span>{formatMinute(at)}</span>
        <Tag tone={runTones[state]}>{t.runs.states[state]}</Tag>
        {isAsked && <span className={css.minor}>{t.runs.asked}</span>}
      </p>
      <p className={css.minor}>{t.preview.about(formatTimeSpan({ from, to }))}</p>
      {error && <p className={css.wrong}>{t.runs.errors[error]}</p>}
      {leftOut.map((line) => (
        <p key={line} className={css.note}>
          {line}
        </p>
      ))}
      {files.length > 0 && (
        <p className={css.files}>
          {files.map(({ id, format, name, bytes, expiresAt }) =>
            expiresAt === null ? (
              <span key={id} className={css.minor}>
                {t.formats[format]} · {t.runs.gone}
              </span>
            ) : (
              <a key={id} className={css.file} href={reportFileUrl(id)} download={name}>
                <Icon name="download" size={14} />
                {t.formats[format]}
                <span className={css.minor}>{formatBytes(bytes)}</span>
              </a>
            ),
          )}
        </p>
      )}
      {deliveries.length > 0 && (
        <ul className={css.deliveries}>
          {deliveries.map(({ name, state: became, unseen }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two recipients may have the same name
            <li key={place} data-state={became}>
              <span>{name}</span>
              <span className={css.minor}>
                {t.runs.deliveries[became]}
                {unseen > 0 && became !== 'noRight' ? ` · ${t.runs.unseen(unseen)}` : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
