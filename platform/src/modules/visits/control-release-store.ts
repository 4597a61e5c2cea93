import { timing } from '@busbar/contract'
import { sql } from 'kysely'
import type { Db } from './visits-store.ts'

/** A visit whose control falls free at an instant, in epoch milliseconds, unless a page of it is open. */
export interface DueControl {
  readonly visitId: number
  readonly machineId: number
  readonly userId: number
  readonly releaseAt: number
}

/** When a visit's control is released, in epoch milliseconds, if that is near enough to warn. */
export function nearRelease(releaseAt: Date | null, now: number): number | undefined {
  const at = releaseAt?.getTime() ?? Number.POSITIVE_INFINITY
  return at - now <= timing.controlWarningMs ? at : undefined
}

/** Controls of visits that fall free by an instant. */
export async function listDueControls(db: Db, by: Date): Promise<DueControl[]> {
  const rows = await db
    .selectFrom('controllers')
    .select(['visit_id', 'machine_id', 'user_id', 'release_at'])
    .where('visit_id', 'is not', null)
    .where('release_at', '<=', by)
    .orderBy('machine_id')
    .execute()
  return rows.map((row) => ({
    visitId: row.visit_id ?? 0,
    machineId: row.machine_id,
    userId: row.user_id,
    releaseAt: row.release_at?.getTime() ?? 0,
  }))
}

/** Lets no control of a visit fall free before an instant. */
export async function postponeReleases(db: Db, until: Date): Promise<void> {
  await db
    .updateTable('controllers')
    .set({ release_at: until })
    .where('visit_id', 'is not', null)
    .where((where) => where.or([where('release_at', 'is', null), where('release_at', '<', until)]))
    .execute()
}

/** Moves when visits' controls fall free, in epoch milliseconds; never back. */
export async function updateReleases(
  db: Db,
  releases: readonly { readonly visitId: number; readonly releaseAt: number }[],
): Promise<void> {
  if (releases.length === 0) return
  await sql`
    update controllers set release_at = greatest(controllers.release_at, given.release_at)
    from unnest(${releases.map(({ visitId }) => visitId)}::bigint[],
                ${releases.map(({ releaseAt }) => new Date(releaseAt))}::timestamptz[]) as given (visit_id, release_at)
    where controllers.visit_id = given.visit_id`.execute(db)
}

/** Frees the controller of a visit that was to fall free by an instant; false when it was kept, or held none. */
export async function removeDueController(db: Db, visitId: number, by: Date): Promise<boolean> {
  const result = await db
    .deleteFrom('controllers')
    .where('visit_id', '=', visitId)
    .where('release_at', '<=', by)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}
