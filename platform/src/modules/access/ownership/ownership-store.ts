import { type SqlBool, sql } from 'kysely'
import { endAlarms } from '../../alarms/index.ts'
import type { Db, GrantRow, Trx } from '../grants-store.ts'

/** Who owns a machine; undefined: nobody. */
export type Owner = { readonly userId: number } | { readonly enterpriseId: number } | undefined

/** Whose a machine is, and since when; null: it never changed hands. */
export async function findOwner(trx: Trx, machineId: number) {
  return trx
    .selectFrom('machines')
    .select(['owner_user_id', 'owner_enterprise_id', 'owned_since'])
    .where('id', '=', machineId)
    .executeTakeFirstOrThrow()
}

/** Whether a machine is in somebody's list, or theirs. */
export async function isListedOrOwned(db: Db, machineId: number, userId: number): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from machine_list_entries where machine_id = ${machineId} and user_id = ${userId})
        or exists (select from machines where id = ${machineId} and owner_user_id = ${userId}) as known`.execute(
    db,
  )
  return rows[0]?.known ?? false
}

/** Writes the owner and, unless the machine is its first, puts everything the former one set back to how it began. */
export async function updateOwner(
  trx: Trx,
  machineId: number,
  owner: Owner,
  since: Date | undefined,
): Promise<void> {
  const columns = {
    owner_user_id: owner && 'userId' in owner ? owner.userId : null,
    owner_enterprise_id: owner && 'enterpriseId' in owner ? owner.enterpriseId : null,
  }
  const begun = since && {
    owned_since: since,
    check_type: 0,
    cloud_service: true,
    attributes: '{}',
    lat: null,
    lng: null,
    address: null,
    location_type: 2,
    location_way: null,
    project_image: null,
    last_seen_at: null,
    clock_offset_ms: null,
    clock_seen_at: null,
    // The shared name was the former owner's word: whom it is handed to has read it in the offer.
    ...(owner ? {} : { name: sql<string>`code` }),
  }
  await trx
    .updateTable('machines')
    .set({ ...columns, ...begun })
    .where('id', '=', machineId)
    .execute()
}

/** Whether somebody beside the owner holds a right to the machine that is not over. */
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

/** Ends what else somebody may do by the former owner's word; answers the enterprises that maintained the machine. */
export async function endFormerRights(trx: Trx, machineId: number, at: Date): Promise<number[]> {
  await trx.deleteFrom('machine_blacklist').where('machine_id', '=', machineId).execute()
  await trx
    .updateTable('machine_transfers')
    .set({ state: 'withdrawn', answered_at: at })
    .where('machine_id', '=', machineId)
    .where('state', '=', 'waiting')
    .execute()
  await trx
    .updateTable('maintenance_windows')
    .set({ state: 'ended', answered_at: at })
    .where('machine_id', '=', machineId)
    .where('state', 'in', ['waiting', 'accepted', 'suspended'])
    .execute()
  await trx.deleteFrom('control_requests').where('machine_id', '=', machineId).execute()
  await trx.deleteFrom('controllers').where('machine_id', '=', machineId).execute()
  // With its places in teams and groups.
  const devices = await trx
    .deleteFrom('enterprise_machines')
    .where('machine_id', '=', machineId)
    .returning(['enterprise_id', 'kind'])
    .execute()
  return devices.filter(({ kind }) => kind === 'maintained').map((device) => device.enterprise_id)
}

/**
 * Puts what the machine told away from whoever owns it next: its tags with their values, and what it said it lost. Alarms
 * that stand end; the machine's next birth raises those that still do.
 */
export async function endFormerPast(trx: Trx, machineId: number, at: Date): Promise<void> {
  await sql`delete from tag_latest using tags where tags.id = tag_id and tags.machine_id = ${machineId}`.execute(
    trx,
  )
  await trx
    .updateTable('machine_list_entries')
    .set({ key_tag_id: null })
    .where('machine_id', '=', machineId)
    .where('key_tag_id', 'is not', null)
    .execute()
  await trx
    .updateTable('tags')
    .set({ disowned_at: at, retired_at: sql<Date>`coalesce(retired_at, ${at})` })
    .where('machine_id', '=', machineId)
    .where('disowned_at', 'is', null)
    .execute()
  await trx.deleteFrom('lost_spans').where('machine_id', '=', machineId).execute()
  await endAlarms(trx, machineId, at)
}
