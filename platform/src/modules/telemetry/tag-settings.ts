import type { tagSettings as contract, Lang, TagOwn, TagSettings } from '@busbar/contract'
import type { TagState } from './tag-state.ts'
import { chooseLabel } from './tag-text.ts'
import type { TagType } from './tag-type.ts'

/** A tag as people read it: the machine's description, with the settings of its keys in its place. */
export interface ShownTag {
  /** By language, as `TagDefinitionRecord.label`. */
  readonly label: Readonly<Record<string, string>>
  readonly unit: string
  readonly scale: number | null
  readonly min: number | null
  readonly max: number | null
}

type Described = Pick<TagState, 'meta' | 'settings'>

/**
 * The tag with the settings of its keys. Limits are the narrower of the two: a machine's own ones may change with its
 * next birth (rules/data-centre.md: settings of variables).
 */
export function shownOf({ meta, settings }: Described): ShownTag {
  if (!settings) return meta
  return {
    label: shownLabel(meta.label, settings.name),
    unit: settings.unit ?? meta.unit,
    scale: settings.scale ?? meta.scale,
    min: narrower(Math.max, settings.min, meta.min),
    max: narrower(Math.min, settings.max, meta.max),
  }
}

/** A label with the name that people gave, which holds in every language; the rest of it stays. */
function shownLabel(label: ShownTag['label'], name: string | undefined): ShownTag['label'] {
  return name === undefined ? label : { ...label, '': name, cn: name, en: name }
}

function narrower(
  choose: (one: number, other: number) => number,
  set: number | undefined,
  own: number | null,
): number | null {
  if (set === undefined) return own
  return own === null ? set : choose(set, own)
}

/**
 * A machine that does not report whether a tag is writable leaves it to its keys (rules/data-centre.md: opened
 * variables).
 */
export const isReadOnly = ({ meta, settings }: Described): boolean =>
  meta.readOnly ?? settings?.writable !== true

/** The machine's words for values, with those that its keys gave in their places. */
export function shownWords(tag: Pick<TagState, 'meta' | 'settings' | 'enumTexts'>, lang: Lang) {
  const own = ownWords(tag, lang)
  const set = tag.settings?.enum
  return own && set ? { ...own, ...set } : (set ?? own)
}

/** The machine's own description, in a language. */
export function ownOf(tag: TagState, lang: Lang): TagOwn {
  const { label, unit, scale, min, max } = tag.meta
  const words = ownWords(tag, lang)
  const name = chooseLabel(label, lang) || tag.name
  return { name, unit, scale, min, max, ...(words ? { enum: { ...words } } : {}) }
}

/** The words for a tag's values in a language; undefined if the machine gave none that can be read. */
function ownWords(
  { meta, enumTexts }: Pick<TagState, 'meta' | 'enumTexts'>,
  lang: Lang,
): Readonly<Record<string, string>> | undefined {
  if (enumTexts) return enumTexts
  const said = meta.label[`words/${lang}`]
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

const wholeNumber = /^-?[0-9]+$/
const isNumeric = (type: TagType) => type === 'float64' || type === 'int64'

/** Why settings do not fit a tag, and the first field that does not; undefined if they do. */
export function faultOf(
  settings: TagSettings,
  tag: Pick<TagState, 'type' | 'meta' | 'settings'>,
): { readonly fault: contract.TagFault; readonly field: keyof TagSettings } | undefined {
  const { scale, min, max, readAs, writable } = settings
  const { meta } = tag
  const isTold = meta.readOnly !== null && tag.type !== 'string' && tag.settings?.readAs === undefined
  if (readAs !== undefined && isTold) return { fault: 'TAG_TYPE_DEVICE', field: 'readAs' }
  const type = readAs ?? tag.type
  if (scale !== undefined && type !== 'float64') return { fault: 'TAG_DIGITS_TYPE', field: 'scale' }
  const limit = min !== undefined ? 'min' : 'max'
  if ((min ?? max) !== undefined && !isNumeric(type)) return { fault: 'TAG_LIMITS_TYPE', field: limit }
  if (min !== undefined && max !== undefined && min > max) return { fault: 'TAG_LIMITS_ORDER', field: 'min' }
  if (min !== undefined && (isBelow(min, meta.min) || isBelow(meta.max, min)))
    return { fault: 'TAG_LIMITS_DEVICE', field: 'min' }
  if (max !== undefined && (isBelow(meta.max, max) || isBelow(max, meta.min)))
    return { fault: 'TAG_LIMITS_DEVICE', field: 'max' }
  if (settings.enum && !Object.keys(settings.enum).every((value) => isValueOf(type, value)))
    return { fault: 'TAG_VALUES_TYPE', field: 'enum' }
  if (settings.resets && !isNumeric(type)) return { fault: 'TAG_RESETS_TYPE', field: 'resets' }
  if (writable !== undefined && meta.readOnly !== null)
    return { fault: 'TAG_WRITABLE_DEVICE', field: 'writable' }
  return undefined
}

const isBelow = (one: number | null, other: number | null) => one !== null && other !== null && one < other

function isValueOf(type: TagType, value: string): boolean {
  if (type === 'bool') return value === 'true' || value === 'false'
  return isNumeric(type) && wholeNumber.test(value)
}
