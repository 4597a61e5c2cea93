import { limits } from './limits.ts'

/** Codes from `low` to `high` whose digits stand where `mask` has digits; `?` in it is any digit. All have 19 places. */
interface CodeSpan {
  readonly low: string
  readonly high: string
  readonly mask: string
}

/** The machine codes that a text describes: those of all its parts. */
export interface CodePattern {
  readonly spans: readonly CodeSpan[]
  /** The stored form: its parts in one notation, separated by a comma and a space. */
  readonly text: string
}

const length = limits.machineCodeDigits

/**
 * Reads parts between commas or line breaks: `8612*` (begins so), 19 places with `?` for any digit, or `8600-8699`:
 * codes whose first digits lie in that range. These, and no regular expressions, because one can be written that takes
 * minutes. Answers an unreadable part as `wrong`; for an empty text, a pattern without codes
 * (rules/machines.md: machine types).
 */
export function readCodePattern(text: string): CodePattern | { readonly wrong: string } {
  const parts = text
    .split(/[,，;；\n]/)
    .map((part) => part.replace(/\s+/g, ''))
    .filter((part) => part !== '')
  const spans: CodeSpan[] = []
  for (const part of parts) {
    const span = readSpan(part)
    if (!span || spans.length >= limits.codePatternPartsMax) return { wrong: part }
    spans.push(span)
  }
  return { spans, text: parts.map((part) => part.replace(/[–—~～至]/, '-')).join(', ') }
}

function readSpan(part: string): CodeSpan | undefined {
  const [, low, high] = /^([0-9]{1,19})[-–—~～至]([0-9]{1,19})$/.exec(part) ?? []
  if (low !== undefined && high !== undefined) {
    if (low.length !== high.length || low > high) return undefined
    return { low: low.padEnd(length, '0'), high: high.padEnd(length, '9'), mask: '?'.repeat(length) }
  }
  const isMask = /^[0-9?]{1,19}\*?$/.test(part) && /[0-9]/.test(part)
  const places = part.replace('*', '')
  if (!isMask || (!part.endsWith('*') && places.length !== length)) return undefined
  const mask = places.padEnd(length, '?')
  return { low: mask.replaceAll('?', '0'), high: mask.replaceAll('?', '9'), mask }
}

/** Whether a machine's code is one of the pattern's. */
export function fitsCodePattern({ spans }: CodePattern, code: string): boolean {
  return spans.some(
    ({ low, high, mask }) => code.length === length && code >= low && code <= high && fits(mask, code),
  )
}

/** A code that both patterns have; undefined without one. */
export function findSharedCode(one: CodePattern, other: CodePattern): string | undefined {
  for (const left of one.spans) {
    for (const right of other.spans) {
      const shared = findSharedOf(left, right)
      if (shared !== undefined) return shared
    }
  }
  return undefined
}

function findSharedOf(left: CodeSpan, right: CodeSpan): string | undefined {
  let mask = ''
  for (let place = 0; place < length; place++) {
    const [one = '?', other = '?'] = [left.mask[place], right.mask[place]]
    if (one !== '?' && other !== '?' && one !== other) return undefined
    mask += one === '?' ? other : one
  }
  const [, low = ''] = [left.low, right.low].sort()
  const [high = ''] = [left.high, right.high].sort()
  const first = low > high ? undefined : findFirst(mask, low)
  return first !== undefined && first <= high ? first : undefined
}

/** The least code from `low` on that a mask has. */
function findFirst(mask: string, low: string): string | undefined {
  if (fits(mask, low)) return low
  // The longest beginning it can share with `low`; the next digit is a larger one, and the rest as small as may be.
  for (let place = length - 1; place >= 0; place--) {
    if (!fits(mask.slice(0, place), low.slice(0, place))) continue
    const wished = mask[place] ?? '?'
    const least = Number(low[place]) + 1
    const digit = wished === '?' ? least : Number(wished)
    if (digit < least || digit > 9) continue
    return `${low.slice(0, place)}${digit}${mask.slice(place + 1).replaceAll('?', '0')}`
  }
  return undefined
}

function fits(mask: string, digits: string): boolean {
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] !== '?' && mask[place] !== digits[place]) return false
  }
  return true
}

/** The two ways in which a type is matched to machines. */
interface TypeRule {
  /** As `readCodePattern` takes it; empty: no codes. */
  readonly pattern: string
  /** The type that machines report. */
  readonly type: string
}

const patterns = new WeakMap<TypeRule, CodePattern | null>()

function patternOf(rule: TypeRule): CodePattern | null {
  let pattern = patterns.get(rule)
  if (pattern === undefined) {
    const found = readCodePattern(rule.pattern)
    // A pattern of a newer platform may be unknown here: it has no codes then.
    pattern = 'wrong' in found || found.spans.length === 0 ? null : found
    patterns.set(rule, pattern)
  }
  return pattern
}

/** The rule of a machine: the first whose pattern has its code, else the one of the type that it reports. */
export function findTypeRule<Rule extends TypeRule>(
  rules: readonly Rule[],
  machine: { readonly code: string; readonly type: string },
): { readonly rule: Rule; readonly by: 'code' | 'type' } | undefined {
  const byCode = rules.find((rule) => {
    const pattern = patternOf(rule)
    return pattern !== null && fitsCodePattern(pattern, machine.code)
  })
  if (byCode) return { rule: byCode, by: 'code' }
  const byType = rules.find((rule) => rule.type === machine.type)
  return byType && { rule: byType, by: 'type' }
}
