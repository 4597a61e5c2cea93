import { isDeepStrictEqual } from 'node:util'
import type { AlarmChange } from './alarm-change.ts'
import { type AlarmEvent, openAlarmsMax } from './alarm-event.ts'

/**
 * How far a repeated event may be behind the newest one of its alarm, on the machine's clock, in ms. One that is
 * further behind means that this clock was set back (rules/alarms.md: repeats of an alarm).
 */
const repeatMsMax = 15 * 60_000

/** An alarm as it is in the table, or is to be. Times are epoch milliseconds. */
export interface Alarm {
  /** Undefined until it is written for the first time. */
  id: number | undefined
  readonly machineId: number
  readonly key: string
  /** Undefined: the machine's own. */
  readonly ruleId: number | undefined
  level: AlarmEvent['level']
  text: AlarmEvent['text']
  tagId: number | undefined
  /** Of its last raising; null if it had none. */
  value: NonNullable<AlarmEvent['value']> | null
  limit: NonNullable<AlarmEvent['limit']> | null
  instruction: AlarmEvent['instruction']
  readonly raisedAt: number
  readonly receivedAt: number
  /** Undefined while it stands. */
  clearedAt: number | undefined
  count: number
  /** The machine's own times of its newest raising and of its clearing; undefined: the machine gave none. */
  raisedToldAt: number | undefined
  clearedToldAt: number | undefined
}

/** The stored alarms that events name. */
export interface KnownAlarms {
  /** The open ones, and those of the past that the events touch. */
  readonly alarms: readonly Alarm[]
  /** The number of active alarms of each machine, whatever their key; 0 for missing machines. */
  readonly openCounts: ReadonlyMap<number, number>
}

/** A change of an alarm, whose id may not be known before it is written. */
export interface AppliedChange {
  readonly alarm: Alarm
  /** As it is after this change. */
  readonly told: Omit<AlarmChange, 'alarmId'>
  /** Number of raisings in this change. */
  readonly raisings: number
  readonly receivedAt: number
  readonly note: AlarmEvent['note']
}

/** The rows to write, and the changes in their order. */
export interface AppliedAlarms {
  readonly created: readonly Alarm[]
  readonly updated: readonly Alarm[]
  readonly changes: readonly AppliedChange[]
}

/** The alarms of one key of a machine, as far as they are known. */
class KeyAlarms {
  readonly all: Alarm[] = []
  open: Alarm | undefined
  /** When the ended ones were raised; `untold`: those without a time of the machine. */
  readonly #endedRaisedAt = { all: new Set<number>(), untold: new Set<number>() }
  /** The last raised one of the ended ones. */
  ended: Alarm | undefined

  add(alarm: Alarm): void {
    this.all.push(alarm)
    if (alarm.clearedAt === undefined) this.open = alarm
    else this.#addEnded(alarm)
  }

  end({ at, toldAt }: AlarmEvent): Alarm | undefined {
    const { open } = this
    if (!open) return undefined
    open.clearedAt = Math.max(open.raisedAt, at)
    open.clearedToldAt = toldAt
    this.open = undefined
    this.#addEnded(open)
    return open
  }

  #addEnded(alarm: Alarm): void {
    this.#endedRaisedAt.all.add(alarm.raisedAt)
    if (alarm.raisedToldAt === undefined) this.#endedRaisedAt.untold.add(alarm.raisedAt)
    if (!this.ended || alarm.raisedAt >= this.ended.raisedAt) this.ended = alarm
  }

  /**
   * Whether an event of this state and machine time is applied already, or older than the newest one. An event of the
   * same time as the newest but of the other state is not.
   */
  isApplied({ state, toldAt }: AlarmEvent): boolean {
    if (toldAt === undefined) return false
    const { open, ended } = this
    const newest = open ? open.raisedToldAt : newestOf(ended?.raisedToldAt, ended?.clearedToldAt)
    if (newest !== undefined && toldAt < newest && toldAt >= newest - repeatMsMax) return true
    const same = state === 'raised' ? [open?.raisedToldAt, ended?.raisedToldAt] : [ended?.clearedToldAt]
    return same.includes(toldAt)
  }

  /**
   * Whether an alarm that ended was raised by this event. After an outage many events have the instant of their
   * arrival; the machine's own times distinguish them.
   */
  isOver({ at, toldAt }: AlarmEvent): boolean {
    const { all, untold } = this.#endedRaisedAt
    return (toldAt === undefined ? all : untold).has(at)
  }

  /** The last one raised by then. */
  lastUntil(at: number): Alarm | undefined {
    let last: Alarm | undefined
    for (const alarm of this.all) {
      if (alarm.raisedAt <= at && (!last || alarm.raisedAt > last.raisedAt)) last = alarm
    }
    return last
  }
}

