import type { createAxis } from './kept-days.ts'
import css from './retention.module.css'

interface KeptLaneProps {
  axis: ReturnType<typeof createAxis>
  kind: string
  /** The text for screen readers. */
  label: string
  /** Kept now, in days. */
  now: number
  /** Kept after the change, which is not saved or not in effect yet. */
  then: number
}

/** A time line from now back: as far as values of one kind are kept, and the stretch that a change deletes or adds. */
export function KeptLane({ axis: { place, ticks }, kind, label, now, then }: KeptLaneProps) {
  const [from, to] = [place(Math.min(now, then)), place(Math.max(now, then))]
  return (
    <div className={css.lane} role="img" aria-label={label} data-kind={kind}>
      {ticks.slice(0, -1).map(({ days, place }) => (
        <span key={days} className={css.line} style={{ left: `${place}%` }} />
      ))}
      <span className={css.kept} style={{ width: `${from}%` }} />
      {to > from && (
        <span
          className={then < now ? css.deleted : css.longer}
          style={{ left: `${from}%`, width: `${to - from}%` }}
        />
      )}
    </div>
  )
}
