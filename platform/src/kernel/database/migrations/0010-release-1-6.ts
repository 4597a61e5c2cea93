import { type Kysely, sql } from 'kysely'

/** Databases of the development of 1.6, which had a file for each step, have run this one with the last of them. */
export const replaces = { number: 61, name: 'machine-other-topics' }

/**
 * What version 1.6 adds to the database of 1.5, and how the rows of 1.5 are taken over: people who leave, facts and jobs,
 * several nodes, changes of lists, alarms of rules and who is told of them, the store of samples, the data centre, and
 * budgets of stored bytes. Why: docs/decisions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of parts) await sql.raw(part).execute(db)
}

// A person's time zone is unknown until it is set; an enterprise of 1.5 has that of its machines. Names of 1.5 have no key, and
// may read like others until somebody edits them. An archived brand is never the default one.
const people = `
alter table users add column time_zone text;
alter table enterprises add column time_zone text not null default 'Asia/Shanghai';
alter table brands
  add column archived_at timestamptz,
  add check (archived_at is null or not is_default);
alter table machine_list_entries
  add column name_key text,
  -- Whether the person chose the name.
  add column is_named boolean not null default false;
create unique index machine_list_entries_name on machine_list_entries (user_id, name_key);
alter table machines
  add column text_encoding text not null default 'utf8'
    constraint machines_text_encoding check (text_encoding in ('utf8', 'gbk', 'latin1')),
  add column other_topics boolean not null default false;
-- When the control falls free unless a page of the visit is open; null until that was counted.
alter table controllers add column release_at timestamptz;

-- Tickets live for ten minutes: who has one proves the password again.
delete from machine_password_tickets;
alter table machine_password_tickets
  add column session_id bigint not null references sessions on delete cascade;
create index machine_password_tickets_person on machine_password_tickets (user_id, machine_id);
create index push_tickets_session on push_tickets (session_id, expires_at desc);
create index enterprise_invitations_person on enterprise_invitations (enterprise_id, user_id, created_at);
create index maintenance_windows_start on maintenance_windows (start_at) where state = 'accepted';
create index maintenance_windows_stop on maintenance_windows (stop_at) where state = 'accepted';
`

const machineTypes = `
create table machine_types (
  id bigint generated always as identity primary key,
  type text not null unique check (type <> ''),
  name_cn text not null check (name_cn <> ''),
  name_en text not null check (name_en <> ''),
  pattern text not null default '',
  picture text not null check (picture <> ''),
  place int not null check (place > 0)
);

insert into machine_types (type, name_cn, name_en, picture, place) values
  ('injection-press', '注塑机', 'Injection press', 'injection-press', 1),
  ('chiller', '冷冻机组', 'Chiller', 'chiller', 2),
  ('pump-station', '泵站', 'Pump station', 'pump-station', 3),
  ('cnc', '数控车床', 'CNC lathe', 'cnc', 4),
  ('machining-centre', '加工中心', 'Machining centre', 'machining-centre', 5),
  ('compressor', '空压机', 'Compressor', 'compressor', 6),
  ('oven', '烘烤炉', 'Oven', 'oven', 7),
  ('water-plant', '水处理', 'Water plant', 'water-plant', 8),
  ('cooling-tower', '冷却塔', 'Cooling tower', 'cooling-tower', 9),
  ('packaging', '包装线', 'Packaging line', 'packaging', 10),
  ('oxidiser', '废气焚烧炉', 'Oxidiser', 'oxidiser', 11),
  ('tank', '水箱', 'Tank', 'tank', 12),
  ('plc', '控制器', 'Controller', 'plc', 13),
  ('feeder', '供料系统', 'Material feeder', 'feeder', 14),
  ('pasteuriser', '巴氏杀菌机', 'Pasteuriser', 'pasteuriser', 15);

alter table uploads
  drop constraint uploads_purpose_check,
  add constraint uploads_purpose_check check (purpose in ('logo', 'brand', 'projectImage', 'machineType'));
`

// One that was locked while leaving stays locked, and is erased all the same.
const leaving = `
alter table users
  add column leaves_at timestamptz,
  drop constraint users_state_check,
  add constraint users_state_check check (state in ('active', 'locked', 'leaving')),
  add constraint users_leaves_at check (
    (state <> 'leaving' or leaves_at is not null) and (leaves_at is null or state <> 'active'));
create index users_leaving on users (leaves_at) where leaves_at is not null;

alter table enterprises
  add column leaves_at timestamptz,
  drop constraint enterprises_state_check,
  add constraint enterprises_state_check check (state in ('active', 'locked', 'leaving')),
  add constraint enterprises_leaves_at check (
    (state <> 'leaving' or leaves_at is not null) and (leaves_at is null or state <> 'active'));
create index enterprises_leaving on enterprises (leaves_at) where leaves_at is not null;

alter table codes
  drop constraint codes_purpose_check,
  add constraint codes_purpose_check check (purpose in
    ('register', 'login', 'resetPassword', 'changeAccount', 'twoFactor', 'deleteAccount', 'deleteEnterprise'));
`

// What others stand on stays when the person who did it is erased; each is found by its person.
const references = `
alter table alarms
  drop constraint alarms_confirmed_by_fkey,
  add constraint alarms_confirmed_by_fkey foreign key (confirmed_by) references users on delete set null;
create index alarms_confirmed_by on alarms (confirmed_by) where confirmed_by is not null;

alter table scada_requests
  drop constraint scada_requests_answered_by_fkey,
  drop constraint scada_requests_check,
  add constraint scada_requests_answered_by_fkey foreign key (answered_by) references users on delete set null,
  add check (num_nulls(answered_at, approved, answer) in (0, 3)),
  add check (answered_by is null or answered_at is not null);

alter table maintenance_windows
  alter column requested_by drop not null,
  drop constraint maintenance_windows_requested_by_fkey,
  add constraint maintenance_windows_requested_by_fkey
    foreign key (requested_by) references users on delete set null;

create index writes_user on writes (user_id) where user_id is not null;
create index visits_ended_by on visits (ended_by) where ended_by is not null;
create index application_steps_user on application_steps (user_id) where user_id is not null;
create index applications_proposed_by on applications (proposed_by) where proposed_by is not null;
create index machine_transfers_from_user on machine_transfers (from_user_id);
create index machine_transfers_to_user on machine_transfers (to_user_id);
`

const transfers = `
alter table machine_transfers
  add column from_enterprise_id bigint references enterprises on delete cascade,
  add column to_enterprise_id bigint references enterprises on delete cascade,
  alter column to_user_id drop not null,
  drop constraint machine_transfers_check,
  add check (num_nonnulls(to_user_id, to_enterprise_id) = 1),
  add check (from_enterprise_id is not null or from_user_id is distinct from to_user_id),
  add check (from_enterprise_id is distinct from to_enterprise_id or from_enterprise_id is null);
create index machine_transfers_from_enterprise on machine_transfers (from_enterprise_id)
  where from_enterprise_id is not null;
create index machine_transfers_to_enterprise on machine_transfers (to_enterprise_id)
  where to_enterprise_id is not null;
`

// The request outlives its asker: any owner of the enterprise uses it. `handed` counts what the erasure gave so far.
const handovers = `
create table enterprise_handovers (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references enterprises on delete cascade,
  to_user_id bigint references users on delete cascade,
  to_enterprise_id bigint references enterprises on delete cascade,
  asked_by bigint references users on delete set null,
  state text not null default 'asked'
    check (state in ('asked', 'accepted', 'refused', 'withdrawn', 'expired')),
  is_chosen boolean not null default false,
  handed integer not null default 0 check (handed >= 0),
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  check (num_nonnulls(to_user_id, to_enterprise_id) = 1),
  check (to_enterprise_id is distinct from enterprise_id),
  check (not is_chosen or state = 'accepted')
);
create unique index enterprise_handovers_open on enterprise_handovers (enterprise_id)
  where state in ('asked', 'accepted');
create index enterprise_handovers_enterprise on enterprise_handovers (enterprise_id);
create index enterprise_handovers_to_user on enterprise_handovers (to_user_id) where to_user_id is not null;
create index enterprise_handovers_to_enterprise on enterprise_handovers (to_enterprise_id)
  where to_enterprise_id is not null;
create index enterprise_handovers_asked_by on enterprise_handovers (asked_by) where asked_by is not null;
`

const messages = `
alter table messages
  add column invitation_id bigint references enterprise_invitations on delete cascade,
  add column handover_id bigint references enterprise_handovers on delete set null;
create index messages_invitation on messages (invitation_id) where invitation_id is not null;
create index messages_handover on messages (handover_id) where handover_id is not null;
`

// An import has the id of its job. A part is registered in one transaction, which replaces its sealed lines by the sealed
// secrets of its machines: so no machine is registered without its secrets.
const imports = `
create table machine_imports (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  address text not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed', 'stopped')),
  lines int not null,
  done int not null,
  created int not null default 0,
  secrets int not null default 0,
  refused jsonb not null,
  reason text not null default '',
  created_at timestamptz not null,
  ended_at timestamptz,
  check ((ended_at is null) = (state in ('waiting', 'running')))
);
create index machine_imports_user on machine_imports (user_id, created_at);
create index machine_imports_ended on machine_imports (ended_at);
create index machine_imports_open on machine_imports (id) where ended_at is null;

create table machine_import_parts (
  import_id uuid not null references machine_imports on delete cascade,
  part int not null,
  is_done boolean not null default false,
  sealed bytea,
  refused jsonb not null default '[]',
  primary key (import_id, part)
);
`

// Transactions are numbered by the cluster: in another one their numbers begin again, under the next epoch.
const epoch = `
create table fact_epoch (
  is_only boolean primary key default true check (is_only),
  epoch int not null,
  system_identifier text not null
);
insert into fact_epoch (epoch, system_identifier)
  select 1, system_identifier::text from pg_control_system();
`

// No references: a fact outlives the rows it names. It holds no personal data.
const facts = `
create sequence facts_id;
create table facts (
  id bigint not null default nextval('facts_id'),
  epoch int not null,
  xid xid8 not null default pg_current_xact_id(),
  kind text not null,
  machine_id bigint,
  user_id bigint,
  enterprise_id bigint,
  payload jsonb not null default '{}',
  at timestamptz not null,
  recorded_at timestamptz not null default now()
) partition by range (recorded_at);
create index facts_order on facts (epoch, xid, id);
create index facts_xid on facts (xid);
create table facts_rest partition of facts default;
`

const followers = `
create table fact_followers (
  name text primary key,
  epoch int not null,
  xid xid8 not null,
  id bigint not null,
  read_from timestamptz not null,
  failing_id bigint,
  failures int not null default 0,
  retry_at timestamptz
);

create table facts_set_aside (
  follower text not null,
  fact_id bigint not null,
  fact jsonb not null,
  error text not null,
  failures int not null,
  set_aside_at timestamptz not null default now(),
  primary key (follower, fact_id)
);
create index facts_set_aside_at on facts_set_aside (set_aside_at);
`

// The numbers of a person's events have a table of their own, because the accounts write the table of people.
const userEvents = `
alter table user_events add column xid xid8 not null default pg_current_xact_id();
create index user_events_xid on user_events (xid);

create table user_event_counts (
  user_id bigint primary key references users (id) on delete cascade,
  last_id bigint not null
);
insert into user_event_counts (user_id, last_id) select id, event_seq from users where event_seq > 0;
alter table users drop column event_seq;
`

const jobs = `
create schema if not exists jobs;

create table jobs.clock_job (
  name text primary key,
  every_s int not null,
  due_at timestamptz not null,
  -- Until then nobody else starts it; null while it does not run.
  leased_until timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  -- The platform's clock at the beginning of the last run that succeeded.
  told_at timestamptz,
  error text not null default '',
  failures int not null default 0
);

create table jobs.progress (
  job_id uuid primary key,
  done int not null,
  total int not null,
  at timestamptz not null default now()
);
`

// No references: a row outlives the node that wrote it. Null is in rows of 1.5.
const nodes = `
create table nodes (
  id text primary key,
  heartbeat_at timestamptz not null default now(),
  -- Tells processes with the same node id apart.
  incarnation text not null default '',
  steady_since timestamptz not null default now(),
  declared_dead_at timestamptz,
  roles text[],
  version text,
  wire_version int,
  leaving_at timestamptz,
  is_starting boolean not null default false,
  -- By which others check what the process permits (X25519, base64url).
  public_key text,
  started_at timestamptz
);

create table revoked_nodes (
  node_id text primary key,
  revoked_at timestamptz not null
);

alter table machine_connections
  add column node_id text,
  -- Until when the machine may take to come to another node.
  add column expected_until timestamptz;
create index machine_connections_ended on machine_connections (ended_at) where ended_at is not null;
alter table writes add column node_id text;
`

// `seen`: the snapshot (pg_snapshot) that the telling read; its transactions are those of the epoch.
const states = `
create table machine_states_told (
  machine_id bigint primary key,
  epoch int,
  seen text
) with (fillfactor = 50);
`

// Not logged: after a crash of the server the windows begin anew, as they do in the memory of a process that crashes.
const rates = `
create unlogged table rate_counts (
  counted text not null,
  key text not null,
  tries int not null,
  ends_at timestamptz not null,
  primary key (counted, key)
) with (fillfactor = 70);
create index rate_counts_end on rate_counts (ends_at);

create unlogged table rate_marks (
  key bytea primary key,
  until timestamptz not null
);
`

// No references: a note outlives the row it names. `xid` of machine_list_trims: notes of transactions before it are gone.
const listChanges = `
create table machine_list_changes (
  xid xid8 not null default pg_current_xact_id(),
  machine_id bigint,
  user_id bigint,
  enterprise_id bigint,
  attributes_only boolean not null default false
);
create index machine_list_changes_xid on machine_list_changes (xid);

create table machine_list_trims (
  is_only boolean primary key default true check (is_only),
  xid xid8 not null,
  next_xid xid8 not null
);
insert into machine_list_trims (xid, next_xid)
  select pg_snapshot_xmin(pg_current_snapshot()), pg_snapshot_xmin(pg_current_snapshot());
`

// A rule, a variable and a contact may go while their alarms stay: no foreign keys.
const alarms = `
alter table alarms
  add column rule_id bigint,
  add column tag_id bigint,
  add column value jsonb,
  add column limit_value jsonb,
  add column instruction jsonb,
  add column note text not null default '',
  add column confirmed_contact_id bigint,
  -- The machine's own times: an event that is sent again after a lost acknowledgement changes nothing.
  add column raised_told_at timestamptz,
  add column cleared_told_at timestamptz;
drop index alarms_open;
create unique index alarms_open on alarms (machine_id, coalesce(rule_id, 0), key) where cleared_at is null;
create index alarms_open_levels on alarms (machine_id) include (level, received_at) where cleared_at is null;
create index alarms_raised on alarms (raised_at desc, id desc) include (machine_id, received_at);
create index alarms_unconfirmed on alarms (raised_at desc, id desc) include (machine_id, received_at)
  where confirmed_at is null;
create index alarms_last on alarms (machine_id, key, coalesce(rule_id, 0), raised_at desc, id desc);
`

const shelves = `
create table alarm_shelves (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machines on delete cascade,
  kind text not null check (kind in ('shelved', 'outOfService')),
  scope text not null check (scope in ('alarm', 'rule', 'tag', 'machine')),
  key text check ((key is not null) = (scope = 'alarm')),
  rule_id bigint check ((rule_id is not null) = (scope = 'rule')),
  tag_id bigint check ((tag_id is not null) = (scope = 'tag')),
  until timestamptz check ((until is null) = (kind = 'outOfService')),
  reason text not null,
  by_user_id bigint references users on delete set null,
  created_at timestamptz not null,
  ended_at timestamptz,
  ended_by bigint references users on delete set null,
  end_reason text check (end_reason in ('time', 'person', 'owner', 'replaced') and (end_reason is null) = (ended_at is null))
);
create index alarm_shelves_machine on alarm_shelves (machine_id) where ended_at is null;
create index alarm_shelves_until on alarm_shelves (until) where ended_at is null and until is not null;
create index alarm_shelves_by on alarm_shelves (by_user_id) where by_user_id is not null;
create index alarm_shelves_ended_by on alarm_shelves (ended_by) where ended_by is not null;
`

// Alarms go only with their machine, as their events do. The index of raisings answers counts of days by itself.
const events = `
create table alarm_events (
  id bigint generated always as identity primary key,
  alarm_id bigint,
  machine_id bigint not null references machines on delete cascade,
  shelve_id bigint,
  kind text not null check (kind in ('raised', 'counted', 'changed', 'cleared', 'filled', 'confirmed', 'shelved', 'unshelved',
    'outOfService', 'inService')),
  at timestamptz not null,
  received_at timestamptz not null,
  user_id bigint references users on delete set null,
  contact_id bigint,
  note text not null default '',
  level text check (level in ('critical', 'major', 'minor', 'info')),
  raisings int not null default 0,
  count int,
  value jsonb,
  check (alarm_id is not null or shelve_id is not null)
);
create index alarm_events_alarm on alarm_events (alarm_id) where alarm_id is not null;
create index alarm_events_machine on alarm_events (machine_id, at desc, id desc);
create index alarm_events_at on alarm_events (at desc, id desc) include (machine_id, received_at);
create index alarm_events_raisings on alarm_events (at) include (machine_id, received_at, raisings) where raisings > 0;
create index alarm_events_user on alarm_events (user_id) where user_id is not null;
`

// Variables stand in `condition` by group and name, because a variable with another type has another id. `version` grows
// with each change of what is evaluated; a state is of one version. `received_at` of a position: what was received before
// is in the states; `written_at`: the node was alive then.
const rules = `
create table alarm_rules (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machines on delete cascade,
  level text not null check (level in ('critical', 'major', 'minor', 'info')),
  condition jsonb not null,
  on_delay int not null check (on_delay >= 0),
  off_delay int not null check (off_delay >= 0),
  text jsonb not null,
  instruction text,
  active_hours jsonb,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The node that evaluates it; null: none does yet.
  node_id text
);
create index alarm_rules_machine on alarm_rules (machine_id);
create index alarm_rules_node on alarm_rules (node_id);

create table alarm_rule_states (
  rule_id bigint primary key references alarm_rules on delete cascade,
  version int not null,
  state jsonb not null,
  is_active boolean not null,
  raised_at timestamptz,
  updated_at timestamptz not null
) with (fillfactor = 70);

create table alarm_rule_positions (
  node_id text primary key,
  received_at timestamptz not null,
  written_at timestamptz not null
);

create table alarm_rule_templates (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  machine_type text not null,
  name text not null,
  rules jsonb not null,
  updated_at timestamptz not null,
  check (num_nonnulls(user_id, enterprise_id) = 1),
  unique nulls not distinct (user_id, enterprise_id, machine_type, name)
);
create index alarm_rule_templates_enterprise on alarm_rule_templates (enterprise_id);
`

// One row for a person, for an enterprise, and for what an enterprise gave to a member. A record is never changed:
// `change` is what it added to the stock, `remaining` the stock after it.
const stocks = `
create table sms_stocks (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  stock int not null default 0 check (stock >= 0),
  created_at timestamptz not null,
  check (user_id is not null or enterprise_id is not null)
);
create unique index sms_stocks_owner on sms_stocks (coalesce(enterprise_id, 0), coalesce(user_id, 0));
create index sms_stocks_user on sms_stocks (user_id) where user_id is not null;
create index sms_stocks_enterprise on sms_stocks (enterprise_id) where enterprise_id is not null;

create table sms_stock_records (
  id bigint generated always as identity primary key,
  stock_id bigint not null references sms_stocks on delete cascade,
  kind text not null
    check (kind in ('recharge', 'refund', 'give', 'takeBack', 'got', 'returned', 'reserve', 'take', 'giveBack')),
  segments int not null check (segments > 0),
  change int not null,
  remaining int not null check (remaining >= 0),
  other_stock_id bigint references sms_stocks on delete set null,
  notification_id bigint,
  by_user_id bigint references users on delete set null,
  note text not null default '',
  at timestamptz not null,
  check (change = case
    when kind in ('recharge', 'got', 'takeBack', 'giveBack') then segments
    when kind = 'take' then 0
    else -segments end),
  check ((kind in ('reserve', 'take', 'giveBack')) = (notification_id is not null))
);
create index sms_stock_records_stock on sms_stock_records (stock_id, id desc);
create unique index sms_stock_records_reserved on sms_stock_records (notification_id) where kind = 'reserve';
create unique index sms_stock_records_settled on sms_stock_records (notification_id)
  where kind in ('take', 'giveBack');
create index sms_stock_records_by on sms_stock_records (by_user_id) where by_user_id is not null;
create index sms_stock_records_other on sms_stock_records (other_stock_id) where other_stock_id is not null;
`

// A message's tries are its job's.
// A part is one SMS of a long message, by the id that its provider gave it; its receipt may come before the row that
// says which message it belongs to, and then stands for itself.
const deliveries = `
drop index outgoing_queued;
alter table outgoing drop column next_try_at;
create index outgoing_queued on outgoing (kind) where state = 'queued';
alter table outgoing
  add column notification_id bigint,
  add column purpose text not null default 'notice' check (purpose in ('code', 'notice', 'alarm', 'digest')),
  add column unsubscribe_url text not null default '',
  add column mail_token text not null default '',
  add column delivery text check (delivery in ('delivered', 'failed')),
  -- Files that the mail carries: the module that made one opens it when the mail goes out.
  add column attachments jsonb not null default '[]';
create index outgoing_recipient on outgoing (recipient);
create unique index outgoing_notification on outgoing (notification_id) where notification_id is not null;

create table outgoing_attempts (
  outgoing_id bigint not null references outgoing on delete cascade,
  attempt int not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('accepted', 'refused', 'failed', 'unknown')),
  error text not null default '',
  primary key (outgoing_id, attempt)
);

create table outgoing_parts (
  provider text not null check (provider in ('smpp', 'http')),
  provider_id text not null,
  outgoing_id bigint references outgoing on delete cascade,
  state text check (state in ('delivered', 'failed')),
  error text not null default '',
  at timestamptz not null,
  primary key (provider, provider_id)
);
create index outgoing_parts_outgoing on outgoing_parts (outgoing_id) where outgoing_id is not null;
create index outgoing_parts_at on outgoing_parts (at);

create table sms_templates (
  brand_id bigint not null references brands on delete cascade,
  lang text not null check (lang in ('cn', 'en')),
  purpose text not null check (purpose in ('code', 'notice', 'alarm', 'digest')),
  template text not null,
  primary key (brand_id, lang, purpose)
);
`

// Times of quiet hours are on the clocks of the person's zone, or of the enterprise's.
const alarmSettings = `
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

// A contact with an account has the name and the address of the account; its own are empty.
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
  account_id bigint references users on delete cascade,
  check (num_nonnulls(user_id, enterprise_id) = 1)
);
create unique index alarm_contacts_email
  on alarm_contacts (coalesce(user_id, 0), coalesce(enterprise_id, 0), lower(email)) where account_id is null;
create unique index alarm_contacts_account
  on alarm_contacts (account_id, coalesce(user_id, 0), coalesce(enterprise_id, 0)) where account_id is not null;
create index alarm_contacts_user on alarm_contacts (user_id) where user_id is not null;
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
  is_report boolean not null default false,
  check (num_nonnulls(user_id, enterprise_id) = 1)
);
create index alarm_contact_asks_user on alarm_contact_asks (user_id, at) where user_id is not null;
create index alarm_contact_asks_enterprise on alarm_contact_asks (enterprise_id, at) where enterprise_id is not null;
create index alarm_contact_asks_email on alarm_contact_asks (email_hash, at);
create index alarm_contact_asks_at on alarm_contact_asks (at);

-- Whom an owner removed, by a keyed hash: it is known that they left.
create table former_contacts (
  contact_id bigint not null,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  address_hash bytea not null,
  left_at timestamptz,
  removed_at timestamptz not null,
  primary key (contact_id, address_hash),
  check (num_nonnulls(user_id, enterprise_id) = 1)
);
create index former_contacts_user on former_contacts (user_id, address_hash) where user_id is not null;
create index former_contacts_enterprise on former_contacts (enterprise_id, address_hash)
  where enterprise_id is not null;
create index former_contacts_removed on former_contacts (removed_at);
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

// The machine's own stamp of a sample that is stored at another time, and of a newest value.
const stamps = `
create table sample_stamps (
  tag_id bigint not null,
  at timestamptz not null,
  stamp timestamptz not null
);
create index sample_stamps_at on sample_stamps using brin (at) with (pages_per_range = 16, autosummarize = on);
alter table tag_latest add column stamp timestamptz;
-- A closed batch: a commit under its id whose answer was lost cannot come true any more.
alter table ingest_batches add column is_closed boolean not null default false;
`

// Hours count from 1970. `span`: the hours of a chunk, 1 or 24. `part`: 0 was folded from all others of its time, -1 came
// from the rows of version 1.5, and those above 0 wait to be folded. The bytes are packed already, so PostgreSQL stores
// them as they are.
const chunks = `
create sequence sample_parts as int;

create table sample_chunks (
  tag_id bigint not null,
  hour int not null,
  span smallint not null check (span in (1, 24)),
  part int not null check (part >= -1),
  count int not null check (count > 0),
  bytes bytea not null,
  primary key (tag_id, hour, part, span) include (count)
) partition by range (hour);
alter table sample_chunks alter column bytes set storage external;
create index sample_chunks_parts on sample_chunks (hour, tag_id) where part <> 0;
create index sample_chunks_small on sample_chunks (tag_id, hour) where part = 0 and span = 1 and count <= 170;
create table sample_chunks_rest partition of sample_chunks default;
`

// `step`: the minutes of a bucket, 1 or 60. A row of minutes is of an hour until its day is folded, all others are of a day.
const averages = `
create table sample_averages (
  tag_id bigint not null,
  step smallint not null check (step in (1, 60)),
  hour int not null,
  span smallint not null check (span in (1, 24)),
  bytes bytea not null,
  primary key (tag_id, step, hour, span)
);
alter table sample_averages alter column bytes set storage external;
create index sample_averages_hours on sample_averages (tag_id, hour) where step = 1 and span = 1;
create index sample_averages_old on sample_averages (step, hour);
`

// A row of the log is a commit; it is kept until its samples are in chunks, and for a while. Newest values are written of its
// rows up to `latest_seq`, or of all rows of a log that was ended.
const log = `
create table sample_log (
  node_id text not null,
  incarnation text not null,
  seq bigint not null,
  committed_at timestamptz not null,
  samples int not null,
  bytes bytea not null
) partition by range (committed_at);
alter table sample_log alter bytes set storage external;
create index sample_log_seq on sample_log (node_id, incarnation, seq);

create table sample_log_positions (
  node_id text not null,
  incarnation text not null,
  seq bigint not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  latest_seq bigint,
  is_latest_whole boolean not null default false,
  primary key (node_id, incarnation)
);
`

// Everything of a partition of `samples` up to this tag and time is in chunks. The row goes with the partition.
const moves = `
create table sample_moves (
  partition text primary key,
  tag_id bigint not null default 0,
  /* Microseconds since 1970, as exact as a sample's time. */
  micros bigint not null default 0,
  samples bigint not null default 0,
  began_at timestamptz not null default now()
);
`

// Which part of an installation a database holds: the whole of it, all but its samples (main), or these alone (samples). Both
// databases of one installation have its id.
const databaseRole = `
create table database_role (
  is_only boolean primary key default true check (is_only),
  installation uuid not null default gen_random_uuid(),
  role text not null default 'whole' check (role in ('whole', 'main', 'samples'))
);
insert into database_role default values;
`

// Of a space the row with the latest `effective_at` that is past counts; a later one is a shortening that waits.
const retention = `
create table data_retention (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  raw_days int not null check (raw_days > 0),
  minute_days int not null check (minute_days >= raw_days),
  hour_days int not null check (hour_days >= minute_days),
  effective_at timestamptz not null,
  created_at timestamptz not null,
  check (num_nonnulls(user_id, enterprise_id) = 1)
);
create unique index data_retention_user on data_retention (user_id, effective_at) where user_id is not null;
create unique index data_retention_enterprise
  on data_retention (enterprise_id, effective_at) where enterprise_id is not null;
