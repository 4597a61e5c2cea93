import { sql } from 'kysely'
import type { Db } from './visits-store.ts'

/** A visit's state and who is told of it. */
export interface VisitState {
  readonly id: number
  readonly machine_id: number
  readonly user_id: number
  readonly user_name: string
  readonly target: string
  readonly ends_at: Date
  readonly active_at: Date
  readonly ended_at: Date | null
  readonly end_reason: string | null
  readonly was_rw: boolean
  readonly asks: boolean
  readonly controller_user_id: number | null
  readonly controller_visit_id: number | null
  readonly controller_name: string | null
  /** Akey and Bkeys of its machine, and who equals them in the enterprise that owns it (decision 18). */
  readonly key_user_ids: number[]
}

/** The states of visits. */
export async function listVisitStates(db: Db, visitIds: readonly number[], now: Date): Promise<VisitState[]> {
  const { rows } = await sql<VisitState>`
    select visits.id, visits.machine_id, visits.user_id, visitor.name as user_name, visits.target, visits.ends_at,
           visits.active_at, visits.ended_at, visits.end_reason, visits.was_rw,
           control_requests.visit_id is not null as asks,
           controllers.user_id as controller_user_id, controllers.visit_id as controller_visit_id,
           holder.name as controller_name,
           array(
             select owner_user_id from machines where id = visits.machine_id and owner_user_id is not null
             union
             select user_id from machine_grants where machine_id = visits.machine_id and role = 'bkey'
             union
             select member.user_id from machines
             join enterprises space on space.id = machines.owner_enterprise_id and space.state = 'active'
             join enterprise_members member on member.enterprise_id = space.id
             where machines.id = visits.machine_id
               and (member.role <> 'member' or 'manage' = any(member.rights) and exists (
                 select from enterprise_team_machines looked_after
                 join enterprise_teams team on team.id = looked_after.team_id and team.kind = 'manage'
                 join enterprise_team_members mate on mate.team_id = team.id
                 where looked_after.machine_id = machines.id and mate.user_id = member.user_id
                   and team.enterprise_id = member.enterprise_id))
           ) as key_user_ids
    from visits
    join users visitor on visitor.id = visits.user_id
    left join control_requests on control_requests.visit_id = visits.id
    left join controllers on controllers.machine_id = visits.machine_id
      and (controllers.until is null or controllers.until > ${now})
    left join users holder on holder.id = controllers.user_id
    where visits.id = any(${[...visitIds]}::bigint[])
    order by visits.id`.execute(db)
  return rows
}

/** Live visits of machines, with a mark that changes with the machine's controller. */
export async function listVisitsOfMachines(
  db: Db,
  machineIds: readonly number[],
): Promise<{ machine_id: number; holder: string; visit_ids: number[] }[]> {
  const { rows } = await sql<{ machine_id: number; holder: string; visit_ids: number[] }>`
    select machines.id as machine_id,
           concat_ws('/', controllers.user_id, coalesce(controllers.visit_id, 0)) as holder,
           array(select visits.id from visits where visits.machine_id = machines.id and visits.ended_at is null) as visit_ids
    from machines left join controllers on controllers.machine_id = machines.id
    where machines.id = any(${[...machineIds]}::bigint[])`.execute(db)
  return rows
}
