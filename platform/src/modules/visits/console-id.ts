import { createHash } from 'node:crypto'

const idText = 'console-[0-9a-f]{16}'
const idPattern = new RegExp(`^${idText}$`)
const parameter = `from=${idText}(?![\\w-])`
const firstOfMore = new RegExp(`\\?(?:${parameter}&)+`, 'g')
const anyOther = new RegExp(`[?&]${parameter}`, 'g')
const within = new RegExp(`[?&](?=${parameter})from=(${idText})`)

/** The id of a console's host in addresses. It follows from the name: a host that is removed and added again keeps it. */
export function consoleIdOf(host: string): string {
  return `console-${createHash('sha256').update(host).digest('hex').slice(0, 16)}`
}

/** An address of a visit host that names the console its person came through. `url` must not have a fragment. */
export function addFrom(url: string, id: string | undefined): string {
  return id === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}from=${id}`
}

/** A text without the console's id in the addresses it holds. A machine's own `from` has another form and stays. */
export function removeFrom(text: string): string {
  return text.includes('from=console-') ? text.replace(firstOfMore, '?').replace(anyOther, '') : text
}

/** The console's id that an address holds (rules/visits.md: visit address). */
export const findConsoleId = (url: string): string | undefined => within.exec(url)?.[1]

export const isConsoleId = (id: string): boolean => idPattern.test(id)
