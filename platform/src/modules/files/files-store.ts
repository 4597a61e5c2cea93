import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

export type Db = Kysely<DB>

/** The modules that make files. */
export type FilePurpose = 'export' | 'report'
/** `displaced`: an export that went before its time, because others needed its room. */
export type FileState = 'writing' | 'ready' | 'failed' | 'expired' | 'displaced'

/** A file that is to be made. */
export interface NewFile {
  /** The person that it is for: it counts for them, and goes with them. */
  readonly userId: number
  /** The enterprise with which it goes. */
  readonly enterpriseId?: number | undefined
  readonly purpose: FilePurpose
  /** As it is saved under, with its ending. */
  readonly name: string
  readonly mediaType: string
  /** Its retention once it is ready, in ms. */
  readonly lifeMs: number
}

/** A file as its row has it. */
export interface StoredFile {
  readonly id: number
  /** The name of its bytes in the folder. */
  readonly key: string
  readonly userId: number
  readonly enterpriseId: number | null
  readonly purpose: FilePurpose
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
  readonly state: FileState
  readonly madeAt: Date
  readonly expiresAt: Date
}

const columns = sql`files.id, files.key, files.user_id as "userId", files.enterprise_id as "enterpriseId",
  files.purpose, files.name, files.media_type as "mediaType", files.bytes, files.state,
  files.made_at as "madeAt", files.expires_at as "expiresAt"`

/** Notes a file whose bytes are about to be written. */
export async function createFile(
  db: Db,
  file: NewFile & { readonly key: string },
  at: Date,
): Promise<number> {
  const { id } = await db
    .insertInto('files')
    .values({
      key: file.key,
      user_id: file.userId,
      enterprise_id: file.enterpriseId ?? null,
      purpose: file.purpose,
      name: file.name,
      media_type: file.mediaType,
      state: 'writing',
      made_at: at,
      written_at: at,
      expires_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The space that a file counts for: an enterprise, or a person. */
export type FileSpace = Pick<NewFile, 'userId' | 'enterpriseId' | 'purpose'>

/** Bytes of the files that are there or being written. */
interface FileBytes {
  /** Of the space, of one kind. */
  readonly own: number
  /** Of all spaces, of this kind. */
  readonly ofKind: number
  readonly all: number
}

const spaceKey = sql`coalesce(enterprise_id, -user_id)`
const keyOf = ({ userId, enterpriseId }: FileSpace) => enterpriseId ?? -userId

/** Bytes of the files that are there or being written: of a space and a kind, of the kind, and of all. */
export async function sumBytes(db: Db, space: FileSpace): Promise<FileBytes> {
  const { rows } = await sql<FileBytes>`
    select coalesce(sum(bytes) filter (where purpose = ${space.purpose} and ${spaceKey} = ${keyOf(space)}), 0)::bigint
             as own,
           coalesce(sum(bytes) filter (where purpose = ${space.purpose}), 0)::bigint as "ofKind",
           coalesce(sum(bytes), 0)::bigint as all
      from files where state in ('writing', 'ready')`.execute(db)
  return rows[0] ?? { own: 0, ofKind: 0, all: 0 }
}

/**
 * Ends the oldest export of the space whose exports take the most bytes, if these are at least `bytesMin`. Answers the
 * name of its bytes; undefined without such an export.
 */
export async function displaceExport(db: Db, bytesMin: number): Promise<string | undefined> {
  const { rows } = await sql<{ key: string }>`
    update files set state = 'displaced' where id = (
      select id from files join (
        select ${spaceKey} as space, sum(bytes) as bytes from files
         where purpose = 'export' and state in ('writing', 'ready') group by 1
      ) owner on owner.space = ${spaceKey}
      where purpose = 'export' and state = 'ready' and owner.bytes >= ${bytesMin}::bigint
      order by owner.bytes desc, owner.space, made_at, id limit 1
      for update of files skip locked
    ) returning key`.execute(db)
  return rows[0]?.key
}

/** Notes how much of a file is written; false if it is not to be written any more. */
export async function noteWritten(db: Db, id: number, bytes: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('files')
    .set({ bytes, written_at: at })
    .where('id', '=', id)
    .where('state', '=', 'writing')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Makes a file ready; undefined if it is not to be written any more. */
export async function finishFile(
  trx: Db,
  id: number,
  { bytes, at, expiresAt }: { readonly bytes: number; readonly at: Date; readonly expiresAt: Date },
): Promise<StoredFile | undefined> {
  const { rows } = await sql<StoredFile>`
    update files set state = 'ready', bytes = ${bytes}, made_at = ${at}, written_at = ${at}, expires_at = ${expiresAt}
     where id = ${id} and state = 'writing' returning ${columns}`.execute(trx)
  return rows[0]
}

export async function failFile(db: Db, id: number): Promise<void> {
  await db
    .updateTable('files')
    .set({ state: 'failed' })
    .where('id', '=', id)
    .where('state', '=', 'writing')
    .execute()
}

export async function findFile(db: Db, id: number): Promise<StoredFile | undefined> {
  const { rows } = await sql<StoredFile>`select ${columns} from files where id = ${id}`.execute(db)
  return rows[0]
}

/** Removes the row of a file; answers the name of its bytes. */
export async function removeFile(db: Db, id: number): Promise<string | undefined> {
  const row = await db.deleteFrom('files').where('id', '=', id).returning('key').executeTakeFirst()
  return row?.key
}

/** Ends files whose time is over, and those whose writer has been silent since `silentSince`. */
export async function endFiles(
  db: Db,
  times: { readonly now: Date; readonly silentSince: Date; readonly forgottenBefore: Date },
): Promise<void> {
  await db
    .updateTable('files')
    .set({ state: 'expired' })
    .where('state', '=', 'ready')
    .where('expires_at', '<=', times.now)
    .execute()
  await db
    .updateTable('files')
    .set({ state: 'failed' })
    .where('state', '=', 'writing')
    .where('written_at', '<', times.silentSince)
    .execute()
  await db
    .deleteFrom('files')
    .where('state', 'in', ['failed', 'expired', 'displaced'])
    .where('expires_at', '<', times.forgottenBefore)
    .execute()
}

/** The names among these, of which there may be very many, whose bytes are still needed. */
export async function listKept(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from files where key = any(${[...keys]}::text[]) and state in ('writing', 'ready')`.execute(db)
  return new Set(rows.map(({ key }) => key))
}
