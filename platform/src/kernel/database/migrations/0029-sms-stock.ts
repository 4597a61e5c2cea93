import { type Kysely, sql } from 'kysely'

/** Stocks of SMS segments with every change of them, and what became of messages on their way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(stocks).execute(db)
  await sql.raw(deliveries).execute(db)
}

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

// A part is one SMS of a long message, by the id that its provider gave it; its receipt may come before the row that
// says which message it belongs to, and then stands for itself.
const deliveries = `
alter table outgoing
  add column notification_id bigint,
  add column purpose text not null default 'notice' check (purpose in ('code', 'notice', 'alarm', 'digest')),
  add column unsubscribe_url text not null default '',
  add column mail_token text not null default '',
  add column delivery text check (delivery in ('delivered', 'failed'));
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
