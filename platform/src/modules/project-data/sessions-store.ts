import { type Kysely, sql } from 'kysely'
import type { KeptFilter } from '../../edge-link/projects.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** A place in a stream. */
export interface Place {
  /** Null while the project has no stream. */
  readonly epoch: string | null
  readonly no: number
  /** When the session came there. */
  readonly at: Date
}

export interface SessionName {
  readonly projectId: number
  readonly clientId: string
}

/** A session under the connection that has it. */
export interface HeldSession extends SessionName {
  readonly holder: string
}

/** Serialises the changes of a project's sessions; false when the project is gone. */
export async function lockProject(trx: Db, projectId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('projects')
    .select('id')
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** The other sessions of a project that are kept. */
export async function countOthers(trx: Db, { projectId, clientId }: SessionName, now: Date): Promise<number> {
  const row = await trx
    .selectFrom('project_sessions')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('project_id', '=', projectId)
    .where('client_id', '<>', clientId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Takes a kept session over; undefined where there is none. */
export async function takeSession(
  trx: Db,
  { projectId, clientId, holder }: HeldSession,
  keptS: number,
  now: Date,
): Promise<{ readonly place: Place; readonly filters: KeptFilter[] } | undefined> {
  const row = await trx
    .updateTable('project_sessions')
    .set({ holder, kept_s: keptS, expires_at: expiry(now, keptS) })
    .where('project_id', '=', projectId)
    .where('client_id', '=', clientId)
    .where('expires_at', '>', now)
    .returning(['epoch', 'no', 'moved_at as at', 'filters'])
    .executeTakeFirst()
  if (!row) return undefined
  const { filters, ...place } = row
  return { place, filters: filters as unknown as KeptFilter[] }
}

/** Begins a session at a place, instead of a former one. */
export async function beginSession(
  trx: Db,
  { projectId, clientId, holder }: HeldSession,
  { epoch, no }: Pick<Place, 'epoch' | 'no'>,
  keptS: number,
  now: Date,
): Promise<void> {
  await removeSession(trx, { projectId, clientId })
  await trx
    .insertInto('project_sessions')
    .values({
      project_id: projectId,
      client_id: clientId,
      holder,
      epoch,
      no,
      moved_at: now,
      kept_s: keptS,
      expires_at: expiry(now, keptS),
    })
    .execute()
}

export async function removeSession(db: Db, { projectId, clientId }: SessionName): Promise<void> {
  await db
    .deleteFrom('project_sessions')
    .where('project_id', '=', projectId)
    .where('client_id', '=', clientId)
    .execute()
}

/** Moves a session, unless another connection has it: then false. */
export async function moveSession(trx: Db, session: HeldSession, { epoch, no, at }: Place): Promise<boolean> {
  return changeHeld(trx, session, sql`epoch = ${epoch}, no = ${no}, moved_at = ${at}, ${keptFrom(at)}`)
}

/** Keeps the filters of a session, unless another connection has it: then false. */
export async function keepFilters(
  db: Db,
  session: HeldSession,
  filters: readonly KeptFilter[],
): Promise<boolean> {
  return changeHeld(db, session, sql`filters = ${JSON.stringify(filters)}::jsonb`)
}

/** A connection still has its session, or had it until now; false when another one has. */
export async function keepSession(db: Db, session: HeldSession, now: Date): Promise<boolean> {
  return changeHeld(db, session, keptFrom(now))
}

/** Ends the session of a connection that forgets it. */
export async function forgetSession(db: Db, { projectId, clientId, holder }: HeldSession): Promise<void> {
  await db
    .deleteFrom('project_sessions')
    .where('project_id', '=', projectId)
    .where('client_id', '=', clientId)
    .where('holder', '=', holder)
    .execute()
}

export async function removeExpired(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('project_sessions').where('expires_at', '<=', now).execute()
}

const expiry = (from: Date, keptS: number): Date => new Date(from.getTime() + keptS * 1_000)

const keptFrom = (at: Date) => sql`expires_at = ${at}::timestamptz + kept_s * interval '1 s'`

async function changeHeld(
  db: Db,
  { projectId, clientId, holder }: HeldSession,
  change: ReturnType<typeof sql>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update project_sessions set ${change}
    where project_id = ${projectId} and client_id = ${clientId} and holder = ${holder}`.execute(db)
  return numAffectedRows === 1n
}
