import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'
import { withKeptPlan } from '../../kernel/database/kept-plan.ts'
import { joinSettings, shownColumns } from './tag-settings-store.ts'

/** The names of a variable, for lists that mention it beside something else. */
export interface TagName {
  readonly machineId: number
  readonly group: string
  readonly name: string
  /** By language. */
  readonly label: unknown
  readonly unit: string
}

/** The names of variables, of those that are retired too; one that does not exist is left out. */
export async function listTagNames(
  db: Database,
  tagIds: readonly number[],
): Promise<ReadonlyMap<number, TagName>> {
  if (tagIds.length === 0) return new Map()
  const { rows } = await withKeptPlan(
    'tag-names',
    sql<{ id: number; machine_id: number; group_name: string; name: string; label: unknown; unit: string }>`
    select tags.id, tags.machine_id, tags.group_name, tags.name, ${shownColumns}
    from tags ${joinSettings} where tags.id = any(${[...new Set(tagIds)]}::bigint[])`,
  ).execute(db)
  return new Map(
    rows.map(({ id, machine_id: machineId, group_name: group, name, label, unit }) => [
      id,
      { machineId, group, name, label, unit },
    ]),
  )
}
