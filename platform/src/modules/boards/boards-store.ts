import type { BoardLayout } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import {
  type By,
  columnsOf,
  idsOf,
  isOf,
  type Space,
  type SpaceIds,
  type SpaceRow,
  spaceColumns,
} from '../spaces/index.ts'

export type Db = Kysely<DB>

/** A board in a list. */
export interface BoardFacts extends SpaceRow {
  readonly tiles: number
  readonly machineType: string | null
  readonly version: number
  readonly deletedAt: Date | null
}

export interface StoredBoard extends BoardFacts {
  readonly layout: BoardLayout
}

/** The contents of a board. */
export interface BoardBody {
  readonly name: string
  readonly layout: BoardLayout
}

/** The columns of `BoardFacts`. */
export const boardColumns = sql`${spaceColumns('boards')}, boards.tiles, boards.machine_type as "machineType", boards.version,
  boards.deleted_at as "deletedAt"`

/** The boards of a space by name. */
export async function listBoards(db: Db, space: Space): Promise<BoardFacts[]> {
  const { rows } = await sql<BoardFacts>`
    select ${boardColumns} from boards where ${isOf(space, 'boards')} and boards.deleted_at is null
    order by lower(boards.name), boards.id`.execute(db)
  return rows
}

/** Boards of a space that were deleted and can be restored, the last deleted first. */
export async function listDeleted(
  db: Db,
  space: Space,
  since: Date,
  range: { readonly offset: number; readonly count: number },
): Promise<BoardFacts[]> {
  const { rows } = await sql<BoardFacts>`
    select ${boardColumns} from boards where ${isOf(space, 'boards')} and boards.deleted_at > ${since}
    order by boards.deleted_at desc, boards.id desc offset ${range.offset} limit ${range.count}`.execute(db)
  return rows
}

/** A board, deleted or not; `locked`: until the end of the transaction. */
export async function findBoard(db: Db, id: number, locked = false): Promise<StoredBoard | undefined> {
  const { rows } = await sql<StoredBoard>`
    select ${boardColumns}, boards.layout from boards
    where boards.id = ${id} ${locked ? sql`for no key update of boards` : sql``}`.execute(db)
  return rows[0]
}

export async function countBoards(db: Db, space: Space): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from boards
    where ${isOf(space, 'boards')} and deleted_at is null`.execute(db)
  return rows[0]?.count ?? 0
}

export async function insertBoard(db: Db, space: Space, body: BoardBody, by: By): Promise<number> {
  const row = await db
    .insertInto('boards')
    .values({
      ...columnsOf(space),
      ...valuesOf(body),
      created_at: by.at,
      updated_at: by.at,
      updated_by: by.userId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

const valuesOf = ({ name, layout }: BoardBody) => ({
  name,
  layout: JSON.stringify(layout),
  tiles: layout.tiles.length,
  machine_type: layout.variable?.machineType ?? null,
})

/** Changes a board and keeps a former version; answers the new version. */
export async function updateBoard(
  trx: Db,
  board: StoredBoard,
  body: BoardBody,
  by: By,
  versionsMax: number,
): Promise<number> {
  // The oldest goes first: a space whose storage is full has room for the new one then.
  await sql`
    delete from board_versions
    where board_id = ${board.id} and version <= ${board.version - versionsMax}`.execute(trx)
  await sql`
    insert into board_versions (board_id, version, name, layout, tiles, machine_type, at, by_user_id)
    select id, version, name, layout, tiles, machine_type, updated_at, updated_by from boards
    where id = ${board.id}`.execute(trx)
  const version = board.version + 1
  await trx
    .updateTable('boards')
    .set({ ...valuesOf(body), version, updated_at: by.at, updated_by: by.userId })
    .where('id', '=', board.id)
    .execute()
  return version
}

export async function setDeleted(trx: Db, id: number, deletedAt: Date | null): Promise<void> {
  await trx.updateTable('boards').set({ deleted_at: deletedAt }).where('id', '=', id).execute()
}

/** Removes a board with its versions for good. */
export async function removeBoard(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('boards').where('id', '=', id).execute()
}

/** Removes boards deleted before an instant, and records of viewers from before another. */
export async function removeOld(db: Db, deletedBefore: Date, seenBefore: Date): Promise<void> {
  await db.deleteFrom('boards').where('deleted_at', '<', deletedBefore).execute()
  await db.deleteFrom('board_viewers').where('seen_at', '<', seenBefore).execute()
}

/** A version of a board in a list. */
export interface VersionFacts {
  readonly version: number
  readonly name: string
  readonly tiles: number
  readonly at: Date
  readonly by: string
}

/** The former versions of a board, newest first. */
export async function listVersions(db: Db, boardId: number): Promise<VersionFacts[]> {
  const { rows } = await sql<VersionFacts>`
    select version, name, tiles, at,
      coalesce((select users.name from users where users.id = by_user_id), '') as by
    from board_versions where board_id = ${boardId} order by version desc`.execute(db)
  return rows
}

export async function findVersion(db: Db, boardId: number, version: number): Promise<BoardBody | undefined> {
  const { rows } = await sql<BoardBody>`
    select name, layout from board_versions
    where board_id = ${boardId} and version = ${version}`.execute(db)
  return rows[0]
}

/** Notes that a person has a board open. */
export async function noteViewer(db: Db, boardId: number, { userId, at }: By): Promise<void> {
  await sql`
    insert into board_viewers (board_id, user_id, seen_at) values (${boardId}, ${userId}, ${at})
    on conflict (board_id, user_id) do update set seen_at = excluded.seen_at`.execute(db)
}

/**
 * A board counts as open for this long after it was last read; open pages read it more often (rules/data-centre.md:
 * changes of a board).
 */
export const viewedMs = 15 * 60_000

/** The people who have had a board open since an instant, and may see it. */
export async function listViewers(db: Db, boardId: number, since: Date): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select viewer.user_id as id from board_viewers viewer join boards on boards.id = viewer.board_id
    where viewer.board_id = ${boardId} and viewer.seen_at > ${since}
      and (boards.user_id = viewer.user_id or exists (
        select from board_shares share where share.board_id = viewer.board_id and share.user_id = viewer.user_id
      ) or exists (
        select from enterprise_members mate where mate.user_id = viewer.user_id and (
          mate.enterprise_id = boards.enterprise_id or mate.enterprise_id in (
            select share.enterprise_id from board_shares share where share.board_id = viewer.board_id))))
    order by viewer.user_id`.execute(db)
  return rows.map(({ id }) => id)
}

