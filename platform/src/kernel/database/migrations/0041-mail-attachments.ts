import { type Kysely, sql } from 'kysely'

/** E-mails carry files. The row names them; the module that made a file opens it when the mail goes out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outgoing add column attachments jsonb not null default '[]'`.execute(db)
}
