import { type Kysely, sql } from 'kysely'

/** The encoding of the texts that a machine sends as JSON: panels mostly have that of their country. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table machines add column text_encoding text not null default 'utf8'
      constraint machines_text_encoding check (text_encoding in ('utf8', 'gbk', 'latin1'))`.execute(db)
}
