import type { IncomingHttpHeaders } from 'node:http'

/** A person opened this address: the only kind of request that another site may cause, and that gets a page. */
export function isPageNavigation(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  if (method !== 'GET') return false
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers
  if (mode !== undefined || dest !== undefined) return mode === 'navigate' && dest === 'document'
  return headers.accept?.includes('text/html') ?? false
}

/** A page shows this address in a frame. */
export function isFrameNavigation(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers
  return method === 'GET' && mode === 'navigate' && dest === 'iframe'
}

/**
 * Whether a request comes from the visit host's own page. For a browser all machines' hosts are one site, so SameSite
 * does not separate them: another host may open a page of this one, and do nothing else.
 */
export function checkFetchOrigin(
  method: string | undefined,
  headers: IncomingHttpHeaders,
  ownOrigin: string,
): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) {
    if (site === 'same-origin') return headers.origin === undefined || headers.origin === ownOrigin
    if (site === 'none') return headers.origin === undefined || isSafe(method)
    return isPageNavigation(method, headers)
  }
  if (headers.origin !== undefined) return headers.origin === ownOrigin
  if (isPageNavigation(method, headers)) return true
  // Browsers without these headers send no more than this with a picture of another site.
  if (isSafe(method) && headers.referer === undefined) return true
  return refersTo(headers, ownOrigin)
}

/** Whether something else than the host's own page, or the person, may have caused a request. */
export function comesFromElsewhere(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return !refersTo(headers, ownOrigin)
}

/** A WebSocket is opened by the host's own page only; browsers always send the page's origin. */
export function checkSocketOrigin(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  return headers.origin === ownOrigin
}

const refersTo = ({ referer }: IncomingHttpHeaders, ownOrigin: string): boolean =>
  referer !== undefined && URL.parse(referer)?.origin === ownOrigin
const isSafe = (method: string | undefined): boolean => method === 'GET' || method === 'HEAD'
