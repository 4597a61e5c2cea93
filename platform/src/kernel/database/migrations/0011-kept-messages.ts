import { type Kysely, sql } from 'kysely'

/** Messages that no service sends are kept: a state of the send record, and of the deliveries of reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(keptMessages).execute(db)
}

const keptMessages = `
alter table notifications
  drop constraint notifications_state_check,
  add constraint notifications_state_check
    check (state in ('waiting', 'queued', 'kept', 'sent', 'delivered', 'failed', 'skipped'));
-- No service was set up for those that are not on their way.
update notifications note set state = 'kept', settled_at = note.created_at
where note.state = 'queued' and not exists (
  select from outgoing message
  where message.notification_id = coalesce(note.digest_id, note.id) and message.state <> 'kept');

alter table report_deliveries
  drop constraint report_deliveries_state_check,
  add constraint report_deliveries_state_check check (state in
    ('sent', 'link', 'tooLarge', 'kept', 'noRight', 'noEmail', 'left', 'asked', 'off', 'limited'));
`
