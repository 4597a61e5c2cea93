import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { readCookie } from '../kernel/http/cookies.ts'
import { fromCookieName } from './visit-cookies.ts'

/** How long a visit host remembers the console that let a person in. */
export const fromLifeS = 30 * 24 * 3600

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

/** An address of a visit host that names the console its person came through. `url` has no fragment. */
export function addFrom(url: string, id: string | undefined): string {
  return id === undefined ? url : `${url}${url.includes('?') ? '&' : '?'}from=${id}`
}

/** A text without the console's id in the addresses it holds. A machine's own `from` has another form and stays. */
export function removeFrom(text: string): string {
  return text.includes('from=console-') ? text.replace(firstOfMore, '?').replace(anyOther, '') : text
}

const told = new WeakMap<IncomingMessage, string>()

/** Takes the console's id off a request's address, before anything reads that. */
export function takeFrom(request: IncomingMessage): void {
  const url = request.url ?? ''
  const id = within.exec(url)?.[1]
  if (id === undefined) return
  told.set(request, id)
  request.url = removeFrom(url)
}

/** The console that a request's address named. */
export function toldFrom(request: IncomingMessage): string | undefined {
  return told.get(request)
}

/** The same, else the one that let this browser in the last time. */
export function fromOf(request: IncomingMessage, https: boolean): string | undefined {
  const kept = readCookie(request.headers.cookie, fromCookieName(https))
  const [id = ''] = kept.length === 1 ? kept : []
  return told.get(request) ?? (idPattern.test(id) ? id : undefined)
}
