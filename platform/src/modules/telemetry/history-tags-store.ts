import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import { withKeptPlan } from '../../kernel/database/kept-plan.ts'
import { joinSettings, shownColumns } from './tag-settings-store.ts'
import type { TagType } from './tag-type.ts'

/** A tag as its history knows it. A change of type makes another version of it, with an id of its own. */
export interface TagIdentity {
  readonly id: number
  readonly machineId: number
  readonly type: TagType
  /** Its numbers have names. */
  readonly hasWords: boolean
  readonly group: string
  readonly name: string
  readonly label: Readonly<Record<string, string>>
  readonly unit: string
  readonly scale: number | null
  readonly retiredAt: Date | null
  /** The versions next to it; null at either end. */
  readonly earlierId: number | null
  readonly laterId: number | null
}

interface TagIdentityRow {
  readonly id: number
  readonly machine_id: number
  readonly type: TagType
  readonly has_words: boolean
  readonly group_name: string
  readonly name: string
  readonly label: Readonly<Record<string, string>>
  readonly unit: string
  readonly scale: number | null
  readonly retired_at: Date | null
  readonly earlier_id: number | null
  readonly later_id: number | null
}

const neighbour = (step: 1 | -1) => sql<number | null>`(
  select other.id from tags other
  where other.machine_id = tags.machine_id and other.group_name = tags.group_name and other.name = tags.name
    and other.disowned_at is null and other.version = tags.version + ${sql.lit(step)})`

/** Tags by their ids, retired versions included; unknown ids and those of a machine's former owner are left out. */
export async function listTagIdentities(db: Database, tagIds: readonly number[]): Promise<TagIdentity[]> {
  if (tagIds.length === 0) return []
  const { rows } = await withKeptPlan(
    'history-tags',
    sql<TagIdentityRow>`
      select tags.id, tags.machine_id, type, tags.group_name, tags.name, retired_at, ${shownColumns},
             ${neighbour(-1)} as earlier_id, ${neighbour(1)} as later_id
      from tags ${joinSettings} where tags.id = any(${tagIds}::bigint[]) and disowned_at is null`,
  ).execute(db)
  return rows.map((row) => ({
    id: row.id,
    machineId: row.machine_id,
    type: row.type,
    hasWords: row.has_words,
    group: row.group_name,
    name: row.name,
    label: row.label,
    unit: row.unit,
    scale: row.scale,
    retiredAt: row.retired_at,
    earlierId: row.earlier_id,
    laterId: row.later_id,
  }))
}
