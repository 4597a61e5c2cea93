import { type Kysely, sql } from 'kysely'

/**
 * People and enterprises have a time zone. A person's is unknown until it is set; an enterprise of before has that of
 * its machines.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column time_zone text`.execute(db)
  await sql`alter table enterprises add column time_zone text not null default 'Asia/Shanghai'`.execute(db)
}
