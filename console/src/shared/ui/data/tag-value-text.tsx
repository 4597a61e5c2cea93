import type { telemetry } from '@busbar/contract'
import { emptyMark, narrowSpace, useText } from '../../i18n/index.ts'
import { classes } from '../classes.ts'
import { Text } from '../layout/layout.tsx'
import { formatTagValue, type TagShape } from './tag-value.ts'
import css from './tag-value-text.module.css'

/** Each quality that is not good has its own shape: a clock, a cross, a question. */
const qualityPaths: Record<Exclude<telemetry.Quality, 'good'>, string> = {
  stale: 'M6 1.2a4.8 4.8 0 1 1 0 9.6a4.8 4.8 0 0 1 0-9.6M6 3.5V6l1.8 1.2',
  bad: 'M6 1.2a4.8 4.8 0 1 1 0 9.6a4.8 4.8 0 0 1 0-9.6M4.4 4.4l3.2 3.2M7.6 4.4 4.4 7.6',
  uncertain: 'M4 4.2a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4M6 9.6v.1',
}

/** The quality of a value as shape and word; good is silent when `quiet`. */
export function QualityMark({
  quality,
  word = 'shown',
  quiet = false,
}: {
  quality: telemetry.Quality
  word?: 'shown' | 'hidden'
  quiet?: boolean
}) {
  const name = useText().machines.quality[quality]
  if (quality === 'good') return quiet ? null : <span className={css.quality}>{name}</span>
  return (
    <span
      className={classes(css.quality, css[quality])}
      data-tip={word === 'hidden' ? name : undefined}
      data-quality={quality}
    >
      <svg
        aria-hidden="true"
        width="12"
        height="12"
        viewBox="0 0 12 12"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.2"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d={qualityPaths[quality]} />
      </svg>
      <span className={word === 'hidden' ? 'sr-only' : undefined}>{name}</span>
    </span>
  )
}

interface TagValueTextProps {
  value: telemetry.TagValue | undefined
  tag: TagShape
  quality: telemetry.Quality
  /** Only an alarm colours a value. */
  tone?: 'normal' | 'alarm'
  /** Whether a quality that is not good is marked beside the value. */
  mark?: 'glyph' | 'none'
  className?: string | undefined
}

/** Value, narrow no-break space, lighter unit; a quality that is not good is marked and dims the value. */
export function TagValueText(props: TagValueTextProps) {
  const { value, tag, quality, tone = 'normal', mark = 'glyph', className } = props
  const t = useText()
  const { text, unit } = formatTagValue(value, tag, t.machines.bool)
  const isNone = text === emptyMark
  return (
    <Text
      oneLine
      numbers
      className={classes(
        css.value,
        isNone ? css.none : quality !== 'good' ? css.dim : tone === 'alarm' && css.alarm,
        className,
      )}
    >
      {text}
      {unit && <Text tone="quiet" weight={400} className={css.unit}>{`${narrowSpace}${unit}`}</Text>}
      {mark === 'glyph' && !isNone && <QualityMark quality={quality} word="hidden" quiet />}
    </Text>
  )
}
