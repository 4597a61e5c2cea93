import {
  type RequestOf,
  type TagSettingField,
  type TagSettings,
  tagLimits,
  type tagSettings,
  tagTypes,
  type telemetry,
  textWidth,
} from '@busbar/contract'
import type { TagsText } from '../../../shared/i18n/cn/tags.ts'
import { formatNumber } from '../../../shared/i18n/index.ts'

type Tag = telemetry.Tag

/** The fields of the form; empty means the device's own value. */
export interface TagDraft {
  readonly name: string
  readonly unit: string
  readonly scale: string
  readonly min: string
  readonly max: string
  /** A value and its text a line. */
  readonly texts: string
  readonly on: string
  readonly off: string
  /** A type of tags. */
  readonly readAs: string
  readonly writable: boolean
}

/** In the field of a unit: hides the unit, whatever the device reports. */
const noUnit = '-'
const wholeNumber = /^(?:0|-?[1-9]\d{0,18})$/
const decimal = /^-?(\d+\.?\d*|\.\d+)$/

/** An empty draft: everything stays as the device reports it. */
export const emptyDraft: TagDraft = {
  name: '',
  unit: '',
  scale: '',
  min: '',
  max: '',
  texts: '',
  on: '',
  off: '',
  readAs: '',
  writable: false,
}

export function draftOf({ settings = {} }: Tag): TagDraft {
  const { name = '', unit, scale, min, max, readAs = '', writable = false } = settings
  const texts = settings.enum ?? {}
  return {
    name,
    unit: unit === '' ? noUnit : (unit ?? ''),
    scale: String(scale ?? ''),
    min: String(min ?? ''),
    max: String(max ?? ''),
    texts: Object.entries(texts)
      .map(([value, text]) => `${value} = ${text}`)
      .join('\n'),
    on: texts.true ?? '',
    off: texts.false ?? '',
    readAs,
    writable,
  }
}

/** The value texts of a draft, or the problem of the first invalid line. */
function readTexts(tag: Tag, draft: TagDraft, words: TagsText['problems']) {
  const texts: Record<string, string> = {}
  if (tag.type === 'bool') {
    if (draft.on.trim()) texts.true = draft.on.trim()
    if (draft.off.trim()) texts.false = draft.off.trim()
    return { texts }
  }
  for (const line of draft.texts.split('\n').filter((one) => one.trim() !== '')) {
    const [value = '', ...rest] = line.split(/[=＝]/)
    const [key, text] = [value.trim().replace('\u2212', '-'), rest.join('=').trim()]
    if (rest.length === 0 || text === '') return { problem: words.line(line.trim()) }
    if (!wholeNumber.test(key)) return { problem: words.value(key) }
    if (Object.hasOwn(texts, key)) return { problem: words.twice(key) }
    if (textWidth(text) > tagLimits.tagValueTextMax)
      return { problem: words.long(formatNumber(tagLimits.tagValueTextMax * 2)) }
    texts[key] = text
  }
  return { texts }
}

const isNumeric = ({ type }: Tag) => type === 'float64' || type === 'int64'

/** The tag with the type that the draft gives it. */
export function typedTag(tag: Tag, { readAs }: TagDraft): Tag {
  const type = tagTypes.find((one) => one === readAs)
  return type ? { ...tag, type } : tag
}

/** Whether people may set the type: the device does not tell it, or tells a text. */
export const isTypeFree = ({ openable, type, settings }: Tag): boolean =>
  openable === true || type === 'string' || settings?.readAs !== undefined

/** Whether a field applies to tags of this type. */
export function hasField(tag: Tag, field: 'scale' | 'limits' | 'texts'): boolean {
  if (field === 'scale') return tag.type === 'float64'
  return field === 'limits' ? isNumeric(tag) : isNumeric(tag) || tag.type === 'bool'
}

/** The words for errors in a draft, by field. */
export function checkDraft(
  given: Tag,
  draft: TagDraft,
  words: TagsText['problems'],
): { readonly [Field in keyof TagDraft]?: string | undefined } {
  const tag = typedTag(given, draft)
  const long = (text: string, max: number) =>
    textWidth(text.trim()) > max ? words.long(formatNumber(max * 2)) : undefined
  const number = (text: string) =>
    text.trim() === '' || decimal.test(text.trim()) ? undefined : words.number
  const [min, max] = [number(draft.min), number(draft.max)]
  const isSwapped =
    !min &&
    !max &&
    draft.min.trim() !== '' &&
    draft.max.trim() !== '' &&
    Number(draft.min) > Number(draft.max)
  const read = readTexts(tag, draft, words)
  return {
    name: long(draft.name, tagLimits.tagNameTextMax),
    unit: long(draft.unit, tagLimits.tagUnitMax),
    min: isSwapped ? words.order : min,
    max,
    texts: 'problem' in read ? read.problem : undefined,
    on: long(draft.on, tagLimits.tagValueTextMax),
    off: long(draft.off, tagLimits.tagValueTextMax),
  }
}

type Change = Omit<RequestOf<typeof tagSettings.setTag>, 'machineId' | 'tagId'>

/** The change that a draft without problems requests; settings that its type cannot have are reset. */
export function changeOf(given: Tag, draft: TagDraft, words: TagsText['problems']): Change {
  const tag = typedTag(given, draft)
  const { texts = {} } = readTexts(tag, draft, words)
  const number = (text: string) => (text.trim() === '' ? null : Number(text))
  const isSet = (field: keyof TagSettings) => given.settings?.[field] !== undefined
  const [hasScale, hasLimits] = [hasField(tag, 'scale'), hasField(tag, 'limits')]
  const hasTexts = hasField(tag, 'texts')
  return {
    name: draft.name.trim() || null,
    unit: draft.unit.trim() === noUnit ? '' : draft.unit.trim() || null,
    ...((hasScale || isSet('scale')) && { scale: hasScale ? number(draft.scale) : null }),
    ...((hasLimits || isSet('min')) && { min: hasLimits ? number(draft.min) : null }),
    ...((hasLimits || isSet('max')) && { max: hasLimits ? number(draft.max) : null }),
    ...((hasTexts || isSet('enum')) && { enum: Object.keys(texts).length > 0 ? texts : null }),
    ...(isTypeFree(given) && { readAs: tagTypes.find((one) => one === draft.readAs) ?? null }),
    ...(tag.openable && { writable: draft.writable || null }),
  }
}

/** The device's own description of a tag. */
export const ownOf = (tag: Tag) => tag.own ?? tag

/** The tag with its new settings. */
export function previewOf(given: Tag, draft: TagDraft, words: TagsText['problems']): Tag {
  const tag = typedTag(given, draft)
  const own = ownOf(tag)
  const { texts = {} } = readTexts(tag, draft, words)
  const set = changeOf(tag, draft, words)
  const { enum: _, ...rest } = tag
  const shown = { ...own.enum, ...texts }
  return {
    ...rest,
    name: set.name ?? own.name,
    unit: set.unit ?? own.unit,
    scale: set.scale ?? own.scale,
    ...(Object.keys(shown).length > 0 && { enum: shown }),
  }
}

/** A tag as its device takes it: digits that people see are not those that it keeps, nor are all texts values of it. */
export function writtenTag(tag: Tag): Tag {
  const { own } = tag
  return own ? { ...tag, scale: own.scale, enum: own.enum ?? tag.enum } : tag
}

/** The fields in which two settings differ. */
export function changedFields(before: TagSettings, after: TagSettings): TagSettingField[] {
  const fields = ['name', 'unit', 'scale', 'min', 'max', 'enum', 'readAs', 'writable'] as const
  return fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
}
