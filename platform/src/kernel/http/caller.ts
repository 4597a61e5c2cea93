import type { CallContext, SignedIn } from './bind.ts'

/** The person who calls, their address, and the instant, as services take them. */
export interface Caller {
  readonly userId: number
  readonly address: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** The caller of a route, with their session. */
export const callerOf = ({
  user,
  address,
  now,
}: Pick<CallContext, 'address' | 'now'> & { readonly user: SignedIn }): Caller & SignedIn => ({
  ...user,
  address,
  now,
})
