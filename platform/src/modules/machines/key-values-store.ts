import { sql } from 'kysely'
import type { Db } from './machines-store.ts'

/** The value a list shows for a machine: the caller's choice, else the machine's own, else its first number. */
export interface KeyValueRow {
  machine_id: number
  owned_since: Date | null
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

/**
 * Key values of every machine in a user's list, or of one of them; `latest` is at most a second behind. The index
 * tags_key has each machine's own first: of its thousands of variables one is read.
 */
export async function listKeyValues(
  db: Db,
  userId: number,
  machineId?: number,
): Promise<Map<number, KeyValueRow>> {
  const { rows } = await sql<KeyValueRow>`
    select entry.machine_id, machine.owned_since, tag.id as tag_id, tag.name, tag.label, tag.type, tag.unit, tag.scale,
           latest.at, latest.quality, latest.num, latest.int::text as int, latest.text
    from machine_list_entries entry
    join machines machine on machine.id = entry.machine_id
    cross join lateral (
      select * from (
        (select id, name, label, type, unit, scale, true as is_chosen
         from tags where id = entry.key_tag_id and retired_at is null)
        union all
        (select id, name, label, type, unit, scale, false
         from tags where tags.machine_id = entry.machine_id and retired_at is null
         order by is_key desc, (type in ('float64', 'int64')) desc, id
         limit 1)
      ) candidate
      order by is_chosen desc
      limit 1
    ) tag
    left join tag_latest latest on latest.tag_id = tag.id
    where entry.user_id = ${userId} ${machineId === undefined ? sql`` : sql`and entry.machine_id = ${machineId}`}`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.machine_id, row]))
}
