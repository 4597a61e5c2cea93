import { type Kysely, sql } from 'kysely'

/** Stocks of SMS segments, and every change of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(stocks).execute(db)
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
