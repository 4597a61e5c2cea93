import { alarmContacts as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { lockSpace } from '../spaces/index.ts'

type Db = Kysely<DB>

/** The machine or the enterprise whose alarms escalate. */
export type EscalationOf = { readonly machineId: number } | { readonly enterpriseId: number }

/** Stored steps; any other content counts as none. */
const readSteps = (steps: unknown): readonly contract.EscalationStep[] => {
  const read = contract.escalationSteps.safeParse(steps)
  return read.success ? read.data : []
}

const isOf = (of: EscalationOf) =>
  'machineId' in of ? sql`machine_id = ${of.machineId}` : sql`enterprise_id = ${of.enterpriseId}`

/** The steps of a machine or an enterprise itself; undefined without any. */
export async function findSteps(
  db: Db,
  of: EscalationOf,
): Promise<readonly contract.EscalationStep[] | undefined> {
  const { rows } = await sql<{
    steps: unknown
  }>`select steps from alarm_escalations where ${isOf(of)}`.execute(db)
  return rows[0] && readSteps(rows[0].steps)
}

/** Replaces the steps of a machine or an enterprise; without any its row goes. */
export async function saveSteps(
  trx: Db,
  of: EscalationOf,
  steps: readonly contract.EscalationStep[],
): Promise<void> {
  // Two who save at the same time wait for each other.
  if ('machineId' in of)
    await sql`select from machines where id = ${of.machineId} for no key update`.execute(trx)
  else await lockSpace(trx, of)
  await sql`delete from alarm_escalations where ${isOf(of)}`.execute(trx)
  if (steps.length === 0) return
  await trx
    .insertInto('alarm_escalations')
    .values({
      machine_id: 'machineId' in of ? of.machineId : null,
      enterprise_id: 'enterpriseId' in of ? of.enterpriseId : null,
      steps: JSON.stringify(steps),
    })
    .execute()
}

/** The steps that hold for a machine, and the enterprise that owns it. */
export interface MachineSteps {
  readonly enterpriseId: number | null
  readonly isOwn: boolean
  readonly steps: readonly contract.EscalationStep[]
}

/** The steps that hold for machines: their own, else those of the enterprise that owns them. */
export async function listSteps(db: Db, machineIds: readonly number[]): Promise<Map<number, MachineSteps>> {
  const { rows } = await sql<{ id: number; eid: number | null; own: unknown; inherited: unknown }>`
    select machines.id, machines.owner_enterprise_id as eid, own.steps as own, space.steps as inherited
    from machines
    left join alarm_escalations own on own.machine_id = machines.id
    left join alarm_escalations space on space.enterprise_id = machines.owner_enterprise_id
    where machines.id = any(${[...machineIds]}::bigint[])`.execute(db)
  return new Map(
    rows.map(({ id, eid, own, inherited }) => [
      id,
      { enterpriseId: eid, isOwn: own !== null, steps: readSteps(own ?? inherited) },
    ]),
  )
}

/**
 * Members of enterprises who handle alarms, and owners and administrators, as candidates: their rights are checked
 * separately.
 */
export async function listAlarmMembers(
  db: Db,
  enterpriseIds: readonly number[],
): Promise<{ readonly enterpriseId: number; readonly userId: number }[]> {
  const { rows } = await sql<{ enterpriseId: number; userId: number }>`
    select enterprise_id as "enterpriseId", user_id as "userId" from enterprise_members
    where enterprise_id = any(${[...enterpriseIds]}::bigint[]) and (role <> 'member' or 'alarm' = any(rights))`.execute(
    db,
  )
  return rows
}

/** Whether each of the people belongs to the enterprise. */
export async function areMembers(db: Db, enterpriseId: number, userIds: readonly number[]): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from enterprise_members
    where enterprise_id = ${enterpriseId} and user_id = any(${[...userIds]}::bigint[])`.execute(db)
  return rows[0]?.count === new Set(userIds).size
}

/** Whether each of the contacts is the enterprise's own. */
export async function areContactsOf(
  db: Db,
  enterpriseId: number,
  contactIds: readonly number[],
): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from alarm_contacts
    where enterprise_id = ${enterpriseId} and account_id is null and id = any(${[...contactIds]}::bigint[])`.execute(
    db,
  )
  return rows[0]?.count === new Set(contactIds).size
}

/** Takes the steps of a machine away: it changes hands. */
export async function removeSteps(trx: Db, machineId: number): Promise<void> {
  await trx.deleteFrom('alarm_escalations').where('machine_id', '=', machineId).execute()
}
