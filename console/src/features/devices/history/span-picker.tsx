import { type FormEvent, useState } from 'react'
import { fromWallField, startOfDay, toWallField, useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/button.tsx'
import type { TimeRange } from '../../../shared/ui/data/time-range.ts'
import { TextField } from '../../../shared/ui/field.tsx'
import { Icon } from '../../../shared/ui/icon.tsx'
import { Popover } from '../../../shared/ui/popover.tsx'
import { type Span, spanMs } from './history-span.ts'
import { describeZone, formatRange } from './history-text.ts'
import css from './history-toolbar.module.css'

const dayMs = 86_400_000

interface SpanPickerProps {
  span: Span
  range: TimeRange
  onShow: (span: Span) => void
}

/** From when to when, and the way to choose it to the second. */
export function SpanPicker({ span, range, onShow }: SpanPickerProps) {
  const t = useText().history
  return (
    <Popover
      role="dialog"
      label={t.custom.title}
      className={css.panel}
      trigger={(props) => (
        <button type="button" className={css.range} data-tip={t.custom.title} {...props}>
          <Icon name="clock" size={13} />
          <span className="cut">{formatRange(range)}</span>
        </button>
      )}
    >
      {(close) => (
        <SpanForm
          range={span.kind === 'live' ? range : span}
          onShow={(next) => {
            onShow(next)
            close()
          }}
        />
      )}
    </Popover>
  )
}

function SpanForm({ range, onShow }: { range: TimeRange; onShow: (span: Span) => void }) {
  const t = useText().history
  const [from, setFrom] = useState(toWallField(range.from))
  const [to, setTo] = useState(toWallField(range.to))
  const [shown, setShown] = useState(false)
  const problem = findProblem(fromWallField(from), fromWallField(to), t.custom)

  function submit(event: FormEvent) {
    event.preventDefault()
    setShown(true)
    if (!problem) onShow({ kind: 'fixed', from: fromWallField(from), to: fromWallField(to) })
  }

  function showDay(daysAgo: number) {
    const now = Date.now()
    onShow({ kind: 'fixed', from: startOfDay(now, -daysAgo), to: startOfDay(now, 1 - daysAgo) })
  }

  return (
    <form onSubmit={submit} noValidate>
      <div className={css.quick}>
        <Button size="small" onClick={() => showDay(0)}>
          {t.custom.today}
        </Button>
        <Button size="small" onClick={() => showDay(1)}>
          {t.custom.yesterday}
        </Button>
      </div>
      <div className={css.fields}>
        <TextField
          label={t.custom.from}
          type="datetime-local"
          step="1"
          value={from}
          onChange={setFrom}
          error={shown && problem?.field === 'from' ? problem.text : undefined}
        />
        <TextField
          label={t.custom.to}
          type="datetime-local"
          step="1"
          value={to}
          onChange={setTo}
          error={shown && problem?.field === 'to' ? problem.text : undefined}
        />
      </div>
      <p className={css.zone}>{describeZone(range.to, t)}</p>
      <Button kind="primary" type="submit">
        {t.custom.apply}
      </Button>
    </form>
  )
}

interface Problem {
  readonly field: 'from' | 'to'
  readonly text: string
}

function findProblem(
  from: number,
  to: number,
  words: ReturnType<typeof useText>['history']['custom'],
): Problem | undefined {
  if (Number.isNaN(from)) return { field: 'from', text: words.empty }
  if (Number.isNaN(to)) return { field: 'to', text: words.empty }
  if (from > Date.now()) return { field: 'from', text: words.future }
  if (to <= from) return { field: 'to', text: words.order }
  if (to - from > spanMs.max) return { field: 'to', text: words.tooLong(spanMs.max / dayMs) }
  return undefined
}
