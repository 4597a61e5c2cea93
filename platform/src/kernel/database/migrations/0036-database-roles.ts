import { type Kysely, sql } from 'kysely'

/**
 * Which part of an installation a database holds: the whole of it, all but its samples (main), or these alone
 * (samples). Both databases of one installation have its id.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table database_role (
  is_only boolean primary key default true check (is_only),
  installation uuid not null default gen_random_uuid(),
  role text not null default 'whole' check (role in ('whole', 'main', 'samples'))
);
insert into database_role default values;
`)
    .execute(db)
}