/** A template of boards in a list. */
export interface TemplateFacts extends SpaceIds {
  readonly id: number
  readonly name: string
  readonly machineType: string
  readonly tiles: number
  readonly updatedAt: Date
}

export interface StoredTemplate extends TemplateFacts {
  readonly layout: BoardLayout
}

const templateColumns = sql`templates.id, templates.user_id as "userId", templates.enterprise_id as "enterpriseId",
  templates.name, templates.machine_type as "machineType", templates.tiles, templates.updated_at as "updatedAt"`

export async function listTemplates(db: Db, space: Space): Promise<TemplateFacts[]> {
  const { rows } = await sql<TemplateFacts>`
    select ${templateColumns} from board_templates templates where ${isOf(space, 'templates')}
    order by machine_type, lower(name), id`.execute(db)
  return rows
}

export async function findTemplate(db: Db, id: number): Promise<StoredTemplate | undefined> {
  const { rows } = await sql<StoredTemplate>`
    select ${templateColumns}, layout from board_templates templates where id = ${id}`.execute(db)
  return rows[0]
}

/** Stores a template, and replaces one with its name; undefined if there is no room for another. */
export async function saveTemplate(
  trx: Db,
  space: Space,
  template: BoardBody & { readonly machineType: string; readonly at: Date },
  max: number,
): Promise<number | undefined> {
  const { userId, enterpriseId } = idsOf(space)
  const { name, machineType, layout, at } = template
  const { rows } = await sql<{ id: number }>`
    insert into board_templates (user_id, enterprise_id, machine_type, name, layout, tiles, updated_at)
    select ${userId}::bigint, ${enterpriseId}::bigint, ${machineType}, ${name}, ${JSON.stringify(layout)}::jsonb,
      ${layout.tiles.length}::int, ${at}::timestamptz
    where (select count(*) from board_templates templates
           where ${isOf(space, 'templates')} and not (machine_type = ${machineType} and name = ${name})) < ${max}
    on conflict (user_id, enterprise_id, machine_type, name)
      do update set layout = excluded.layout, tiles = excluded.tiles, updated_at = excluded.updated_at
    returning id`.execute(trx)
  return rows[0]?.id
}

export async function deleteTemplate(db: Db, id: number): Promise<void> {
  await db.deleteFrom('board_templates').where('id', '=', id).execute()
}

/** Machines as an export and an import name them, and their types. */
export async function listMachines(
  db: Db,
  by: { readonly ids: readonly number[] } | { readonly codes: readonly string[] },
): Promise<{ id: number; code: string; type: string; photo: string }[]> {
  const which =
    'ids' in by ? sql`id = any(${[...by.ids]}::bigint[])` : sql`code = any(${[...by.codes]}::text[])`
  const { rows } = await sql<{ id: number; code: string; type: string; photo: string }>`
    select id, code, type, coalesce(project_image, '') as photo from machines where ${which}`.execute(db)
  return rows
}

/** The name of a person. */
export async function findPersonName(db: Db, userId: number): Promise<string> {
  const row = await db.selectFrom('users').select('name').where('id', '=', userId).executeTakeFirst()
  return row?.name ?? ''
}
