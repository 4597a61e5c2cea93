import { type Kysely, sql } from 'kysely'

/** Imports of machines as jobs, with the secrets that nobody has saved yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(imports).execute(db)
}

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
