import type { Kysely, Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { AccessPort } from '../access/index.ts'
import { type Covered, listShelvesInForce, type TagNames, type TagSource, textOf } from '../alarms/index.ts'
import type { Mailbox } from '../messages/index.ts'
import { isKept } from '../telemetry/index.ts'
import { leaveOutFramed, pushFrames, writeFrames, writePlanned } from './frames.ts'
import * as store from './notifications-store.ts'
import { type Made, type NotifyingFact, Plan, type Told } from './plan.ts'
import { type Asked, listMachines, listRecipients, type Recipient } from './recipients.ts'
import { type Sender, type Sending, sendOut } from './send-out.ts'
import { wordsOf } from './words.ts'

/** Channels that have windows and digests. */
export const writtenChannels = ['sms', 'email'] as const

export interface NotifyDeps extends Sender {
  readonly access: Pick<AccessPort, 'on'>
  readonly mailbox: Mailbox
  readonly tags: TagSource
  readonly now: () => number
}

/** Notifies everybody with a right now of raised alarms, and changes the messages of those that count up. */
export async function notifyAlarms(
  deps: NotifyDeps,
  trx: Transaction<DB>,
  facts: readonly NotifyingFact[],
): Promise<void> {
  const now = deps.now()
  const { told, tags } = await readTold(deps, trx, facts, now)
  const alarmIds = [...new Set(told.map(({ alarm }) => alarm.id))]
  const again = told.filter(({ fact }) => fact.kind !== 'alarm.raised' && fact.level === 'critical')
  const [windows, alarmMessages, critical] = [
    await store.lockWindows(trx, [...new Set(told.map(({ machine }) => machine.id))], writtenChannels),
    await store.listAlarmMessages(trx, alarmIds),
    await store.listToldCritical(
      trx,
      again.map(({ alarm }) => alarm.id),
    ),
  ]
  const plan = new Plan(windows, now)
  for (const each of told) {
    // An alarm that is raised again may have become critical with it.
    if (each.fact.kind === 'alarm.counted' && each.fact.level !== 'critical') continue
    for (const recipient of each.recipients) {
      const keyOf = (channel: string) =>
        `${each.alarm.id}/${recipient.userId ?? 0}/${recipient.contactId ?? 0}/${channel}`
      const isTold = (channel: string) => each.fact.kind !== 'alarm.raised' && critical.has(keyOf(channel))
      plan.add(each, recipient, isTold, alarmMessages.has(`${each.alarm.id}/${recipient.userId}`))
      // The table does not have it yet: the alarm may be raised again in the same batch.
      if (each.fact.level === 'critical')
        for (const channel of ['push', 'sms', 'email']) critical.add(keyOf(channel))
    }
  }
  await writePlan(deps, trx, { plan, told, alarmMessages, tags }, now)
}

/** Writes a plan once, sends its immediate messages, and updates the windows. */
export async function writePlan(
  deps: NotifyDeps,
  trx: Transaction<DB>,
  {
    plan,
    told,
    alarmMessages,
    tags,
  }: {
    readonly plan: Plan
    readonly told: readonly Told[]
    readonly alarmMessages: ReadonlyMap<string, number>
    readonly tags: TagNames
  },
  now: number,
): Promise<void> {
  const planned = plan.finish()
  const made = await writePlanned(trx, planned, now)
  await sendWritten(deps, trx, made, plan, tags, now)
  await plan.save(trx)
  const frames = await writeFrames(trx, await leaveOutFramed(trx, plan.wishedFrames), now)
  // Last, because it locks the readers' events.
  await writeMessages(deps, trx, { made, frames }, told, alarmMessages, now)
  await pushFrames(deps, trx, frames, tags, now)
}

/** The alarms to notify, and the variables they name. */
export interface Reading {
  readonly told: readonly Told[]
  readonly tags: TagNames
}

/** Reads the alarms to notify, without those from before a machine's present owner. */
export async function readTold(
  deps: Pick<NotifyDeps, 'access' | 'tags'>,
  db: Kysely<DB>,
  facts: readonly NotifyingFact[],
  now: number,
  asked: Asked = {},
): Promise<Reading> {
  const telling = facts.filter(({ kind, level }) => kind !== 'alarm.changed' || level === 'critical')
  const machineIds = [...new Set(telling.map(({ machineId }) => machineId))]
  // On the caller's handle: a transaction that waits for a further connection while others do the same takes them all.
  const access = deps.access.on(db)
  const [alarms, of, pairs, covers] = await Promise.all([
    store.listAlarms(db, [...new Set(telling.map(({ alarmId }) => alarmId))]),
    listMachines(db, machineIds),
    access.listAlarmAudience(machineIds, now),
    listShelvesInForce(db, machineIds, new Date(now)),
  ])
  const tagIds = [...alarms.values()].flatMap(({ tag_id: id }) => (id === null ? [] : [id]))
  const [recipients, tags] = await Promise.all([
    listRecipients(db, of, pairs, now, asked),
    deps.tags.listTagNames([...new Set(tagIds)], db),
  ])
  const byMachine = new Map<number, Recipient[]>()
  for (const one of recipients) byMachine.set(one.machineId, [...(byMachine.get(one.machineId) ?? []), one])
  const told = telling.flatMap((fact): Told[] => {
    const [alarm, machine] = [alarms.get(fact.alarmId), of.get(fact.machineId)]
    if (!alarm || !machine || alarm.machine_id !== machine.id) return []
    if (machine.owned_since && alarm.received_at < machine.owned_since) return []
    // Decided once, with the messages: a frame that goes before them would tell of an alarm that they leave out.
    if (isOfKeptValues(alarm) && (asked.isOfPages || alarm.cleared_at !== null)) return []
    const cover = covers
      .filter(({ machineId }) => machineId === machine.id)
      .filter((each) => doesCover(each, alarm))
      .map(({ kind }) => kind)
    return [
      {
        fact,
        alarm,
        machine,
        recipients: byMachine.get(machine.id) ?? [],
        cover: cover.includes('outOfService') ? 'outOfService' : cover[0],
      },
    ]
  })
  return { told, tags }
}

/** Whether a rule raised it by values that the machine had kept (rules/alarms.md: evaluation of rules). */
const isOfKeptValues = ({ rule_id: ruleId, raised_at, received_at }: store.ToldAlarm): boolean =>
  ruleId !== null && isKept({ time: raised_at.getTime(), receivedAt: received_at.getTime() })

function doesCover({ scope, key, ruleId, tagId }: Covered, alarm: store.ToldAlarm): boolean {
  if (scope === 'machine') return true
  if (scope === 'alarm') return alarm.rule_id === null && alarm.key === key
  return scope === 'rule' ? alarm.rule_id === ruleId : alarm.tag_id === tagId
}

async function sendWritten(
  deps: NotifyDeps,
  trx: Transaction<DB>,
  made: readonly Made[],
  plan: Plan,
  tags: TagNames,
  now: number,
): Promise<void> {
  const sendings = made
    .filter(({ row }) => row.state === 'queued')
    .map(
      ({ id, row, told, recipient }): Sending => ({
        notificationId: id,
        alarmId: row.alarmId,
        machine: told.machine,
        channel: row.channel as 'sms' | 'email',
        recipient,
        words: wordsOf(told, recipient, tags),
      }),
    )
  const unpaid = await sendOut(deps, trx, sendings, now)
  if (unpaid.size === 0) return
  const isPaid = (key: string) =>
    made.some(
      ({ id, row, recipient }) =>
        recipient.key === key && row.channel === 'sms' && row.state === 'queued' && !unpaid.has(id),
    )
  const poor = new Map(
    made.filter(({ id }) => unpaid.has(id)).map(({ recipient }) => [recipient.key, recipient]),
  )
  for (const [key, recipient] of poor) {
    if (isPaid(key)) continue
    plan.close(recipient, 'sms')
    const waiting = made.filter(
      ({ row, recipient: of }) => of.key === key && row.channel === 'sms' && row.state === 'waiting',
    )
    await store.skip(
      trx,
      waiting.map(({ id }) => id),
      'noStock',
      new Date(now),
    )
  }
}

/**
 * Writes a message for each alarm and person, and changes those that are there (rules/messages.md: one message for an
 * alarm).
 */
async function writeMessages(
  { mailbox }: NotifyDeps,
  trx: Transaction<DB>,
  { made, frames }: { readonly made: readonly Made[]; readonly frames: readonly Made[] },
  told: readonly Told[],
  alarmMessages: ReadonlyMap<string, number>,
  now: number,
): Promise<void> {
  const written = made.filter(({ row }) => row.channel === 'message' && row.state === 'sent')
  const paramsOf = (each: Told) => {
    const textIn = (lang: 'cn' | 'en') => textOf(each.alarm, { lang })
    return {
      alarm: { id: each.alarm.id, level: each.alarm.level, text: { cn: textIn('cn'), en: textIn('en') } },
      from: each.alarm.raised_at.getTime(),
      count: each.alarm.count,
    }
  }
  const amendments = told.flatMap((each) =>
    each.fact.kind === 'alarm.raised'
      ? []
      : each.recipients.flatMap((recipient) => {
          const messageId = alarmMessages.get(`${each.alarm.id}/${recipient.userId}`)
          return messageId === undefined ? [] : [{ messageId, params: paramsOf(each) }]
        }),
  )
  // The last change of a message counts.
  await mailbox.amend(trx, [...new Map(amendments.map((one) => [one.messageId, one])).values()])
  const { ids } = await mailbox.write(trx, new Date(now), {
    messages: written.map(({ told: each, recipient }) => ({
      userId: recipient.userId as number,
      kind: 'alarm' as const,
      machineId: each.machine.id,
      params: paramsOf(each),
    })),
    toldLater: frames.flatMap(({ recipient }) => recipient.userId ?? []),
  })
  await store.saveAlarmMessages(
    trx,
    written.flatMap(({ told: each, recipient }, place) => {
      const messageId = ids[place]
      return messageId === undefined
        ? []
        : [{ alarmId: each.alarm.id, userId: recipient.userId as number, messageId }]
    }),
  )
}
