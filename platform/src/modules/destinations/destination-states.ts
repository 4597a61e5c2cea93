import type { destinations as contract } from '@busbar/contract'
import { sql } from 'kysely'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { Db, LaneSettings } from './lanes-store.ts'

type Which = Pick<LaneSettings, 'destinationId' | 'projectId'>
type Recorder = Pick<Facts, 'record'>

/** Tells the members, once, that a destination has failed for long. */
export async function noteFailing(
  trx: Db,
  facts: Recorder,
  which: Which,
  { fault, at }: { readonly fault: contract.DestinationFault | null; readonly at: number },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('destinations')
    .set({ is_failure_told: true })
    .where('id', '=', which.destinationId)
    .where('is_failure_told', '=', false)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  const { of, aside } = await readFact(trx, which)
  await facts.record(trx, { kind: 'destination.failed', ...of, fault: fault ?? 'status', at }, aside)
}

/** A lane is well again; where all are, and the members were told of the failure, they are told of its end. */
export async function noteWell(trx: Db, facts: Recorder, which: Which, at: number): Promise<void> {
  const { numAffectedRows } = await sql`
    update destinations set is_failure_told = false
    where id = ${which.destinationId} and is_failure_told and not exists (
      select from destination_lanes lane
      where lane.destination_id = ${which.destinationId} and lane.failing_since is not null)`.execute(trx)
  if (!numAffectedRows) return
  const { of, aside } = await readFact(trx, which)
  await facts.record(trx, { kind: 'destination.recovered', ...of, at }, aside)
}

/** Switches a destination off for a reason of the platform, and tells the members. */
export async function switchOff(
  trx: Db,
  facts: Recorder,
  which: Which,
  { reason, at }: { readonly reason: contract.SwitchOffReason; readonly at: number },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('destinations')
    .set({ state: 'switchedOff', switched_off: reason, is_failure_told: false })
    .where('id', '=', which.destinationId)
    .where('state', '=', 'on')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  const { of, aside } = await readFact(trx, which)
  await facts.record(trx, { kind: 'destination.switchedOff', ...of, reason, at }, aside)
}

/** Adds a span of which rows were gone to that which a replay is offered for. */
export async function noteGap(
  trx: Db,
  destinationId: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  await sql`
    update destinations set gaps = gaps + 1, gap_from = least(gap_from, ${new Date(from)}),
      gap_to = greatest(gap_to, ${new Date(to)})
    where id = ${destinationId}`.execute(trx)
}

async function readFact(trx: Db, { destinationId, projectId }: Which) {
  const { rows } = await sql<{ name: string; project: string; enterpriseId: number | null; told: number[] }>`
    select destination.name, project.name as project, project.enterprise_id as "enterpriseId",
      array(select member.user_id from project_members member
        where member.project_id = project.id and member.accepted_at is not null) as told
    from destinations destination join projects project on project.id = destination.project_id
    where destination.id = ${destinationId}`.execute(trx)
  const { name, project, enterpriseId, told = [] } = rows[0] ?? {}
  const of = { projectId, destinationId, told, by: null, ...(enterpriseId && { enterpriseId }) }
  return { of, aside: { words: { name: project, destination: name } } }
}