/**
 * Applies events to alarms, in the order of the events, without reading the table. An alarm raised again while it is
 * open counts up, unless the event is a repeat: the same raising sent twice, or a birth that reports the present state.
 * A machine repeats events that were not acknowledged, so an event that is not newer than the newest one of its alarm
 * changes nothing. Late events fill the list: they do not change an alarm whose present state the machine has reported.
 */
export function applyAlarms(known: KnownAlarms, events: readonly AlarmEvent[]): AppliedAlarms {
  const run = new Run(known)
  for (const event of events) run.apply(event)
  return run
}

class Run implements AppliedAlarms {
  readonly created: Alarm[] = []
  readonly changes: AppliedChange[] = []
  readonly #updated = new Set<Alarm>()
  readonly #ofKey = new Map<string, KeyAlarms>()
  readonly #openCounts: Map<number, number>
  /** Places in `changes` of the alarms whose last change only counted or redefined them. */
  readonly #countedAt = new Map<Alarm, number>()

  constructor(known: KnownAlarms) {
    this.#openCounts = new Map(known.openCounts)
    for (const alarm of known.alarms) this.#alarmsOf(alarm).add(alarm)
  }

  get updated(): readonly Alarm[] {
    return [...this.#updated]
  }

  apply(event: AlarmEvent): void {
    const alarms = this.#alarmsOf({ ...event, ruleId: event.ruleId })
    if (alarms.isApplied(event)) return
    if (event.state === 'raised') {
      if (event.late) this.#raiseLate(alarms, event)
      else this.#raise(alarms, event)
    } else if (event.late) this.#clearLate(alarms, event)
    else this.#clear(alarms, event)
  }

  #raise(alarms: KeyAlarms, event: AlarmEvent): void {
    const { machineId } = event
    const openCount = this.#openCounts.get(machineId) ?? 0
    if (alarms.isOver(event) || openCount >= openAlarmsMax) return
    if (alarms.open) this.#count(alarms.open, event)
    else {
      this.#openCounts.set(machineId, openCount + 1)
      this.#tell('alarm.raised', this.#create(alarms, event, undefined), event, { raisings: 1 })
    }
  }

