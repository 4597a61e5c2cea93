import { sql } from 'kysely'
import type { Database } from '../../kernel/database/database.ts'

/** A version of a variable, by the names that its machine gives it. */
export interface WireTag {
  readonly id: number
  readonly machineId: number
  readonly group: string
  readonly name: string
}

const columns = sql<WireTag>`select id, machine_id as "machineId", group_name as "group", name from tags`

/** The variables of machines, former versions included, since the machines have their owners. */
export async function listTagsOfMachines(db: Database, machineIds: readonly number[]): Promise<WireTag[]> {
  if (machineIds.length === 0) return []
  const { rows } = await sql<WireTag>`
    ${columns} where machine_id = any(${machineIds}::bigint[]) and disowned_at is null order by id`.execute(
    db,
  )
  return rows
}

/** The same by their ids; one of a former owner, or of nobody, is left out. */
export async function listTagsWithIds(db: Database, tagIds: readonly number[]): Promise<WireTag[]> {
  if (tagIds.length === 0) return []
  const { rows } = await sql<WireTag>`
    ${columns} where id = any(${tagIds}::bigint[]) and disowned_at is null order by id`.execute(db)
  return rows
}
