import { type Kysely, sql } from 'kysely'

/** The people and the enterprises that a board is shared with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table board_shares (
  id bigint generated always as identity primary key,
  board_id bigint not null references boards on delete cascade,
  user_id bigint references users on delete cascade,
  enterprise_id bigint references enterprises on delete cascade,
  access text not null check (access in ('look', 'edit')),
  at timestamptz not null,
  by_user_id bigint references users on delete set null,
  check (num_nonnulls(user_id, enterprise_id) = 1),
  unique nulls not distinct (board_id, user_id, enterprise_id)
);
create index board_shares_user on board_shares (user_id) where user_id is not null;
create index board_shares_enterprise on board_shares (enterprise_id) where enterprise_id is not null;
create index board_shares_by on board_shares (by_user_id);
`)
    .execute(db)
}
