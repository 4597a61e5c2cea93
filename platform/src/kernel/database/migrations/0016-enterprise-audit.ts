import { type Kysely, sql } from 'kysely'

/** An enterprise reads its own part of the audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index audit_entries_enterprise on audit_entries ((detail ->> 'eid'), id)
      where action like 'enterprise.%'`.execute(db)
}
