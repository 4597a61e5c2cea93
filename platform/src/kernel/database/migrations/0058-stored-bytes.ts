import { type Kysely, sql } from 'kysely'

/** Counts the bytes that people and enterprises keep, and refuses more than their budgets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(tables).execute(db)
  await sql.raw(indexes).execute(db)
  for (const one of versioned) await sql.raw(versionsOf(one)).execute(db)
  for (const table of counted) await sql.raw(triggersOf(table)).execute(db)
  await sql.raw(present).execute(db)
  await sql.raw(displaced).execute(db)
}

// `stored_bytes` is also the lock of a space: those who keep something in it wait for one another. A row of a person or an
// enterprise would be waited for by others as well.
const tables = `
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

const indexes = `
create index boards_user_deleted on boards (user_id, deleted_at desc, id desc) where deleted_at is not null;
create index boards_enterprise_deleted on boards (enterprise_id, deleted_at desc, id desc)
  where deleted_at is not null;
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
alter table ${table} add column versions_bytes bigint not null default 0;
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
${change(versions, '+')}
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

// What is there already stays, also above a budget.
const present = `
insert into stored_bytes (user_id, enterprise_id, bytes)
  select user_id, enterprise_id, sum(change) from (
    ${counted.map((one) => changes(one, one.table, '')).join('\n    union all ')}
  ) kept where num_nonnulls(user_id, enterprise_id) = 1 group by 1, 2;
`

// Exports go before their time where others need their room.
const displaced = `
alter table files drop constraint files_state_check,
  add constraint files_state_check check (state in ('writing', 'ready', 'failed', 'expired', 'displaced'));
create index files_bytes on files (purpose, user_id, enterprise_id, bytes) where state in ('writing', 'ready');
`
