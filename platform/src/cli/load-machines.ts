import { createHmac, randomBytes } from 'node:crypto'
import { limits } from '@busbar/contract'
import { sql } from 'kysely'
import type { Database } from '../kernel/database/database.ts'
import { liftTimeLimits } from '../kernel/database/time-limits.ts'
import { hashToken } from '../modules/accounts/index.ts'

/** Codes of machines that exist for load begin like this, and no code made by chance does (one in 10^13). */
const loadCodePrefix = '9009009009009'
/** Only machines with both are removed: the code's beginning and this controller. */
const loadModel = 'Load simulator'
export const loadMachinesMax = 50_000
const machinesPerStatement = 5_000

export interface LoadIdentity {
  readonly code: string
  readonly secret: string
}

export interface LoadMachinesRequest {
  readonly count: number
  readonly type: string
  /** Before each machine's number in its name. */
  readonly prefix: string
  readonly ownerUserId: number | undefined
}

/**
 * Registers the missing ones of the first `count` machines for load, and gives all of them new secrets, which only the
 * caller gets. With an owner they are added to that person's list, as far as it has room.
 */
export async function registerLoadMachines(
  db: Database,
  request: LoadMachinesRequest,
): Promise<LoadIdentity[]> {
  const seed = randomBytes(32)
  const machines = Array.from({ length: request.count }, (_, index) => {
    const number = String(index + 1).padStart(limits.machineCodeDigits - loadCodePrefix.length, '0')
    const code = loadCodePrefix + number
    return {
      code,
      name: `${request.prefix} ${number}`,
      secret: createHmac('sha256', seed).update(code).digest('base64url'),
    }
  })
  for (let from = 0; from < machines.length; from += machinesPerStatement) {
    const some = machines.slice(from, from + machinesPerStatement)
    await sql`
      insert into machines (code, type, model, name, secret_hash, owner_user_id)
      select code, ${request.type}, ${loadModel}, name, secret_hash, ${request.ownerUserId ?? null}::bigint
      from unnest(${some.map(({ code }) => code)}::text[], ${some.map(({ name }) => name)}::text[],
                  ${some.map(({ secret }) => hashToken(secret))}::bytea[]) as wished (code, name, secret_hash)
      on conflict (code) do update
        set type = excluded.type, secret_hash = excluded.secret_hash, owner_user_id = excluded.owner_user_id`.execute(
      db,
    )
  }
  if (request.ownerUserId !== undefined) await listForOwner(db, request.ownerUserId)
  return machines.map(({ code, secret }) => ({ code, secret }))
}

async function listForOwner(db: Database, userId: number): Promise<void> {
  await sql`
    insert into machine_list_entries (user_id, machine_id, name)
    select ${userId}, id, name from machines
    where ${isForLoad} and owner_user_id = ${userId}
      and not exists (select from machine_list_entries entry where entry.user_id = ${userId} and machine_id = machines.id)
    order by code
    limit greatest(0, ${limits.machinesPerList}
                      - (select count(*) from machine_list_entries where user_id = ${userId}))`.execute(db)
}

/**
 * Removes every machine for load with all it left; answers how many there were, and how many samples. `samplesDb`: the
 * database of the samples, where that is another one.
 */
export async function removeLoadMachines(
  db: Database,
  samplesDb: Database = db,
): Promise<{ machines: number; samples: number }> {
  const { rows: tags } = await sql<{ id: number }>`
    select tags.id from tags join machines on machines.id = tags.machine_id where ${isForLoad}`.execute(db)
  // Samples name only their tag: once that is gone they cannot be found.
  const samples = await removeSamples(
    samplesDb,
    tags.map(({ id }) => id),
  )
  return db.transaction().execute(async (trx) => {
    await sql.raw(liftTimeLimits).execute(trx)
    const machines = await sql`delete from machines where ${isForLoad}`.execute(trx)
    return { machines: Number(machines.numAffectedRows ?? 0), samples }
  })
}

async function removeSamples(samplesDb: Database, tagIds: readonly number[]): Promise<number> {
  return samplesDb.transaction().execute(async (trx) => {
    await sql.raw(liftTimeLimits).execute(trx)
    const ofTags = sql`tag_id = any(${tagIds}::bigint[])`
    const rows = await sql`delete from samples where ${ofTags}`.execute(trx)
    const chunks = await sql<{ count: number }>`
      with gone as (delete from sample_chunks where ${ofTags} returning count)
      select coalesce(sum(count), 0)::bigint as count from gone`.execute(trx)
    await sql`delete from sample_averages where ${ofTags}`.execute(trx)
    return Number(rows.numAffectedRows ?? 0) + (chunks.rows[0]?.count ?? 0)
  })
}

const isForLoad = sql`machines.code like ${`${loadCodePrefix}%`} and machines.model = ${loadModel}`