`

// By the tag's name, and not by its id: settings outlive a change of its type, which gives it another id.
// Of tags that have nothing but values nobody knows whether their machine ever described them. Its next birth tells.
const tagSettings = `
create table tag_settings (
  machine_id bigint not null references machines on delete cascade,
  group_name text not null,
  tag_name text not null,
  settings jsonb not null,
  updated_at timestamptz not null,
  primary key (machine_id, group_name, tag_name)
);

alter table tags alter column read_only drop not null, alter column read_only drop default;
update tags set read_only = null
  where read_only and label = '{}' and unit = '' and scale is null and min is null and max is null and not is_key;
`

// The bytes lie in FILES_DIR under `key`. Those of a row that is gone are removed by a job.
const files = `
create table files (
  id bigint generated always as identity primary key,
  key text not null unique,
  user_id bigint not null references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  purpose text not null check (purpose in ('export', 'report')),
  name text not null,
  media_type text not null,
  bytes bigint not null default 0 check (bytes >= 0),
  state text not null check (state in ('writing', 'ready', 'failed', 'expired', 'displaced')),
  made_at timestamptz not null,
  written_at timestamptz not null,
  expires_at timestamptz not null
);
create index files_user on files (user_id);
create index files_enterprise on files (enterprise_id);
create index files_expires on files (expires_at);
create index files_writing on files (written_at) where state = 'writing';
create index files_bytes on files (purpose, user_id, enterprise_id, bytes) where state in ('writing', 'ready');
`

// `tiles` and `machine_type` repeat what the layout says, so that a list reads no layout.
const boards = `
create table boards (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  name text not null,
  layout jsonb not null,
  tiles int not null,
  machine_type text,
  version int not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint references users on delete set null,
  deleted_at timestamptz,
  versions_bytes bigint not null default 0,
  check (num_nonnulls(user_id, enterprise_id) = 1)
);
create index boards_user on boards (user_id) where user_id is not null;
create index boards_enterprise on boards (enterprise_id) where enterprise_id is not null;
create index boards_updated_by on boards (updated_by);
create index boards_deleted on boards (deleted_at) where deleted_at is not null;
create index boards_user_deleted on boards (user_id, deleted_at desc, id desc) where deleted_at is not null;
create index boards_enterprise_deleted on boards (enterprise_id, deleted_at desc, id desc)
  where deleted_at is not null;

