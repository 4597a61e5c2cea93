import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { PullScope } from './pull-cursor.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** Whether a project reports; undefined when it is gone. */
export async function isReporting(db: Db, projectId: number): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('projects')
    .select(sql<boolean>`is_reporting and not is_stopped_by_operator`.as('isReporting'))
    .where('id', '=', projectId)
    .executeTakeFirst()
  return row?.isReporting
}

/** Notes that rows up to a number are counted; false when they were before. */
export async function advanceCounted(
  trx: Db,
  { projectId, machineCode }: PullScope,
  epoch: string,
  no: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into project_pulls as pull (project_id, machine_code, epoch, counted_no)
    values (${projectId}, ${machineCode}, ${epoch}, ${no})
    on conflict (project_id, machine_code) do update set epoch = excluded.epoch, counted_no = excluded.counted_no
    where pull.epoch <> excluded.epoch or pull.counted_no < excluded.counted_no`.execute(trx)
  return numAffectedRows === 1n
}
