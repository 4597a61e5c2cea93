import type { CallContext, SignedIn } from '../../kernel/http/bind.ts'
import type { Caller } from './space-change.ts'

/** Who a call is by, as services are told. */
export const callerOf = ({ user, address, now }: CallContext & { readonly user: SignedIn }): Caller => ({
  userId: user.userId,
  address,
  now,
})
