import { type Kysely, sql } from 'kysely'

/** The former texts of notes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table annotation_versions (
      id bigint generated always as identity primary key,
      annotation_id bigint not null references annotations on delete cascade,
      text text not null,
      replaced_at timestamptz not null
    )`.execute(db)
  await sql`create index annotation_versions_annotation on annotation_versions (annotation_id, id)`.execute(
    db,
  )
}
