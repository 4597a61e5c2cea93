import { type Kysely, sql } from 'kysely'

/** Finds averages that are past their time without reading those of every tag. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index sample_averages_old on sample_averages (step, hour)`.execute(db)
}
