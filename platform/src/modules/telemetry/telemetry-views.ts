import type { telemetry as contract, Lang } from '@busbar/contract'
import type { TagValueEvent } from '../../bus/bus.ts'
import type { TagState } from './tag-state.ts'

/** A value on the wire: an int64 beyond 2^53 as a string of digits (decision 43). */
export function presentValue(value: TagValueEvent['value']): contract.TagValue {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}

export function presentLatest(latest: TagValueEvent): contract.LatestValue {
  return { ...latest, value: presentValue(latest.value) }
}

export function presentTag(tag: TagState, lang: Lang): contract.Tag {
  const { label } = tag.meta
  return {
    tagId: tag.id,
    group: tag.group,
    tag: tag.name,
    name: label[lang] || label[''] || label.en || label.cn || tag.name,
    type: tag.type,
    unit: tag.meta.unit,
    scale: tag.meta.scale,
    readOnly: tag.meta.readOnly,
    min: tag.meta.min,
    max: tag.meta.max,
    ...(tag.enumTexts ? { enum: { ...tag.enumTexts } } : {}),
    lastAt: tag.latest?.time ?? null,
  }
}