  #count(open: Alarm, event: AlarmEvent): void {
    const { isRepeat, at, toldAt, level, text } = event
    // Two different times of the machine itself are two alarms.
    const isOther = at > open.raisedAt || (toldAt !== undefined && open.raisedToldAt !== undefined)
    const counts = !isRepeat && isOther
    if (!counts && level === open.level && isDeepStrictEqual(text, open.text)) return
    if (counts) {
      open.count++
      open.raisedToldAt = toldAt
    }
    open.level = level
    open.text = text
    open.tagId = event.tagId
    open.value = event.value ?? null
    open.limit = event.limit ?? null
    open.instruction = event.instruction
    this.#note(open)
    const place = this.#countedAt.get(open)
    // A thousand raisings of one alarm in a batch are one change.
    const before = place === undefined ? undefined : this.changes[place]
    const kind = counts || before?.told.kind === 'alarm.counted' ? 'alarm.counted' : 'alarm.changed'
    const raisings = (before?.raisings ?? 0) + (counts ? 1 : 0)
    if (place === undefined) {
      this.#countedAt.set(open, this.changes.length)
      this.#tell(kind, open, event, { raisings })
    } else this.changes[place] = changeOf(kind, open, event, { raisings })
  }

  #clear(alarms: KeyAlarms, event: AlarmEvent): void {
    const { at } = event
    const ended = alarms.end(event)
    if (!ended) return
    this.#openCounts.set(ended.machineId, (this.#openCounts.get(ended.machineId) ?? 1) - 1)
    this.#note(ended)
    this.#countedAt.delete(ended)
    this.#tell('alarm.cleared', ended, event, { at: ended.clearedAt ?? at })
  }

  /**
   * A raising of the past opens an alarm only if it may still be active; otherwise it lasts until its clearing arrives.
   */
  #raiseLate(alarms: KeyAlarms, event: AlarmEvent): void {
    const { at, standing } = event
    // A state from before that raising does not show its end.
    const isOver = alarms.open
      ? alarms.open.raisedAt > at
      : standing?.state === 'cleared' && (standing.time ?? Number.POSITIVE_INFINITY) >= at
    if (!isOver) {
      this.#raise(alarms, event)
      return
    }
    const isKnown = alarms.all.some(
      ({ raisedAt, clearedAt }) =>
        raisedAt === at || (raisedAt < at && clearedAt !== undefined && clearedAt > at),
    )
    if (!isKnown) this.#tell('alarm.filled', this.#create(alarms, event, at), event, { raisings: 1 })
  }

  /** A clearing of the past ends the raising before it; an alarm that is active by now is another. */
  #clearLate(alarms: KeyAlarms, event: AlarmEvent): void {
    const { at, standing } = event
    const before = alarms.lastUntil(at)
    if (!before) return
    if (before === alarms.open) {
      this.#clear(alarms, event)
      if (standing?.state === 'raised') this.#raise(alarms, { ...event, at: Math.max(standing.since, at) })
    } else if (before.clearedAt === before.raisedAt && before.raisedAt < at) {
      before.clearedAt = at
      this.#note(before)
      this.#tell('alarm.filled', before, event, { at: before.raisedAt })
    }
  }

  #create(alarms: KeyAlarms, event: AlarmEvent, clearedAt: number | undefined): Alarm {
    const { machineId, key, ruleId, level, text, tagId, instruction, at, receivedAt } = event
    const alarm: Alarm = {
      id: undefined,
      machineId,
      key,
      ruleId,
      level,
      text,
      tagId,
      value: event.value ?? null,
      limit: event.limit ?? null,
      instruction,
      raisedAt: at,
      receivedAt,
      clearedAt,
      count: 1,
      raisedToldAt: event.toldAt,
      clearedToldAt: undefined,
    }
    alarms.add(alarm)
    this.created.push(alarm)
    return alarm
  }

  #note(alarm: Alarm): void {
    if (alarm.id !== undefined) this.#updated.add(alarm)
  }

  #tell(kind: AlarmChange['kind'], alarm: Alarm, event: AlarmEvent, more: ChangeMore): void {
    this.changes.push(changeOf(kind, alarm, event, more))
  }

  #alarmsOf({ machineId, ruleId, key }: Pick<Alarm, 'machineId' | 'ruleId' | 'key'>): KeyAlarms {
    const name = `${machineId} ${ruleId ?? 0} ${key}`
    let alarms = this.#ofKey.get(name)
    if (!alarms) {
      alarms = new KeyAlarms()
      this.#ofKey.set(name, alarms)
    }
    return alarms
  }
}

function newestOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)
}

interface ChangeMore {
  readonly raisings?: number
  /** If it differs from the event's instant. */
  readonly at?: number
}

function changeOf(
  kind: AlarmChange['kind'],
  alarm: Alarm,
  event: AlarmEvent,
  { raisings = 0, at = event.at }: ChangeMore,
): AppliedChange {
  const until = kind === 'alarm.filled' ? alarm.clearedAt : undefined
  return {
    alarm,
    told: { kind, ...stateOf(alarm), at, ...(until && { until }) },
    raisings,
    receivedAt: event.receivedAt,
    note: event.note,
  }
}

/** The state of an alarm for its facts, without its id. */
function stateOf(alarm: Alarm): Omit<AlarmChange, 'kind' | 'alarmId' | 'at'> {
  const { machineId, key, level, text, count, ruleId, tagId, value, limit } = alarm
  return {
    machineId,
    key,
    level,
    text,
    count,
    ...(ruleId !== undefined && { ruleId }),
    ...(tagId !== undefined && { tagId }),
    ...(value !== null && { value }),
    ...(limit !== null && { limit }),
  }
}
