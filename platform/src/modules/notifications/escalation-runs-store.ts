import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { AttentionEnd } from '../alarms/index.ts'

type Db = Kysely<DB>

/** Why a run ended; `done`: after its last step, `settings`: none of its steps is left. */
export type RunEnd = AttentionEnd | 'done' | 'settings'

/** A run whose step is due. */
export interface DueRun {
  readonly alarmId: number
  readonly machineId: number
  /** The fact that began the run. */
  readonly factId: number
  /** The step, counted from 1. */
  readonly step: number
}

/** Begins runs; an alarm gets at most one. */
export async function startRuns(
  trx: Db,
  runs: readonly (Omit<DueRun, 'step'> & { readonly dueAt: Date })[],
): Promise<void> {
  if (runs.length === 0) return
  await trx
    .insertInto('alarm_escalation_runs')
    .values(
      runs.map(({ alarmId, machineId, factId, dueAt }) => ({
        alarm_id: alarmId,
        machine_id: machineId,
        fact_id: factId,
        step: 1,
        due_at: dueAt,
      })),
    )
    .onConflict((conflict) => conflict.column('alarm_id').doNothing())
    .execute()
}

/** Runs that are due, locked; those that another process holds are left to it. */
export async function claimRuns(trx: Db, at: Date, max: number): Promise<DueRun[]> {
  const { rows } = await sql<DueRun>`
    select alarm_id as "alarmId", machine_id as "machineId", fact_id as "factId", step
    from alarm_escalation_runs where ended_at is null and due_at <= ${at}
    order by alarm_id limit ${max} for update skip locked`.execute(trx)
  return rows
}

/** Runs of machines that go on. */
export async function listOpenRuns(trx: Db, machineIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select alarm_id as id from alarm_escalation_runs
    where ended_at is null and machine_id = any(${[...machineIds]}::bigint[]) order by alarm_id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Runs of alarms that go on. */
export async function listOpenRunsOf(trx: Db, alarmIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select alarm_id as id from alarm_escalation_runs
    where ended_at is null and alarm_id = any(${[...alarmIds]}::bigint[]) order by alarm_id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Ends runs, each for its reason. */
export async function endRuns(trx: Db, ends: ReadonlyMap<number, RunEnd>, at: Date): Promise<void> {
  if (ends.size === 0) return
  await sql`
    update alarm_escalation_runs run set ended_at = ${at}, end_reason = ended.reason
    from unnest(${[...ends.keys()]}::bigint[], ${[...ends.values()]}::text[]) as ended (alarm_id, reason)
    where run.alarm_id = ended.alarm_id and run.ended_at is null`.execute(trx)
}

/** Sets when the next step of runs is due. */
export async function advanceRuns(
  trx: Db,
  runs: readonly { readonly alarmId: number; readonly step: number; readonly dueAt: Date }[],
): Promise<void> {
  if (runs.length === 0) return
  await sql`
    update alarm_escalation_runs run set step = next.step, due_at = next.due_at
    from unnest(${runs.map(({ alarmId }) => alarmId)}::bigint[], ${runs.map(({ step }) => step)}::int[],
      ${runs.map(({ dueAt }) => dueAt)}::timestamptz[]) as next (alarm_id, step, due_at)
    where run.alarm_id = next.alarm_id`.execute(trx)
}

/** Ends the runs of a machine: it changes hands. */
export async function endRunsOfMachine(trx: Db, machineId: number, at: Date): Promise<void> {
  const ids = await listOpenRuns(trx, [machineId])
  await endRuns(trx, new Map(ids.map((id) => [id, 'owner'])), at)
}
