import type { IncomingHttpHeaders } from 'node:http'
import { tunnelHeader } from '@busbar/link'
import type { Clock } from '../clock.ts'
import type { Visitor } from './page-handler.ts'

const userCharactersMax = 256
/** Without the platform's time, the agent's own clock may be this far off. */
const clockGraceMs = 5 * 60_000

/** The platform's time, epoch ms. */
export interface PlatformClock {
  (): number
  /** False: the platform did not tell it, and it follows the agent's own. */
  readonly isTold: boolean
}

/**
 * The platform's clock, from the `Date` of its answer when the tunnel was opened. A small machine's own clock is often
 * wrong by years, and set while a visit is on; the time since the opening is not. Seconds are cut off in `Date`, so
 * that the agent never ends a visit before the platform, which says why, does.
 */
export function createPlatformClock(date: string | undefined, clock: Clock): PlatformClock {
  const openedAt = Date.parse(date ?? '')
  if (Number.isNaN(openedAt)) return Object.assign(() => clock.now() - clockGraceMs, { isTold: false })
  const opened = clock.monotonic()
  return Object.assign(() => openedAt + clock.monotonic() - opened, { isTold: true })
}

/**
 * The visitor that the platform names for a request, `until` by the platform's clock; null if the headers are
 * incomplete.
 */
export function parseVisitor(headers: IncomingHttpHeaders): Visitor | null {
  const visit = text(headers[tunnelHeader.visit])
  const user = decodeUser(headers[tunnelHeader.user])
  const mode = text(headers[tunnelHeader.mode])
  const until = text(headers[tunnelHeader.until])
  if (!/^\d{1,19}$/.test(visit) || user === null || !/^\d{1,15}$/.test(until)) return null
  if (mode !== 'ro' && mode !== 'rw') return null
  return { visit, user, mode, until: Number(until) }
}

function text(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : ''
}

function decodeUser(encoded: string | string[] | undefined): string | null {
  // The characters that encodeURIComponent writes: two headers joined into one contain a comma.
  if (typeof encoded !== 'string' || !/^[A-Za-z0-9%!'()*._~-]*$/.test(encoded)) return null
  try {
    const user = decodeURIComponent(encoded)
    return user.length <= userCharactersMax ? user : null
  } catch {
    return null
  }
}