create table board_versions (
  board_id bigint not null references boards on delete cascade,
  version int not null,
  name text not null,
  layout jsonb not null,
  tiles int not null,
  machine_type text,
  at timestamptz not null,
  by_user_id bigint references users on delete set null,
  primary key (board_id, version)
);
create index board_versions_by on board_versions (by_user_id);

-- The people who have a board open: they are told of its changes.
create table board_viewers (
  board_id bigint not null references boards on delete cascade,
  user_id bigint not null references users on delete cascade,
  seen_at timestamptz not null,
  primary key (board_id, user_id)
);
create index board_viewers_user on board_viewers (user_id);
create index board_viewers_seen on board_viewers (seen_at);

create table board_templates (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  machine_type text not null,
  name text not null,
  layout jsonb not null,
  tiles int not null,
  updated_at timestamptz not null,
  check (num_nonnulls(user_id, enterprise_id) = 1),
  unique nulls not distinct (user_id, enterprise_id, machine_type, name)
);
create index board_templates_enterprise on board_templates (enterprise_id);
`

const views = `
create table views (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  name text not null,
  state jsonb not null,
  updated_at timestamptz not null,
  updated_by bigint references users on delete set null,
  check (num_nonnulls(user_id, enterprise_id) = 1)
);
create index views_user on views (user_id) where user_id is not null;
create index views_enterprise on views (enterprise_id) where enterprise_id is not null;
create index views_updated_by on views (updated_by);

