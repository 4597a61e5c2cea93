import { type Kysely, sql } from 'kysely'

/** The devices of an enterprise that is to be deleted are handed to a person or an enterprise that accepted before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(handovers).execute(db)
  await sql.raw(messages).execute(db)
}

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
  add column handover_id bigint references enterprise_handovers on delete set null;
create index messages_handover on messages (handover_id) where handover_id is not null;
`
