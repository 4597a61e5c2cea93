import { type Kysely, sql } from 'kysely'

/**
 * How far newest values are written of each log of samples: of its rows up to `latest_seq`, or of all rows of a log that
 * was ended. Null in logs of the version before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `alter table sample_log_positions add column latest_seq bigint,
         add column is_latest_whole boolean not null default false`,
    )
    .execute(db)
}
