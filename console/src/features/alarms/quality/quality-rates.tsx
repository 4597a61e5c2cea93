import { alarms } from '@busbar/contract'
import type { AlarmQuality } from '../../../entities/alarm/alarm-queries.ts'
import { formatMinute, formatNumber, joinUnit, useText } from '../../../shared/i18n/index.ts'
import { DayBars } from '../../../shared/ui/data/day-bars.tsx'
import { Box, Grid, Row, Text } from '../../../shared/ui/layout/layout.tsx'
import { Tag, type TagTone } from '../../../shared/ui/tag.tsx'
import { barOf } from '../overview/bar-of.ts'
import { bandsOf, placeIn } from './band.ts'
import css from './quality-page.module.css'

const tones: Readonly<Record<alarms.AlarmRating, TagTone>> = {
  acceptable: 'good',
  manageable: 'warn',
  tooMany: 'bad',
}

const digits = 1
const { perTenMinutes, perDay, floodPercentMax } = alarms.alarmTargets

const percent = (value: number) => joinUnit(formatNumber(value, digits), '%')

/** The rates against their bands, and the share of time and alarms in the worst band. */
export function QualityRates({ quality }: { quality: AlarmQuality }) {
  const { quality: t, counts } = useText().alarms
  return (
    <Grid columns={2} gap={12} className={css.panels}>
      <Box as="section" spans className={css.panel}>
        <Grid as="dl" columns={3} gap={12} className={css.figures} data-subject="">
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
        </Grid>
      </Box>
      <RatePanel title={t.perTenMinutes} rate={quality.perTenMinutes} targets={perTenMinutes} />
      <RatePanel title={t.perDay} rate={quality.perDay} targets={perDay} />
      <Box as="section" spans className={css.panel}>
        <Row as="h2" below={6} gap="0 8" align="baseline" wraps size="14/20">
          {t.byDay}
        </Row>
        <DayBars days={quality.byDay.map(barOf)} tip={counts.day} />
      </Box>
    </Grid>
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
      <Row as="h2" below={6} gap="0 8" align="baseline" wraps size="14/20">
        {title}
      </Row>
      <Row as="p" gap={10}>
        <Text size="24/32" weight={600} numbers>
          {formatNumber(rate.average, digits)}
        </Text>
        <Tag tone={tones[rate.rating]}>{t.ratings[rate.rating]}</Tag>
      </Row>
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
      <Row as="ul" gap="4 16" align="stretch" wraps tone="soft" size="12/18" className={css.legend}>
        {alarms.alarmRatings.map((rating) => (
          <li key={rating} data-rating={rating}>
            <span className={css.key} aria-hidden="true" />
            {t.band(t.ratings[rating], limitTexts[rating])}
          </li>
        ))}
      </Row>
      {rate.highestAt !== null && (
        <p className={css.hint}>{t.highest(formatNumber(rate.highest), formatMinute(rate.highestAt))}</p>
      )}
    </section>
  )
}
