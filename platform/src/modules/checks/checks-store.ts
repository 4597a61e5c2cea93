import type { checks as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

type Db = Kysely<DB>

export interface StoredCheck {
  readonly id: string
  readonly machineId: number
  readonly startedAt: Date
  /** Null while it runs. */
  readonly endedAt: Date | null
  readonly parts: readonly contract.CheckedPart[]
}

interface NewCheck {
  readonly id: string
  readonly machineId: number
  readonly userId: number
  readonly at: Date
  /** One that began before is given up: its process ended. */
  readonly aliveSince: Date
}

/** Begins a check; answers the id of the one that this person already runs on the machine, if there is one. */
export async function createCheck(db: Db, check: NewCheck): Promise<string> {
  const { id, machineId, userId, at, aliveSince } = check
  await db
    .updateTable('machine_checks')
    .set({ ended_at: at })
    .where('user_id', '=', userId)
    .where('machine_id', '=', machineId)
    .where('ended_at', 'is', null)
    .where('started_at', '<', aliveSince)
    .execute()
  const { rows } = await sql<{ id: string }>`
    insert into machine_checks (id, machine_id, user_id, started_at)
    values (${id}, ${machineId}, ${userId}, ${at})
    on conflict (user_id, machine_id) where ended_at is null do update set user_id = excluded.user_id
    returning id`.execute(db)
  return rows[0]?.id ?? id
}

/** Stores the parts so far; with `endedAt` the check is done. */
export async function updateCheck(
  db: Db,
  id: string,
  parts: readonly contract.CheckedPart[],
  endedAt: Date | null,
): Promise<void> {
  await db
    .updateTable('machine_checks')
    .set({ parts: JSON.stringify(parts), ended_at: endedAt })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

/** A person's own check. */
export async function findCheck(db: Db, id: string, userId: number): Promise<StoredCheck | undefined> {
  const row = await db
    .selectFrom('machine_checks')
    .select(['id', 'machine_id', 'started_at', 'ended_at', 'parts'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      machineId: row.machine_id,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      parts: row.parts as contract.CheckedPart[],
    }
  )
}

export async function removeOldChecks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('machine_checks').where('started_at', '<', before).execute()
}

/** The next owner finds no check of before. */
export async function removeChecksOf(db: Db, machineId: number): Promise<void> {
  await db.deleteFrom('machine_checks').where('machine_id', '=', machineId).execute()
}
