import {
  type enterprises as contract,
  type MemberRight,
  mayInEnterprise,
  memberRights,
} from '@busbar/contract'

/** A person's role and rights in an enterprise. */
export interface Membership {
  readonly role: contract.EnterpriseRole
  readonly rights: readonly MemberRight[]
}

export const isAdmin = ({ role }: Membership): boolean => role !== 'member'

/** The rights a member has, in the order they are shown. */
export function rightsOf(membership: Membership): MemberRight[] {
  return memberRights.filter((right) => mayInEnterprise(membership, right))
}

/**
 * Why one member may not change another, or give this role: only owners touch and make owners (rules/enterprises.md:
 * roles).
 */
export function changeDenial(
  actor: Membership,
  target: { readonly role: contract.EnterpriseRole },
  nextRole: contract.EnterpriseRole,
): 'OWNER_ONLY' | undefined {
  const touchesOwner = target.role === 'owner' || nextRole === 'owner'
  return touchesOwner && actor.role !== 'owner' ? 'OWNER_ONLY' : undefined
}