create table annotations (
  id bigint generated always as identity primary key,
  from_at timestamptz not null,
  to_at timestamptz not null,
  text text not null,
  user_id bigint references users on delete set null,
  created_at timestamptz not null,
  versions_bytes bigint not null default 0,
  check (from_at <= to_at)
);
create index annotations_user on annotations (user_id);

create table annotation_machines (
  machine_id bigint not null references machines on delete cascade,
  annotation_id bigint not null references annotations on delete cascade,
  primary key (machine_id, annotation_id)
);
create index annotation_machines_annotation on annotation_machines (annotation_id);

-- The former texts of notes.
create table annotation_versions (
  id bigint generated always as identity primary key,
  annotation_id bigint not null references annotations on delete cascade,
  text text not null,
  replaced_at timestamptz not null
);
create index annotation_versions_annotation on annotation_versions (annotation_id, id);
`

// An export has the id of its job. At most one of a person is with a job at a time; the others wait here.
const exports = `
create table exports (
  id uuid primary key,
  user_id bigint not null references users on delete cascade,
  name text not null,
  wish jsonb not null,
  state text not null check (state in ('waiting', 'running', 'ready', 'failed', 'cancelled')),
  progress float8 not null default 0,
  rows bigint,
  damaged int not null default 0,
  file_id bigint references files on delete set null,
  reason text not null default '',
  created_at timestamptz not null,
  ended_at timestamptz
);
create index exports_user on exports (user_id, created_at);
create index exports_open on exports (user_id) where state in ('waiting', 'running');
create index exports_file on exports (file_id);
create index exports_created on exports (created_at);
`

// `due_at` of a run is null where a person asked for it. A scheduled time has one run.
const reports = `
create table reports (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  name text not null,
  content jsonb not null,
  every text not null check (every in ('day', 'week', 'month')),
  weekday smallint not null check (weekday between 1 and 7),
  month_day smallint not null check (month_day between 0 and 28),
  hour smallint not null check (hour between 0 and 23),
  time_zone text not null,
  formats text[] not null check (cardinality(formats) > 0),
  lang text not null check (lang in ('cn', 'en')),
  next_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by bigint references users on delete set null,
  check (num_nonnulls(user_id, enterprise_id) = 1)
);
create index reports_user on reports (user_id) where user_id is not null;
create index reports_enterprise on reports (enterprise_id) where enterprise_id is not null;
create index reports_updated_by on reports (updated_by);
create index reports_next on reports (next_at) where next_at is not null;

