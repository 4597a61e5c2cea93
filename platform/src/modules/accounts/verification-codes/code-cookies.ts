import type { CallContext } from '../../../kernel/http/bind.ts'
import { formatCookie } from '../../../kernel/http/cookies.ts'
import { createToken } from '../index.ts'
import { codeLimits } from './code-limits.ts'

/** As long as a registration waits to be activated (rules/accounts.md: registration). */
export const registrationMs = 3_600_000

/** Cookies that bind codes and tickets to a browser: HttpOnly, on https bound to the host. */
export function createCodeCookies(https: boolean) {
  const nameOf = (name: string) => (https ? `__Host-${name}` : name)
  const ticket = nameOf('ticket')
  const registration = nameOf('registration')
  const set = (context: CallContext, name: string, value: string, maxAgeMs: number) =>
    context.setHeader(
      'set-cookie',
      formatCookie(name, value, { secure: https, httpOnly: true, maxAgeS: maxAgeMs / 1_000 }),
    )
  return {
    ticketOf: (context: CallContext) => context.cookie(ticket),
    setTicket: (context: CallContext, value: string) => set(context, ticket, value, codeLimits.ticketMs),
    removeTicket: (context: CallContext) => set(context, ticket, '', 0),
    /** The cookie of a browser's registrations, if it has one. */
    registrationOf: (context: CallContext) => context.cookie(registration),
    /** The same; sets a new one with this answer if there is none. */
    beginRegistration(context: CallContext): string {
      const value = context.cookie(registration) ?? createToken()
      set(context, registration, value, registrationMs)
      return value
    },
  }
}

export type CodeCookies = ReturnType<typeof createCodeCookies>
