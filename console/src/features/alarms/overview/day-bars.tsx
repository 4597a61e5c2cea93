import { formatDay, formatNumber, useText } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { Row, Text } from '../../../shared/ui/layout/layout.tsx'
import css from './day-bars.module.css'

interface DayBarsProps {
  /** The oldest first. */
  days: readonly { readonly from: number; readonly raised: number }[]
}

/** With more days, a date below each bar does not fit. */
const datedMax = 8

/** The number of alarms raised on each day, as bars; each has its number for screen readers and as a tip. */
export function DayBars({ days }: DayBarsProps) {
  const t = useText().alarms.counts
  const most = Math.max(1, ...days.map(({ raised }) => raised))
  const isDense = days.length > datedMax
  return (
    <ol className={classes(css.days, isDense && css.dense)}>
      {days.map(({ from, raised }, place) => {
        const isLast = place === days.length - 1
        const isDated = !isDense || place === 0 || isLast
        return (
          <li key={from} className={css.day} data-tip={t.day(formatDay(from), formatNumber(raised))}>
            <span className="sr-only">{t.day(formatDay(from), formatNumber(raised))}</span>
            {!isDense && (
              <Text tone="soft" size="11/16" numbers aria-hidden="true">
                {formatNumber(raised)}
              </Text>
            )}
            <Row as="span" align="end" grows wide className={css.room} aria-hidden="true">
              <span
                className={classes(css.bar, isLast && css.today, raised === 0 && css.none)}
                style={{ height: raised === 0 ? 1 : `${Math.max(3, (raised / most) * 100)}%` }}
              />
            </Row>
            <Text tone="quiet" size="11/16" oneLine numbers className={css.date} aria-hidden="true">
              {isDated ? formatDay(from) : ''}
            </Text>
          </li>
        )
      })}
    </ol>
  )
}
