import { type Kysely, sql } from 'kysely'

/** A proof of a machine's password is good in the browser that gave it; an invitation is a message too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // They live for ten minutes: who has one proves the password again.
  await sql`delete from machine_password_tickets`.execute(db)
  await sql`
    alter table machine_password_tickets
      add column session_id bigint not null references sessions on delete cascade`.execute(db)
  await sql`
    alter table messages
      add column invitation_id bigint references enterprise_invitations on delete cascade`.execute(db)
  await sql`
    create index messages_invitation on messages (invitation_id) where invitation_id is not null`.execute(db)
}
