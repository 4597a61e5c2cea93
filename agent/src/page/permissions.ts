import type { PageRequest, Visitor } from '../tunnel/page-handler.ts'
import type { ModeView } from './page-api.ts'

/** Whether a request may change the machine. A visit by its mode; the local port by the configuration. */
export function modeOf(visitor: Visitor | null, localWrite: boolean): ModeView {
  if (visitor !== null) {
    return visitor.mode === 'rw' ? { mode: 'rw', reason: null } : { mode: 'ro', reason: 'visit' }
  }
  return localWrite ? { mode: 'rw', reason: null } : { mode: 'ro', reason: 'local' }
}

export function isEnded(visitor: Visitor | null, now: number): boolean {
  return visitor !== null && visitor.until <= now
}

/** Whether another site's page caused this request. Browsers report it if the connection is trustworthy. */
export function isCrossSite({ headers }: PageRequest): boolean {
  const site = headers['sec-fetch-site']
  // `none` stands for a typed address.
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/**
 * Whether the page itself requests a write: the browser reports it, or its Origin is the requested host.
 * Programs that write have to name an origin too. Through the tunnel, Host and Origin are the target's
 * whatever the visitor's browser sent; there, other sites in an old browser are stopped by the body's type,
 * which requires a preflight that is never granted.
 */
export function isOwnOrigin(request: PageRequest): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers
  if (site !== undefined) return site === 'same-origin'
  if (origin === undefined || !URL.canParse(origin)) return false
  return new URL(origin).host === (host ?? request.headers[':authority'])
}
