/* Reads and writes addresses. Each screen keeps the parameters it knows and drops the rest: a wrong address
   opens its screen, never an error. */

/** An address as it was written. */
export type RawSearch = Record<string, unknown>

const searchTextMax = 200

/** Plain `name=value` pairs both ways, so that addresses read as they were written. */
export function parseSearch(search: string): RawSearch {
  return Object.fromEntries(new URLSearchParams(search))
}

export function formatSearch(search: RawSearch): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== null && value !== '') pairs.set(name, String(value))
  const text = pairs.toString()
  return text ? `?${text}` : ''
}

/** Parameters that stay from screen to screen. */
export const parametersOfAllScreens = ['lang', 'client'] as const

const isOfAllScreens = (name: string) => parametersOfAllScreens.some((kept) => kept === name)

/**
 * Wraps a screen's rule for its address: every parameter that the rule leaves out is undefined. Without it, the router
 * gives the screen the raw text of such a parameter.
 */
export function onlyKnown<Search extends object>(rule: (raw: RawSearch) => Search) {
  return (raw: RawSearch): Search => {
    const dropped = Object.keys(raw).filter((name) => !isOfAllScreens(name))
    return { ...Object.fromEntries(dropped.map((name) => [name, undefined])), ...rule(raw) }
  }
}

/** The id an address names, or nothing. */
export function parseId(value: unknown): number | undefined {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

/** A text of the address, cut if it is too long, or undefined. */
export function parseText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).slice(0, searchTextMax) || undefined
    : undefined
}

/** Whether a parameter is set. */
export const isYes = (value: unknown): boolean => value === true || value === 'true'
