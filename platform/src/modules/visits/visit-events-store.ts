import { sql } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import type { Db } from './visits-store.ts'

/** A visit's state and the people who see it. */
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
  /** When its control falls free unless a page of it is open. */
  readonly release_at: Date | null
  /** It began in the time of the machine's present owner. */
  readonly is_told_to_keys: boolean
}

/** The states of visits. */
export async function listVisitStates(db: Db, visitIds: readonly number[], now: Date): Promise<VisitState[]> {
  const { rows } = await sql<VisitState>`
    select visits.id, visits.machine_id, visits.user_id, visitor.name as user_name, visits.target, visits.ends_at,
           visits.active_at, visits.ended_at, visits.end_reason, visits.was_rw,
           control_requests.visit_id is not null as asks,
           controllers.user_id as controller_user_id, controllers.visit_id as controller_visit_id,
           holder.name as controller_name,
           case when controllers.visit_id = visits.id then controllers.release_at end as release_at,
           ${isSinceOwned({ column: 'visits.machine_id' }, 'visits.started_at')} as is_told_to_keys
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
