import type { telemetry as contract, Lang } from '@busbar/contract'
import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import type { TagState } from './tag-state.ts'

/** A value on the wire: an int64 beyond 2^53 as a string of digits. */
export function presentValue(value: TagValueEvent['value']): contract.TagValue {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}

export function presentLatest(latest: TagValueEvent): contract.LatestValue {
  return { ...latest, value: presentValue(latest.value) }
}

/** The text of a label, in the reader's language where the machine gives several. */
export function chooseLabel(label: Readonly<Record<string, string>>, lang: Lang): string {
  return label[lang] || label[''] || label.en || label.cn || ''
}

/** The words for a tag's values in a language; undefined where the machine gave none that can be read. */
function wordsOf(label: Readonly<Record<string, string>>, lang: Lang): Record<string, string> | undefined {
  const said = label[`words/${lang}`]
  if (!said) return undefined
  try {
    const words: unknown = JSON.parse(said)
    if (typeof words !== 'object' || words === null || Array.isArray(words)) return undefined
    return Object.fromEntries(
      Object.entries(words).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return undefined
  }
}

export function presentTag(tag: TagState, lang: Lang): contract.Tag {
  const words = tag.enumTexts ?? wordsOf(tag.meta.label, lang)
  return {
    tagId: tag.id,
    group: tag.meta.label[`group/${lang}`] || tag.group,
    tag: tag.name,
    name: chooseLabel(tag.meta.label, lang) || tag.name,
    type: tag.type,
    unit: tag.meta.unit,
    scale: tag.meta.scale,
    readOnly: tag.meta.readOnly,
    min: tag.meta.min,
    max: tag.meta.max,
    ...(words ? { enum: { ...words } } : {}),
    lastAt: tag.latest?.time ?? null,
  }
}