create table report_recipients (
  report_id bigint not null references reports on delete cascade,
  user_id bigint references users on delete cascade,
  contact_id bigint references alarm_contacts on delete cascade,
  check (num_nonnulls(user_id, contact_id) = 1),
  unique nulls not distinct (report_id, user_id, contact_id)
);
create index report_recipients_user on report_recipients (user_id);
create index report_recipients_contact on report_recipients (contact_id);

create table report_runs (
  id bigint generated always as identity primary key,
  report_id bigint not null references reports on delete cascade,
  due_at timestamptz,
  asked_by bigint references users on delete set null,
  is_sent boolean not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'making', 'done', 'failed')),
  attempt int not null default 0,
  error text,
  left_out jsonb not null default '{}',
  queued_at timestamptz not null,
  ended_at timestamptz,
  unique (report_id, due_at)
);
create index report_runs_report on report_runs (report_id, id desc);
create index report_runs_asked_by on report_runs (asked_by);
create index report_runs_open on report_runs (id) where state in ('waiting', 'making');

-- What one reader or several get: with the same devices under the same names, in one language.
create table report_versions (
  id bigint generated always as identity primary key,
  run_id bigint not null references report_runs on delete cascade,
  is_own boolean not null,
  machine_ids bigint[] not null
);
create index report_versions_run on report_versions (run_id);

