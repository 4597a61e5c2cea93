import type { alarmContacts as contract } from '@busbar/contract'
import type { Transaction } from 'kysely'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Fact } from '../../kernel/facts/fact-kinds.ts'
import type { DurableFollower } from '../../kernel/facts/follower.ts'
import type { AccessPort } from '../access/index.ts'
import { type Attention, listAttention } from '../alarms/index.ts'
import { listToldContacts } from './contacts-service.ts'
import * as runs from './escalation-runs-store.ts'
import { listAlarmMembers, listSteps, type MachineSteps } from './escalation-store.ts'
import type { Recipient } from './links-store.ts'

const minuteMs = 60_000
const runsAtOnce = 100

/** A message of a step to one recipient on one channel. */
export interface EscalationMessage {
  readonly factId: number
  readonly alarmId: number
  readonly machineId: number
  readonly level: Attention['level']
  /** The step of the escalation, counted from 1. */
  readonly step: number
  readonly to: Recipient
  readonly channel: contract.EscalationChannel
}

export interface RunsDeps {
  readonly db: Database
  readonly access: Pick<AccessPort, 'on'>
  /** Writes the notifications of steps, in the transaction that takes the steps. */
  tell(trx: Transaction<DB>, messages: readonly EscalationMessage[], now: number): Promise<void>
}

const begins = ['alarm.raised', 'alarm.counted', 'alarm.changed'] as const
const ends = ['alarm.confirmed', 'alarm.cleared'] as const
const shelves = ['alarm.shelved', 'alarm.outOfService'] as const
type Kinds = (typeof begins)[number] | (typeof ends)[number] | (typeof shelves)[number]

/**
 * Begins a run for an unconfirmed alarm of level major or critical, when it is raised, counted or rises to that level,
 * if its machine or the enterprise that owns it has steps. Ends runs whose alarm needs no attention any more.
 */
export function escalationFollower({ now }: { now(): number }): DurableFollower<Kinds> {
  return {
    mode: 'durable',
    name: 'notifications.escalations',
    kinds: [...begins, ...ends, ...shelves],
    factsMax: 500,
    async follow(trx, facts) {
      const at = new Date(now())
      await startRuns(trx, facts, at)
      const machineIds = facts.flatMap((fact) =>
        isOneOf(shelves, fact) && fact.machineId !== undefined ? [fact.machineId] : [],
      )
      const alarmIds = facts.flatMap((fact) => (isOneOf(ends, fact) ? [fact.alarmId] : []))
      const open = [
        ...(machineIds.length > 0 ? await runs.listOpenRuns(trx, machineIds) : []),
        ...(alarmIds.length > 0 ? await runs.listOpenRunsOf(trx, alarmIds) : []),
      ]
      await endNeedless(trx, open, at)
    },
  }
}

const isOneOf = <Kind extends Kinds>(
  kinds: readonly Kind[],
  fact: Fact<Kinds>,
): fact is Fact<Kind> & Fact<Kinds> => kinds.some((kind) => kind === fact.kind)

async function startRuns(trx: Transaction<DB>, facts: readonly Fact<Kinds>[], at: Date): Promise<void> {
  // The last fact of an alarm does not matter: a run takes the first that could begin it.
  const first = new Map<number, Fact<(typeof begins)[number]>>()
  for (const fact of facts) {
    if (!isOneOf(begins, fact) || !isGrave(fact.level) || first.has(fact.alarmId)) continue
    first.set(fact.alarmId, fact)
  }
  if (first.size === 0) return
  const steps = await listSteps(trx, [...new Set([...first.values()].map(({ machineId }) => machineId))])
  const wanted = [...first.values()].filter(({ machineId }) => steps.get(machineId)?.steps.length)
  if (wanted.length === 0) return
  const alarms = await listAttention(
    trx,
    wanted.map(({ alarmId }) => alarmId),
    at,
  )
  const started = wanted.flatMap(({ id, alarmId, machineId, kind }) => {
    const alarm = alarms.get(alarmId)
    const step = steps.get(machineId)?.steps[0]
    if (!alarm || !step || alarm.end !== null || !isGrave(alarm.level)) return []
    const from = kind === 'alarm.raised' ? alarm.receivedAt : at.getTime()
    return [{ alarmId, machineId, factId: id, dueAt: new Date(from + step.afterMinutes * minuteMs) }]
  })
  await runs.startRuns(trx, started)
}

/** See rules/messages.md: escalation. */
const isGrave = (level: Attention['level']): boolean => level === 'critical' || level === 'major'

/** Ends the runs whose alarm needs no attention, and answers the alarms of the others. */
async function endNeedless(
  trx: Transaction<DB>,
  alarmIds: readonly number[],
  at: Date,
): Promise<Map<number, Attention>> {
  if (alarmIds.length === 0) return new Map()
  const alarms = await listAttention(trx, alarmIds, at)
  const over = new Map<number, runs.RunEnd>()
  for (const { alarmId, end } of alarms.values()) if (end !== null) over.set(alarmId, end)
  await runs.endRuns(trx, over, at)
  return new Map([...alarms].filter(([id]) => !over.has(id)))
}

