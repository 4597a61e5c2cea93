import type { visits as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { EmbeddingIds } from './embedding.ts'
import type { PortCount, PortReach } from './visit-ports.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** A visit is open as long as the session that opened it, or as the part of a project whose portal shows it. */
export type OpenedBy = { readonly sessionId: number } | EmbeddingIds

/** A visit to be stored. */
export interface NewVisit {
  readonly userId: number
  readonly openedBy: OpenedBy
  readonly machineId: number
  /** Of a page; empty of ports. */
  readonly target: string
  /** Of ports; undefined of a page. */
  readonly reach: PortReach | undefined
  /** The right that gives access. */
  readonly reachedBy: string | null
  readonly address: string
  readonly at: Date
  readonly endsAt: Date
}

/** Keeps a session from being ended until the transaction is over; false when it ended already. */
export async function lockSession(db: Db, sessionId: number, userId: number, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/** A session's live visit of a machine's target, or of its ports by a right. */
export async function findOpenVisit(
  db: Db,
  visit: Pick<NewVisit, 'machineId' | 'target' | 'reach'> & { readonly sessionId: number },
  now: Date,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('visits')
    .select('id')
    .where('session_id', '=', visit.sessionId)
    .where('machine_id', '=', visit.machineId)
    .where('target', '=', visit.target)
    .where('port_reach', visit.reach ? '=' : 'is', visit.reach ?? null)
    .where('ended_at', 'is', null)
    .where('ends_at', '>', now)
    .executeTakeFirst()
  return row?.id
}

/** Stores a visit; answers its id. */
export async function createVisit(db: Db, visit: NewVisit): Promise<number> {
  const row = await db
    .insertInto('visits')
    .values({
      user_id: visit.userId,
      ...columnsOf(visit.openedBy),
      machine_id: visit.machineId,
      kind: visit.reach ? 'tcp' : 'page',
      target: visit.target,
      port_reach: visit.reach ?? null,
      reached_by: visit.reachedBy,
      address: visit.address,
      started_at: visit.at,
      ends_at: visit.endsAt,
      active_at: visit.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const columnsOf = (openedBy: OpenedBy) =>
  'sessionId' in openedBy
    ? { session_id: openedBy.sessionId }
    : {
        session_id: null,
        project_id: openedBy.projectId,
        link_id: openedBy.linkId,
        project_key_id: openedBy.keyId,
      }

/** Live visits of a session, or of a project's portal, beyond the `keep` last used. */
export async function listSurplusVisits(db: Db, openedBy: OpenedBy, keep: number): Promise<number[]> {
  const visits = db.selectFrom('visits').select('id').where('ended_at', 'is', null)
  const own =
    'sessionId' in openedBy
      ? visits.where('session_id', '=', openedBy.sessionId)
      : visits.where('project_id', '=', openedBy.projectId)
  const rows = await own.orderBy('active_at', 'desc').orderBy('id', 'desc').offset(keep).execute()
  return rows.map((row) => row.id)
}

/** A visit with its visitor and machine, whether its session lives, and the holder of the machine's controller. */
export async function findVisit(db: Db, visitId: number, now: Date) {
  return db
    .selectFrom('visits')
    .innerJoin('users', 'users.id', 'visits.user_id')
    .leftJoin('sessions', (join) =>
      join.onRef('sessions.id', '=', 'visits.session_id').on('sessions.expires_at', '>', now),
    )
    .leftJoin('controllers', 'controllers.visit_id', 'visits.id')
    .select([
      'visits.id',
      'visits.user_id',
      'visits.session_id',
      'visits.project_id',
      'visits.link_id',
      'visits.project_key_id',
      'visits.machine_id',
      'visits.target',
      'visits.port_reach',
      'visits.started_at',
      'visits.ends_at',
      'visits.active_at',
      'visits.ended_at',
      'visits.end_reason',
      'users.name as user_name',
      'users.lang',
      sql<boolean>`(sessions.id is not null or visits.project_id is not null) and users.state = 'active'`.as(
        'is_signed_in',
      ),
      sql<boolean>`controllers.visit_id is not null`.as('controls'),
      isSinceOwned({ column: 'visits.machine_id' }, 'visits.started_at').as('is_since_owned'),
    ])
    .where('visits.id', '=', visitId)
    .executeTakeFirst()
}
export type VisitRow = NonNullable<Awaited<ReturnType<typeof findVisit>>>

/** Live visits, and whether the session of each lives; one in a portal has none. */
export async function listLiveVisits(db: Db, now: Date): Promise<{ id: number; is_signed_in: boolean }[]> {
  return db
    .selectFrom('visits')
    .leftJoin('sessions', (join) =>
      join.onRef('sessions.id', '=', 'visits.session_id').on('sessions.expires_at', '>', now),
    )
    .select([
      'visits.id',
      sql<boolean>`sessions.id is not null or visits.project_id is not null`.as('is_signed_in'),
    ])
    .where('visits.ended_at', 'is', null)
    .orderBy('visits.id')
    .execute()
}

/** Whether a session has live visits beside this one. */
export async function hasOtherVisits(db: Db, visitId: number): Promise<boolean> {
  const row = await db
    .selectFrom('visits as own')
    .innerJoin('visits as other', 'other.session_id', 'own.session_id')
    .select('other.id')
    .where('own.id', '=', visitId)
    .where('other.id', '!=', visitId)
    .where('other.ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** A visit's bytes and requests since they were last stored. */
export interface VisitCounts {
  readonly visitId: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** Epoch milliseconds. */
  readonly activeAt: number
  /** The part of them at each port. */
  readonly ports: readonly PortCount[]
}

/** Adds the counts of visits; a sign of life never moves back. */
export async function updateVisitCounts(db: Db, counts: readonly VisitCounts[]): Promise<void> {
  if (counts.length === 0) return
  const visits = sql`
    update visits set bytes_in = visits.bytes_in + given.bytes_in, bytes_out = visits.bytes_out + given.bytes_out,
                      active_at = greatest(visits.active_at, given.active_at)
    from unnest(${counts.map((count) => count.visitId)}::bigint[],
                ${counts.map((count) => count.bytesIn)}::bigint[],
                ${counts.map((count) => count.bytesOut)}::bigint[],
                ${counts.map((count) => new Date(count.activeAt))}::timestamptz[])
         as given (id, bytes_in, bytes_out, active_at)
    where visits.id = given.id`
  const ports = counts.flatMap(({ visitId, ports }) => ports.map((port) => ({ visitId, ...port })))
  if (ports.length === 0) {
    await visits.execute(db)
    return
  }
  const column = <Name extends keyof (typeof ports)[number]>(name: Name) => ports.map((port) => port[name])
  // In one statement: what could not be stored is counted again as a whole.
  await sql`
    with counted as (${visits})
    insert into visit_ports as port
      (visit_id, name, kind, streams, bytes_in, bytes_out, reads, writes, refused)
    select given.* from unnest(
      ${column('visitId')}::bigint[], ${column('name')}::text[], ${column('kind')}::text[],
      ${column('streams')}::bigint[], ${column('bytesIn')}::bigint[], ${column('bytesOut')}::bigint[],
      ${column('reads')}::bigint[], ${column('writes')}::bigint[], ${column('refused')}::bigint[])
      as given (visit_id, name, kind, streams, bytes_in, bytes_out, reads, writes, refused)
    join visits on visits.id = given.visit_id
    on conflict (visit_id, name) do update set
      streams = port.streams + excluded.streams,
      bytes_in = port.bytes_in + excluded.bytes_in, bytes_out = port.bytes_out + excluded.bytes_out,
      reads = port.reads + excluded.reads, writes = port.writes + excluded.writes,
      refused = port.refused + excluded.refused`.execute(db)
}

/** Moves the latest end of a visit that has not ended. */
export async function updateVisitEnd(db: Db, visitId: number, endsAt: Date): Promise<void> {
  await db
    .updateTable('visits')
    .set({ ends_at: endsAt })
    .where('id', '=', visitId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Notes that a visit was allowed to change things. */
export async function updateVisitWasRw(db: Db, visitId: number): Promise<void> {
  await db.updateTable('visits').set({ was_rw: true }).where('id', '=', visitId).execute()
}

/**
 * Marks a visit as ended; false when it was, or when it had a sign of life after `idleBefore`, where that is given.
 */
export async function updateVisitEnded(
  db: Db,
  visitId: number,
  ending: { at: Date; reason: contract.VisitEndReason; endedBy: number | null; idleBefore?: Date },
): Promise<boolean> {
  let query = db
    .updateTable('visits')
    .set({ ended_at: ending.at, end_reason: ending.reason, ended_by: ending.endedBy })
    .where('id', '=', visitId)
    .where('ended_at', 'is', null)
  if (ending.idleBefore) query = query.where('active_at', '<=', ending.idleBefore)
  const result = await query.executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Stores a person's reason for ending a visit, in their own words. */
export async function updateEndNote(db: Db, visitId: number, note: string): Promise<void> {
  await db.updateTable('visits').set({ end_note: note }).where('id', '=', visitId).execute()
}

/** The grant a user has for a machine. */
export async function findGrantId(db: Db, userId: number, machineId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('machine_grants')
    .select('id')
    .where('user_id', '=', userId)
    .where('machine_id', '=', machineId)
    .executeTakeFirst()
  return row?.id
}

/** A machine's code. */
export async function findMachineCode(db: Db, machineId: number): Promise<string | undefined> {
  const row = await db.selectFrom('machines').select('code').where('id', '=', machineId).executeTakeFirst()
  return row?.code
}

/** Removes at most `count` of a person's visits; answers how many. */
export async function removeSomeVisits(db: Db, userId: number, count: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from visits where id in (select id from visits where user_id = ${userId} limit ${count})`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
