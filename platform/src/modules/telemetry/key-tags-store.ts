import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { columnsOf, isNewest, type NewestValues } from './latest-flush.ts'
import { joinSettings, shownColumns } from './tag-settings-store.ts'
import { qualityNumber } from './tag-type.ts'

/** A machine whose value a list shows; `tagId`: the one that the reader chose. */
export interface WantedKeyTag {
  readonly machineId: number
  readonly tagId: number | null
}

/** The value a list shows for a machine: the reader's choice, whatever type it has now, else the machine's own, else its first number. */
export interface KeyTagRow {
  machine_id: number
  tag_id: number
  name: string
  label: Record<string, string>
  type: string
  unit: string
  scale: number | null
  at: Date | null
  quality: number | null
  num: number | null
  /** int64 as text: it may not fit a double. */
  int: string | null
  text: string | null
}

/** Key tags of machines. The index tags_key has each machine's own first: of its thousands of variables one is read. */
export async function listKeyTags(db: Kysely<DB>, wanted: readonly WantedKeyTag[]): Promise<KeyTagRow[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<KeyTagRow>`
    select entry.machine_id, tags.id as tag_id, tags.name, tags.type, ${shownColumns},
           latest.at, latest.quality, latest.num, latest.int::text as int, latest.text
    from unnest(${wanted.map(({ machineId }) => machineId)}::bigint[],
                ${wanted.map(({ tagId }) => tagId)}::bigint[]) as entry (machine_id, key_tag_id)
    cross join lateral (
      select * from (
        (select tags.id, true as is_chosen
         from tags chosen join tags using (machine_id, group_name, name)
         where chosen.id = entry.key_tag_id and chosen.disowned_at is null and tags.retired_at is null)
        union all
        (select id, false
         from tags where tags.machine_id = entry.machine_id and retired_at is null
         order by is_key desc, (type in ('float64', 'int64')) desc, id
         limit 1)
      ) candidate
      order by is_chosen desc
      limit 1
    ) chosen
    join tags on tags.id = chosen.id
    ${joinSettings}
    left join tag_latest latest on latest.tag_id = tags.id`.execute(db)
  return rows
}

/** A row with the newest of its value and of some that are not written yet. */
export function withNewest(row: KeyTagRow, unwritten: readonly NewestValues[]): KeyTagRow {
  for (const values of unwritten) {
    const newest = values.get(row.tag_id)?.latest
    if (!newest || !isNewest(newest, row.at?.getTime())) continue
    row = {
      ...row,
      at: new Date(newest.time),
      quality: qualityNumber[newest.quality],
      ...columnsOf(newest.value),
    }
  }
  return row
}

/** Whether a tag is a current one of the machine. */
export async function hasCurrentTag(db: Kysely<DB>, machineId: number, tagId: number): Promise<boolean> {
  const row = await db
    .selectFrom('tags')
    .select('id')
    .where('id', '=', tagId)
    .where('machine_id', '=', machineId)
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
