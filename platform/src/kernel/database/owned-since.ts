import { sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Whether an instant is in the time of a machine's present owner: every read of a machine's past includes this
 * condition. For a machine that never changed hands it is always true. `machineId`: the machine, or the column that
 * names it; `at`: the column of the instant. The subquery is evaluated once if the machine is given (rules/machines.md:
 * next owner).
 */
export function isSinceOwned(machineId: number | { readonly column: string }, at: string) {
  const machine = typeof machineId === 'number' ? sql`${machineId}::bigint` : sql.ref(machineId.column)
  return sql<boolean>`${sql.ref(at)} >= coalesce(
    (select owned.owned_since from machines owned where owned.id = ${machine}), '-infinity')`
}

/** When a machine came to its present owner, epoch milliseconds; 0: it never changed hands. */
export async function findOwnedSince(db: Database, machineId: number): Promise<number> {
  const row = await db
    .selectFrom('machines')
    .select('owned_since')
    .where('id', '=', machineId)
    .executeTakeFirst()
  return row?.owned_since?.getTime() ?? 0
}
