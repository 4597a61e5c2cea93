import {
  type EnterpriseMembership,
  type EnterpriseRight,
  type MemberRight,
  mayInEnterprise,
} from '@busbar/contract'
import type { Kysely } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type Space, type SpaceIds, spaceOf } from './space.ts'

type Db = Kysely<DB>

/** The right of a person to the things of a space that they see. */
export interface SpaceRight {
  readonly mayEdit: boolean
}

/**
 * The only decision about the things of a space: a person sees and changes their own; the members of an enterprise see
 * its things, those with `edit` change them. Undefined: not even seen (rules/enterprises.md: things of a space).
 */
export function decideInSpace(
  space: Space,
  userId: number,
  membership: EnterpriseMembership | undefined,
  edit: EnterpriseRight,
): SpaceRight | undefined {
  if ('userId' in space) return space.userId === userId ? { mayEdit: true } : undefined
  return membership && { mayEdit: mayInEnterprise(membership, edit) }
}

/** A person's membership in an enterprise; undefined for strangers, and if it is missing or locked. */
export async function findMembership(
  db: Db,
  eid: number,
  userId: number,
): Promise<EnterpriseMembership | undefined> {
  const row = await db
    .selectFrom('enterprise_members as member')
    .innerJoin('enterprises', 'enterprises.id', 'member.enterprise_id')
    .select(['member.role', 'member.rights'])
    .where('member.enterprise_id', '=', eid)
    .where('member.user_id', '=', userId)
    .where('enterprises.state', '=', 'active')
    .executeTakeFirst()
  return row && { role: row.role as EnterpriseMembership['role'], rights: row.rights as MemberRight[] }
}

/** A person's right in a space; undefined if they may not see its things. */
export async function findRight(
  db: Db,
  userId: number,
  space: Space,
  edit: EnterpriseRight = 'manage',
): Promise<SpaceRight | undefined> {
  const membership =
    'enterpriseId' in space ? await findMembership(db, space.enterpriseId, userId) : undefined
  return decideInSpace(space, userId, membership, edit)
}

/** A person's right in a space. Throws 403 where they may not see its things. */
export async function requireRight(
  db: Db,
  userId: number,
  space: Space,
  edit?: EnterpriseRight,
): Promise<SpaceRight> {
  const right = await findRight(db, userId, space, edit)
  if (!right) throw new Failure('403')
  return right
}

/** Throws 403 where a person may not change the things of a space. */
export async function requireEdit(
  db: Db,
  userId: number,
  space: Space,
  edit?: EnterpriseRight,
): Promise<void> {
  if (!(await requireRight(db, userId, space, edit)).mayEdit) throw new Failure('403')
}

/** A thing that a person may see. Throws 404 for one of others as for a missing one. */
export async function requireSeen<Row extends SpaceIds>(
  db: Db,
  userId: number,
  row: Row | undefined,
): Promise<Row & SpaceRight> {
  const right = row && (await findRight(db, userId, spaceOf(row)))
  if (!row || !right) throw new Failure('404')
  return { ...row, ...right }
}

/** A thing that a person may change. Throws 404, and 403 for one that they only see. */
export async function requireEditable<Row extends SpaceIds>(
  db: Db,
  userId: number,
  row: Row | undefined,
): Promise<Row> {
  const seen = await requireSeen(db, userId, row)
  if (!seen.mayEdit) throw new Failure('403')
  return seen
}
