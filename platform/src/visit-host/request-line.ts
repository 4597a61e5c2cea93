import type { IncomingMessage } from 'node:http'
import type { Refusal } from './refusal.ts'

/** Longest path with query a visit host takes, in characters. */
const urlLengthMax = 8 * 1024
const headersMax = 100

/** Headers that may occur only once: of two, the machine might use the one that was not checked. */
const singleHeaders = new Set([
  'authorization',
  'content-length',
  'content-type',
  'expect',
  'host',
  'origin',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-websocket-key',
  'sec-websocket-version',
  'service-worker',
  'transfer-encoding',
  'upgrade',
])

const badRequest: Refusal = { status: 400, reason: 'badRequest' }

/** Checks a request as it came from the parser: nothing that two parsers could read in two ways goes further. */
export function checkRequestLine(
  request: Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'rawHeaders'>,
): Refusal | undefined {
  const { method = '', url = '', rawHeaders } = request
  if (method === 'TRACE' || method === 'CONNECT') return { status: 405, reason: 'method' }
  if (request.httpVersion !== '1.1' || url.length > urlLengthMax) return badRequest
  // Its own form only: `http://other/` and `*` name something else than the Host header does.
  if (!/^\/[\x21-\x7e]*$/.test(url) || url.includes('#')) return badRequest
  // A browser sends it as it is in a query; in a path some take it for `/`.
  if (url.split('?', 1)[0]?.includes('\\')) return badRequest
  if (rawHeaders.length > headersMax * 2) return { status: 431, reason: 'badRequest' }
  return hasAmbiguousHeaders(method, rawHeaders) ? badRequest : undefined
}

function hasAmbiguousHeaders(method: string, rawHeaders: readonly string[]): boolean {
  const seen = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    const value = rawHeaders[at + 1] ?? ''
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return true
    if (singleHeaders.has(name) && seen.has(name)) return true
    if (name === 'transfer-encoding' && value.trim().toLowerCase() !== 'chunked') return true
    seen.add(name)
  }
  if (seen.has('content-length') && seen.has('transfer-encoding')) return true
  return !mayHaveBody(method) && (seen.has('transfer-encoding') || hasLength(rawHeaders))
}

/** Programs disagree about the meaning of a body with GET and HEAD. */
const mayHaveBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD'

function hasLength(rawHeaders: readonly string[]): boolean {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-length')
  return at !== -1 && rawHeaders[at + 1]?.trim() !== '0'
}
