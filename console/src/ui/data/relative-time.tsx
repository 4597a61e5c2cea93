import { formatAge, formatExact, formatRelative, useText } from '../../i18n/index.ts'
import { useNow } from '../use-now.ts'

interface RelativeTimeProps {
  at: number | null
  /** `seconds` for live values: the age moves every second while it is young. */
  precision?: 'minutes' | 'seconds'
  className?: string | undefined
}

const minutesTickMs = 15_000
const secondsTickMs = 1_000

/** How long ago, with the exact time on hover. */
export function RelativeTime({ at, precision = 'minutes', className }: RelativeTimeProps) {
  const now = useNow(precision === 'seconds' ? secondsTickMs : minutesTickMs)
  // Not only for the language: the words themselves come from the format functions.
  useText()
  if (at === null) return <span className={className}>{formatRelative(null, now)}</span>
  return (
    <time className={className} dateTime={new Date(at).toISOString()} data-tip={formatExact(at)}>
      {precision === 'seconds' ? formatAge(at, now) : formatRelative(at, now)}
    </time>
  )
}