create table report_files (
  id bigint generated always as identity primary key,
  version_id bigint not null references report_versions on delete cascade,
  format text not null check (format in ('pdf', 'xlsx', 'csv')),
  file_id bigint references files on delete set null,
  name text not null,
  bytes bigint not null
);
create index report_files_version on report_files (version_id);
create index report_files_file on report_files (file_id);

create table report_deliveries (
  id bigint generated always as identity primary key,
  run_id bigint not null references report_runs on delete cascade,
  version_id bigint references report_versions on delete set null,
  user_id bigint references users on delete cascade,
  contact_id bigint references alarm_contacts on delete cascade,
  state text not null check (state in
    ('sent', 'link', 'tooLarge', 'noRight', 'noEmail', 'left', 'asked', 'off', 'limited')),
  unseen int not null default 0,
  check (num_nonnulls(user_id, contact_id) = 1)
);
create index report_deliveries_run on report_deliveries (run_id);
create index report_deliveries_version on report_deliveries (version_id);
create index report_deliveries_user on report_deliveries (user_id);
create index report_deliveries_contact on report_deliveries (contact_id);
`

// The agent knows a change by `change_id` and decides what becomes of it.
const agentConfig = `
create table agent_config_changes (
  id bigint generated always as identity primary key,
  machine_id bigint not null references machines on delete cascade,
  change_id uuid not null unique,
  revision int not null check (revision > 0),
  restored_from int,
  user_id bigint references users on delete set null,
  at timestamptz not null,
  connections int not null,
  tags int not null,
  result text check (result in ('applied', 'rolledBack')),
  reason text not null default ''
);
create index agent_config_changes_machine on agent_config_changes (machine_id, at);
create index agent_config_changes_user on agent_config_changes (user_id);
`

// `stored_bytes` is also the lock of a space: those who keep something in it wait for one another. A row of a person or an
// enterprise would be waited for by others as well.
const storedBytes = `
create table stored_bytes (
  id bigint generated always as identity primary key,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  bytes bigint not null,
  check (num_nonnulls(user_id, enterprise_id) = 1),
  unique nulls not distinct (user_id, enterprise_id)
);
create index stored_bytes_enterprise on stored_bytes (enterprise_id);

create table storage_budgets (
  is_only boolean primary key default true check (is_only),
  person_bytes bigint not null default 104857600,
  enterprise_bytes bigint not null default 1073741824
);
insert into storage_budgets default values;

