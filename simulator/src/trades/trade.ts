import type { Random } from '../random.ts'

/** A text in both languages of the console. */
export interface Texts {
  cn: string
  en: string
}

export type TagType = 'float64' | 'int64' | 'bool' | 'string'
export type TagValue = number | boolean | string

/** One variable of a machine. `name` is unique within the trade. */
export interface TagSpec {
  group: string
  name: string
  type: TagType
  displayName: Texts
  unit?: string
  /** Decimal places; also the resolution a float64 is rounded to. */
  scale?: number
  min?: number
  max?: number
  /** A change is sent when it is at least this large; absent: every change is. */
  deadband?: number
  /** The one value the device list shows. */
  keyTag?: true
  /** A set-point people may write; needs `min` and `max` unless it is a bool. */
  writable?: true
}

export type AlarmLevel = 'critical' | 'major' | 'minor' | 'info'

/** An entry of the machine's own alarm list. */
export interface AlarmSpec<State> {
  id: string
  level: AlarmLevel
  text: Texts
  /** Whether it stands now; `was` is its last state, for a latch with hysteresis. */
  raised(state: State, was: boolean): boolean
}

/** Something that goes wrong now and then: once in each `everyMs`, for about `lastsMs`. */
export interface FaultSpec {
  id: string
  everyMs: number
  lastsMs: number
}

/** How far a fault has developed, 0 (sound) to 1 (full). */
export type SeverityOf = (faultId: string) => number

/** How faithfully the machine's line to the cloud stays up. */
export type Presence = 'steady' | 'rough' | 'flapping' | 'away'

/** How the machine reaches the cloud, as its attributes tell. */
export interface NetworkSpec {
  kind: 'ETH' | 'WiFi' | '4G'
  /** dBm; absent on a cable. */
  signalDbm?: number
}

/** What is known about a machine of a trade before it runs. */
export interface TradeSheet {
  id: string
  machineType: string
  model: string
  firmware: string
  network: NetworkSpec
  speaks: 'sparkplug' | 'plain-json'
  presence: Presence
  name: Texts
  remark: Texts
  /** WGS-84. */
  place: { lat: number; lng: number; address: Texts }
  tags: readonly TagSpec[]
  faults: readonly FaultSpec[]
}

/** A trade: its sheet and a pure process model. */
export interface TradeSpec<State> extends TradeSheet {
  alarms: readonly AlarmSpec<State>[]
  /** A state in the middle of ordinary work at the instant `at`; counters fit the machine's age. */
  start(random: Random, at: number): State
  /** The state `dtMs` later (at most `processStepMs`). Never changes the state it is given. */
  step(state: State, dtMs: number, random: Random, severityOf: SeverityOf): State
  /** The value of every tag, by name, unrounded. */
  read(state: State): Record<string, TagValue>
  /** Takes a set-point that was checked against its tag's type and limits. */
  write?(state: State, name: string, value: TagValue): State
}

/** A running process whose kind of state nobody outside needs to know. */
export interface TradeRun {
  step(dtMs: number, random: Random, severityOf: SeverityOf): void
  read(): Record<string, TagValue>
  /** Ids of the alarms that stand. */
  alarms(): ReadonlySet<string>
  write(name: string, value: TagValue): void
}

export interface Trade extends TradeSheet {
  alarms: readonly Omit<AlarmSpec<never>, 'raised'>[]
  createRun(random: Random, at: number): TradeRun
}

/** Closes a trade's state in, so that trades of different kinds stand in one list. */
export function defineTrade<State>(spec: TradeSpec<State>): Trade {
  return {
    ...spec,
    createRun(random, at) {
      let state = spec.start(random, at)
      let raised: ReadonlySet<string> = new Set()
      return {
        step(dtMs, nextRandom, severityOf) {
          state = spec.step(state, dtMs, nextRandom, severityOf)
          raised = new Set(
            spec.alarms.filter((alarm) => alarm.raised(state, raised.has(alarm.id))).map((alarm) => alarm.id),
          )
        },
        read: () => spec.read(state),
        alarms: () => raised,
        write(name, value) {
          if (spec.write) state = spec.write(state, name, value)
        },
      }
    },
  }
}

const commissionedAt = Date.UTC(2024, 2, 1)

/** What a counter that grows `perHour` shows at `at`, so that it does not begin at 0 with each start. */
export function countedSince(at: number, perHour: number): number {
  return Math.floor(((at - commissionedAt) / 3_600_000) * perHour)
}

export const minuteMs = 60_000
export const hourMs = 3_600_000
