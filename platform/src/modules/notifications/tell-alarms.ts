import type { machines } from '@busbar/contract'
import { create, DeviceInformSchema, Scene, toBinary } from '@busbar/contract/push'
import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { createUserEvents } from '../../kernel/events/user-events.ts'
import type { Fact } from '../../kernel/facts/fact-kinds.ts'
import { createAccess } from '../access/index.ts'
import { type Covered, listShelvesInForce, type TagNames, type TagSource, textOf } from '../alarms/index.ts'
import type { Mailbox } from '../messages/index.ts'
import { formatAlarmFrame } from './alarm-texts.ts'
import { isFirst, newWindow, whyNot } from './decide.ts'
import * as store from './notifications-store.ts'
import { listMachines, listRecipients, type Recipient, type ToldMachine } from './recipients.ts'
import { type Sender, type Sending, sendOut } from './send-out.ts'

export interface TellDeps extends Sender {
  /** Whether this is a demo, whose rights are other ones. */
  readonly demo: boolean
  readonly mailbox: Mailbox
  readonly tags: TagSource
  readonly now: () => number
}

/** Facts by which somebody is told of an alarm, or a letter changes. */
export type TellingFact = Fact<'alarm.raised' | 'alarm.counted' | 'alarm.changed'>

/** One frame of a machine a second: a flood does not keep pages busy. */
const frameMs = 1_000
const severities: Readonly<Record<machines.AlarmLevel, number>> = { critical: 0, major: 1, minor: 2, info: 3 }

/** An alarm, why it is told, and everybody who is. */
export interface Told {
  readonly fact: TellingFact
  /** Of the escalation; undefined: at once. */
  readonly step?: number
  readonly alarm: store.ToldAlarm
  readonly machine: ToldMachine
  readonly recipients: readonly Recipient[]
  readonly cover: 'shelved' | 'outOfService' | undefined
}

/** A row with the one it is for. */
export interface Planned {
  readonly row: store.NewNotification
  readonly told: Told
  readonly recipient: Recipient
}

/** Tells everybody who has a right now of alarms that were raised, and changes the letters of those that count up. */
export async function tellAlarms(
  deps: TellDeps,
  trx: Transaction<DB>,
  facts: readonly TellingFact[],
): Promise<void> {
  const now = deps.now()
  const told = await readTold(deps, trx, facts, now)
  const alarmIds = [...new Set(told.map(({ alarm }) => alarm.id))]
  const again = told.filter(({ fact }) => fact.kind !== 'alarm.raised' && fact.level === 'critical')
  const [windows, letters, critical] = [
    await store.lockWindows(trx, [...new Set(told.map(({ machine }) => machine.id))]),
    await store.listLetters(trx, alarmIds),
    await store.listToldCritical(
      trx,
      again.map(({ alarm }) => alarm.id),
    ),
  ]
  const tagIds = told.flatMap(({ alarm }) => (alarm.tag_id === null ? [] : [alarm.tag_id]))
  const tags = await deps.tags.listTagNames([...new Set(tagIds)])
  const plan = new Plan(windows, now)
  for (const each of told) {
    // An alarm that is raised again may have become critical with it.
    if (each.fact.kind === 'alarm.counted' && each.fact.level !== 'critical') continue
    for (const recipient of each.recipients) {
      const isTold = (channel: string) =>
        each.fact.kind !== 'alarm.raised' &&
        critical.has(`${each.alarm.id}/${recipient.userId ?? 0}/${recipient.contactId ?? 0}/${channel}`)
      plan.add(each, recipient, isTold, letters.has(`${each.alarm.id}/${recipient.userId}`))
    }
  }
  await writePlan(deps, trx, { plan, told, letters, tags }, now)
}

