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

/** Whether another site's page made the browser ask this. Browsers say it where the connection is trustworthy. */
export function isCrossSite({ headers }: PageRequest): boolean {
  const site = headers['sec-fetch-site']
  // `none` is a person who typed the address.
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/**
 * Whether the page itself asks for a write: the browser says so, or its Origin is the host that was asked. A program
 * that writes here has to name an origin too. Through the tunnel Host and Origin are the target's whatever the
 * visitor's browser sent; there an old browser's other sites are kept out by the body's type, for which a browser
 * asks first, and never gets leave.
 */
export function isOwnOrigin(request: PageRequest): boolean {
  const { origin, host, 'sec-fetch-site': site } = request.headers
  if (site !== undefined) return site === 'same-origin'
  if (origin === undefined || !URL.canParse(origin)) return false
  return new URL(origin).host === (host ?? request.headers[':authority'])
}
