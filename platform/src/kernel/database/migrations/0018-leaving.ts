import { type Kysely, sql } from 'kysely'

/** People and enterprises that leave for good, and machines handed to an enterprise or by one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(leaving).execute(db)
  await sql.raw(references).execute(db)
  await sql.raw(transfers).execute(db)
}

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
