import { type Kysely, sql } from 'kysely'

/** How people sign in beyond a password: second factors, challenges, QR codes; whom they know. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(sessions).execute(db)
  await sql.raw(factors).execute(db)
  await sql.raw(friends).execute(db)
}

const sessions = `
alter table sessions add column brand_id bigint not null default 1;
alter table users add column notify_new_terminal boolean not null default true;

create table known_terminals (
  user_id bigint not null references users on delete cascade,
  terminal_uuid text not null,
  seen_at timestamptz not null,
  primary key (user_id, terminal_uuid)
);
insert into known_terminals (user_id, terminal_uuid, seen_at)
  select user_id, terminal_uuid, max(last_seen_at) from sessions group by user_id, terminal_uuid;
`

const factors = `
create table second_factors (
  user_id bigint primary key references users on delete cascade,
  secret_sealed bytea not null,
  last_step bigint not null default 0,
  created_at timestamptz not null,
  confirmed_at timestamptz
);

create table recovery_codes (
  user_id bigint not null references second_factors on delete cascade,
  code_hash bytea not null check (octet_length(code_hash) = 32),
  primary key (user_id, code_hash)
);

create table login_challenges (
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  account_hash bytea not null,
  kind text not null check (kind in ('code', 'totp')),
  code_given boolean not null default false,
  tries int not null default 0,
  expires_at timestamptz not null
);
create index login_challenges_expiry on login_challenges (expires_at);

create table qr_logins (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  redeem_hash bytea not null check (octet_length(redeem_hash) = 32),
  brand_id bigint not null,
  terminal_uuid text not null,
  terminal_name text not null,
  terminal_os text,
  address text not null,
  state text not null default 'waiting' check (state in ('waiting', 'scanned', 'confirmed', 'cancelled', 'redeemed')),
  session_id bigint references sessions on delete cascade,
  expires_at timestamptz not null,
  check ((state = 'waiting') = (session_id is null))
);
create index qr_logins_expiry on qr_logins (expires_at);
create index qr_logins_session on qr_logins (session_id);
`

const friends = `
create table friends (
  user_id bigint not null references users on delete cascade,
  friend_id bigint not null references users on delete cascade,
  remark text not null default '',
  created_at timestamptz not null,
  primary key (user_id, friend_id),
  check (user_id <> friend_id)
);
create index friends_friend on friends (friend_id);
`
