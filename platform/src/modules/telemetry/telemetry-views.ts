import type { telemetry as contract, Lang } from '@busbar/contract'
import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import { isReadOnly, ownOf, shownOf, shownWords } from './tag-settings.ts'
import type { TagState } from './tag-state.ts'
import { chooseLabel } from './tag-text.ts'

/** A value on the wire: an int64 beyond 2^53 as a string of digits. */
export function presentValue(value: TagValueEvent['value']): contract.TagValue {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}

export function presentLatest(latest: TagValueEvent): contract.LatestValue {
  return { ...latest, value: presentValue(latest.value) }
}

export function presentTag(tag: TagState, lang: Lang): contract.Tag {
  const { settings } = tag
  const { label, unit, scale, min, max } = shownOf(tag)
  const words = shownWords(tag, lang)
  return {
    tagId: tag.id,
    group: label[`group/${lang}`] || tag.group,
    wireGroup: tag.group,
    tag: tag.name,
    name: chooseLabel(label, lang) || tag.name,
    type: tag.type,
    unit,
    scale,
    readOnly: isReadOnly(tag),
    min,
    max,
    ...(words ? { enum: { ...words } } : {}),
    lastAt: tag.latest?.time ?? null,
    ...(settings ? { settings, own: ownOf(tag, lang) } : {}),
    ...(tag.meta.readOnly === null ? { openable: true } : {}),
  }
}
