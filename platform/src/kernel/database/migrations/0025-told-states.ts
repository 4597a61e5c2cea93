import { type Kysely, sql } from 'kysely'

/** What the last telling of each machine's state had read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(told).execute(db)
}

// `seen`: the snapshot (pg_snapshot) that the telling read; its transactions are those of the epoch.
const told = `
create table machine_states_told (
  machine_id bigint primary key,
  epoch int,
  seen text
) with (fillfactor = 50);
`
