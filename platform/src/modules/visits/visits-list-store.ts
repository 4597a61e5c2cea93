import type { visits as contract } from '@busbar/contract'
import { sql } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import { escapeLike } from '../../kernel/database/search.ts'
import { ownNameFor } from '../machine-names/index.ts'
import type { Db } from './visits-store.ts'

/** The wanted visits; omitted fields do not narrow. */
export interface WhichVisits {
  readonly machineId?: number | undefined
  readonly visitorId?: number | undefined
  readonly live?: boolean | undefined
  /** Visits that lasted into the time from here on … */
  readonly from?: Date | undefined
  /** … and began before this. */
  readonly to?: Date | undefined
  /** Part of the visitor’s name. */
  readonly who?: string | undefined
}

/** A page of visits, newest first, as `userId` sees the machines' names, and how many there are. */
export async function listVisits(
  db: Db,
  which: WhichVisits,
  userId: number,
  range: { from: number; count: number },
) {
  const [rows, total] = await Promise.all([
    rowsOf(db, which, userId)
      .orderBy('visits.started_at', 'desc')
      .orderBy('visits.id', 'desc')
      .offset(range.from)
      .limit(range.count)
      .execute(),
    visitsOf(db, which).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type ListedVisit = Awaited<ReturnType<typeof listVisits>>['rows'][number]

/** The first `count` visits, the earliest first, as `userId` sees the machine's name. */
export async function listFirstVisits(
  db: Db,
  which: WhichVisits,
  userId: number,
  count: number,
): Promise<ListedVisit[]> {
  return rowsOf(db, which, userId).orderBy('visits.started_at').orderBy('visits.id').limit(count).execute()
}

const isOfOwner = isSinceOwned({ column: 'visits.machine_id' }, 'visits.started_at')

/** The visits that may be read at all: every query about visits starts from here. */
function visitsOf(db: Db, which: WhichVisits) {
  const { machineId, visitorId, live, from, to, who } = which
  let query = db
    .selectFrom('visits')
    .innerJoin('machines', 'machines.id', 'visits.machine_id')
    .innerJoin('users', 'users.id', 'visits.user_id')
  if (machineId !== undefined) query = query.where('visits.machine_id', '=', machineId)
  // A key sees the visits since the machine has its present owner; visitors see all their own visits.
  query = visitorId === undefined ? query.where(isOfOwner) : query.where('visits.user_id', '=', visitorId)
  if (live !== undefined) query = query.where('visits.ended_at', live ? 'is' : 'is not', null)
  if (who) query = query.where('users.name', 'ilike', `%${escapeLike(who)}%`)
  if (to) query = query.where('visits.started_at', '<', to)
  if (from) {
    query = query.where((where) =>
      where.or([where('visits.ended_at', 'is', null), where('visits.ended_at', '>=', from)]),
    )
  }
  return query
}

function rowsOf(db: Db, which: WhichVisits, userId: number) {
  return visitsOf(db, which)
    .leftJoin('users as ender', 'ender.id', 'visits.ended_by')
    .leftJoin('projects', 'projects.id', 'visits.project_id')
    .leftJoin('controllers', 'controllers.visit_id', 'visits.id')
    .leftJoin('control_requests', 'control_requests.visit_id', 'visits.id')
    .select([
      'visits.id',
      'visits.user_id',
      'visits.machine_id',
      'visits.kind',
      'visits.target',
      'visits.reached_by',
      'visits.started_at',
      'visits.ends_at',
      'visits.active_at',
      'visits.ended_at',
      'visits.end_reason',
      'visits.end_note',
      'visits.bytes_in',
      'visits.bytes_out',
      'visits.was_rw',
      sql<contract.Visit['ports']>`(
        select coalesce(json_agg(json_build_object(
          'name', port.name, 'kind', port.kind, 'streams', port.streams,
          'bytesIn', port.bytes_in, 'bytesOut', port.bytes_out,
          'reads', port.reads, 'writes', port.writes, 'refused', port.refused) order by port.name), '[]')
        from visit_ports port where port.visit_id = visits.id)`.as('ports'),
      'users.name as user_name',
      'machines.code as machine_code',
      // A person who visited under a former owner and has the machine in no list reads no name that others gave it.
      sql<string>`coalesce(
        ${ownNameFor(sql`${userId}::bigint`, sql.ref('visits.machine_id'))},
        case when ${isOfOwner} then machines.name else machines.code end)`.as('machine_name'),
      'ender.name as ended_by_name',
      'projects.name as project_name',
      sql<boolean>`controllers.visit_id is not null`.as('controls'),
      'controllers.release_at',
      sql<boolean>`control_requests.visit_id is not null`.as('asks'),
    ])
}
