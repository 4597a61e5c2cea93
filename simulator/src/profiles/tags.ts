import type { TagSpec, Texts } from './profile.ts'

type More = Pick<TagSpec, 'scale' | 'deadband' | 'keyTag' | 'writable'>
type Range = readonly [min: number, max?: number]

/** A measured value; one decimal place unless `more` says otherwise. */
export function float(
  group: Texts,
  name: string,
  cn: string,
  en: string,
  unit: string,
  range: Range,
  more: More = {},
): TagSpec {
  return { ...named(group, name, cn, en), type: 'float64', ...measure(unit, range), scale: 1, ...more }
}

/** A whole number: a counter, or a value the controller keeps without decimals. */
export function int(
  group: Texts,
  name: string,
  cn: string,
  en: string,
  unit: string,
  range: Range,
  more: More = {},
): TagSpec {
  return { ...named(group, name, cn, en), type: 'int64', ...measure(unit, range), scale: 0, ...more }
}

/** A switch or a contact. */
export function bool(group: Texts, name: string, cn: string, en: string, more: More = {}): TagSpec {
  return { ...named(group, name, cn, en), type: 'bool', ...more }
}

/** A word the controller reports: a recipe, a mode, a phase. `words`: what each means, cn before en. */
export function text(
  group: Texts,
  name: string,
  cn: string,
  en: string,
  words: Readonly<Record<string, readonly [cn: string, en: string]>>,
): TagSpec {
  const meanings = Object.entries(words).map(([word, [inCn, inEn]]) => [word, { cn: inCn, en: inEn }])
  return { ...named(group, name, cn, en), type: 'string', words: Object.fromEntries(meanings) }
}

/** A group's name; the English one is also its address on the wire. */
export function group(cn: string, en: string): Texts {
  return { cn, en }
}

/** The range of a counter that only grows. */
export const counter: Range = [0]

function named(
  groupName: Texts,
  name: string,
  cn: string,
  en: string,
): Pick<TagSpec, 'group' | 'groupName' | 'name' | 'displayName'> {
  return { group: groupName.en, groupName, name, displayName: { cn, en } }
}

function measure(unit: string, [min, max]: Range): Pick<TagSpec, 'unit' | 'min' | 'max'> {
  return { ...(unit === '' ? {} : { unit }), min, ...(max === undefined ? {} : { max }) }
}