-- An addition beyond the budget fails with the SQLSTATE BB001, which stored-bytes.ts knows.
create function keep_bytes(of_user bigint, of_enterprise bigint, change bigint) returns void language plpgsql as $$
declare
  kept bigint;
  most bigint;
begin
  if num_nonnulls(of_user, of_enterprise) = 0 then return; end if;
  if change < 0 then
    update stored_bytes set bytes = bytes + change where user_id = of_user;
    update stored_bytes set bytes = bytes + change where enterprise_id = of_enterprise;
  elsif change > 0 then
    insert into stored_bytes as stored (user_id, enterprise_id, bytes) values (of_user, of_enterprise, change)
      on conflict (user_id, enterprise_id) do update set bytes = stored.bytes + excluded.bytes
      returning bytes into kept;
    select case when of_user is null then enterprise_bytes else person_bytes end into most from storage_budgets where is_only;
    if kept > most then
      raise exception 'stored bytes: % of %', kept, most using errcode = 'BB001', detail =
        json_build_object('bytesMax', most, 'isEnterprise', of_user is null)::text;
    end if;
  end if;
end $$;
`

const subjects = ['machine', 'user', 'enterprise'] as const
type Subject = (typeof subjects)[number]

/** One note for each subject of a statement; of an updated row one for what it was and what it is. */
const notesOf = (subject: Subject) => `
create function note_${subject}s_of_rows() returns trigger language plpgsql as $$
begin
  insert into machine_list_changes (${subject}_id) select distinct ${subject}_id from changed;
  return null;
end $$;

create function note_${subject}_of_row() returns trigger language plpgsql as $$
begin
  insert into machine_list_changes (${subject}_id) values (new.${subject}_id);
  if old.${subject}_id <> new.${subject}_id then
    insert into machine_list_changes (${subject}_id) values (old.${subject}_id);
  end if;
  return null;
end $$;

create function note_${subject}_itself() returns trigger language plpgsql as $$
begin
  insert into machine_list_changes (${subject}_id) values (new.id);
  return null;
end $$;
`

interface Noted {
  readonly table: string
  readonly note: Subject
  /** Columns that a list shows or follows from; an update of the others is not noted. */
  readonly changed: readonly string[]
}

const noted: readonly Noted[] = [
  {
    table: 'machine_list_entries',
    note: 'user',
    changed: ['user_id', 'machine_id', 'name', 'remark', 'key_tag_id'],
  },
  { table: 'machine_groups', note: 'user', changed: ['user_id', 'name'] },
  { table: 'machine_list_entry_groups', note: 'user', changed: ['user_id', 'machine_id', 'group_id'] },
  {
    table: 'machine_grants',
    note: 'user',
    changed: ['id', 'machine_id', 'user_id', 'role', 'until', 'read_only', 'alarms'],
  },
  { table: 'machine_blacklist', note: 'user', changed: ['machine_id', 'user_id'] },
  {
    table: 'applications',
    note: 'user',
    changed: ['machine_id', 'user_id', 'kind', 'state', 'expires_at', 'ended_at'],
  },
  { table: 'enterprise_members', note: 'user', changed: ['enterprise_id', 'user_id', 'role', 'rights'] },
  { table: 'enterprise_team_members', note: 'user', changed: ['team_id', 'enterprise_id', 'user_id'] },
  { table: 'enterprise_teams', note: 'enterprise', changed: ['enterprise_id', 'kind'] },
  { table: 'enterprise_groups', note: 'enterprise', changed: ['enterprise_id', 'name'] },
  {
    table: 'enterprise_machines',
    note: 'enterprise',
    changed: ['enterprise_id', 'machine_id', 'kind', 'name', 'remark', 'group_id', 'added_at'],
  },
  { table: 'enterprise_machines', note: 'machine', changed: ['enterprise_id', 'machine_id', 'kind'] },
  {
    table: 'enterprise_team_machines',
    note: 'machine',
    changed: ['team_id', 'enterprise_id', 'machine_id'],
  },
  {
    table: 'maintenance_windows',
    note: 'machine',
    changed: ['enterprise_id', 'machine_id', 'start_at', 'stop_at', 'scopes', 'state'],
  },
  {
    table: 'alarms',
    note: 'machine',
    changed: ['machine_id', 'level', 'raised_at', 'received_at', 'cleared_at', 'confirmed_at'],
  },
  {
    table: 'machine_connections',
    note: 'machine',
    changed: ['machine_id', 'started_at', 'ended_at', 'node_id'],
  },
  { table: 'lost_spans', note: 'machine', changed: ['machine_id', 'from_at', 'to_at'] },
  {
    table: 'tags',
    note: 'machine',
    changed: ['machine_id', 'name', 'type', 'label', 'unit', 'scale', 'is_key', 'retired_at'],
  },
  { table: 'tag_settings', note: 'machine', changed: ['settings'] },
]

// What is looked at for each updated row costs no call where nothing that counts has changed.
const triggers = ({ table, note, changed }: Noted) => {
  const row = (version: string) => `(${changed.map((column) => `${version}.${column}`).join(', ')})`
  return `
create trigger ${table}_list_${note}_inserts after insert on ${table}
  referencing new table as changed for each statement execute function note_${note}s_of_rows();
create trigger ${table}_list_${note}_updates after update on ${table}
  for each row when (${row('old')} is distinct from ${row('new')}) execute function note_${note}_of_row();
create trigger ${table}_list_${note}_deletes after delete on ${table}
  referencing old table as changed for each statement execute function note_${note}s_of_rows();`
}

// Attributes are kilobytes, and only lists of enterprises show some of them.
const machineLists = `
create function note_attributes() returns trigger language plpgsql as $$
begin
  insert into machine_list_changes (machine_id, attributes_only) values (new.id, true);
  return null;
end $$;

create trigger machines_list_changes after update of
  code, type, model, name, check_type, cloud_service, password_hash, owner_user_id, owner_enterprise_id, owned_since,
  lat, lng, address, location_type, location_way, project_image on machines
  for each row when (
    (old.code, old.type, old.model, old.name, old.check_type, old.cloud_service, old.password_hash is null,
     old.owner_user_id, old.owner_enterprise_id, old.owned_since, old.lat, old.lng, old.address, old.location_type,
     old.location_way, old.project_image)
    is distinct from
    (new.code, new.type, new.model, new.name, new.check_type, new.cloud_service, new.password_hash is null,
     new.owner_user_id, new.owner_enterprise_id, new.owned_since, new.lat, new.lng, new.address, new.location_type,
     new.location_way, new.project_image))
  execute function note_machine_itself();
