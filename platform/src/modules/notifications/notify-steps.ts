import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { EscalationMessage } from './escalation-runs.ts'
import * as store from './notifications-store.ts'
import { type NotifyDeps, readTold, writePlan, writtenChannels } from './notify-alarms.ts'
import { type NotifyingFact, Plan, type Told } from './plan.ts'

/**
 * Notifies the people and contacts of steps, in the transaction that takes the steps. Windows, quiet hours and switches
 * apply as for the first message, so that an unconfirmed flood becomes one digest at each step.
 */
export async function notifySteps(
  deps: NotifyDeps,
  trx: Transaction<DB>,
  messages: readonly EscalationMessage[],
  now: number,
): Promise<void> {
  const steps = new Map<number, EscalationMessage[]>()
  for (const message of messages) steps.set(message.alarmId, [...(steps.get(message.alarmId) ?? []), message])
  const facts = [...steps.values()].flatMap(([first]) => (first ? [factOf(first, now)] : []))
  const reading = await readTold(deps, trx, facts, now)
  const told = reading.told.map((each): Told => ({ ...each, step: steps.get(each.alarm.id)?.[0]?.step ?? 1 }))
  const windows = await store.lockWindows(
    trx,
    [...new Set(told.map(({ machine }) => machine.id))],
    writtenChannels,
  )
  const alarmMessages = await store.listAlarmMessages(trx, [...steps.keys()])
  const plan = new Plan(windows, now)
  for (const each of told) {
    const wanted = steps.get(each.alarm.id) ?? []
    for (const recipient of each.recipients) {
      const channels = wanted.flatMap(({ to, channel }) => (isSame(to, recipient) ? [channel] : []))
      const hasMessage = alarmMessages.has(`${each.alarm.id}/${recipient.userId}`)
      if (channels.length > 0) plan.addStep(each, recipient, channels, hasMessage)
    }
  }
  await writePlan(deps, trx, { plan, told, alarmMessages, tags: reading.tags }, now)
}

const isSame = (
  to: EscalationMessage['to'],
  { userId, contactId }: { readonly userId: number | null; readonly contactId: number | null },
): boolean => ('userId' in to ? to.userId === userId : to.contactId === contactId)

/** The fact that began the run, with the fields that notifying reads. */
const factOf = ({ factId, alarmId, machineId, level }: EscalationMessage, at: number): NotifyingFact => ({
  kind: 'alarm.raised',
  id: factId,
  at,
  alarmId,
  machineId,
  level,
  key: '',
  text: {},
  count: 1,
})
