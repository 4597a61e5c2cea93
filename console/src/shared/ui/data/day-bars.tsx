import { formatDay } from '../../i18n/index.ts'
import { classes } from '../classes.ts'
import { Row, Text } from '../layout/layout.tsx'
import css from './day-bars.module.css'

interface DayBarsProps {
  /** The oldest first; `text` is the amount as it is written. */
  days: readonly { readonly from: number; readonly amount: number; readonly text: string }[]
  /** A day with its amount, for screen readers and as a tip. */
  tip: (day: string, amount: string) => string
}

/** With more days, a date below each bar does not fit. */
const datedMax = 8

/** An amount of each day, as bars. */
export function DayBars({ days, tip }: DayBarsProps) {
  const most = Math.max(...days.map(({ amount }) => amount)) || 1
  const isDense = days.length > datedMax
  return (
    <ol className={classes(css.days, isDense && css.dense)}>
      {days.map(({ from, amount, text }, place) => {
        const isLast = place === days.length - 1
        const isDated = !isDense || place === 0 || isLast
        const day = formatDay(from)
        return (
          <li key={from} className={css.day} data-tip={tip(day, text)}>
            <span className="sr-only">{tip(day, text)}</span>
            {!isDense && (
              <Text tone="soft" size="11/16" numbers aria-hidden="true">
                {text}
              </Text>
            )}
            <Row as="span" align="end" grows wide className={css.room} aria-hidden="true">
              <span
                className={classes(css.bar, isLast && css.today, amount === 0 && css.none)}
                style={{ height: amount === 0 ? 1 : `${Math.max(3, (amount / most) * 100)}%` }}
              />
            </Row>
            <Text tone="quiet" size="11/16" oneLine numbers className={css.date} aria-hidden="true">
              {isDated ? day : ''}
            </Text>
          </li>
        )
      })}
    </ol>
  )
}
