import { accounts as contract } from '@busbar/contract'
import { createAskLimiter } from '../../http/ask-limiter.ts'
import { type Binding, bind, type CallContext } from '../../http/bind.ts'
import { addressKey } from '../../http/client-address.ts'
import { Failure } from '../../http/failure.ts'
import { RateLimiter } from '../../http/rate-limiter.ts'
import { findPlace } from '../places/index.ts'
import { type ConsoleDoor, consoleOrigin } from './console-origin.ts'
import * as service from './device-code-service.ts'
import type { SignInDeps } from './sign-in-service.ts'

const makesPerMinuteMax = 30
/** A program asks every five seconds, and many run behind one address. */
const redeemsPerMinuteMax = 600

/** Signing a program in by a code that a person confirms in a browser (RFC 8628). */
export function deviceCodeRoutes(deps: Pick<SignInDeps, 'db' | 'bus' | 'outgoing'> & ConsoleDoor): Binding[] {
  const { db } = deps
  const makes = new RateLimiter({ max: makesPerMinuteMax, windowMs: 60_000 })
  const redeems = new RateLimiter({ max: redeemsPerMinuteMax, windowMs: 60_000 })
  // Looking and deciding draw on one allowance: each tells whether a code exists.
  const takeAsk = createAskLimiter()

  function take(limiter: RateLimiter, { address, now }: CallContext): void {
    if (limiter.take(addressKey(address), now)) return
    throw new Failure('429', { data: { retryIn: limiter.retryInS(now) } })
  }

  return [
    bind(contract.createDeviceCode, async (input, context) => {
      take(makes, context)
      const { deviceCode, userCode } = await service.createDeviceCode(db, input, context)
      return {
        deviceCode,
        userCode,
        verifyUrl: `${consoleOrigin(deps, context.host)}/deviceCode`,
        expireIn: service.deviceCodeMs / 1000,
        interval: service.askIntervalMs / 1000,
      }
    }),

    bind(contract.scanDeviceCode, async ({ userCode }, context) => {
      takeAsk(context)
      const { terminalName, address } = await service.scanDeviceCode(db, context, context.brand.id, userCode)
      return { terminalName, ip: address, place: findPlace(address, context.lang) }
    }),

    bind(contract.confirmDeviceCode, async (input, context) => {
      takeAsk(context)
      await service.confirmDeviceCode(db, context, context.brand.id, input)
      return {}
    }),

    bind(contract.redeemDeviceCode, async ({ deviceCode }, context) => {
      take(redeems, context)
      const answer = await service.redeemDeviceCode(deps, deviceCode, context)
      return 'opened' in answer ? { token: answer.opened.token } : answer
    }),
  ]
}
