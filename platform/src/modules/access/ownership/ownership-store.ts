import { type SqlBool, sql } from 'kysely'
import type { Db, GrantRow, Trx } from '../grants-store.ts'

/** The owner of a machine, and since when; null: it never changed hands. */
export async function findOwner(trx: Trx, machineId: number) {
  return trx
    .selectFrom('machines')
    .select(['owner_user_id', 'owner_enterprise_id', 'owned_since'])
    .where('id', '=', machineId)
    .executeTakeFirstOrThrow()
}

/** Whether a machine is in a person's list, or the person owns it. */
export async function isListedOrOwned(db: Db, machineId: number, userId: number): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from machine_list_entries where machine_id = ${machineId} and user_id = ${userId})
        or exists (select from machines where id = ${machineId} and owner_user_id = ${userId}) as known`.execute(
    db,
  )
  return rows[0]?.known ?? false
}

/** Whether anybody except the owner has a right to the machine that is not over. */
export async function isHeld(trx: Trx, machineId: number, now: Date): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (
      select from machine_grants held join machines on machines.id = held.machine_id
      where held.machine_id = ${machineId} and (held.until is null or held.until > ${now})
        and held.user_id is distinct from machines.owner_user_id
        and not exists (select from machine_blacklist black
                        where black.machine_id = held.machine_id and black.user_id = held.user_id)) as held`.execute(
    trx,
  )
  return rows[0]?.held ?? false
}

/** Ends every grant; answers those that were not over. */
export async function removeGrants(
  trx: Trx,
  machineId: number,
  now: Date,
): Promise<{ userId: number; role: GrantRow['role'] }[]> {
  const rows = await trx
    .deleteFrom('machine_grants')
    .where('machine_id', '=', machineId)
    .returning(['user_id', 'role', sql<SqlBool>`until is null or until > ${now}`.as('held')])
    .execute()
  return rows.flatMap(({ user_id: userId, role, held }) =>
    held ? [{ userId, role: role as GrantRow['role'] }] : [],
  )
}

/** Ends the former owner's decisions about people: the blacklist, and the offer of the machine. */
export async function endFormerRights(trx: Trx, machineId: number, at: Date): Promise<void> {
  await trx.deleteFrom('machine_blacklist').where('machine_id', '=', machineId).execute()
  await trx
    .updateTable('machine_transfers')
    .set({ state: 'withdrawn', answered_at: at })
    .where('machine_id', '=', machineId)
    .where('state', '=', 'waiting')
    .execute()
}
