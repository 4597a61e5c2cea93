import type { TestMachine } from '@busbar/testkit'
import { sql } from 'kysely'
import type { Database } from '../../src/kernel/database/database.ts'
import type { LoadClient } from '../gateway/load-client.ts'

/* Machines whose numbers raise alarms: of their own, and of rules. */

/** At this interval of numbers an alarm, and a new variable. */
export const alarmEvery = 50
const hotLimit = 80
/** The tag of a rule, whose alarm begins with every other fifty of numbers. */
export const hotOf = (number: number) => (Math.floor(number / alarmEvery) % 2 === 0 ? 20 : 90)

/** A machine under load. */
export interface AlarmedMachine extends TestMachine {
  readonly client: LoadClient
}

/** Adds a rule for a limit, and one for silence of more than `silenceS` seconds. */
export async function addRules(db: Database, { machineId }: TestMachine, silenceS: number): Promise<void> {
  const conditions = [
    { kind: 'threshold', tag: { group: '', name: 'hot' }, op: '>', limit: hotLimit, deadband: 0 },
    { kind: 'noData', tag: { group: '', name: 'n' }, seconds: silenceS },
  ]
  for (const condition of conditions) {
    const text = JSON.stringify({ cn: condition.kind, en: condition.kind })
    await sql`insert into alarm_rules (machine_id, level, condition, on_delay, off_delay, text, created_at, updated_at)
      values (${machineId}, 'major', ${JSON.stringify(condition)}::jsonb, 0, 0, ${text}::jsonb, now(), now())`.execute(
      db,
    )
  }
}

/**
 * The alarms of machines that are not as they should be, each with a reason: each alarm of a machine or of its rule exists
 * once, and its owner has one message of it; there are no others.
 */
export async function listAlarmFaults(db: Database, loaded: readonly AlarmedMachine[]): Promise<string[]> {
  const ids = loaded.map(({ machineId }) => machineId)
  const wanted = loaded.flatMap(({ machineId, client }) =>
    [...client.acknowledged].flatMap((number) => {
      if (client.isAlarm(number)) return [`${machineId} A${number}`]
      const isCrossing = hotOf(number) > hotLimit && number % alarmEvery === 0
      return isCrossing ? [`${machineId} rule ${client.timeOf(number)}`] : []
    }),
  )
  const { rows } = await sql<{ name: string; count: number; facts: number; told: number }>`
    select count, machine_id || case when rule_id is null then ' ' || key
        else ' rule ' || (extract(epoch from raised_at) * 1000)::bigint end as name,
      (select count(*)::int from facts where kind = 'alarm.raised' and machine_id = alarm.machine_id
        and (payload->>'alarmId')::bigint = alarm.id) as facts,
      (select count(*)::int from notifications note where note.alarm_id = alarm.id and channel = 'message') as told
    from alarms alarm where machine_id = any(${ids}::bigint[])`.execute(db)
  const raised = Map.groupBy(rows, ({ name }) => name)
  return [
    ...wanted.filter((name) => !raised.has(name)).map((name) => `${name} is missing`),
    ...[...raised.keys()].filter((name) => !wanted.includes(name)).map((name) => `${name} is in vain`),
    ...[...raised].flatMap(([name, { length }]) => (length > 1 ? [`${name} is there ${length} times`] : [])),
    ...rows
      .filter(({ count, facts, told }) => count !== 1 || facts !== 1 || told !== 1)
      .map(({ name, count, facts, told }) => `${name} counts ${count}, has ${facts} facts, ${told} messages`),
  ]
}
