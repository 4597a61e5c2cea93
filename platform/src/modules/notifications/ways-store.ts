import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

type Db = Kysely<DB>

/** The addresses of a person, and how they read. */
export interface Receiver {
  readonly lang: string
  readonly time_zone: string | null
  readonly country_code: string | null
  readonly phone: string | null
  readonly email: string | null
}

export function findReceiver(db: Db, userId: number): Promise<Receiver> {
  return db
    .selectFrom('users')
    .select(['lang', 'time_zone', 'country_code', 'phone', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Terminals of a person that were in use since an instant. */
export async function countTerminals(db: Db, userId: number, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from sessions
    where user_id = ${userId} and last_seen_at >= ${since}`.execute(db)
  return rows[0]?.count ?? 0
}
