import { cleanDeep, cleanText, isStorableName } from '../../kernel/storable-text.ts'
import type { TagMeta } from './tag-state.ts'
import { type TagDefinitionRecord, uplinkLimits } from './uplink-record.ts'

/** Digits after the point a tag may ask for. */
const scaleMax = 12

/** Whether a tag's row can hold its names. */
export function isNameStorable({ group, tag }: { readonly group: string; readonly tag: string }): boolean {
  return (
    tag !== '' &&
    isStorableName(tag, uplinkLimits.tagNameBytesMax) &&
    isStorableName(group, uplinkLimits.groupNameBytesMax)
  )
}

/** The machine's description of a tag in the form that can be stored. */
export function storableMeta({
  label,
  unit,
  scale,
  min,
  max,
  readOnly,
  isKey,
}: TagDefinitionRecord): TagMeta {
  return {
    label: cleanDeep(label) as TagMeta['label'],
    unit: cleanText(unit),
    scale: scale !== null && Number.isInteger(scale) && scale >= 0 && scale <= scaleMax ? scale : null,
    min: Number.isFinite(min) ? min : null,
    max: Number.isFinite(max) ? max : null,
    readOnly,
    isKey,
  }
}
