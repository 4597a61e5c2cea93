import { useText } from '../../shared/i18n/index.ts'
import { Button } from '../../shared/ui/button.tsx'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import css from './history-frame.module.css'
import { lengthOf, type Span, spanAt } from './history-span.ts'
import { describeZone, formatMoment } from './history-text.ts'

/** Position of the last data in the chart after a jump to it, as a share of the width. */
const lastShare = 0.9

interface LastDataProps {
  at: number | null
  range: TimeRange
  onShow: (span: Span) => void
}

/** Leads from an empty chart to existing data. */
export function LastData({ at, range, onShow }: LastDataProps) {
  const t = useText().history
  if (at === null || (at >= range.from && at <= range.to)) return null
  const from = at - lengthOf(range) * lastShare
  return (
    <p className={css.last}>
      {t.emptyHint(formatMoment(at))}
      <Button size="small" onClick={() => onShow(spanAt({ from, to: from + lengthOf(range) }, Date.now()))}>
        {t.emptyShow}
      </Button>
    </p>
  )
}

/** The zone of every time, and the keys for those who have a keyboard at hand. */
export function HistoryFoot({ at }: { at: number }) {
  const t = useText().history
  const hints = [
    ['+ −', t.keys.zoom],
    ['← →', t.keys.move],
    ['⇧ ← →', t.keys.cursor],
    ['0', t.keys.reset],
  ] as const
  return (
    <p className={css.foot}>
      <span>{describeZone(at, t)}</span>
      <span id="history-keys" className="sr-only">
        {t.keysHint}
      </span>
      <span className={css.keys} aria-hidden="true">
        {hints.map(([key, word]) => (
          <span key={key}>
            <kbd>{key}</kbd> {word}
          </span>
        ))}
      </span>
    </p>
  )
}