/** Writes what was planned once, sends what goes now, and keeps the windows. */
export async function writePlan(
  deps: TellDeps,
  trx: Transaction<DB>,
  {
    plan,
    told,
    letters,
    tags,
  }: {
    readonly plan: Plan
    readonly told: readonly Told[]
    readonly letters: ReadonlyMap<string, number>
    readonly tags: TagNames
  },
  now: number,
): Promise<void> {
  const planned = plan.finish()
  const ids = await store.createNotifications(
    trx,
    planned.map(({ row }) => row),
    new Date(now),
  )
  const made = planned.flatMap((each, place) => {
    const id = ids[place]
    return id === undefined ? [] : [{ ...each, id }]
  })
  await sendWritten(deps, trx, made, plan, tags, now)
  const unreadOf = await writeLetters(deps, trx, made, told, letters, now)
  await pushFrames(trx, made, unreadOf, tags, now)
  await plan.save(trx)
}

/** Reads what is told, without alarms of the time before a machine's owner of now. */
export async function readTold(
  deps: TellDeps,
  trx: Transaction<DB>,
  facts: readonly TellingFact[],
  now: number,
): Promise<Told[]> {
  const telling = facts.filter(({ kind, level }) => kind !== 'alarm.changed' || level === 'critical')
  const alarms = await store.listAlarms(trx, [...new Set(telling.map(({ alarmId }) => alarmId))])
  const of = await listMachines(trx, [...new Set(telling.map(({ machineId }) => machineId))])
  // In this transaction: one that waits for a further connection while others do the same takes them all.
  const access = createAccess(trx, { demo: deps.demo })
  const [recipients, covers] = await Promise.all([
    listRecipients(trx, access, of, now),
    listShelvesInForce(trx, [...of.keys()], new Date(now)),
  ])
  const byMachine = new Map<number, Recipient[]>()
  for (const one of recipients) byMachine.set(one.machineId, [...(byMachine.get(one.machineId) ?? []), one])
  return telling.flatMap((fact): Told[] => {
    const [alarm, machine] = [alarms.get(fact.alarmId), of.get(fact.machineId)]
    if (!alarm || !machine || alarm.machine_id !== machine.id) return []
    if (machine.owned_since && alarm.received_at < machine.owned_since) return []
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
}

function doesCover({ scope, key, ruleId, tagId }: Covered, alarm: store.ToldAlarm): boolean {
  if (scope === 'machine') return true
  if (scope === 'alarm') return alarm.rule_id === null && alarm.key === key
  return scope === 'rule' ? alarm.rule_id === ruleId : alarm.tag_id === tagId
}

/** Decides for each alarm and person what goes by which channel; the windows move with it. */
export class Plan {
  readonly #windows: Map<string, store.NamedWindow>
  readonly #now: number
  readonly #planned: Planned[] = []
  readonly #frames = new Map<string, Planned[]>()
  readonly #touched = new Set<string>()
  readonly #lettered = new Set<string>()

  constructor(windows: Awaited<ReturnType<typeof store.lockWindows>>, now: number) {
    this.#windows = new Map(
      [...windows].map(([key, window]) => {
        const [userId = 0, contactId = 0, machineId = 0, channel = ''] = key.split('/')
        const of = { userId: Number(userId) || null, contactId: Number(contactId) || null }
        return [key, { ...window, ...of, machineId: Number(machineId), channel: String(channel) }]
      }),
    )
    this.#now = now
  }

  add(told: Told, recipient: Recipient, isTold: (channel: string) => boolean, hasLetter: boolean): void {
    if (recipient.userId !== null) {
      if (!isTold('push')) this.#addFrame(told, recipient)
      if (!hasLetter) this.#addLetter(told, recipient, told.cover)
    }
    if (!recipient.isWritten) return
    for (const channel of recipient.userId === null ? (['email'] as const) : (['sms', 'email'] as const))
      if (!isTold(channel)) this.#addWritten(told, recipient, channel)
  }

  /** A step of the escalation, by the channels that it names; a letter that is there from before stays. */
  addStep(told: Told, recipient: Recipient, channels: readonly string[], hasLetter: boolean): void {
    const isPushed = channels.includes('push') || channels.includes('voice')
    if (isPushed && recipient.userId !== null) this.#addFrame(told, recipient)
    if (channels.includes('message') && recipient.userId !== null && !hasLetter)
      this.#addLetter(told, recipient, undefined)
    for (const channel of ['sms', 'email'] as const) {
      if (!channels.includes(channel) || (channel === 'sms' && recipient.userId === null)) continue
      if (recipient.isWritten) this.#addWritten(told, recipient, channel)
      else this.#put(told, recipient, channel, ['skipped', 'noRight'])
    }
  }

  /** One letter for an alarm and a person, also where the alarm is raised and becomes critical in the same batch. */
  #addLetter(told: Told, recipient: Recipient, cover: Told['cover']): void {
    const key = `${told.alarm.id}/${recipient.userId}`
    if (this.#lettered.has(key)) return
    if (!cover) this.#lettered.add(key)
    this.#put(told, recipient, 'message', cover ? ['skipped', cover] : ['sent', ''])
  }

  /** The worst alarm of a person's machine gets its frame, unless one went within the second. */
  #addFrame(told: Told, recipient: Recipient): void {
    const row = this.#rowOf(told, recipient, 'push', told.cover ? ['skipped', told.cover] : ['sent', ''])
    const planned = { row, told, recipient }
    if (told.cover) this.#planned.push(planned)
    else this.#frames.set(recipient.key, [...(this.#frames.get(recipient.key) ?? []), planned])
  }

  #addWritten(told: Told, recipient: Recipient, channel: 'sms' | 'email'): void {
    const gate = {
      cover: told.cover,
      isConfirmed: told.alarm.confirmed_at !== null,
      isOn: recipient.on[channel],
      address: channel === 'sms' ? recipient.phone : recipient.email,
      isQuiet: recipient.isQuiet,
    }
    const reason = whyNot(gate, told.fact.level)
    if (reason) this.#put(told, recipient, channel, ['skipped', reason])
    else if (isFirst(this.#windowOf(recipient, channel), told.fact.level, this.#now))
      this.#put(told, recipient, channel, ['queued', ''], true)
    else this.#put(told, recipient, channel, ['waiting', 'digest'])
  }

  #put(
    told: Told,
    recipient: Recipient,
    channel: store.NewNotification['channel'],
    state: readonly [store.NewNotification['state'], store.NewNotification['reason']],
    isFirstOne = false,
  ): void {
    const row = this.#rowOf(told, recipient, channel, state, isFirstOne)
    this.#planned.push({ row, told, recipient })
  }

  #rowOf(
    { fact, alarm, machine, step = 0 }: Told,
    { userId, contactId }: Recipient,
    channel: store.NewNotification['channel'],
    [state, reason]: readonly [store.NewNotification['state'], store.NewNotification['reason']],
    isFirstOne = false,
  ): store.NewNotification {
    const of = { factId: fact.id, alarmId: alarm.id, machineId: machine.id, userId, contactId }
    return { ...of, channel, step, level: fact.level, state, reason, segments: 0, isFirst: isFirstOne }
  }

  #windowOf(recipient: Recipient, channel: string): store.NamedWindow {
    const key = store.windowKey(recipient, channel)
    this.#touched.add(key)
    const known = this.#windows.get(key)
    if (known) return known
    const { userId, contactId, machineId } = recipient
    const made = { ...newWindow(), userId, contactId, machineId, channel }
    this.#windows.set(key, made)
    return made
  }

  /** Every row, in the order in which alarms were raised. */
  finish(): Planned[] {
    for (const frames of this.#frames.values()) this.#finishFrames(frames)
    return this.#planned
  }

  #finishFrames(frames: readonly Planned[]): void {
    const [first] = frames
    if (!first) return
    const window = this.#windowOf(first.recipient, 'push')
    const isFree = window.openedAt === undefined || this.#now - window.openedAt >= frameMs
    const [worst] = frames.toSorted((a, b) => severities[a.row.level] - severities[b.row.level])
    for (const frame of frames) {
      const goes = isFree && frame === worst
      this.#planned.push(
        goes ? frame : { ...frame, row: { ...frame.row, state: 'skipped', reason: 'limited' } },
      )
      if (!goes) continue
      window.openedAt = this.#now
      if (frame.row.level === 'critical' && frame.recipient.hasVoice)
        this.#put(frame.told, frame.recipient, 'voice', ['sent', ''])
    }
  }

  /** Nobody paid: no message went, so the window stays closed, and what waits for its end has nothing to wait for. */
  close(recipient: Recipient, channel: string): void {
    const window = this.#windowOf(recipient, channel)
    Object.assign(window, newWindow())
  }

  save(trx: Transaction<DB>): Promise<void> {
    return store.saveWindows(
      trx,
      [...this.#touched].flatMap((key) => this.#windows.get(key) ?? []),
    )
  }
}

