import { type Kysely, sql } from 'kysely'

/** Keeps who is told of alarms, by which channel and when, and what people set about it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(settings).execute(db)
  await sql.raw(contacts).execute(db)
  await sql.raw(escalations).execute(db)
  await sql.raw(notifications).execute(db)
  await sql.raw(links).execute(db)
}

// Times of quiet hours are on the clocks of the person's zone, or of the enterprise's.
const settings = `
create table alarm_settings_user (
  user_id bigint primary key references users on delete cascade,
  sms boolean not null default true,
  email boolean not null default true,
  sms_daily int not null default 50 check (sms_daily >= 0),
  machine_sms_daily int not null default 20 check (machine_sms_daily >= 0),
  quiet_from time,
  quiet_to time,
  voice boolean not null default false,
  browser boolean not null default false,
  check ((quiet_from is null) = (quiet_to is null))
);

create table alarm_settings_enterprise (
  enterprise_id bigint primary key references enterprises on delete cascade,
  sms boolean not null default true,
  email boolean not null default true,
  sms_daily int not null default 50 check (sms_daily >= 0),
  machine_sms_daily int not null default 20 check (machine_sms_daily >= 0),
  quiet_from time,
  quiet_to time,
  check ((quiet_from is null) = (quiet_to is null))
);

create table alarm_settings_machine (
  machine_id bigint primary key references machines on delete cascade,
  sms boolean not null default true,
  email boolean not null default true,
  link_in_sms boolean not null default false
);

create table alarm_visitors (
  machine_id bigint not null references machines on delete cascade,
  user_id bigint not null references users on delete cascade,
  primary key (machine_id, user_id)
);
create index alarm_visitors_user on alarm_visitors (user_id);
`

const contacts = `
create table alarm_contacts (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  name text not null,
  email text not null,
  lang text not null check (lang in ('cn', 'en')),
  token_hash bytea,
  confirmed_at timestamptz,
  asked_at timestamptz,
  left_at timestamptz,
  may_confirm boolean not null default false,
  created_at timestamptz not null,
  check (num_nonnulls(user_id, enterprise_id) = 1)
);
create unique index alarm_contacts_email
  on alarm_contacts (coalesce(user_id, 0), coalesce(enterprise_id, 0), lower(email));
create unique index alarm_contacts_token on alarm_contacts (token_hash) where token_hash is not null;
create index alarm_contacts_enterprise on alarm_contacts (enterprise_id) where enterprise_id is not null;

create table alarm_contact_machines (
  contact_id bigint not null references alarm_contacts on delete cascade,
  machine_id bigint not null references machines on delete cascade,
  primary key (contact_id, machine_id)
);
create index alarm_contact_machines_machine on alarm_contact_machines (machine_id);

-- Mails that asked somebody to confirm an address: they count although their contact was deleted since.
create table alarm_contact_asks (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  email_hash bytea not null,
  at timestamptz not null,
  check (num_nonnulls(user_id, enterprise_id) = 1)
);
create index alarm_contact_asks_user on alarm_contact_asks (user_id, at) where user_id is not null;
create index alarm_contact_asks_enterprise on alarm_contact_asks (enterprise_id, at) where enterprise_id is not null;
create index alarm_contact_asks_email on alarm_contact_asks (email_hash, at);
create index alarm_contact_asks_at on alarm_contact_asks (at);
`

// A run is of an alarm that somebody has yet to look after.
const escalations = `
create table alarm_escalations (
  machine_id bigint references machines on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  steps jsonb not null,
  check (num_nonnulls(machine_id, enterprise_id) = 1)
);
create unique index alarm_escalations_machine on alarm_escalations (machine_id) where machine_id is not null;
create unique index alarm_escalations_enterprise
  on alarm_escalations (enterprise_id) where enterprise_id is not null;

create table alarm_escalation_runs (
  alarm_id bigint primary key references alarms on delete cascade,
  machine_id bigint not null references machines on delete cascade,
  fact_id bigint not null,
  step int not null,
  due_at timestamptz not null,
  ended_at timestamptz,
  end_reason text,
  check ((ended_at is null) = (end_reason is null))
);
create index alarm_escalation_runs_due on alarm_escalation_runs (due_at) where ended_at is null;
create index alarm_escalation_runs_machine on alarm_escalation_runs (machine_id);
`

// One row for an alarm's fact, a person and a channel. Alarms of one digest name the row whose message is the digest.
// A window begins with a message; what is not told in it waits for the digest at its end.
const notifications = `
create table notifications (
  id bigint generated always as identity primary key,
  fact_id bigint not null,
  alarm_id bigint not null references alarms on delete cascade,
  machine_id bigint not null references machines on delete cascade,
  user_id bigint references users on delete cascade,
  contact_id bigint references alarm_contacts on delete cascade,
  channel text not null check (channel in ('push', 'voice', 'message', 'sms', 'email', 'browser')),
  step int not null default 0,
  level text not null check (level in ('critical', 'major', 'minor', 'info')),
  state text not null check (state in ('waiting', 'queued', 'sent', 'delivered', 'failed', 'skipped')),
  reason text not null default '',
  segments int not null default 0,
  is_first boolean not null default false,
  digest_id bigint references notifications on delete set null,
  created_at timestamptz not null,
  settled_at timestamptz,
  check (num_nonnulls(user_id, contact_id) = 1)
);
create unique index notifications_once
  on notifications (fact_id, coalesce(user_id, 0), coalesce(contact_id, 0), channel, step);
create index notifications_alarm on notifications (alarm_id, id);
create index notifications_machine on notifications (machine_id, channel, created_at desc);
create index notifications_user on notifications (user_id, channel, created_at desc);
create index notifications_contact on notifications (contact_id, created_at desc) where contact_id is not null;
create index notifications_digest on notifications (digest_id) where digest_id is not null;
create index notifications_waiting on notifications (machine_id, channel) where state = 'waiting';

create table notification_windows (
  user_id bigint references users on delete cascade,
  contact_id bigint references alarm_contacts on delete cascade,
  machine_id bigint not null references machines on delete cascade,
  channel text not null,
  opened_at timestamptz not null,
  digest_due_at timestamptz,
  waiting_since timestamptz,
  waiting int not null default 0,
  critical int not null default 0,
  critical_since timestamptz,
  check (num_nonnulls(user_id, contact_id) = 1),
  check ((digest_due_at is null) = (waiting_since is null))
);
create unique index notification_windows_person
  on notification_windows (coalesce(user_id, 0), coalesce(contact_id, 0), machine_id, channel);
create index notification_windows_due on notification_windows (digest_due_at) where digest_due_at is not null;
create index notification_windows_machine on notification_windows (machine_id);
create index notification_windows_contact on notification_windows (contact_id) where contact_id is not null;
create index notification_windows_opened on notification_windows (opened_at) where digest_due_at is null;
`

const links = `
create table alarm_links (
  id bigint generated always as identity primary key,
  alarm_id bigint not null references alarms on delete cascade,
  user_id bigint references users on delete cascade,
  contact_id bigint references alarm_contacts on delete cascade,
  token_hash bytea not null unique,
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  check (num_nonnulls(user_id, contact_id) = 1)
);
create index alarm_links_alarm on alarm_links (alarm_id);
create index alarm_links_user on alarm_links (user_id) where user_id is not null;
create index alarm_links_contact on alarm_links (contact_id) where contact_id is not null;
create index alarm_links_expired on alarm_links (expires_at);

create table alarm_messages (
  user_id bigint not null references users on delete cascade,
  alarm_id bigint not null references alarms on delete cascade,
  message_id bigint not null references messages on delete cascade,
  primary key (user_id, alarm_id)
);
create index alarm_messages_alarm on alarm_messages (alarm_id);
create index alarm_messages_message on alarm_messages (message_id);
`
