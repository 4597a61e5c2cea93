import { type Kysely, sql } from 'kysely'

/** Checks of devices, kept for a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table machine_checks (
      id uuid primary key,
      machine_id bigint not null references machines on delete cascade,
      user_id bigint not null references users on delete cascade,
      started_at timestamptz not null,
      ended_at timestamptz,
      parts jsonb not null default '[]')`.execute(db)
  await sql`create unique index machine_checks_running on machine_checks (user_id, machine_id)
    where ended_at is null`.execute(db)
  await sql`create index machine_checks_machine on machine_checks (machine_id)`.execute(db)
  await sql`create index machine_checks_user on machine_checks (user_id)`.execute(db)
  await sql`create index machine_checks_started on machine_checks (started_at)`.execute(db)
}
