import { sql } from 'kysely'
import type { Db } from './accounts-store.ts'

/** Limit of a person's remembered terminals; beyond it those unused for longest are dropped. */
const terminalsPerUserMax = 100
/**
 * Limit of terminals used within a day: made-up terminals must not cause endless messages (rules/accounts.md: new
 * terminals).
 */
const toldPerDayMax = 10

/** Whether the person signed in on a terminal before. */
export async function isKnownTerminal(db: Db, userId: number, terminalUuid: string): Promise<boolean> {
  const row = await db
    .selectFrom('known_terminals')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('terminal_uuid', '=', terminalUuid)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Stores that a person signed in on a terminal; true if they should be notified: they signed in before, but never on
 * this one, and not on many others within a day.
 */
export async function createKnownTerminal(
  db: Db,
  userId: number,
  terminalUuid: string,
  at: Date,
): Promise<boolean> {
  const dayAgo = new Date(at.getTime() - 86_400_000)
  const { rows } = await sql<{ is_new: boolean; had_others: boolean; lately: number }>`
    insert into known_terminals (user_id, terminal_uuid, seen_at) values (${userId}, ${terminalUuid}, ${at})
    on conflict (user_id, terminal_uuid) do update set seen_at = excluded.seen_at
    returning xmax = 0 as is_new, exists (
      select from known_terminals other where other.user_id = ${userId} and other.terminal_uuid <> ${terminalUuid}
    ) as had_others, (
      select count(*)::int from known_terminals other where other.user_id = ${userId} and other.seen_at > ${dayAgo}
    ) as lately`.execute(db)
  const [row] = rows
  if (!row?.is_new) return false
  await db
    .deleteFrom('known_terminals')
    .where('user_id', '=', userId)
    .where('terminal_uuid', 'in', (where) =>
      where
        .selectFrom('known_terminals')
        .select('terminal_uuid')
        .where('user_id', '=', userId)
        .orderBy('seen_at', 'desc')
        .offset(terminalsPerUserMax),
    )
    .execute()
  return row.had_others && row.lately <= toldPerDayMax
}