create trigger machines_list_attributes after update of attributes on machines
  for each row when (old.attributes is distinct from new.attributes) execute function note_attributes();

create trigger users_list_changes after update of leaves_at on users
  for each row when (old.leaves_at is distinct from new.leaves_at) execute function note_user_itself();
create trigger enterprises_list_changes after update of state on enterprises
  for each row when (old.state is distinct from new.state) execute function note_enterprise_itself();
`

interface Versioned {
  readonly table: string
  readonly versions: string
  readonly key: string
  /** The bytes of a version's contents. */
  readonly bytes: string
}

const versioned: readonly Versioned[] = [
  {
    table: 'boards',
    versions: 'board_versions',
    key: 'board_id',
    bytes: 'octet_length(name) + octet_length(layout::text)',
  },
  {
    table: 'annotations',
    versions: 'annotation_versions',
    key: 'annotation_id',
    bytes: 'octet_length(text)',
  },
]

// Versions count with the row of their thing, which is gone before they are when it is deleted.
const versionsOf = ({ table, versions, key, bytes }: Versioned) => {
  const change = (rows: string, sign: string) => `
    update ${table} set versions_bytes = versions_bytes ${sign} change from (
      select ${key}, sum(256 + ${bytes}) as change from ${rows} group by 1
    ) changed where ${table}.id = changed.${key};`
  return `
create function keep_bytes_of_${versions}() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then ${change('came', '+')}
  else ${change('gone', '-')}
  end if;
  return null;
end $$;
create trigger ${versions}_bytes_inserts after insert on ${versions}
  referencing new table as came for each statement execute function keep_bytes_of_${versions}();
create trigger ${versions}_bytes_deletes after delete on ${versions}
  referencing old table as gone for each statement execute function keep_bytes_of_${versions}();
`
}

interface Counted {
  readonly table: string
  /** The enterprise that a row belongs to instead of a person. */
  readonly enterprise: 'enterprise_id' | 'null::bigint'
  /** The bytes of a row's contents. */
  readonly bytes: string
}

const ofSpace = (table: string, content: string, more = ''): Counted => ({
  table,
  enterprise: 'enterprise_id',
  bytes: `octet_length(name) + octet_length(${content}::text)${more}`,
})
const ofPerson = (table: string, bytes: string): Counted => ({ table, enterprise: 'null::bigint', bytes })

const counted: readonly Counted[] = [
  ofSpace('boards', 'layout', ' + versions_bytes'),
  ofSpace('board_templates', 'layout'),
  ofSpace('views', 'state'),
  ofSpace('alarm_rule_templates', 'rules'),
  ofSpace('reports', 'content'),
  ofPerson('annotations', 'octet_length(text) + versions_bytes'),
  ofPerson('uploads', 'octet_length(content)'),
  ofPerson('exports', 'octet_length(name) + octet_length(wish::text)'),
]

/** Rows with the bytes that each of them takes; an empty row takes some, too. */
const changes = ({ enterprise, bytes }: Counted, rows: string, sign: '' | '-') =>
  `select user_id, ${enterprise} as enterprise_id, ${sign}(256 + ${bytes}) as change from ${rows}`

const sum = (rows: string) => `
    perform keep_bytes(user_id, enterprise_id, sum(change)::bigint) from (${rows}) changed
      group by user_id, enterprise_id order by user_id, enterprise_id;`

const triggersOf = (one: Counted) => `
create function keep_bytes_of_${one.table}() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then ${sum(changes(one, 'came', ''))}
  elsif tg_op = 'DELETE' then ${sum(changes(one, 'gone', '-'))}
  else ${sum(`${changes(one, 'came', '')} union all ${changes(one, 'gone', '-')}`)}
  end if;
  return null;
end $$;
create trigger ${one.table}_bytes_inserts after insert on ${one.table}
  referencing new table as came for each statement execute function keep_bytes_of_${one.table}();
create trigger ${one.table}_bytes_updates after update on ${one.table}
  referencing new table as came old table as gone for each statement execute function keep_bytes_of_${one.table}();
create trigger ${one.table}_bytes_deletes after delete on ${one.table}
  referencing old table as gone for each statement execute function keep_bytes_of_${one.table}();
`

// What happened to the alarms of 1.5.
const former = `
insert into alarm_events (alarm_id, machine_id, kind, at, received_at, user_id, level, raisings, count)
select id, machine_id, kind, at, received_at, user_id, level, raisings, count from (
  select id, machine_id, 'raised' as kind, raised_at as at, received_at, null::bigint as user_id, level, count as raisings, count,
    1 as place
  from alarms
  union all
  select id, machine_id, 'confirmed', confirmed_at, greatest(received_at, confirmed_at), confirmed_by, level, 0, count, 2
  from alarms where confirmed_at is not null
  union all
  select id, machine_id, 'cleared', cleared_at, greatest(received_at, cleared_at), null, level, 0, count, 3
  from alarms where cleared_at is not null
) as event
order by received_at, at, id, place;
`

// Names of 1.5 that differ from the shared one count as chosen.
const named = `
update machine_list_entries entry set is_named = true from machines
  where machines.id = entry.machine_id and machines.name <> entry.name
    and not starts_with(entry.name, machines.name || ' (');
`

// What people of 1.5 keep stays, also above a budget.
const kept = `
insert into stored_bytes (user_id, enterprise_id, bytes)
  select user_id, null, sum(256 + octet_length(content)) from uploads where user_id is not null group by 1;
`

const parts: readonly string[] = [
  people,
  machineTypes,
  leaving,
  references,
  transfers,
  handovers,
  messages,
  imports,
  epoch,
  facts,
  followers,
  userEvents,
  jobs,
  nodes,
  states,
  rates,
  listChanges,
  alarms,
  shelves,
  events,
  rules,
  stocks,
  deliveries,
  alarmSettings,
  contacts,
  escalations,
  notifications,
  links,
  stamps,
  chunks,
  averages,
  log,
  moves,
  databaseRole,
  retention,
  tagSettings,
  files,
  boards,
  views,
  exports,
  reports,
  agentConfig,
  storedBytes,
  ...subjects.map(notesOf),
  ...noted.map(triggers),
  machineLists,
  ...versioned.map(versionsOf),
  ...counted.map(triggersOf),
  former,
  named,
  kept,
]
