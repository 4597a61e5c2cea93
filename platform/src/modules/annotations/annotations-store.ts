import { type Kysely, sql } from 'kysely'
import { isSinceOwned } from '../../kernel/database/owned-since.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'

export type Db = Kysely<DB>

interface NewAnnotation {
  readonly machineIds: readonly number[]
  readonly from: Date
  readonly to: Date
  readonly text: string
  /** Null if the account is gone. */
  readonly userId: number | null
  readonly createdAt: Date
}

export interface StoredAnnotation extends NewAnnotation {
  readonly id: number
  /** Empty if the account is gone. */
  readonly by: string
  /** When its words last changed. */
  readonly editedAt: Date | null
}

const columns = sql`notes.id, notes.from_at as "from", notes.to_at as "to", notes.text, notes.user_id as "userId",
  notes.created_at as "createdAt",
  (select max(former.replaced_at) from annotation_versions former where former.annotation_id = notes.id) as "editedAt",
  coalesce((select users.name from users where users.id = notes.user_id), '') as by,
  array_agg(note_of.machine_id order by note_of.machine_id) as "machineIds"`

const ofOwner = isSinceOwned({ column: 'note_of.machine_id' }, 'notes.created_at')

/** The newest notes on some machines that touch a span; of their machines, those in the request. */
export async function listAnnotations(
  db: Db,
  machineIds: readonly number[],
  { from, to }: { readonly from: Date; readonly to: Date },
  max: number,
): Promise<StoredAnnotation[]> {
  const { rows } = await sql<StoredAnnotation>`
    select ${columns} from annotation_machines note_of
    join annotations notes on notes.id = note_of.annotation_id
    where note_of.machine_id = any(${machineIds}::bigint[]) and ${ofOwner}
      and notes.from_at <= ${to} and notes.to_at >= ${from}
    group by notes.id order by notes.from_at desc, notes.id desc limit ${max}`.execute(db)
  return rows
}

/** Locks a note until the end of the transaction. */
export async function lockAnnotation(trx: Db, id: number): Promise<void> {
  await trx.selectFrom('annotations').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

/** A note with all machines that it is on. */
export async function findAnnotation(trx: Db, id: number): Promise<StoredAnnotation | undefined> {
  const { rows } = await sql<StoredAnnotation>`
    select ${columns} from annotations notes
    join annotation_machines note_of on note_of.annotation_id = notes.id
    where notes.id = ${id} and ${ofOwner} group by notes.id`.execute(trx)
  return rows[0]
}

/** Serializes additions to machines. `machineIds` in rising order. */
export async function lockMachines(trx: Db, machineIds: readonly number[]): Promise<void> {
  await sql`select id from machines where id = any(${machineIds}::bigint[]) order by id
    for no key update`.execute(trx)
}

/** The largest number of notes of one of these machines. */
export async function countMost(trx: Db, machineIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from annotation_machines where machine_id = any(${machineIds}::bigint[])
    group by machine_id order by 1 desc limit 1`.execute(trx)
  return rows[0]?.count ?? 0
}

export async function insertAnnotation(trx: Db, note: NewAnnotation): Promise<number> {
  const { id } = await trx
    .insertInto('annotations')
    .values({
      from_at: note.from,
      to_at: note.to,
      text: note.text,
      user_id: note.userId,
      created_at: note.createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('annotation_machines')
    .values(note.machineIds.map((machineId) => ({ machine_id: machineId, annotation_id: id })))
    .execute()
  return id
}

/** Gives a note another text and keeps the former one, of these the latest `max`. Call it under the note's lock. */
export async function updateAnnotation(
  trx: Db,
  { id, text, at }: { readonly id: number; readonly text: string; readonly at: Date },
  max: number,
): Promise<void> {
  // The oldest goes first, so that a change that fits is not refused for what goes with it.
  await sql`delete from annotation_versions where id in (
    select id from annotation_versions where annotation_id = ${id} order by id desc offset ${max - 1})`.execute(
    trx,
  )
  await sql`insert into annotation_versions (annotation_id, text, replaced_at)
    select id, text, ${at} from annotations where id = ${id}`.execute(trx)
  await trx.updateTable('annotations').set({ text }).where('id', '=', id).execute()
}

/** The former texts of a note, the latest first. */
export async function listVersions(db: Db, id: number): Promise<{ text: string; replacedAt: Date }[]> {
  const { rows } = await sql<{ text: string; replacedAt: Date }>`
    select text, replaced_at as "replacedAt" from annotation_versions
    where annotation_id = ${id} order by id desc`.execute(db)
  return rows
}

export async function removeAnnotation(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('annotations').where('id', '=', id).execute()
}

/** Takes the notes off a machine, or one of them; those that are on no other one go. */
export async function removeOfMachine(trx: Db, machineId: number, id?: number): Promise<void> {
  await sql`
    with taken as (
      delete from annotation_machines where machine_id = ${machineId}
        ${id === undefined ? sql`` : sql`and annotation_id = ${id}`} returning annotation_id
    )
    delete from annotations notes using taken where notes.id = taken.annotation_id
      and not exists (select from annotation_machines other
        where other.annotation_id = notes.id and other.machine_id <> ${machineId})`.execute(trx)
}
