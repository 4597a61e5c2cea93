import { type FormEvent, useState } from 'react'
import { startOfDay, useText, useZone } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { DateRangePicker } from '../../shared/ui/date/date-range-picker.tsx'
import { listPresets } from '../../shared/ui/date/presets.ts'
import { Box, Row } from '../../shared/ui/layout/layout.tsx'
import { type Span, spanMs } from './history-span.ts'

const dayMs = 86_400_000

interface SpanFormProps {
  range: TimeRange
  /** The zone of the machine's clock, if known. */
  machineZone: string | undefined
  onShow: (span: Span) => void
}

/** A custom span, to the second; the two most wanted days are one press away. */
export function SpanForm({ range, machineZone, onShow }: SpanFormProps) {
  const text = useText()
  const zone = useZone()
  const t = text.history.custom
  const [chosen, setChosen] = useState<TimeRange>({ from: range.from, to: range.to })
  const [isTried, setTried] = useState(false)
  const problem = findProblem(chosen, t)

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (!problem) onShow({ kind: 'fixed', ...chosen })
  }

  function showDay(daysAgo: number) {
    const now = Date.now()
    onShow({ kind: 'fixed', from: startOfDay(now, -daysAgo), to: startOfDay(now, 1 - daysAgo) })
  }

  return (
    <form onSubmit={submit} noValidate>
      <Row align="stretch" below={12} gap={6}>
        <Button size="small" onClick={() => showDay(0)}>
          {t.today}
        </Button>
        <Button size="small" onClick={() => showDay(1)}>
          {t.yesterday}
        </Button>
      </Row>
      <DateRangePicker
        label={t.span}
        granularity="second"
        value={chosen}
        zones={[
          { zone, label: t.zones.own },
          ...(machineZone ? [{ zone: machineZone, label: t.zones.machine }] : []),
        ]}
        presets={listPresets(text.kit, ['lastHour', 'last24Hours', 'last7Days', 'last30Days'])}
        error={isTried ? problem : undefined}
        onChange={setChosen}
      />
      <Box above={12}>
        <Button kind="primary" type="submit">
          {t.apply}
        </Button>
      </Box>
    </form>
  )
}

/** Why the history cannot show a span; undefined if it can. */
function findProblem(
  { from, to }: TimeRange,
  words: ReturnType<typeof useText>['history']['custom'],
): string | undefined {
  if (from > Date.now()) return words.future
  if (to <= from) return words.order
  return to - from > spanMs.max ? words.tooLong(spanMs.max / dayMs) : undefined
}
