import type { enterprises as contract, InputOf } from '@busbar/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { recordRightChangesOf } from '../../kernel/rights/right-changes.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>
export type Trx = Transaction<DB>

/** Ids as an array parameter. */
export const idsOf = (ids: readonly number[]) => sql`${[...ids]}::bigint[]`

/** Number of these machines that are devices of the enterprise. */
export async function countDevices(db: Db, eid: number, machineIds: readonly number[]): Promise<number> {
  const row = await db
    .selectFrom('enterprise_machines')
    .select(sql<number>`count(*)`.as('count'))
    .where('enterprise_id', '=', eid)
    .where(sql<boolean>`machine_id = any(${idsOf(machineIds)})`)
    .executeTakeFirstOrThrow()
  return row.count
}

/** The enterprises a person belongs to, but for locked ones. */
export async function listSpaces(db: Db, userId: number) {
  return db
    .selectFrom('enterprise_members as member')
    .innerJoin('enterprises', 'enterprises.id', 'member.enterprise_id')
    .select(['enterprises.id', 'enterprises.name', 'enterprises.enable_project', 'member.role'])
    .where('member.user_id', '=', userId)
    .where('enterprises.state', '=', 'active')
    .orderBy('enterprises.name')
    .orderBy('enterprises.id')
    .execute()
}

/** An enterprise with how many people and devices it has. */
export async function getSpace(db: Db, eid: number) {
  return db
    .selectFrom('enterprises')
    .select([
      'id',
      'name',
      'enable_project',
      'platform_name',
      'logo_url',
      'created_at',
      'time_zone',
      'has_away_rules',
      sql<number>`(select count(*) from enterprise_members where enterprise_id = enterprises.id)`.as(
        'members',
      ),
      sql<number>`(select count(*) from enterprise_machines where enterprise_id = enterprises.id)`.as(
        'machines',
      ),
    ])
    .where('id', '=', eid)
    .executeTakeFirstOrThrow()
}

/** Number of enterprises that a person owns. */
export async function countOwned(db: Db, userId: number): Promise<number> {
  const row = await db
    .selectFrom('enterprise_members')
    .select(sql<number>`count(*)`.as('count'))
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  return row.count
}

/** A person's language and, where it is set, time zone. */
export async function findLocale(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['lang', 'time_zone'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Makes an enterprise with its first owner. */
export async function createSpace(
  trx: Trx,
  space: { name: string; owner: number; timeZone: string; at: Date },
): Promise<number> {
  const { id } = await trx
    .insertInto('enterprises')
    .values({ name: space.name, time_zone: space.timeZone, created_at: space.at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('enterprise_members')
    .values({ enterprise_id: id, user_id: space.owner, role: 'owner', joined_at: space.at })
    .execute()
  return id
}

/** Changes an enterprise; undefined fields stay. */
export async function updateSpace(
  trx: Trx,
  eid: number,
  change: Omit<InputOf<typeof contract.updateEnterprise>, 'eid'>,
): Promise<void> {
  const { name, platformName, applyLogoUrl, awayRules } = change
  if (Object.values(change).every((value) => value === undefined)) return
  await trx
    .updateTable('enterprises')
    .set({
      ...(name === undefined ? {} : { name }),
      ...(platformName === undefined ? {} : { platform_name: platformName }),
      ...(applyLogoUrl === undefined ? {} : { logo_url: applyLogoUrl }),
      ...(awayRules === undefined ? {} : { has_away_rules: awayRules }),
    })
    .where('id', '=', eid)
    .execute()
}

export async function updateSpaceTimeZone(trx: Trx, eid: number, timeZone: string): Promise<void> {
  await trx.updateTable('enterprises').set({ time_zone: timeZone }).where('id', '=', eid).execute()
}

/** Locks an enterprise against other changes of its people until the transaction ends; false for none, or a locked one. */
export async function lockSpace(trx: Trx, eid: number): Promise<boolean> {
  const row = await trx
    .selectFrom('enterprises')
    .select('id')
    .where('id', '=', eid)
    .where('state', '=', 'active')
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Records that the rights of an enterprise's people changed with the enterprise. */
async function recordSpaceChange(trx: Db, eid: number): Promise<void> {
  const members = await trx
    .selectFrom('enterprise_members')
    .select('user_id')
    .where('enterprise_id', '=', eid)
    .execute()
  await recordRightChangesOf(
    trx,
    members.map((member) => member.user_id),
    'enterprise',
  )
}

/** Locks an enterprise, so that its members lose all rights, or unlocks it. */
export async function updateSpaceState(
  trx: Db,
  eid: number,
  state: 'active' | 'locked' | 'leaving',
): Promise<void> {
  await trx.updateTable('enterprises').set({ state }).where('id', '=', eid).execute()
  await recordSpaceChange(trx, eid)
}

/** Switches projects of an enterprise: what its members hold in them pauses, or goes on. */
export async function updateSpaceProjects(trx: Db, eid: number, enableProject: boolean): Promise<void> {
  await trx.updateTable('enterprises').set({ enable_project: enableProject }).where('id', '=', eid).execute()
  await recordSpaceChange(trx, eid)
}

/** Begins an enterprise's leaving, or takes it back. */
export async function updateSpaceLeaving(
  trx: Db,
  eid: number,
  change: { state: 'active' | 'leaving'; until: Date | null },
): Promise<void> {
  await trx
    .updateTable('enterprises')
    .set({ state: change.state, leaves_at: change.until })
    .where('id', '=', eid)
    .execute()
  await recordSpaceChange(trx, eid)
}

/** Removes an enterprise with all that hangs on it, if it is due; false when another process did. */
export async function removeDueSpace(trx: Db, eid: number, now: Date): Promise<boolean> {
  await recordSpaceChange(trx, eid)
  const { numDeletedRows } = await trx
    .deleteFrom('enterprises')
    .where('id', '=', eid)
    .where('leaves_at', '<=', now)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
