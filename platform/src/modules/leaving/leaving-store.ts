import { type accounts as contract, limits } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** Limit of the hindrances of one kind in an answer. */
const toldMax = limits.hindrancesTold

/**
 * Keeps a person's enterprises, and machines that are theirs or are offered by or to them, as they are until the end of
 * the transaction: enterprises first, as everywhere, and each kind by its id.
 */
export async function lockHoldings(trx: Db, userId: number): Promise<void> {
  await sql`
    select id from enterprises
    where id in (select enterprise_id from enterprise_members where user_id = ${userId} and role = 'owner')
    order by id for no key update`.execute(trx)
  await sql`
    select id from machines
    where id in (
      select id from machines where owner_user_id = ${userId}
      union
      select machine_id from machine_transfers
      where state = 'waiting' and (from_user_id = ${userId} or to_user_id = ${userId}))
    order by id for no key update`.execute(trx)
}

/** The reasons that keep a person from leaving: another person has to take over first. */
export async function listHindrances(db: Db, userId: number, now: Date): Promise<contract.Hindrance[]> {
  const { rows } = await sql<contract.Hindrance>`
    (select 'lastOwner' as reason, space.id, space.name
     from enterprise_members mine
     join enterprises space on space.id = mine.enterprise_id and space.leaves_at is null
     where mine.user_id = ${userId} and mine.role = 'owner' and not exists (
       select from enterprise_members other join users on users.id = other.user_id
       where other.enterprise_id = mine.enterprise_id and other.role = 'owner'
         and other.user_id <> mine.user_id and users.leaves_at is null)
     order by space.id limit ${toldMax})
    union all
    (select 'held', machines.id, machines.name
     from machines
     where machines.owner_user_id = ${userId} and exists (
       select from machine_grants held
       where held.machine_id = machines.id and (held.until is null or held.until > ${now})
         and held.user_id <> machines.owner_user_id
         and not exists (select from machine_blacklist black
                         where black.machine_id = held.machine_id and black.user_id = held.user_id))
     order by machines.id limit ${toldMax})
    union all
    (select 'transfer', machines.id, machines.name
     from machine_transfers offer join machines on machines.id = offer.machine_id
     where offer.state = 'waiting' and offer.expires_at > ${now}
       and (offer.from_user_id = ${userId} or offer.to_user_id = ${userId})
     order by machines.id limit ${toldMax})`.execute(db)
  return rows
}

/** A person as they are written to and counted. */
export async function findLeaver(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'phone', 'country_code', 'lang', 'time_zone'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}
export type Leaver = Awaited<ReturnType<typeof findLeaver>>

/** People whose time to take their deletion back is over, at most `count`. */
export async function listDue(db: Db, now: Date, count: number): Promise<number[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('leaves_at', '<=', now)
    .orderBy('leaves_at')
    .limit(count)
    .execute()
  return rows.map(({ id }) => id)
}

/** Locks a person who has to be erased now; undefined if another process has erased them. */
export async function lockDue(trx: Db, userId: number, now: Date): Promise<Leaver | undefined> {
  return trx
    .selectFrom('users')
    .select(['id', 'email', 'phone', 'country_code', 'lang', 'time_zone'])
    .where('id', '=', userId)
    .where('leaves_at', '<=', now)
    .forUpdate()
    .executeTakeFirst()
}

/** Some of the machines a person owns. */
export async function listOwned(db: Db, userId: number, count: number): Promise<number[]> {
  const rows = await db
    .selectFrom('machines')
    .select('id')
    .where('owner_user_id', '=', userId)
    .orderBy('id')
    .limit(count)
    .execute()
  return rows.map(({ id }) => id)
}
