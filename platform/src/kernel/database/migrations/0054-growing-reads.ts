import { type Kysely, sql } from 'kysely'

/** Indexes for statements that read growing tables from one end to the other. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create index machine_connections_ended on machine_connections (ended_at) where ended_at is not null;
create index alarm_contacts_user on alarm_contacts (user_id) where user_id is not null;
create index alarm_rules_node on alarm_rules (node_id);
create index enterprise_invitations_person on enterprise_invitations (enterprise_id, user_id, created_at);
create index machine_password_tickets_person on machine_password_tickets (user_id, machine_id);
create index maintenance_windows_start on maintenance_windows (start_at) where state = 'accepted';
create index maintenance_windows_stop on maintenance_windows (stop_at) where state = 'accepted';
create index outgoing_recipient on outgoing (recipient);
create index push_tickets_session on push_tickets (session_id, expires_at desc);
create index sms_stocks_enterprise on sms_stocks (enterprise_id) where enterprise_id is not null;
`)
    .execute(db)
}
