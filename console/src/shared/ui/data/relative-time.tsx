import type { PointerEvent } from 'react'
import { formatAge, formatExact, formatRelative } from '../../i18n/index.ts'
import { useNow } from '../use-now.ts'

interface RelativeTimeProps {
  at: number | null
  /** `seconds` for live values: the age moves every second while it is young. */
  precision?: 'minutes' | 'seconds'
  className?: string | undefined
}

const minutesTickMs = 15_000
const secondsTickMs = 1_000

/** The time since an instant, with the exact time on hover. */
export function RelativeTime({ at, precision = 'minutes', className }: RelativeTimeProps) {
  const now = useNow(precision === 'seconds' ? secondsTickMs : minutesTickMs)
  if (at === null) return <span className={className}>{formatRelative(null, now)}</span>
  // Written when it is looked at: a list has hundreds of times, and formatting a date is slow.
  const writeTip = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.dataset.tip = formatExact(at)
  }
  return (
    <time className={className} dateTime={new Date(at).toISOString()} onPointerOver={writeTip}>
      {precision === 'seconds' ? formatAge(at, now) : formatRelative(at, now)}
    </time>
  )
}
