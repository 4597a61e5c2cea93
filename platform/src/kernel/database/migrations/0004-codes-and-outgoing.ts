import { type Kysely, sql } from 'kysely'

/** Messages that leave the platform, and the codes, tickets and registrations that hang on them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(outgoing).execute(db)
  await sql.raw(codes).execute(db)
}

const outgoing = `
create table outgoing (
  id bigint generated always as identity primary key,
  brand_id bigint not null default 1,
  kind text not null check (kind in ('sms', 'email')),
  country_code text,
  recipient text not null,
  lang text check (lang in ('cn', 'en')),
  subject text not null default '',
  text text not null,
  html text not null default '',
  params jsonb not null default '{}',
  state text not null check (state in ('queued', 'sent', 'kept', 'failed', 'withheld')),
  tries int not null default 0,
  next_try_at timestamptz not null,
  error text not null default '',
  created_at timestamptz not null,
  sent_at timestamptz,
  check ((kind = 'sms') = (country_code is not null)),
  check ((state = 'sent') = (sent_at is not null))
);
create index outgoing_queued on outgoing (next_try_at) where state = 'queued';
create index outgoing_created on outgoing (created_at);
`

const codes = `
create table registrations (
  id bigint generated always as identity primary key,
  browser_hash bytea not null check (octet_length(browser_hash) = 32),
  account_hash bytea not null,
  country_code text,
  phone text,
  email text,
  name text not null,
  password_hash text not null,
  lang text not null check (lang in ('cn', 'en')),
  hide_map boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check (num_nonnulls(phone, email) = 1),
  check ((phone is null) = (country_code is null))
);
create index registrations_browser on registrations (browser_hash, account_hash);
create index registrations_expiry on registrations (expires_at);

create table codes (
  id bigint generated always as identity primary key,
  account_hash bytea not null,
  address text not null,
  purpose text not null
    check (purpose in ('register', 'login', 'resetPassword', 'changeAccount', 'twoFactor')),
  code_hash bytea not null check (octet_length(code_hash) = 32),
  browser_hash bytea,
  registration_id bigint references registrations on delete set null,
  wrong_tries int not null default 0,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index codes_account on codes (account_hash, sent_at);
create index codes_address on codes (address, sent_at);
create index codes_registration on codes (registration_id);
create index codes_sent on codes (sent_at);

create table code_failures (
  id bigint generated always as identity primary key,
  account_hash bytea not null,
  at timestamptz not null
);
create index code_failures_account on code_failures (account_hash, at);
create index code_failures_at on code_failures (at);

create table code_tickets (
  ticket_hash bytea primary key check (octet_length(ticket_hash) = 32),
  account_hash bytea not null,
  purpose text not null,
  expires_at timestamptz not null
);
create index code_tickets_expiry on code_tickets (expires_at);
`
