import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { isOf, type Space } from './space.ts'

type Db = Kysely<DB>

/** The bytes that a space keeps, and its budget. */
export interface Storage {
  readonly bytes: number
  readonly bytesMax: number
}

export async function findStorage(db: Db, space: Space): Promise<Storage> {
  const bytesMax = sql.ref('userId' in space ? 'person_bytes' : 'enterprise_bytes')
  const { rows } = await sql<Storage>`
    select coalesce((select bytes from stored_bytes where ${isOf(space, 'stored_bytes')}), 0)::float8 as bytes,
      ${bytesMax}::float8 as "bytesMax" from storage_budgets where is_only`.execute(db)
  return rows[0] ?? { bytes: 0, bytesMax: 0 }
}

/** Sets the budgets of all people and of all enterprises, in bytes. */
export async function setBudgets(db: Db, person: number, enterprise: number): Promise<void> {
  await sql`update storage_budgets set person_bytes = ${person}, enterprise_bytes = ${enterprise}
    where is_only and (person_bytes, enterprise_bytes) <> (${person}::bigint, ${enterprise}::bigint)`.execute(
    db,
  )
}
