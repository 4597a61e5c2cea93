import type { EnterpriseRight, MemberRight, Route } from './route.ts'

/** A person's role and rights in an enterprise, from `enterprisePermission`. */
export interface EnterpriseMembership {
  readonly role: 'owner' | 'admin' | 'member'
  readonly rights: readonly MemberRight[]
}

/** Whether a member has a right in an enterprise: owners and administrators have all, others those they were given. */
export function mayInEnterprise(
  membership: EnterpriseMembership | undefined,
  right: EnterpriseRight,
): boolean {
  if (!membership) return false
  if (right === 'member' || membership.role !== 'member') return true
  return right !== 'admin' && membership.rights.includes(right)
}

/**
 * Whether a member may make a call of their enterprise, by the route's own `who`: pages use it to show a button, and
 * the server to decide. Throws for a route whose permission does not belong to an enterprise.
 */
export function mayCall(
  { who, path }: Pick<Route, 'who' | 'path'>,
  membership: EnterpriseMembership | undefined,
): boolean {
  if (typeof who !== 'object' || !('ent' in who)) throw new Error(`${path} is no call of an enterprise`)
  return mayInEnterprise(membership, who.ent)
}
