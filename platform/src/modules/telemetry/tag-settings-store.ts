import type { MeterChange, TagSettings } from '@busbar/contract'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../../kernel/database/database.ts'

/** The settings that the keys of a machine made for its tags, by `settingsKey`. */
export type MachineSettings = ReadonlyMap<string, TagSettings>

export const noSettings: MachineSettings = new Map()

export const settingsKey = (group: string, name: string): string => `${group}\n${name}`

/** The settings that people made for the tags of machines; tags without settings are left out. */
export async function listTagSettings(
  client: pg.ClientBase,
  machineIds: readonly number[],
): Promise<Map<number, MachineSettings>> {
  const { rows } = await client.query<{
    machine_id: number
    group_name: string
    tag_name: string
    settings: TagSettings
  }>(
    `select machine_id, group_name, tag_name, settings from tag_settings where machine_id = any($1::bigint[])`,
    [machineIds],
  )
  const machines = new Map<number, Map<string, TagSettings>>()
  for (const row of rows) {
    const machine = machines.get(row.machine_id) ?? new Map<string, TagSettings>()
    machines.set(row.machine_id, machine)
    machine.set(settingsKey(row.group_name, row.tag_name), row.settings)
  }
  return machines
}

/** The settings that people made for the tags of one machine, as a transaction sees them. */
export async function readTagSettings(trx: Database, machineId: number): Promise<MachineSettings> {
  const rows = await trx
    .selectFrom('tag_settings')
    .select(['group_name', 'tag_name', 'settings'])
    .where('machine_id', '=', machineId)
    .execute()
  return new Map(rows.map((row) => [settingsKey(row.group_name, row.tag_name), row.settings as TagSettings]))
}

/** The replaced meters of tags by id; those without any are left out. */
async function listResets(
  db: Database,
  tagIds: readonly number[],
): Promise<Map<number, readonly MeterChange[]>> {
  if (tagIds.length === 0) return new Map()
  const { rows } = await sql<{ id: number; resets: MeterChange[] }>`
    select tags.id, said.settings -> 'resets' as resets from tags ${joinSettings}
    where tags.id = any(${[...tagIds]}::bigint[]) and said.settings ? 'resets'`.execute(db)
  return new Map(rows.map(({ id, resets }) => [id, resets]))
}

/** Tags with their replaced meters. */
export async function withResets<Tag extends { readonly id: number }>(
  db: Database,
  tags: readonly Tag[],
): Promise<(Tag & { readonly resets: readonly MeterChange[] })[]> {
  const resets = await listResets(
    db,
    tags.map(({ id }) => id),
  )
  return tags.map((tag) => ({ ...tag, resets: resets.get(tag.id) ?? [] }))
}

/** The settings of a tag; empty ones leave the machine's own in effect. */
export interface NewTagSettings {
  readonly group: string
  readonly name: string
  readonly settings: TagSettings
}

/** Replaces the settings of some tags of a machine. */
export async function replaceTagSettings(
  trx: Database,
  machineId: number,
  changed: readonly NewTagSettings[],
  at: Date,
): Promise<void> {
  if (changed.length === 0) return
  const isEmpty = ({ settings }: NewTagSettings) => Object.keys(settings).length === 0
  const kept = changed.filter((one) => !isEmpty(one))
  const gone = changed.filter(isEmpty)
  if (gone.length > 0)
    await sql`delete from tag_settings
      using unnest(${gone.map(({ group }) => group)}::text[], ${gone.map(({ name }) => name)}::text[])
        as gone (group_name, tag_name)
      where machine_id = ${machineId} and tag_settings.group_name = gone.group_name
        and tag_settings.tag_name = gone.tag_name`.execute(trx)
  if (kept.length > 0)
    await sql`insert into tag_settings (machine_id, group_name, tag_name, settings, updated_at)
      select ${machineId}, group_name, tag_name, settings::jsonb, ${at}
      from unnest(${kept.map(({ group }) => group)}::text[], ${kept.map(({ name }) => name)}::text[],
                  ${kept.map(({ settings }) => JSON.stringify(settings))}::text[])
        as kept (group_name, tag_name, settings)
      on conflict (machine_id, group_name, tag_name)
      do update set settings = excluded.settings, updated_at = excluded.updated_at`.execute(trx)
}

/**
 * Columns of `tags` as people read them, as `shownOf` has them, and whether values have words: for statements about
 * tags without loading their machines. They need `joinSettings`.
 */
export const shownColumns = sql`
  case when said.settings ? 'name'
    then tags.label || jsonb_build_object('', said.settings -> 'name', 'cn', said.settings -> 'name',
                                          'en', said.settings -> 'name')
    else tags.label end as label,
  coalesce(said.settings ->> 'unit', tags.unit) as unit,
  coalesce((said.settings ->> 'scale')::smallint, tags.scale) as scale,
  (tags.enum is not null or coalesce(said.settings ? 'enum', false)) as has_words`

/** The name that people gave to one of `tags`, for a statement that does not join settings. */
export const setName = sql<string | null>`(
  select said.settings ->> 'name' from tag_settings said
  where said.machine_id = tags.machine_id and said.group_name = tags.group_name and said.tag_name = tags.name
    and tags.disowned_at is null)`

/** Joins the settings of `tags`, as `said`; the tags of a former owner have none. */
export const joinSettings = sql`left join tag_settings said on said.machine_id = tags.machine_id
  and said.group_name = tags.group_name and said.tag_name = tags.name and tags.disowned_at is null`
