import { type Kysely, sql } from 'kysely'

/** The last words about a machine's line, for checks: refused sign-ins, the end of its connection, its tunnel. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table line_notes (
      machine_id bigint primary key references machines on delete cascade,
      refused_at timestamptz,
      refused_from text,
      ended_at timestamptz,
      end_reason text,
      tunnel_at timestamptz)`.execute(db)
}
