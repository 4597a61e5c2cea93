import { type Kysely, sql } from 'kysely'

/** The scope `alarm` of maintenance windows, and windows without an end: `stop_at` is null. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
alter table maintenance_windows
  alter column stop_at drop not null,
  drop constraint maintenance_windows_scopes_check,
  add constraint maintenance_windows_scopes_check check (
    scopes <@ array['view', 'control', 'passthrough', 'alarm'] and cardinality(scopes) > 0),
  add constraint maintenance_windows_endless_check check (
    stop_at is not null or scopes <@ array['view', 'alarm']);
`)
    .execute(db)
}