type Made = Planned & { readonly id: number }

const wordsOf = (
  { alarm, fact }: Told,
  { machineName, lang }: Recipient,
  tags: TagNames,
): Sending['words'] => {
  const unit = alarm.tag_id === null ? '' : (tags.get(alarm.tag_id)?.unit ?? '')
  const withUnit = (value: unknown) =>
    value === null || value === undefined ? '' : `${value} ${unit}`.trim()
  return {
    machine: machineName,
    level: fact.level,
    text: textOf(alarm, { lang }),
    at: alarm.raised_at,
    value: withUnit(alarm.value),
    limit: withUnit(alarm.limit_value),
  }
}

async function sendWritten(
  deps: TellDeps,
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

/** Writes a letter for each alarm and person, and changes those that are there. */
async function writeLetters(
  { mailbox }: TellDeps,
  trx: Transaction<DB>,
  made: readonly Made[],
  told: readonly Told[],
  letters: ReadonlyMap<string, number>,
  now: number,
): Promise<(userId: number) => number> {
  const news = made.filter(({ row }) => row.channel === 'message' && row.state === 'sent')
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
          const messageId = letters.get(`${each.alarm.id}/${recipient.userId}`)
          return messageId === undefined ? [] : [{ messageId, params: paramsOf(each) }]
        }),
  )
  // Of a letter that changes twice the last state counts.
  await mailbox.amend(trx, [...new Map(amendments.map((one) => [one.messageId, one])).values()])
  const { ids, unreadOf } = await mailbox.post(trx, new Date(now), {
    letters: news.map(({ told: each, recipient }) => ({
      userId: recipient.userId as number,
      kind: 'alarm' as const,
      machineId: each.machine.id,
      params: paramsOf(each),
    })),
  })
  await store.saveLetters(
    trx,
    news.flatMap(({ told: each, recipient }, place) => {
      const messageId = ids[place]
      return messageId === undefined
        ? []
        : [{ alarmId: each.alarm.id, userId: recipient.userId as number, messageId }]
    }),
  )
  return unreadOf
}

/** Pushes scene 1, and beside it scene 2 of critical alarms. */
async function pushFrames(
  trx: Transaction<DB>,
  made: readonly Made[],
  unreadOf: (userId: number) => number,
  tags: TagNames,
  now: number,
): Promise<void> {
  const frames = made.filter(({ row }) => row.channel === 'push' && row.state === 'sent')
  const eventOf = ({ told, recipient }: Made) => ({
    userId: recipient.userId as number,
    body: toBinary(
      DeviceInformSchema,
      create(DeviceInformSchema, {
        deviceCode: told.machine.code,
        deviceId: String(told.machine.id),
        totalUnreadMsg: unreadOf(recipient.userId as number),
        alarmId: String(told.alarm.id),
        level: told.fact.level,
        text: formatAlarmFrame(wordsOf(told, recipient, tags), recipient),
      }),
    ),
  })
  const events = frames.flatMap((frame) => {
    const event = eventOf(frame)
    return frame.row.level === 'critical' ? [event, { ...event, scene: Scene.VOICE }] : [event]
  })
  await createUserEvents(trx, Scene.DEVICE_ALARM, new Date(now), events)
}
