import { type Kysely, sql } from 'kysely'

/** Sessions of a program, which reach only the calls of that program; null: a person's. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table device_codes add column program text check (program in ('connect'));
alter table sessions add column program text check (program in ('connect'));
`)
    .execute(db)
}
