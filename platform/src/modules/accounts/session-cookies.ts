import type { CallContext } from '../../kernel/http/bind.ts'
import { formatCookie } from '../../kernel/http/cookies.ts'
import { sessionCookieName } from '../../kernel/http/session-reader.ts'
import type { Opened } from './accounts-service.ts'

/**
 * Sets and removes the cookies of a session: the token, which scripts cannot read, and one that shows that it exists.
 */
export interface SessionCookies {
  /** The cookies live as long as a session may at most; the platform ends the session itself. */
  set(context: CallContext, opened: Opened): void
  remove(context: CallContext): void
}

/** `https`: cookies are Secure and bound to the host by their name. */
export function createSessionCookies(https: boolean): SessionCookies {
  function write(context: CallContext, token: string, maxAgeS: number): void {
    const shared = { secure: https, maxAgeS }
    context.setHeader(
      'set-cookie',
      formatCookie(sessionCookieName(https), token, { ...shared, httpOnly: true }),
    )
    context.setHeader(
      'set-cookie',
      formatCookie('loggedIn', maxAgeS ? '1' : '', { ...shared, httpOnly: false }),
    )
  }
  return {
    set: (context, { token, endsAt }) =>
      write(context, token, Math.floor((endsAt.getTime() - context.now) / 1000)),
    remove: (context) => write(context, '', 0),
  }
}
