import type { Lang } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { isGone } from '../../kernel/nodes/nodes-store.ts'
import { nameFor } from '../machine-names/index.ts'
import { judgeValue, presentValue, setName, type TagType } from '../telemetry/index.ts'
import type { WrittenValue } from './is-written.ts'
import type { OpenWrite } from './open-writes.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** A write as its row keeps it. */
export interface NewWrite {
  readonly machineId: number
  readonly tagId: number
  readonly userId: number | null
  readonly visitId: number | null
  readonly source: 'console' | 'page' | 'machine'
  readonly at: Date
  readonly from: WrittenValue | null
  readonly to: WrittenValue
  /** The reason that the writer gave. */
  readonly note: string
  /** The node that sends it; none where the machine itself wrote. */
  readonly nodeId?: string
}

/** The outcome of a write. */
export interface WriteEnd {
  readonly state: 'confirmed' | 'failed' | 'timedOut'
  readonly kept: WrittenValue | null
  readonly reason: string
  readonly at: Date
}

const jsonOf = (value: WrittenValue) => JSON.stringify(presentValue(value))
const jsonOrNull = (value: WrittenValue | null) => (value === null ? null : jsonOf(value))

function rowOf(write: NewWrite) {
  return {
    machine_id: write.machineId,
    tag_id: write.tagId,
    user_id: write.userId,
    visit_id: write.visitId,
    source: write.source,
    at: write.at,
    from_value: jsonOrNull(write.from),
    to_value: jsonOf(write.to),
    note: write.note,
    node_id: write.nodeId ?? null,
  }
}

/** Stores a write that is about to be sent; answers its id. */
export async function createWrite(db: Db, write: NewWrite): Promise<number> {
  const row = await db.insertInto('writes').values(rowOf(write)).returning('id').executeTakeFirstOrThrow()
  return row.id
}

/**
 * Stores a write that happened at the machine; answers its id. A repeated one, with the same time, is the same write:
 * undefined.
 */
