import type pg from 'pg'
import type { TagMeta, TagState } from './tag-state.ts'
import type { TagType } from './tag-type.ts'
import { uplinkLimits } from './uplink-record.ts'

/** A tag's row with its newest flushed value; int64 as text, because it may not fit a double. */
export interface TagRow {
  id: number
  machine_id: number
  group_name: string
  name: string
  version: number
  type: TagType
  label: Record<string, string>
  unit: string
  scale: number | null
  /** Null: the machine does not report it. */
  read_only: boolean | null
  min: number | null
  max: number | null
  enum: Record<string, string> | null
  is_key: boolean
  at: Date | null
  /** Null if it is `at`. */
  stamp: Date | null
  received_at: Date | null
  quality: number | null
  num: number | null
  int: string | null
  text: string | null
}

/** The current tags of machines. */
export async function listCurrentTags(
  client: pg.ClientBase,
  machineIds: readonly number[],
): Promise<TagRow[]> {
  const { rows } = await client.query<TagRow>(
    `select tags.id, machine_id, group_name, name, version, type, label, unit, scale, read_only, min, max, enum, is_key,
            latest.at, latest.stamp, latest.received_at, latest.quality, latest.num, latest.int::text as int, latest.text
     from tags left join tag_latest latest on latest.tag_id = tags.id
     where machine_id = any($1::bigint[]) and retired_at is null
     order by tags.id`,
    [machineIds],
  )
  return rows
}

interface OwnedRow {
  readonly id: number
  readonly owned_since: Date | null
}

const ownedSinceOf = (rows: readonly OwnedRow[]) =>
  new Map(rows.flatMap(({ id, owned_since: at }) => (at ? [[id, at.getTime()]] : [])))

/** Since when machines have the owner they have, epoch milliseconds; those that never changed hands are left out. */
export async function listOwnedSince(
  client: pg.ClientBase,
  machineIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await client.query<OwnedRow>(
    'select id, owned_since from machines where id = any($1::bigint[]) and owned_since is not null',
    // The driver would check each of thousands of ids for characters to escape.
    [`{${machineIds.map(Number).join(',')}}`],
  )
  return ownedSinceOf(rows)
}

/**
 * Begins a transaction with statements without parameters, and keeps machines with their owners until its end; answers as
 * `listOwnedSince`. All of it is one way to the database and back.
 */
export async function beginWithOwners(
  client: pg.ClientBase,
  statements: string,
  machineIds: readonly number[],
): Promise<Map<number, number>> {
  const results: unknown = await client.query(
    `begin; ${statements};
     select id, owned_since from machines where id = any('{${machineIds.map(Number).join(',')}}') order by id for share`,
  )
  return ownedSinceOf((results as readonly pg.QueryResult<OwnedRow>[]).at(-1)?.rows ?? [])
}

export interface NewTag {
  readonly machineId: number
  readonly tag: TagState
  /** It takes the place of another version. */
  readonly isVersion: boolean
}

/** Creates tags, retiring the versions before them, and gives each its id. */
export async function createTags(client: pg.ClientBase, created: readonly NewTag[], at: Date): Promise<void> {
  const replacing = created.filter(({ isVersion }) => isVersion)
  if (replacing.length > 0) await retireTags(client, replacing, at)
  const inserted = created.filter(({ tag }) => tag.id === 0)
  if (inserted.length === 0) return
  const { rows } = await client.query<{ id: number; place: number }>(
    `with given as (
       select *, nextval(pg_get_serial_sequence('tags', 'id')) as id
       from unnest($1::bigint[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::smallint[],
                   $9::bool[], $10::float8[], $11::float8[], $12::bool[]) with ordinality
         as tag (machine_id, group_name, name, version, type, label, unit, scale, read_only, min, max, is_key, place)
     ), inserted as (
       insert into tags (id, machine_id, group_name, name, version, type, label, unit, scale, read_only, min, max, is_key,
                         created_at)
       overriding system value
       select id, machine_id, group_name, name, version, type, label::jsonb, unit, scale, read_only, min, max, is_key, $13
       from given
     )
     select id, place from given`,
    [...columnsOf(inserted), at],
  )
  for (const row of rows) {
    const tag = inserted[row.place - 1]?.tag
    if (tag) tag.id = row.id
  }
}

/**
 * Retires the versions that others take the place of, and numbers these. Where a tag has all versions that are kept, its
 * newest one of the type is taken up again: it gets its id here.
 */
async function retireTags(client: pg.ClientBase, replacing: readonly NewTag[], at: Date): Promise<void> {
  const { rows } = await client.query<{ place: number; last: number; same: number | null }>(
    `with given as (
       select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) with ordinality
         as given (machine_id, group_name, name, type, place)
     ), retired as (
       update tags set retired_at = $5 from given
       where tags.machine_id = given.machine_id and tags.group_name = given.group_name and tags.name = given.name
         and retired_at is null
     )
     select given.place::int, max(tags.version) as last,
            (array_agg(tags.id order by tags.version desc) filter (where tags.type = given.type))[1] as same
     from given join tags using (machine_id, group_name, name)
     where disowned_at is null
     group by given.place`,
    [
      replacing.map(({ machineId }) => machineId),
      replacing.map(({ tag }) => tag.group),
      replacing.map(({ tag }) => tag.name),
      replacing.map(({ tag }) => tag.type),
      at,
    ],
  )
  const again: TagState[] = []
  for (const { place, last, same } of rows) {
    const tag = replacing[place - 1]?.tag
    if (!tag) continue
    tag.version = last + 1
    if (last < uplinkLimits.versionsPerTagMax || same === null) continue
    tag.version = last
    tag.id = same
    again.push(tag)
  }
  if (again.length === 0) return
  const ids = again.map(({ id }) => id)
  await client.query('update tags set retired_at = null where id = any($1::bigint[])', [ids])
  await updateTags(client, again)
}

function columnsOf(created: readonly NewTag[]): unknown[] {
  const tags = created.map(({ tag }) => tag)
  return [
    created.map(({ machineId }) => machineId),
    tags.map((tag) => tag.group),
    tags.map((tag) => tag.name),
    tags.map((tag) => tag.version),
    tags.map((tag) => tag.type),
    tags.map((tag) => JSON.stringify(tag.meta.label)),
    tags.map((tag) => tag.meta.unit),
    tags.map((tag) => tag.meta.scale),
    tags.map((tag) => tag.meta.readOnly),
    tags.map((tag) => tag.meta.min),
    tags.map((tag) => tag.meta.max),
    tags.map((tag) => tag.meta.isKey),
  ]
}

/** Writes the machines' present descriptions of their tags. */
export async function updateTags(
  client: pg.ClientBase,
  changed: readonly { readonly id: number; readonly meta: TagMeta }[],
): Promise<void> {
  const metas = changed.map(({ meta }) => meta)
  await client.query(
    `update tags set label = said.label::jsonb, unit = said.unit, scale = said.scale, read_only = said.read_only,
                     min = said.min, max = said.max, is_key = said.is_key
     from unnest($1::bigint[], $2::text[], $3::text[], $4::smallint[], $5::bool[], $6::float8[], $7::float8[], $8::bool[])
       as said (id, label, unit, scale, read_only, min, max, is_key)
     where tags.id = said.id`,
    [
      changed.map(({ id }) => id),
      metas.map((meta) => JSON.stringify(meta.label)),
      metas.map((meta) => meta.unit),
      metas.map((meta) => meta.scale),
      metas.map((meta) => meta.readOnly),
      metas.map((meta) => meta.min),
      metas.map((meta) => meta.max),
      metas.map((meta) => meta.isKey),
    ],
  )
}
