import { alarms } from '@busbar/contract'
import type { AlarmQuality } from '../../../entities/alarm/alarm-queries.ts'
import { formatMinute, formatNumber, useText } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { Tag, type TagTone } from '../../../shared/ui/tag.tsx'
import { DayBars } from '../overview/day-bars.tsx'
import { bandsOf, placeIn } from './band.ts'
import css from './quality-page.module.css'

const tones: Readonly<Record<alarms.AlarmRating, TagTone>> = {
  acceptable: 'good',
  manageable: 'warn',
  tooMany: 'bad',
}

const digits = 1
const { perTenMinutes, perDay, floodPercentMax } = alarms.alarmTargets

const percent = (value: number) => `${formatNumber(value, digits)} %`

/** The rates against their bands, and the share of time and alarms in the worst band. */
export function QualityRates({ quality }: { quality: AlarmQuality }) {
  const t = useText().alarms.quality
  return (
    <div className={css.panels}>
      <section className={classes(css.panel, css.whole)}>
        <dl className={css.figures}>
          <div>
            <dt>{t.raised}</dt>
            <dd>{formatNumber(quality.raised)}</dd>
          </div>
          <div>
            <dt>{t.floodPercent}</dt>
            <dd data-bad={quality.floodPercent >= floodPercentMax || undefined}>
              {percent(quality.floodPercent)}
            </dd>
            <dd className={css.hint}>{t.floodTarget(percent(floodPercentMax))}</dd>
          </div>
          <div>
            <dt>{t.worstPercent}</dt>
            <dd>{percent(quality.worstPercent)}</dd>
          </div>
        </dl>
      </section>
      <RatePanel title={t.perTenMinutes} rate={quality.perTenMinutes} targets={perTenMinutes} />
      <RatePanel title={t.perDay} rate={quality.perDay} targets={perDay} />
      <section className={classes(css.panel, css.whole)}>
        <h2 className={css.title}>{t.byDay}</h2>
        <DayBars days={quality.byDay} />
      </section>
    </div>
  )
}

interface RatePanelProps {
  title: string
  rate: AlarmQuality['perDay']
  targets: { readonly acceptable: number; readonly manageable: number }
}

/** An average over the bands of EEMUA 191. */
function RatePanel({ title, rate, targets }: RatePanelProps) {
  const t = useText().alarms.quality
  const { bands, end } = bandsOf(targets, rate.average)
  const acceptable = formatNumber(targets.acceptable)
  const manageable = formatNumber(targets.manageable)
  const limitTexts: Readonly<Record<alarms.AlarmRating, string>> = {
    acceptable: t.below(acceptable),
    manageable: t.between(acceptable, manageable),
    tooMany: t.above(manageable),
  }
  return (
    <section className={css.panel}>
      <h2 className={css.title}>{title}</h2>
      <p className={css.rate}>
        <span className={css.average}>{formatNumber(rate.average, digits)}</span>
        <Tag tone={tones[rate.rating]}>{t.ratings[rate.rating]}</Tag>
      </p>
      <div className={css.bands} aria-hidden="true">
        {bands.map(({ rating, from, to }) => (
          <span
            key={rating}
            className={css.band}
            data-rating={rating}
            style={{ width: `${(placeIn(to, end) - placeIn(from, end)) * 100}%` }}
          />
        ))}
        <span className={css.pointer} style={{ left: `${placeIn(rate.average, end) * 100}%` }} />
      </div>
      <ul className={css.legend}>
        {alarms.alarmRatings.map((rating) => (
          <li key={rating} data-rating={rating}>
            <span className={css.key} aria-hidden="true" />
            {t.band(t.ratings[rating], limitTexts[rating])}
          </li>
        ))}
      </ul>
      {rate.highestAt !== null && (
        <p className={css.hint}>{t.highest(formatNumber(rate.highest), formatMinute(rate.highestAt))}</p>
      )}
    </section>
  )
}
