import { access } from '@busbar/contract'
import {
  formatExact,
  formatMinute,
  formatShortClock,
  isSameDay,
  type Text as Texts,
  useText,
} from '../../shared/i18n/index.ts'
import { classes } from '../../shared/ui/classes.ts'
import { Stack, Text } from '../../shared/ui/layout/layout.tsx'
import { useNow } from '../../shared/ui/use-now.ts'
import { nearMs, timeLeft } from './visit-time.ts'
import css from './visit-time-text.module.css'

const nearTickMs = 1_000
const farTickMs = 15_000

interface VisitTimeTextProps {
  /** -1 without end, 0 over, otherwise the instant of its end. */
  visitTime: number
  /** Shown below a time without end. */
  note?: string | undefined
  className?: string | undefined
}

/** The time for which a visitor may still enter: counting down when the end is near, with the exact end below. */
export function VisitTimeText({ visitTime, note, className }: VisitTimeTextProps) {
  const t = useText().access.time
  const isNear = visitTime > 0 && visitTime - Date.now() < nearMs + farTickMs
  const now = useNow(isNear ? nearTickMs : farTickMs)
  const isKnown = visitTime > 0
  return (
    <Stack as="span" shrinks className={classes(css.lines, className)}>
      <Text leading={18} oneLine numbers>
        {formatLeft(visitTime, now, t)}
      </Text>
      {isKnown ? (
        <time
          className={css.minor}
          dateTime={new Date(visitTime).toISOString()}
          data-tip={formatExact(visitTime)}
        >
          {isSameDay(visitTime, now)
            ? t.today(formatShortClock(visitTime))
            : t.until(formatMinute(visitTime))}
        </time>
      ) : (
        visitTime === access.visitTimes.forever && <span className={css.minor}>{note ?? t.revocable}</span>
      )}
    </Stack>
  )
}

/** The remaining visit time in words. */
export function formatLeft(visitTime: number, now: number, t: Texts['access']['time']): string {
  const left = timeLeft(visitTime, now)
  switch (left.kind) {
    case 'forever':
      return t.forever
    case 'over':
      return t.over
    case 'seconds':
      return t.seconds(left.minutes, left.seconds)
    case 'minutes':
      return t.minutes(left.minutes)
    case 'hours':
      return t.hours(left.hours, left.minutes)
    case 'days':
      return t.days(left.days)
  }
}
