import type { TagSpec } from './trade.ts'

type More = Pick<TagSpec, 'scale' | 'deadband' | 'keyTag' | 'writable'>
type Range = readonly [min: number, max?: number]

/** A measured value; one decimal place unless `more` says otherwise. */
export function float(
  group: string,
  name: string,
  cn: string,
  en: string,
  unit: string,
  range: Range,
  more: More = {},
): TagSpec {
  return { group, name, type: 'float64', displayName: { cn, en }, ...measure(unit, range), scale: 1, ...more }
}

/** A whole number: a counter, or a value the controller keeps without decimals. */
export function int(
  group: string,
  name: string,
  cn: string,
  en: string,
  unit: string,
  range: Range,
  more: More = {},
): TagSpec {
  return { group, name, type: 'int64', displayName: { cn, en }, ...measure(unit, range), scale: 0, ...more }
}

/** A switch or a contact. */
export function bool(group: string, name: string, cn: string, en: string, more: More = {}): TagSpec {
  return { group, name, type: 'bool', displayName: { cn, en }, ...more }
}

/** A word the controller reports: a recipe, a mode, a phase. */
export function text(group: string, name: string, cn: string, en: string): TagSpec {
  return { group, name, type: 'string', displayName: { cn, en } }
}

/** The range of a counter that only grows. */
export const counter: Range = [0]

function measure(unit: string, [min, max]: Range): Pick<TagSpec, 'unit' | 'min' | 'max'> {
  return { ...(unit === '' ? {} : { unit }), min, ...(max === undefined ? {} : { max }) }
}
