import type { IncomingMessage } from 'node:http'
import { readCookie } from '../kernel/http/cookies.ts'
import { findConsoleId, isConsoleId, removeFrom } from '../modules/visits/index.ts'
import { fromCookieName } from './visit-cookies.ts'

/** Lifetime of a visit host's record of the person's console, in s. */
export const fromLifeS = 30 * 24 * 3600

const told = new WeakMap<IncomingMessage, string>()

/** Takes the console's id off a request's address, before anything reads that. */
export function takeFrom(request: IncomingMessage): void {
  const url = request.url ?? ''
  const id = findConsoleId(url)
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
  return told.get(request) ?? (isConsoleId(id) ? id : undefined)
}
