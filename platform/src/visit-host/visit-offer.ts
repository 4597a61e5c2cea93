import type { IncomingMessage } from 'node:http'

/*
 * An address that a target of a machine gives for another target of it, as the platform writes it into the answer: with a
 * proof that its path came from there (rules/visits.md: entering by a link).
 */

const parameter = 'offered=([0-9a-z]{1,12}-[A-Za-z0-9_-]{43})(?![\\w-])'
const first = new RegExp(`\\?${parameter}&`)
const other = new RegExp(`[?&]${parameter}`)

/** `url` must not have a fragment. */
export function addOffer(url: string, proof: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}offered=${proof}`
}

/** A text without the proof in the address it holds. A machine's own `offered` has another form and stays. */
export const removeOffer = (text: string): string =>
  text.includes('offered=') ? text.replace(first, '?').replace(other, '') : text

/** Takes the proof off a request's address, before anything reads that. */
export function takeOffer(request: IncomingMessage): string | undefined {
  const url = request.url ?? ''
  const proof = other.exec(url)?.[1]
  if (proof !== undefined) request.url = removeOffer(url)
  return proof
}