export async function createEndedWrite(db: Db, write: NewWrite, end: WriteEnd): Promise<number | undefined> {
  const known = await db
    .selectFrom('writes')
    .select('id')
    .where('machine_id', '=', write.machineId)
    .where('tag_id', '=', write.tagId)
    .where('source', '!=', 'console')
    .where('at', '=', write.at)
    .executeTakeFirst()
  if (known) return undefined
  const { id } = await db
    .insertInto('writes')
    .values({
      ...rowOf(write),
      state: end.state,
      kept_value: jsonOrNull(end.kept),
      reason: end.reason,
      ended_at: end.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Ends a write; false when it was ended already. */
export async function endWrite(db: Db, writeId: number, end: WriteEnd): Promise<boolean> {
  const result = await db
    .updateTable('writes')
    .set({ state: end.state, kept_value: jsonOrNull(end.kept), reason: end.reason, ended_at: end.at })
    .where('id', '=', writeId)
    .where('state', '=', 'sent')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Takes over the writes that another process sent and cannot see the end of, oldest first: those of nodes that are gone, and
 * with `own` those of this node's former process.
 */
export async function takeOverWrites(db: Db, nodeId: string, own: boolean): Promise<OpenWrite[]> {
  const isOwn = sql<boolean>`node_id is null or node_id = ${nodeId}`
  const isLeft = sql<boolean>`node_id <> ${nodeId} and ${isGone(sql.ref('writes.node_id'))}`
  const taken = await db
    .updateTable('writes')
    .set({ node_id: nodeId })
    .where('state', '=', 'sent')
    .where(own ? sql<boolean>`((${isOwn}) or (${isLeft}))` : sql<boolean>`(${isLeft})`)
    .returning('id')
    .execute()
  if (taken.length === 0) return []
  const rows = await db
    .selectFrom('writes')
    .innerJoin('tags', 'tags.id', 'writes.tag_id')
    .select([
      'writes.id',
      'writes.machine_id',
      'writes.tag_id',
      'writes.user_id',
      'writes.at',
      'writes.to_value',
    ])
    .select(['tags.group_name', 'tags.name', 'tags.type', 'tags.scale'])
    .where(sql<boolean>`writes.id = any(${taken.map(({ id }) => id)}::bigint[])`)
    .orderBy('writes.id')
    .execute()
  return rows.map((row) => ({
    commandId: row.id,
    machineId: row.machine_id,
    tagId: row.tag_id,
    group: row.group_name,
    tag: row.name,
    type: row.type as TagType,
    scale: row.scale,
    value: storedValue(row.type as TagType, row.to_value),
    userId: row.user_id,
    sentAt: row.at.getTime(),
  }))
}

/** A stored value under its tag's type: jsonb has no 64-bit integers. */
function storedValue(type: TagType, json: unknown): WrittenValue {
  const value = type === 'int64' ? BigInt(json as number | string) : (json as WrittenValue)
  return judgeValue(type, value) ?? (json as WrittenValue)
}

/** A row of the log of writes. */
export type WriteRow = Awaited<ReturnType<typeof listMachineWrites>>['rows'][number]

function logQuery(db: Db, lang: Lang) {
  const label = sql<string>`coalesce(${setName}, nullif(tags.label ->> ${lang}, ''), nullif(tags.label ->> '', ''), tags.name)`
  return db
    .selectFrom('writes')
    .innerJoin('tags', 'tags.id', 'writes.tag_id')
    .leftJoin('users', 'users.id', 'writes.user_id')
    .select(['writes.id', 'writes.at', 'writes.visit_id', 'writes.tag_id', 'writes.state', 'writes.reason'])
    .select(['writes.note', 'writes.from_value', 'writes.to_value', 'writes.kept_value'])
    .select(['users.name as user_name', label.as('tag_label')])
}

/** A user's own write to a machine. */
export function findWrite(db: Db, write: { machineId: number; commandId: number; userId: number }) {
  return db
    .selectFrom('writes')
    .select(['id', 'tag_id', 'state', 'kept_value', 'reason'])
    .where('id', '=', write.commandId)
    .where('machine_id', '=', write.machineId)
    .where('user_id', '=', write.userId)
    .executeTakeFirst()
}

/** The writes of a visit, newest first. */
export async function listVisitWrites(
  db: Db,
  visitId: number,
  lang: Lang,
  limit: number,
): Promise<WriteRow[]> {
  return logQuery(db, lang)
    .where('writes.visit_id', '=', visitId)
    .orderBy('writes.id', 'desc')
    .limit(limit)
    .execute()
}

/** A page of the writes to a machine, newest first, and their number. */
export async function listMachineWrites(
  db: Db,
  machineId: number,
  lang: Lang,
  { page, pageSize }: { page: number; pageSize: number },
) {
  const [rows, { total }] = await Promise.all([
    logQuery(db, lang)
      .where('writes.machine_id', '=', machineId)
      .where(isSinceOwned(machineId, 'writes.at'))
      .orderBy('writes.id', 'desc')
      .limit(pageSize)
      .offset((page - 1) * pageSize)
      .execute(),
    db
      .selectFrom('writes')
      .select((row) => row.fn.countAll<number>().as('total'))
      .where('machine_id', '=', machineId)
      .where(isSinceOwned(machineId, 'writes.at'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(total) }
}

/** A machine's code, and its name for a person. */
export async function findReportedMachine(db: Db, machineId: number, userId: number) {
  return db
    .selectFrom('machines')
    .select(['machines.code', nameFor(sql`${userId}::bigint`, sql.ref('machines.id')).as('name')])
    .where('machines.id', '=', machineId)
    .executeTakeFirstOrThrow()
}

/** The first `count` values written to a machine within a span, the earliest first. */
export async function listFirstWrites(
  db: Db,
  machineId: number,
  span: { readonly from: Date; readonly to: Date },
  lang: Lang,
  count: number,
): Promise<WriteRow[]> {
  return logQuery(db, lang)
    .where('writes.machine_id', '=', machineId)
    .where(isSinceOwned(machineId, 'writes.at'))
    .where('writes.at', '>=', span.from)
    .where('writes.at', '<', span.to)
    .orderBy('writes.at')
    .orderBy('writes.id')
    .limit(count)
    .execute()
}

/** The visitor of a visit of the machine that ran between the two instants. */
export async function findVisitor(
  db: Db,
  visit: { readonly visitId: number; readonly machineId: number; readonly from: Date; readonly until: Date },
): Promise<number | undefined> {
  const row = await db
    .selectFrom('visits')
    .select('user_id')
    .where('id', '=', visit.visitId)
    .where('machine_id', '=', visit.machineId)
    .where('started_at', '<=', visit.until)
    .where((where) => where.or([where('ended_at', 'is', null), where('ended_at', '>=', visit.from)]))
    .executeTakeFirst()
  return row?.user_id
}
