import { ApiError, type telemetry } from '@busbar/contract'
import { whoOf } from '../../../entities/visit/entering.ts'
import { joinUnit, type Text, useText } from '../../../shared/i18n/index.ts'
import { classes } from '../../../shared/ui/classes.ts'
import { formatTagValue } from '../../../shared/ui/data/tag-value.ts'
import { Icon } from '../../../shared/ui/icon.tsx'
import css from './set-point.module.css'
import { formatRange } from './set-point-value.ts'
import type { WriteProgress } from './set-points.ts'

type Tag = telemetry.Tag

/** A value of a tag in one text. */
function valueText(value: telemetry.TagValue | undefined, tag: Tag, t: Text): string {
  const { text, unit } = formatTagValue(value, tag, t.machines.bool)
  return joinUnit(text, unit)
}

/** The progress of the last write to a tag: in the place of its age, and an error on a separate line. */
export function WriteStatus({ tag, progress }: { tag: Tag; progress: WriteProgress }) {
  const t = useText()
  const words = t.visits.setPoint
  const text = statusText(tag, progress, t)
  const isShort = progress.kind === 'sending' || progress.kind === 'confirmed'
  const said = progress.kind === 'failed' && progress.reason ? words.because(text, progress.reason) : text
  return (
    <span role="status" className={classes(css.status, css[progress.kind])}>
      {progress.kind === 'sending' ? (
        <span className={css.spinner} />
      ) : (
        <Icon name={progress.kind === 'confirmed' ? 'check' : 'warning'} size={12} />
      )}
      <span className={isShort ? 'cut' : css.said}>
        {progress.kind === 'confirmed' ? words.confirmed : said}
      </span>
    </span>
  )
}

function statusText(tag: Tag, progress: WriteProgress, t: Text): string {
  const words = t.visits.setPoint
  switch (progress.kind) {
    case 'sending':
      return words.sending(valueText(progress.value, tag, t))
    case 'confirmed':
      return words.confirmed
    case 'failed':
      return progress.kept ? words.kept(valueText(progress.kept.value, tag, t)) : words.refused
    case 'timedOut':
      return words.timedOut
    case 'noReply':
      return words.noReply
    case 'refused':
      return refusalText(progress.error, tag, t)
  }
}

/** Why the platform refused a write, in helpful words. */
export function refusalText(error: Error, tag: Tag, t: Text): string {
  const words = t.visits.setPoint
  if (!(error instanceof ApiError) || error.http !== 200) return words.failed
  if (error.is('CONTROL_TAKEN')) return words.taken(whoOf(error.data))
  const range = formatRange(tag, words)
  if (error.is('VALUE_RANGE') && range) return words.outside(tag.name, range)
  return error.message
}