/**
 * Takes every step that is due: claims runs, checks rights again, and writes the messages, in one transaction for each
 * part. A process that is killed in between has taken no step. Answers the number of runs that it checked.
 */
export async function escalateDue(
  deps: RunsDeps,
  { now, signal }: { now: number; signal?: AbortSignal },
): Promise<number> {
  for (let total = 0; ; ) {
    const taken = await withTransaction(deps.db, (trx) => escalatePart(deps, trx, now))
    total += taken
    if (taken < runsAtOnce || signal?.aborted) return total
  }
}

async function escalatePart({ access, tell }: RunsDeps, trx: Transaction<DB>, now: number): Promise<number> {
  const at = new Date(now)
  const due = await runs.claimRuns(trx, at, runsAtOnce)
  if (due.length === 0) return 0
  const alarms = await endNeedless(
    trx,
    due.map(({ alarmId }) => alarmId),
    at,
  )
  const needed = due.flatMap((run) => {
    const alarm = alarms.get(run.alarmId)
    return alarm ? [{ ...run, level: alarm.level }] : []
  })
  const steps = await listSteps(trx, [...new Set(needed.map(({ machineId }) => machineId))])
  const going = needed.flatMap((run) => {
    const step = steps.get(run.machineId)?.steps[run.step - 1]
    return step ? [{ run, step }] : []
  })
  const recipientsOf = await findRecipients(trx, access.on(trx), going, steps, now)
  const messages = going.flatMap(({ run, step }) =>
    recipientsOf(run.machineId, step).flatMap((to) =>
      [...new Set(step.how)].map((channel) => ({ ...run, to, channel })),
    ),
  )
  if (messages.length > 0) await tell(trx, messages, now)
  const over = new Map<number, runs.RunEnd>()
  const next = needed.flatMap(({ alarmId, machineId, step }) => {
    const own = steps.get(machineId)?.steps ?? []
    const following = own[step]
    if (following)
      return [{ alarmId, step: step + 1, dueAt: new Date(now + following.afterMinutes * minuteMs) }]
    over.set(alarmId, own[step - 1] ? 'done' : 'settings')
    return []
  })
  await runs.advanceRuns(trx, next)
  await runs.endRuns(trx, over, at)
  return due.length
}

type Step = contract.EscalationStep
type RecipientsOf = (machineId: number, step: Step) => Recipient[]

/** The present recipients of each step: one query checks the rights of all candidates, as of this moment. */
async function findRecipients(
  trx: Transaction<DB>,
  access: AccessPort,
  going: readonly { readonly run: { readonly machineId: number }; readonly step: Step }[],
  steps: ReadonlyMap<number, MachineSteps>,
  now: number,
): Promise<RecipientsOf> {
  const machinesOf = (who: Step['who']) => [
    ...new Set(going.flatMap(({ run, step }) => (step.who === who ? [run.machineId] : []))),
  ]
  const keys = await access.listKeysOfEach(machinesOf('keys'), now)
  const spaces = machinesOf('members').flatMap((id) => steps.get(id)?.enterpriseId ?? [])
  const members = spaces.length > 0 ? await listAlarmMembers(trx, [...new Set(spaces)]) : []
  const serviced = machinesOf('maintainers')
  const audience = serviced.length > 0 ? await access.listAlarmAudience(serviced, now) : []
  const maintainers = audience.filter(
    ({ access: own }) => own.handlesAlarms && !own.memberRights.includes('alarm'),
  )
  const ofContacts = machinesOf('contactIds')
  const contacts = ofContacts.length > 0 ? await listToldContacts({ access }, trx, ofContacts, now) : []

  const candidatesOf = (machineId: number, step: Step): number[] => {
    if (step.who === 'keys') return (keys.get(machineId) ?? []).map(({ userId }) => userId)
    if (step.who === 'userIds') return step.userIds
    if (step.who === 'maintainers')
      return maintainers.flatMap((pair) => (pair.machineId === machineId ? [pair.userId] : []))
    const enterpriseId = steps.get(machineId)?.enterpriseId
    return members.flatMap((member) => (member.enterpriseId === enterpriseId ? [member.userId] : []))
  }
  const pairs = new Map<string, { userId: number; machineId: number }>()
  for (const { run, step } of going) {
    if (step.who === 'contactIds') continue
    for (const userId of candidatesOf(run.machineId, step))
      pairs.set(`${userId} ${run.machineId}`, { userId, machineId: run.machineId })
  }
  const told = new Set<string>()
  for (const { userId, machineId, access: own } of await access.listPairs([...pairs.values()], now))
    if (own.alarms || own.handlesAlarms) told.add(`${userId} ${machineId}`)

  return (machineId, step) => {
    if (step.who === 'contactIds')
      return contacts.flatMap((contact) =>
        contact.machineId === machineId && step.contactIds.includes(contact.contactId)
          ? [{ contactId: contact.contactId }]
          : [],
      )
    const ids = new Set(candidatesOf(machineId, step))
    return [...ids].filter((id) => told.has(`${id} ${machineId}`)).map((userId) => ({ userId }))
  }
}
