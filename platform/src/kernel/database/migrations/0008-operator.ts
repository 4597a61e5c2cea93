import { type Kysely, sql } from 'kysely'

/** What the back office stands on: the sealed audit log, requests to register a SCADA computer, and its searches. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(audit).execute(db)
  await sql.raw(scada).execute(db)
  await sql.raw(searches).execute(db)
}

const audit = `
create table audit_batches (
  id bigint primary key check (id > 0),
  entries int not null check (entries > 0),
  key_id text not null,
  mac bytea not null check (octet_length(mac) = 32),
  sealed_at timestamptz not null
);

create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  actor_user_id bigint,
  action text not null check (action ~ '^[a-z][A-Za-z0-9.-]{0,63}$'),
  target text not null,
  address text not null,
  terminal text not null default '',
  result text not null check (result in ('ok', 'refused')),
  detail jsonb not null default '{}',
  batch_id bigint references audit_batches
);
create index audit_entries_open on audit_entries (id) where batch_id is null;
create index audit_entries_batch on audit_entries (batch_id, id);
create index audit_entries_actor on audit_entries (actor_user_id, id desc);
create index audit_entries_action on audit_entries (action text_pattern_ops, id desc);
create index audit_entries_address on audit_entries (address text_pattern_ops, id desc);
create index audit_entries_target on audit_entries (target text_pattern_ops, id desc);
create index audit_entries_at on audit_entries (at);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'audit_entries' then
    if old.batch_id is null and new.batch_id is not null
       and to_jsonb(old) - 'batch_id' = to_jsonb(new) - 'batch_id' then
      return new;
    end if;
  end if;
  raise exception 'the audit log is only ever added to';
end $$;
create trigger audit_entries_kept before update or delete on audit_entries
  for each row execute function refuse_audit_change();
create trigger audit_entries_not_emptied before truncate on audit_entries
  for each statement execute function refuse_audit_change();
create trigger audit_batches_kept before update or delete on audit_batches
  for each row execute function refuse_audit_change();
create trigger audit_batches_not_emptied before truncate on audit_batches
  for each statement execute function refuse_audit_change();
`

const scada = `
create table scada_requests (
  id bigint generated always as identity primary key,
  ticket_no text not null unique,
  brand_id bigint not null default 1,
  lang text not null check (lang in ('cn', 'en')),
  company text not null,
  phone text not null,
  email text not null,
  area text not null,
  project text not null,
  purpose text not null check (purpose in ('develop', 'run')),
  address text not null,
  created_at timestamptz not null,
  answered_at timestamptz,
  answered_by bigint references users,
  approved boolean,
  answer text,
  check (num_nulls(answered_at, answered_by, approved, answer) in (0, 4))
);
create index scada_requests_open on scada_requests (created_at) where answered_at is null;
create index scada_requests_email on scada_requests (email) where answered_at is null;
`

const searches = `
-- Every pair of neighbouring characters, and every single one beyond ASCII, which is a word in Chinese: a part of a text
-- has none that the text has not. Dear to compute, and the planner has to know: it asks an index, not row after row.
create function search_grams(given text) returns text[]
  language sql immutable strict parallel safe cost 1000 as $$
    select coalesce(array_agg(distinct gram), '{}')
    from generate_series(1, length(given)) place,
         lateral (values (substr(given, place, 1)), (substr(given, place, 2))) grams (gram)
    where length(gram) = 2 or ascii(gram) > 127
  $$;

alter table users add column search_text text not null generated always as (
  lower(name) || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '')
) stored;
create index users_search on users using gin (search_grams(search_text));
create index users_locked on users (id) where state = 'locked';
create index users_operators on users (id) where is_operator;
create index users_created on users (created_at);
create index machines_search on machines using gin (search_grams(lower(code || ' ' || name || ' ' || model)));
create index outgoing_search on outgoing using gin (search_grams(lower(recipient)));
`
