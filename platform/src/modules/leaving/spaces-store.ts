import type { Db } from './leaving-store.ts'

/** The enterprise under its lock, with the caller's membership; undefined for strangers and if it is locked. */
export async function lockSpaceOf(
  trx: Db,
  eid: number,
  userId: number,
): Promise<{ name: string; state: string; role: string } | undefined> {
  return trx
    .selectFrom('enterprises')
    .innerJoin('enterprise_members as member', 'member.enterprise_id', 'enterprises.id')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select(['enterprises.name', 'enterprises.state', 'member.role'])
    .where('enterprises.id', '=', eid)
    .where('member.user_id', '=', userId)
    .where('users.state', '=', 'active')
    .forNoKeyUpdate('enterprises')
    .executeTakeFirst()
}

/** The owners of an enterprise who may sign in, with their addresses. */
export async function listOwners(db: Db, eid: number) {
  return db
    .selectFrom('enterprise_members as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select([
      'users.id',
      'users.name',
      'users.email',
      'users.phone',
      'users.country_code',
      'users.lang',
      'users.time_zone',
    ])
    .where('member.enterprise_id', '=', eid)
    .where('member.role', '=', 'owner')
    .where('users.state', '=', 'active')
    .orderBy('users.id')
    .execute()
}

/** The enterprises of an owner whose deletion can be cancelled. */
export async function listLeaving(db: Db, userId: number, now: Date) {
  return db
    .selectFrom('enterprise_members as member')
    .innerJoin('enterprises', 'enterprises.id', 'member.enterprise_id')
    .select(['enterprises.id', 'enterprises.name', 'enterprises.leaves_at'])
    .where('member.user_id', '=', userId)
    .where('member.role', '=', 'owner')
    .where('enterprises.state', '=', 'leaving')
    .where('enterprises.leaves_at', '>', now)
    .orderBy('enterprises.id')
    .execute()
}

/** Enterprises whose time to take their deletion back is over, at most `count`. */
export async function listDueSpaces(db: Db, now: Date, count: number): Promise<number[]> {
  const rows = await db
    .selectFrom('enterprises')
    .select('id')
    .where('leaves_at', '<=', now)
    .orderBy('leaves_at')
    .limit(count)
    .execute()
  return rows.map(({ id }) => id)
}

/** Some of the machines an enterprise owns. */
export async function listOwnedBySpace(db: Db, eid: number, count: number): Promise<number[]> {
  const rows = await db
    .selectFrom('machines')
    .select('id')
    .where('owner_enterprise_id', '=', eid)
    .orderBy('id')
    .limit(count)
    .execute()
  return rows.map(({ id }) => id)
}
