import { sql } from 'kysely'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { Db } from './links-store.ts'
import { listMemberIds } from './members-store.ts'
import { levelReached, monthKey, rowsMaxOf } from './projects-rules.ts'

/** The rows that projects may still report this month. */
export interface Quota {
  /** How many rows each of these projects has left; those that do not exist are left out. */
  listLeft(db: Db, projectIds: readonly number[]): Promise<Map<number, number>>
  /**
   * Counts rows that were accepted, in the transaction that moves the cursor; answers how many of them the quota had
   * room for. At 80, 95 and 100 percent the members are told, each once a month.
   */
  take(trx: Db, projectId: number, rows: number): Promise<number>
}

const minuteMs = 60_000

export function createQuota({ facts, now }: { readonly facts: Pick<Facts, 'record'>; now(): number }): Quota {
  return {
    async listLeft(db, projectIds) {
      const { rows } = await sql<{ id: number; machines: number; rows: number }>`
        select project.id, coalesce(usage.rows, 0)::float8 as rows,
          (select count(*)::int from project_machines link where link.project_id = project.id) as machines
        from projects project
        left join project_usage usage on usage.project_id = project.id and usage.month = ${monthKey(now())}
        where project.id = any(${[...projectIds]}::bigint[])`.execute(db)
      return new Map(rows.map(({ id, machines, rows }) => [id, Math.max(0, rowsMaxOf(machines) - rows)]))
    },

    async take(trx, projectId, rows) {
      const at = now()
      const month = monthKey(at)
      const usage = await lockUsage(trx, projectId, month)
      if (!usage) return 0
      const rowsMax = rowsMaxOf(usage.machines)
      const taken = Math.min(rows, Math.max(0, rowsMax - usage.rows))
      const level = levelReached(usage.rows + taken, rowsMax, usage.told)
      if (taken === 0 && level === undefined) return 0
      await trx
        .updateTable('project_usage')
        .set(({ eb }) => ({ rows: eb('rows', '+', taken), ...(level === undefined ? {} : { told: level }) }))
        .where('project_id', '=', projectId)
        .where('month', '=', month)
        .execute()
      await countMinute(trx, projectId, new Date(at - (at % minuteMs)), taken)
      if (level !== undefined) {
        const told = await listMemberIds(trx, projectId)
        const fact = { kind: 'project.quotaReached', projectId, percent: level, told, by: null, at } as const
        await facts.record(trx, fact, { words: { name: usage.name } })
      }
      return taken
    },
  }
}

/** The usage of a month under its lock; undefined for a project that is gone. */
async function lockUsage(trx: Db, projectId: number, month: string) {
  await sql`
    insert into project_usage (project_id, month) select id, ${month} from projects where id = ${projectId}
    on conflict do nothing`.execute(trx)
  const { rows } = await sql<{ name: string; rows: number; told: number; machines: number }>`
    select project.name, usage.rows::float8 as rows, usage.told,
      (select count(*)::int from project_machines link where link.project_id = ${projectId}) as machines
    from project_usage usage join projects project on project.id = usage.project_id
    where usage.project_id = ${projectId} and usage.month = ${month} for no key update of usage`.execute(trx)
  return rows[0]
}

async function countMinute(trx: Db, projectId: number, minute: Date, rows: number): Promise<void> {
  await sql`
    insert into project_minutes as minutes (project_id, minute, rows) values (${projectId}, ${minute}, ${rows})
    on conflict (project_id, minute) do update set rows = minutes.rows + excluded.rows`.execute(trx)
}

/** Rows of each minute since an instant, the oldest first; minutes without rows are left out. */
export async function listMinutes(
  db: Db,
  projectId: number,
  since: Date,
): Promise<{ readonly at: Date; readonly rows: number }[]> {
  const { rows } = await sql<{ at: Date; rows: number }>`
    select minute as at, rows::float8 as rows from project_minutes
    where project_id = ${projectId} and minute >= ${since} order by minute`.execute(db)
  return rows
}

export async function removeOldMinutes(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('project_minutes').where('minute', '<', before).execute()
}
