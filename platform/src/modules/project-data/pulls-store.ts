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

/** The person who owns a project. */
export async function findOwner(db: Db, projectId: number): Promise<number> {
  const row = await db
    .selectFrom('project_members')
    .select('user_id as userId')
    .where('project_id', '=', projectId)
    .where('level', '=', 3)
    .executeTakeFirst()
  return row?.userId ?? 0
}

/** Answers how many rows of a project's last pages are not counted yet; the caller counts them in this transaction. */
export async function takeGiven(trx: Db, projectId: number): Promise<number> {
  const { rows } = await sql<{ given: number }>`
    with given as (
      select machine_code, given_rows from project_pulls
      where project_id = ${projectId} and given_rows > 0 order by machine_code for update
    )
    update project_pulls pull set counted_no = pull.given_no, given_rows = 0 from given
    where pull.project_id = ${projectId} and pull.machine_code = given.machine_code
    returning given.given_rows as given`.execute(trx)
  return rows.reduce((sum, { given }) => sum + given, 0)
}

/** Notes the rows that go out, by their numbers; those that were counted before are left out. */
export async function noteGiven(
  db: Db,
  { projectId, machineCode }: PullScope,
  epoch: string,
  numbers: readonly number[],
): Promise<void> {
  await sql`
    insert into project_pulls as pull (project_id, machine_code, epoch, counted_no, given_no, given_rows)
    values (${projectId}, ${machineCode}, ${epoch}, 0, ${numbers.at(-1)}, ${numbers.length})
    on conflict (project_id, machine_code) do update set
      epoch = excluded.epoch,
      counted_no = case when pull.epoch = excluded.epoch then pull.counted_no else 0 end,
      given_no = excluded.given_no,
      given_rows = (
        select count(*) from unnest(${numbers}::bigint[]) no
        where pull.epoch <> excluded.epoch or no > pull.counted_no
      )
    where pull.epoch <> excluded.epoch or pull.given_no < excluded.given_no`.execute(db)
}
