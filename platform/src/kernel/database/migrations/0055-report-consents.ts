import { type Kysely, sql } from 'kysely'

/**
 * Lets an owner's contacts be people with an account, whom a report asks as a contact is asked, and keeps of removed
 * contacts by a keyed hash that they left.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
  await sql.raw(agreed).execute(db)
}

// A contact with an account has the name and the address of the account; its own are empty.
const tables = `
alter table alarm_contacts add column account_id bigint references users on delete cascade;
drop index alarm_contacts_email;
create unique index alarm_contacts_email
  on alarm_contacts (coalesce(user_id, 0), coalesce(enterprise_id, 0), lower(email)) where account_id is null;
create unique index alarm_contacts_account
  on alarm_contacts (account_id, coalesce(user_id, 0), coalesce(enterprise_id, 0)) where account_id is not null;

alter table alarm_contact_asks add column is_report boolean not null default false;

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

alter table report_deliveries drop constraint report_deliveries_state_check;
alter table report_deliveries add constraint report_deliveries_state_check check (state in
  ('sent', 'link', 'tooLarge', 'noRight', 'noEmail', 'left', 'asked', 'off', 'limited'));
`

// Recipients of before who belong to the report's owner, to a colleague's enterprise, or have a key of one of its
// machines have agreed. The next run asks the others.
const agreed = `
insert into alarm_contacts (user_id, enterprise_id, account_id, name, email, lang, asked_at, confirmed_at, created_at)
select distinct reports.user_id, reports.enterprise_id, users.id, '', '',
  case when users.lang = 'en' then 'en' else 'cn' end, now(), now(), now()
from report_recipients recipient
join reports on reports.id = recipient.report_id
join users on users.id = recipient.user_id
where users.id = reports.user_id
  or exists (select from enterprise_members member
    where member.enterprise_id = reports.enterprise_id and member.user_id = users.id)
  or exists (select from enterprise_members owner
    join enterprise_members colleague on colleague.enterprise_id = owner.enterprise_id
    where owner.user_id = reports.user_id and colleague.user_id = users.id)
  or exists (select from machines
    where machines.id in (select id::bigint from jsonb_array_elements_text(reports.content->'machineIds') as id)
      and (machines.owner_user_id = users.id
        or exists (select from machine_grants grants
          where grants.machine_id = machines.id and grants.user_id = users.id and grants.role = 'bkey')
        or exists (select from enterprise_members holder
          where holder.enterprise_id = machines.owner_enterprise_id and holder.user_id = users.id)))
`
