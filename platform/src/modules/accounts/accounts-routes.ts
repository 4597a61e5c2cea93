import { accounts as contract } from '@busbar/contract'
import type { Bus } from '../../bus/bus.ts'
import { type Binding, bind, type CallContext } from '../../http/bind.ts'
import { addressKey } from '../../http/client-address.ts'
import { formatCookie } from '../../http/cookies.ts'
import { Failure } from '../../http/failure.ts'
import { RateLimiter } from '../../http/rate-limiter.ts'
import { sessionCookieName } from '../../http/session-reader.ts'
import * as service from './accounts-service.ts'
import * as store from './accounts-store.ts'
import { presentTerminal, presentUser } from './accounts-views.ts'
import { provePassword, requireProof } from './password-proof.ts'

/** Sign-in, sign-out, the person, their terminals, tickets for the push socket; `https`: cookies are Secure. */
export function accountsRoutes(db: store.Db, bus: Bus, options: { https: boolean }): Binding[] {
  const logins = new RateLimiter({ max: 30, windowMs: 60_000 })
  // Each costs a hash, right or wrong.
  const proofs = new RateLimiter({ max: 20, windowMs: 60_000 })

  function setSessionCookies(context: CallContext, token: string, maxAgeS: number): void {
    const secure = options.https
    context.setHeader(
      'set-cookie',
      formatCookie(sessionCookieName(secure), token, { secure, httpOnly: true, maxAgeS }),
    )
    context.setHeader(
      'set-cookie',
      formatCookie('loggedIn', maxAgeS ? '1' : '', { secure, httpOnly: false, maxAgeS }),
    )
  }

  return [
    bind(contract.login, async (input, context) => {
      if (!logins.take(addressKey(context.address), context.now)) {
        throw new Failure('429', { data: { retryIn: logins.retryInS(context.now) } })
      }
      const opened = await service.login(db, bus, input, context)
      // The session slides with use and the platform ends it; the cookie only must not run out before.
      setSessionCookies(context, opened.token, Math.floor((opened.endsAt.getTime() - context.now) / 1000))
      return { token: opened.token, userid: opened.userId, phone: opened.phone, email: opened.email }
    }),

    bind(contract.logout, async (_, context) => {
      await service.endSession(db, bus, context.user.userId, context.user.sessionId, {
        reason: 'logout',
        address: context.address,
      })
      setSessionCookies(context, '', 0)
      return {}
    }),

    bind(contract.selectInfo, async (_, { user }) => presentUser(await store.findUser(db, user.userId))),

    bind(contract.listTerminals, async ({ page, pageSize }, { user, now }) => {
      const { rows, total } = await store.listSessions(
        db,
        user.userId,
        new Date(now),
        (page - 1) * pageSize,
        pageSize,
      )
      return { list: rows.map((row) => presentTerminal(row, user.sessionId)), total, page, pageSize }
    }),

    bind(contract.removeTerminal, async ({ id }, { user, address }) => {
      await service.endSession(db, bus, user.userId, id, { reason: 'elsewhere', address })
      return {}
    }),

    bind(contract.getPasswordProof, async (_, { user, now }) => ({
      verified: true as const,
      until: await requireProof(db, user.sessionId, now),
    })),

    bind(contract.provePassword, async ({ password }, { user, address, now }) => {
      if (!proofs.take(String(user.userId), now)) {
        throw new Failure('429', { data: { retryIn: proofs.retryInS(now) } })
      }
      return { until: await provePassword(db, user, password, { address, now }) }
    }),

    bind(contract.createPushTicket, async (_, { user, now }) => ({
      ticket: await service.createPushTicket(db, user, now),
    })),
  ]
}
