import { demoMachineCode } from '@busbar/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

/** Machines of a caller: of the own list, of an enterprise, or one by its id; `groupId`: of that group only. */
export interface MachineSpace {
  readonly eid?: number | undefined
  readonly groupId?: number | undefined
  readonly machineId?: number | undefined
  readonly machineIds?: readonly number[] | undefined
}

/** A machine of a space. */
export interface SpaceMachine {
  readonly machineId: number
  /**
   * Since when it has its owner, epoch milliseconds: the caller must not see what is older. Undefined: it had no other
   * owner.
   */
  readonly ownedSince: number | undefined
}

/**
 * Machines of a space whose alarms a person may see now: those the person holds, and those of an enterprise whose
 * alarms the person handles. The same rights as `decideAccess`, over sets, because one query covers thousands of
 * machines; a test compares both.
 */
export async function listAlarmMachines(
  db: Kysely<DB>,
  userId: number,
  space: MachineSpace,
  { now, demo }: { readonly now: number; readonly demo: boolean },
): Promise<SpaceMachine[]> {
  // As JSON: thousands of rows take longer to read than to find.
  const { rows } = await sql<{ all: number[]; since: Record<string, number> }>`
    with held as (${heldBy(userId, new Date(now), demo)})
    select coalesce(json_agg(machines.id), '[]') as all,
           coalesce(json_object_agg(machines.id, floor(extract(epoch from machines.owned_since) * 1000))
             filter (where machines.owned_since is not null), '{}') as since
    from (${machinesOf(userId, space)}) as mine (machine_id)
    join held on held.machine_id = mine.machine_id
    join machines on machines.id = mine.machine_id
    where exists (select from users where id = ${userId} and leaves_at is null)`.execute(db)
  const since = rows[0]?.since ?? {}
  return (rows[0]?.all ?? []).map((machineId) => ({ machineId, ownedSince: since[machineId] }))
}

function machinesOf(
  userId: number,
  { eid, groupId, machineId, machineIds }: MachineSpace,
): RawBuilder<unknown> {
  const named = machineId === undefined ? machineIds : [machineId]
  const ids = named && sql`${[...named]}::bigint[]`
  const isNamed = ids ? sql`and entry.machine_id = any(${ids})` : sql``
  if (eid !== undefined) {
    const isOfGroup = groupId === undefined ? sql`` : sql`and entry.group_id = ${groupId}`
    return sql`
      select entry.machine_id from enterprise_machines entry
      join enterprises space on space.id = entry.enterprise_id and space.state = 'active'
      join enterprise_members mate on mate.enterprise_id = space.id and mate.user_id = ${userId}
      where entry.enterprise_id = ${eid} ${isOfGroup} ${isNamed}`
  }
  if (groupId !== undefined) {
    return sql`
      select entry.machine_id from machine_list_entry_groups entry
      where entry.user_id = ${userId} and entry.group_id = ${groupId} ${isNamed}`
  }
  // A named machine may be opened by people who have it in no list, such as members of its enterprise.
  if (ids) return sql`select unnest(${ids})`
  return sql`select entry.machine_id from machine_list_entries entry where entry.user_id = ${userId}`
}

/** Machines over which a person has the right `holder`, or the right `alarm` of a member; the blacklist keeps no owner out. */
function heldBy(userId: number, at: Date, demo: boolean): RawBuilder<unknown> {
  const ofMember = sql`
    select machines.id as machine_id from enterprise_members member
    join enterprises space on space.id = member.enterprise_id and space.state = 'active'
    join machines on machines.owner_enterprise_id = space.id
    where member.user_id = ${userId}`
  return sql`
    select id as machine_id from machines where owner_user_id = ${userId}
    union
    ${ofMember} and member.role <> 'member'
    union
    select machine_id from (
      select machine_id from machine_grants
      where user_id = ${userId} and (until is null or until > ${at}::timestamptz)
      union
      ${ofMember} and member.rights && array['view', 'control', 'alarm']
      union
      ${ofMember} and 'manage' = any(member.rights) and exists (
        select from enterprise_team_machines looked_after
        join enterprise_teams team on team.id = looked_after.team_id and team.kind = 'manage'
        join enterprise_team_members mate on mate.team_id = team.id and mate.user_id = ${userId}
        where looked_after.machine_id = machines.id and looked_after.enterprise_id = machines.owner_enterprise_id)
      union
      select device.machine_id from enterprise_members mate
      join enterprises maker on maker.id = mate.enterprise_id and maker.state = 'active'
      join enterprise_machines device on device.enterprise_id = maker.id and device.kind = 'maintained'
      join maintenance_windows span
        on span.machine_id = device.machine_id and span.enterprise_id = device.enterprise_id
        and span.state = 'accepted' and span.start_at <= ${at}::timestamptz
        and (span.stop_at is null or span.stop_at > ${at}::timestamptz)
      where mate.user_id = ${userId}
        and (mate.role <> 'member' or 'maintain' = any(mate.rights) and exists (
          select from enterprise_team_machines looked_after
          join enterprise_teams team on team.id = looked_after.team_id and team.kind = 'maintain'
          join enterprise_team_members hand on hand.team_id = team.id and hand.user_id = mate.user_id
          where looked_after.machine_id = device.machine_id
            and looked_after.enterprise_id = device.enterprise_id))
      ${demo ? sql`union select id from machines where code = ${demoMachineCode}` : sql``}
    ) as shared
    where not exists (
      select from machine_blacklist black where black.user_id = ${userId} and black.machine_id = shared.machine_id)`
}
