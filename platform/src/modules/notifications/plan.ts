import type { machines } from '@busbar/contract'
import type { Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Fact } from '../../kernel/facts/fact-kinds.ts'
import { isFirst, newWindow, skipReason } from './decide.ts'
import * as store from './notifications-store.ts'
import type { Recipient, ToldMachine } from './recipients.ts'

/** Facts that notify of an alarm, or that change a message. */
export type NotifyingFact = Fact<'alarm.raised' | 'alarm.counted' | 'alarm.changed'>

/** One frame of a machine a second: a flood does not keep pages busy (rules/alarms.md: frames of an alarm). */
const frameMs = 1_000
const severities: Readonly<Record<machines.AlarmLevel, number>> = { critical: 0, major: 1, minor: 2, info: 3 }

/** An alarm, the reason for its notifications, and all recipients. */
export interface Told {
  readonly fact: NotifyingFact
  /** The step of the escalation; undefined: at once. */
  readonly step?: number
  readonly alarm: store.ToldAlarm
  readonly machine: ToldMachine
  readonly recipients: readonly Recipient[]
  readonly cover: 'shelved' | 'outOfService' | undefined
}

/** A person whose pages are to show an alarm. */
export interface FrameRequest {
  readonly told: Told
  readonly recipient: Recipient
}

/** A row with the one it is for. */
export interface Planned {
  readonly row: store.NewNotification
  readonly told: Told
  readonly recipient: Recipient
}

/** A planned row that was written. */
export type Made = Planned & { readonly id: number }

/** Decides for each alarm and person the message and channel; updates the windows. */
export class Plan {
  readonly #windows: Map<string, store.NamedWindow>
  readonly #now: number
  readonly #planned: Planned[] = []
  readonly #frames = new Map<string, Planned[]>()
  /** Alarms that are also pushed; frames are written separately from SMS and e-mails. */
  readonly wishedFrames: FrameRequest[] = []
  readonly #touched = new Set<string>()
  readonly #withMessage = new Set<string>()

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

  add(told: Told, recipient: Recipient, isTold: (channel: string) => boolean, hasMessage: boolean): void {
    if (recipient.userId !== null) {
      if (!isTold('push')) this.wishedFrames.push({ told, recipient })
      if (!hasMessage) this.#addMessage(told, recipient, told.cover)
    }
    if (!recipient.isWritten) return
    for (const channel of recipient.userId === null ? (['email'] as const) : (['sms', 'email'] as const))
      if (!isTold(channel)) this.#addWritten(told, recipient, channel)
  }

  /** A step of the escalation, by the channels that it names; a message that is there from before stays. */
  addStep(told: Told, recipient: Recipient, channels: readonly string[], hasMessage: boolean): void {
    const isPushed = channels.includes('push') || channels.includes('voice')
    if (isPushed && recipient.userId !== null) this.wishedFrames.push({ told, recipient })
    if (channels.includes('message') && recipient.userId !== null && !hasMessage)
      this.#addMessage(told, recipient, undefined)
    for (const channel of ['sms', 'email'] as const) {
      if (!channels.includes(channel) || (channel === 'sms' && recipient.userId === null)) continue
      if (recipient.isWritten) this.#addWritten(told, recipient, channel)
      else this.#put(told, recipient, channel, ['skipped', 'noRight'])
    }
  }

  /** One message for an alarm and a person, also where the alarm is raised and becomes critical in the same batch. */
  #addMessage(told: Told, recipient: Recipient, cover: Told['cover']): void {
    const key = `${told.alarm.id}/${recipient.userId}`
    if (this.#withMessage.has(key)) return
    if (!cover) this.#withMessage.add(key)
    this.#put(told, recipient, 'message', cover ? ['skipped', cover] : ['sent', ''])
  }

  /** The worst alarm of a person's machine gets its frame, unless one went within the second. */
  addFrame(told: Told, recipient: Recipient): void {
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
    const reason = skipReason(gate, told.fact.level)
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

  /** The message could not be paid: the window stays closed, and notifications that wait for its end need not wait. */
  close(recipient: Recipient, channel: string): void {
    const window = this.#windowOf(recipient, channel)
    Object.assign(window, newWindow())
  }

  save(trx: Transaction<DB>): Promise<void> {
    return store.saveWindows(trx, this.windows)
  }

  /** The windows that may have moved, as they are now. */
  get windows(): readonly store.NamedWindow[] {
    return [...this.#touched].flatMap((key) => this.#windows.get(key) ?? [])
  }
}
