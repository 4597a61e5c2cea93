import { type Kysely, sql } from 'kysely'

/** Visits in a page of a project's portal: they have no session, but a project, a machine's link to it, and its key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table visits
      alter column session_id drop not null,
      add column project_id bigint,
      add column link_id bigint,
      add column project_key_id bigint,
      add constraint visits_opened_by check (
        num_nonnulls(project_id, link_id, project_key_id) = case when session_id is null then 3 else 0 end)`.execute(
    db,
  )
  await sql`
    create index visits_project on visits (project_id) where ended_at is null and project_id is not null`.execute(
    db,
  )
  await sql`
    create table embedding_codes (
      code_hash bytea primary key check (octet_length(code_hash) = 32),
      project_id bigint not null,
      link_id bigint not null,
      project_key_id bigint not null,
      user_id bigint not null references users on delete cascade,
      machine_id bigint not null references machines on delete cascade,
      host text not null,
      visit_id bigint references visits on delete cascade,
      expires_at timestamptz not null)`.execute(db)
  await sql`create index embedding_codes_expiry on embedding_codes (expires_at)`.execute(db)
  await sql`create index embedding_codes_machine on embedding_codes (machine_id)`.execute(db)
  await sql`create index embedding_codes_user on embedding_codes (user_id)`.execute(db)
  await sql`create index embedding_codes_visit on embedding_codes (visit_id) where visit_id is not null`.execute(
    db,
  )
}
