import { useText } from '../../../shared/i18n/index.ts'
import { toAddress } from '../../../shared/session/address.ts'
import { Button } from '../../../shared/ui/button.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Row } from '../../../shared/ui/layout/layout.tsx'
import { lazyPart } from '../../../shared/ui/lazy-part.tsx'
import { LinkButton } from '../../../shared/ui/link-button.tsx'
import { SearchField } from '../../../shared/ui/search-field.tsx'
import { ToggleGroup } from '../../../shared/ui/toggle-group/toggle-group.tsx'
import type { VisitFilter } from '../visit-queries.ts'
import { formatDayField, type HistoryFilter, historySpans, reportPeriodOf } from './history-filter.ts'
import css from './history-tools.module.css'
import { useSaveVisits } from './use-save-visits.ts'

/** Contains the calendar, which is loaded only for a custom range of days. */
const DayRangePicker = lazyPart(() =>
  import('../../../shared/ui/date/date-range-picker.tsx').then((module) => module.DayRangePicker),
)

interface HistoryToolsProps {
  filter: HistoryFilter
  /** The filter as a request to the platform. */
  visitFilter: VisitFilter
  machineName: string
  isKey: boolean
  onFilter: (filter: HistoryFilter) => void
}

/** Filters a history of visits, and exports it: a file, and a report to print. */
export function HistoryTools({ filter, visitFilter, machineName, isKey, onFilter }: HistoryToolsProps) {
  const t = useText().visits.pane
  const save = useSaveVisits(machineName)
  return (
    <Row gap="8 12" wraps className={css.tools}>
      <ToggleGroup
        label={t.filter.label}
        size="small"
        value={filter.span}
        options={historySpans.map((value) => ({ value, label: t.filter.spans[value] }))}
        onChange={(span) => onFilter(span === 'custom' ? withDays(filter, Date.now()) : { ...filter, span })}
      />
      <Row gap={6} align="stretch" last className={css.take}>
        <Button size="small" icon="download" busy={save.isPending} onClick={() => save.mutate(visitFilter)}>
          {t.csv.save}
        </Button>
        {isKey && (
          <LinkButton
            size="small"
            target="_blank"
            rel="noopener"
            href={reportAddress(visitFilter.machineId, filter)}
          >
            <Icon name="print" size={14} />
            {t.report}
          </LinkButton>
        )}
      </Row>
      {filter.span === 'custom' && (
        <DayRangePicker
          label={t.filter.days}
          isLabelHidden
          size="small"
          className={css.days}
          value={{ from: filter.fromDay, to: filter.toDay }}
          onChange={({ from, to }) => onFilter({ ...filter, fromDay: from, toDay: to })}
        />
      )}
      {isKey && (
        <SearchField
          label={t.filter.who}
          className={css.who}
          maxLength={10}
          value={filter.who}
          onChange={(who) => onFilter({ ...filter, who })}
        />
      )}
    </Row>
  )
}

const dayMs = 86_400_000

/** The first choice of days: the last week. */
function withDays(filter: HistoryFilter, now: number): HistoryFilter {
  return {
    ...filter,
    span: 'custom',
    fromDay: filter.fromDay || formatDayField(now - 6 * dayMs),
    toDay: filter.toDay || formatDayField(now),
  }
}

function reportAddress(machineId: number, filter: HistoryFilter): string {
  const { from, to } = reportPeriodOf(filter, Date.now())
  const search = new URLSearchParams({ machineId: `${machineId}`, from: `${from}`, to: `${to}` })
  return toAddress(`/visitReport?${search}`)
}
