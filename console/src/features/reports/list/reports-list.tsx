import { reports } from '@busbar/contract'
import { useMayEdit } from '../../../entities/enterprise/enterprise-queries.ts'
import { emptyMark, useZone } from '../../../shared/i18n/index.ts'
import { calls } from '../../../shared/resource/acts.tsx'
import { List } from '../../../shared/resource/list.tsx'
import { whole } from '../../../shared/resource/rows.ts'
import type { PageSpace } from '../../../shared/session/page-space.ts'
import { RelativeTime } from '../../../shared/ui/data/relative-time.tsx'
import { Tag } from '../../../shared/ui/tag.tsx'
import { type ReportRow, reportListQuery, reportsKey } from '../report-queries.ts'
import { useReportsText } from '../reports-text.ts'
import { runTones } from '../run-tones.ts'
import { sayRepeats } from '../schedule-words.ts'
import { useReportsSearch } from '../use-reports-search.ts'

const mayEditRow = (row: ReportRow) => row.mayEdit
const idOf = ({ id }: ReportRow) => ({ id })

/** The scheduled reports of a space. */
export function ReportsList({ space }: { space: PageSpace }) {
  const all = useReportsText()
  const t = all.list
  const [, open] = useReportsSearch()
  const mayEdit = useMayEdit(space)
  const zone = useZone()
  return (
    <List
      id="reports"
      title={t.title}
      lead={t.lead}
      rows={whole(reportListQuery(space.asked))}
      rowKey="id"
      titles={t.columns}
      columns={{
        name: {
          kind: 'name',
          value: 'name',
          minor: (row) => sayRepeats(all.schedule, row, zone),
          width: 200,
          grow: 3,
        },
        every: {
          kind: 'text',
          value: ({ schedule }) => schedule.every,
          cell: ({ schedule }) => all.schedule.every[schedule.every],
          filter: { kind: 'choice', choices: all.schedule.every },
          width: 100,
          grow: 0,
          rank: 6,
        },
        next: {
          kind: 'time',
          value: 'nextAt',
          as: 'minute',
          endless: t.paused,
          grow: 1,
          rank: 1,
          card: 'half',
        },
        last: {
          kind: 'time',
          value: ({ lastRun }) => lastRun?.at ?? null,
          cell: ({ lastRun }) =>
            lastRun ? <Tag tone={runTones[lastRun.state]}>{all.runs.states[lastRun.state]}</Tag> : emptyMark,
          minor: ({ lastRun }) => lastRun && <RelativeTime at={lastRun.at} />,
          width: 160,
          grow: 1,
          rank: 2,
          card: 'half',
        },
        machines: { kind: 'count', value: 'machines', width: 90, rank: 4 },
        recipients: { kind: 'count', value: 'recipients', rank: 5 },
        formats: {
          kind: 'text',
          value: ({ formats }) => formats.map((format) => all.formats[format]).join(', '),
          width: 120,
          grow: 0,
          rank: 3,
        },
      }}
      search={t.search}
      onOpen={({ id }) => open({ report: id })}
      touched={[reportsKey]}
      add={mayEdit && { label: t.add, run: () => open({ add: true }) }}
      acts={[
        {
          ...calls(reports.runReport, idOf),
          label: all.runs.now,
          icon: 'refresh',
          place: 'menu',
          fits: mayEditRow,
          done: all.runs.started,
        },
        {
          ...calls(reports.deleteReport, idOf),
          label: t.remove,
          icon: 'trash',
          place: 'menu',
          danger: true,
          fits: mayEditRow,
          asks: { title: ({ name }) => t.removeTitle(name), body: t.removeBody },
          done: ({ name }) => t.removed(name),
        },
      ]}
      empty={{ icon: 'chart', title: t.empty, hint: mayEdit ? t.emptyHint : t.emptyMember }}
    />
  )
}
