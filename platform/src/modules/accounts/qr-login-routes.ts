import { accounts as contract } from '@busbar/contract'
import { createAskLimiter } from '../../http/ask-limiter.ts'
import { type Binding, bind, type CallContext } from '../../http/bind.ts'
import { addressKey } from '../../http/client-address.ts'
import { formatCookie } from '../../http/cookies.ts'
import { Failure } from '../../http/failure.ts'
import { RateLimiter } from '../../http/rate-limiter.ts'
import { findPlace } from '../places/index.ts'
import { type ConsoleDoor, findPublicOrigin } from './console-origin.ts'
import * as service from './qr-login-service.ts'
import type { SessionCookies } from './session-cookies.ts'
import type { SignInDeps } from './sign-in-service.ts'

const makesPerMinuteMax = 30
/** A page asks every two seconds, and many sit behind one address. */
const checksPerMinuteMax = 600

/** Signing in by a QR code that a phone confirms (decision 14). */
export function qrLoginRoutes(
  deps: Pick<SignInDeps, 'db' | 'bus' | 'outgoing'> & ConsoleDoor,
  session: SessionCookies,
): Binding[] {
  const makes = new RateLimiter({ max: makesPerMinuteMax, windowMs: 60_000 })
  const checks = new RateLimiter({ max: checksPerMinuteMax, windowMs: 60_000 })
  const takeAsk = createAskLimiter()
  const cookieName = deps.https ? '__Host-qr' : 'qr'

  /** Where a phone opens the console: a brand's own host, or the public address. */
  function originOf(context: CallContext): string {
    const origin = findPublicOrigin(deps, context.host)
    if (!origin) throw new Failure('QR_OFF')
    return origin
  }

  return [
    bind(contract.createQrToken, async (input, context) => {
      const origin = originOf(context)
      if (!makes.take(addressKey(context.address), context.now))
        throw new Failure('429', { data: { retryIn: makes.retryInS(context.now) } })
      const { qrToken, redeemToken } = await service.createQrLogin(deps.db, input, context)
      const expireIn = contract.qrLoginMs / 1000
      const cookie = { secure: deps.https, httpOnly: true, maxAgeS: expireIn }
      context.setHeader('set-cookie', formatCookie(cookieName, redeemToken, cookie))
      return { qrToken, qrUrl: `${origin}/qr/${qrToken}`, expireIn }
    }),

    bind(contract.checkQrLogin, async (input, context) => {
      if (!checks.take(addressKey(context.address), context.now))
        throw new Failure('429', { data: { retryIn: checks.retryInS(context.now) } })
      const given = { ...input, redeemToken: context.cookie(cookieName) }
      const { state, name, opened } = await service.checkQrLogin(deps, given, context)
      if (opened) {
        session.set(context, opened)
        context.setHeader(
          'set-cookie',
          formatCookie(cookieName, '', { secure: deps.https, httpOnly: true, maxAgeS: 0 }),
        )
      }
      return {
        state: contract.qrStates[state],
        ...(name ? { name } : {}),
        ...(opened ? { token: opened.token, userid: opened.userId } : {}),
      }
    }),

    bind(contract.scanQrLogin, async ({ qrToken }, context) => {
      takeAsk(context)
      const { terminalName, address } = await service.scanQrLogin(deps, context, context.brand.id, qrToken)
      const { lang, brand } = context
      return { brand: brand.platformName[lang], terminalName, ip: address, place: findPlace(address, lang) }
    }),

    bind(contract.confirmQrLogin, async (input, context) => {
      await service.confirmQrLogin(deps, context, context.brand.id, input)
      return {}
    }),
  ]
}
