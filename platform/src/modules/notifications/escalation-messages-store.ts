import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { EscalationMessage } from './escalation-runs.ts'

/** Writes the notifications of steps, each once by its key; those that a step before wrote are left as they are. */
export async function writeStepMessages(
  trx: Kysely<DB>,
  messages: readonly EscalationMessage[],
  now: number,
): Promise<void> {
  const rows = messages.map(({ factId, alarmId, machineId, level, step, to, channel }) => ({
    fact_id: factId,
    alarm_id: alarmId,
    machine_id: machineId,
    user_id: 'userId' in to ? to.userId : null,
    contact_id: 'contactId' in to ? to.contactId : null,
    channel,
    step,
    level,
  }))
  await sql`
    insert into notifications
      (fact_id, alarm_id, machine_id, user_id, contact_id, channel, step, level, state, is_first, created_at)
    select fact_id, alarm_id, machine_id, user_id, contact_id, channel, step, level, 'waiting', true, ${new Date(now)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (fact_id bigint, alarm_id bigint,
      machine_id bigint, user_id bigint, contact_id bigint, channel text, step int, level text)
    on conflict do nothing`.execute(trx)
}
