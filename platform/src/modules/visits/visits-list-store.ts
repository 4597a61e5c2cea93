import { sql } from 'kysely'
import type { Db } from './visits-store.ts'

/** A page of visits, newest first, as `userId` sees the machines' names, and how many there are. */
export async function listVisits(
  db: Db,
  which: { machineId?: number; visitorId?: number; live?: boolean },
  userId: number,
  range: { from: number; count: number },
) {
  let query = db.selectFrom('visits')
  if (which.machineId !== undefined) query = query.where('visits.machine_id', '=', which.machineId)
  if (which.visitorId !== undefined) query = query.where('visits.user_id', '=', which.visitorId)
  if (which.live !== undefined) query = query.where('visits.ended_at', which.live ? 'is' : 'is not', null)
  const [rows, total] = await Promise.all([
    query
      .innerJoin('users', 'users.id', 'visits.user_id')
      .innerJoin('machines', 'machines.id', 'visits.machine_id')
      .leftJoin('machine_list_entries as entry', (join) =>
        join.onRef('entry.machine_id', '=', 'visits.machine_id').on('entry.user_id', '=', userId),
      )
      .leftJoin('users as ender', 'ender.id', 'visits.ended_by')
      .leftJoin('controllers', 'controllers.visit_id', 'visits.id')
      .leftJoin('control_requests', 'control_requests.visit_id', 'visits.id')
      .select([
        'visits.id',
        'visits.user_id',
        'visits.machine_id',
        'visits.kind',
        'visits.target',
        'visits.started_at',
        'visits.ends_at',
        'visits.active_at',
        'visits.ended_at',
        'visits.end_reason',
        'visits.end_note',
        'visits.bytes_in',
        'visits.bytes_out',
        'visits.was_rw',
        'users.name as user_name',
        'machines.code as machine_code',
        sql<string>`coalesce(entry.name, machines.name)`.as('machine_name'),
        'ender.name as ended_by_name',
        sql<boolean>`controllers.visit_id is not null`.as('controls'),
        sql<boolean>`control_requests.visit_id is not null`.as('asks'),
      ])
      .orderBy('visits.started_at', 'desc')
      .orderBy('visits.id', 'desc')
      .offset(range.from)
      .limit(range.count)
      .execute(),
    query.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type ListedVisit = Awaited<ReturnType<typeof listVisits>>['rows'][number]
