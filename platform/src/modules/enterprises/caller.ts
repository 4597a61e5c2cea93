import type { CallContext, SignedIn } from '../../kernel/http/bind.ts'
import type { Caller } from './space-change.ts'

/** The caller as services take it. */
export const callerOf = ({ user, address, now }: CallContext & { readonly user: SignedIn }): Caller => ({
  userId: user.userId,
  address,
  now,
})
