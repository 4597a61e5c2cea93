import { type Kysely, sql } from 'kysely'
import { wakeAfterCommit } from '../database/after-commit.ts'
import type { DB } from '../database/schema.gen.ts'

/**
 * The person whose rights changed, the session, or the project; without a person, everybody with a right to the machine.
 */
export interface NewRightChange {
  readonly sessionId?: number
  readonly userId?: number
  readonly machineId?: number
  /** The rights of a project, over its machines or of its people; such a change names nothing else. */
  readonly projectId?: number
  readonly reason: string
  readonly address?: string
}

const keptDays = 1

/** The reason of a change of owner in `right_changes`: the machine's connections and visits end by it. */
export const ownerReason = 'owner'

/** Records that rights, or a session, changed; followers are woken after the commit. */
export function recordRightChange(db: Kysely<DB>, change: NewRightChange): Promise<void> {
  return recordRightChanges(db, [change])
}

/** The same for many changes, in one statement. */
export async function recordRightChanges(db: Kysely<DB>, changes: readonly NewRightChange[]): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map(({ sessionId, userId, machineId, projectId, reason, address }) => ({
    session_id: sessionId ?? null,
    user_id: userId ?? null,
    machine_id: machineId ?? null,
    project_id: projectId ?? null,
    reason,
    address: address ?? null,
  }))
  // As one parameter: an enterprise may have more people than a statement has parameters.
  await sql`
    insert into right_changes (session_id, user_id, machine_id, project_id, reason, address)
    select session_id, user_id, machine_id, project_id, reason, address
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as change (session_id bigint, user_id bigint, machine_id bigint, project_id bigint, reason text, address text)`.execute(
    db,
  )
  wakeAfterCommit(db, 'rights')
}

/** Records that the rights of these people changed, on all machines. */
export function recordRightChangesOf(
  db: Kysely<DB>,
  userIds: Iterable<number>,
  reason: string,
): Promise<void> {
  return recordRightChanges(
    db,
    [...new Set(userIds)].map((userId) => ({ userId, reason })),
  )
}

/** Removes the names of a person whose account is erased. */
export async function eraseRightChangesOf(db: Kysely<DB>, userId: number): Promise<void> {
  await db.deleteFrom('right_changes').where('user_id', '=', userId).execute()
}

/** Removes changes that every process has followed long ago. */
export async function removeOldRightChanges(db: Kysely<DB>): Promise<void> {
  await db
    .deleteFrom('right_changes')
    .where('at', '<', sql<Date>`now() - make_interval(days => ${keptDays})`)
    .execute()
}
