import { type Kysely, sql } from 'kysely'

/** The numbers of a person's events get a table of their own, because the accounts write the table of people. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_event_counts (
      user_id bigint primary key references users (id) on delete cascade,
      last_id bigint not null
    )`.execute(db)
  await sql`
    insert into user_event_counts (user_id, last_id)
    select id, event_seq from users where event_seq > 0`.execute(db)
  await sql`alter table users drop column event_seq`.execute(db)
}
