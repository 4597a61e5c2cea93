/** The numbers that a field accepts. */
export interface NumberRules {
  /** Digits after the point at most. */
  readonly decimals: number
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/** A typed number as a machine reads it: digits of an input method as plain ones, a comma as the point. */
export function plainNumber(typed: string): string {
  return typed.normalize('NFKC').replace(/\s/g, '').replaceAll('\u2212', '-').replace(/[,。]/g, '.')
}

/** Why a text cannot become a number of these rules by typing on; undefined if it can. */
export function refusal(text: string, { decimals, min }: NumberRules): 'letters' | 'decimals' | undefined {
  if (!/^-?\d*\.?\d*$/.test(text)) return 'letters'
  if (text.startsWith('-') && min !== undefined && min >= 0) return 'letters'
  if (decimals === 0 && text.includes('.')) return 'decimals'
  const [, tail = ''] = text.split('.')
  return tail.length > decimals ? 'decimals' : undefined
}

/** The number of a text; undefined if it is not one yet. */
export function parseNumber(text: string): number | undefined {
  return /\d/.test(text) ? Number(text) : undefined
}

/** A text one step further, written with all its decimals, within the limits. */
export function stepNumber(text: string, by: number, { decimals, min, max }: NumberRules): string {
  const from = parseNumber(text) ?? Math.min(Math.max(0, min ?? 0), max ?? 0)
  // Counted in the last decimal: 0.1 + 0.2 is 0.3 here.
  const scale = 10 ** decimals
  const next = (Math.round(from * scale) + Math.round(by * scale)) / scale
  return Math.min(Math.max(next, min ?? -Infinity), max ?? Infinity).toFixed(decimals)
}
