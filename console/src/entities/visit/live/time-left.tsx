import { formatExact, formatShortClock, useText } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { Icon } from '../../../shared/ui/icon.tsx'
import { useNow } from '../../../shared/ui/use-now.ts'
import { endOf, isEnding, type LiveVisit } from '../visit-state.ts'
import { formatLeft } from '../visit-time.ts'
import css from './time-left.module.css'

const tickMs = 1_000

/**
 * When a visit ends, as the machine's own page says it; in its last minutes the remaining time with the reason.
 * `short`: without the reason, for small places.
 */
export function TimeLeft({ visit, short = false }: { visit: LiveVisit; short?: boolean }) {
  const t = useText().visits.bar
  const now = useNow(tickMs)
  const { at, cause } = endOf(visit)
  const left = formatLeft(at - now)
  const ending = isEnding(visit, now)
  const why = cause === 'idle' ? t.idleSoon(left) : t.endSoon(left)
  const words = !ending ? t.endsAt(formatShortClock(visit.until)) : short ? t.left(left) : why
  return (
    <span
      className={classes(css.left, ending && css.ending)}
      data-tip={t.leftHint(formatExact(at))}
      role="timer"
    >
      {ending && <Icon name="warning" size={14} />}
      {words}
    </span>
  )
}

/** Whether a visit is in its last minutes, and a press would extend it. */
export function useMayStay(visit: LiveVisit): boolean {
  const now = useNow(tickMs)
  return isEnding(visit, now) && endOf(visit).cause === 'idle'
}
