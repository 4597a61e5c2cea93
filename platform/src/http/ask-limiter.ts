import type { CallContext, SignedIn } from './bind.ts'
import { addressKey } from './client-address.ts'
import { Failure } from './failure.ts'
import { RateLimiter } from './rate-limiter.ts'

const asksOfAddressMax = 30
const windowMs = 60_000

/**
 * For calls of strangers that tell whether an account exists: 30 a minute for an address, all of them together
 * (decision 9). The function takes one of the address's tries; it throws 429 when they are used up.
 */
export function createAddressAskLimiter(): (context: CallContext) => void {
  const asks = new RateLimiter({ max: asksOfAddressMax, windowMs })
  return ({ address, now }) => {
    if (!asks.take(addressKey(address), now))
      throw new Failure('429', { data: { retryIn: asks.retryInS(now) } })
  }
}

/**
 * For calls that tell whether something exists: 10 a minute for a user, 30 for an address (decision 9). The function
 * takes one of the caller's tries; it throws 429 when they are used up.
 */
export function createAskLimiter(): (context: CallContext & { readonly user: SignedIn }) => void {
  const asksOfUser = new RateLimiter({ max: 10, windowMs })
  const asksOfAddress = new RateLimiter({ max: asksOfAddressMax, windowMs })
  return ({ user, address, now }) => {
    if (asksOfUser.take(String(user.userId), now) && asksOfAddress.take(addressKey(address), now)) return
    throw new Failure('429', { data: { retryIn: asksOfUser.retryInS(now) } })
  }
}
