import type { TextEncoding } from '@busbar/link'
import type { Random } from '../random.ts'

/** A text in both languages of the console. */
export interface Texts {
  cn: string
  en: string
}

export type TagType = 'float64' | 'int64' | 'bool' | 'string'
export type TagValue = number | boolean | string

/** One variable of a machine. `name` is unique within the profile. */
export interface TagSpec {
  group: string
  groupName: Texts
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
  /** Meanings of the controller's own words. */
  words?: Readonly<Record<string, Texts>>
  /** The value shown in the device list. */
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
  /** Whether it is active now; `was` is its last state, for a latch with hysteresis. */
  raised(state: State, was: boolean): boolean
}

/**
 * A fault that comes now and then, slowly: once in each `everyMs` it grows for `developsMs`, stays until
 * someone comes, and is repaired.
 */
export interface FaultSpec {
  id: string
  everyMs: number
  developsMs: number
  standsMs: number
}

/** The severity of a fault, 0 (sound) to 1 (full). */
export type SeverityOf = (faultId: string) => number

/** The outside conditions of a step. */
export interface Moment {
  /** Epoch milliseconds at the step's end. */
  at: number
  /** Hours since midnight at the plant, with their fraction. */
  hour: number
  /** At the plant: 0 Monday to 6 Sunday. */
  weekday: number
  random: Random
  severityOf: SeverityOf
}

/** The stability of the machine's line to the cloud. */
export type Presence = 'steady' | 'rough' | 'flapping' | 'away'

/** The machine's network connection, as its attributes report it. */
export interface NetworkSpec {
  kind: 'ETH' | 'WiFi' | '4G'
  /** dBm; absent on a cable. */
  signalDbm?: number
}

/** The location of a machine. WGS-84. */
export interface Place {
  lat: number
  lng: number
  address: Texts
  /** Hours the plant's clocks are ahead of UTC; absent: China's eight. */
  utcOffsetHours?: number
  /** It goes about in its work: moves raise nothing. */
  travels?: true
  /** Where it stood until the day before the demo was made. */
  movedFrom?: { lat: number; lng: number }
  /** Its place is not known; these coordinates are for its clocks. */
  isUntold?: true
  /** The origin of the position: the machine's 4G cell or satellite receiver; absent: set by hand. */
  source?: 'gps' | 'cell'
}

/** The static description of a profile's machine. */
export interface ProfileSheet {
  id: string
  machineType: string
  model: string
  firmware: string
  network: NetworkSpec
  speaks: 'sparkplug' | 'plain-json'
  /** A panel's plain JSON: in its encoding, and with a number of the message, which the platform does not know. */
  panel?: { textEncoding: TextEncoding }
  presence: Presence
  name: Texts
  remark: Texts
  place: Place
  /** The drive that its receiver tells, by the name of its file in `drives`. */
  drive?: string
  tags: readonly TagSpec[]
  faults: readonly FaultSpec[]
}

/** A profile: its sheet and a pure process model. */
export interface ProfileSpec<State extends object> extends ProfileSheet {
  alarms: readonly AlarmSpec<State>[]
  /** A state of ordinary work at the instant `at`; counters fit the machine's age. */
  start(random: Random, at: number): State
  /** The state `dtMs` later (at most `coarseStepMs`). Does not change the given state. */
  step(state: State, dtMs: number, now: Moment): State
  /** The value of every tag, by name, unrounded. */
  read(state: State): Record<string, TagValue>
  /** Applies a set-point that was checked against its tag's type and limits. */
  write?(state: State, name: string, value: TagValue): State
}

/** A process's state as it is kept over a restart: plain data of its profile. */
export type SavedState = Readonly<Record<string, unknown>>

/** A running process with its state type hidden. */
export interface ProfileRun {
  step(dtMs: number, now: Moment): void
  read(): Record<string, TagValue>
  /** Ids of the active alarms. */
  alarms(): ReadonlySet<string>
  write(name: string, value: TagValue): void
  save(): { state: SavedState; alarms: string[] }
}

export interface MachineProfile extends ProfileSheet {
  alarms: readonly Omit<AlarmSpec<never>, 'raised'>[]
  /** Begins at `at`, or continues from the result of `save`. */
  createRun(random: Random, at: number, saved?: ReturnType<ProfileRun['save']>): ProfileRun
}

/** Hides a profile's state type, so that different ones fit in one list. */
export function defineProfile<State extends object>(spec: ProfileSpec<State>): MachineProfile {
  return {
    ...spec,
    createRun(random, at, saved) {
      // A state saved by an older version may lack newer fields of the profile.
      let state = saved ? { ...spec.start(random, at), ...saved.state } : spec.start(random, at)
      let raised: ReadonlySet<string> = new Set(saved?.alarms)
      return {
        step(dtMs, now) {
          state = spec.step(state, dtMs, now)
          raised = followAlarms(spec.alarms, state, raised)
        },
        read: () => spec.read(state),
        alarms: () => raised,
        write(name, value) {
          if (spec.write) state = spec.write(state, name, value)
        },
        save: () => ({ state: { ...state } as SavedState, alarms: [...raised] }),
      }
    },
  }
}

/** The same set while nothing changes: a week of steps would make millions. */
function followAlarms<State>(
  alarms: readonly AlarmSpec<State>[],
  state: State,
  raised: ReadonlySet<string>,
): ReadonlySet<string> {
  let next: Set<string> | undefined
  for (const alarm of alarms) {
    const was = raised.has(alarm.id)
    if (alarm.raised(state, was) === was) continue
    next ??= new Set(raised)
    if (was) next.delete(alarm.id)
    else next.add(alarm.id)
  }
  return next ?? raised
}

const commissionedAt = Date.UTC(2024, 2, 1)

/** The value at `at` of a counter that grows by `perHour`, so that it does not begin at 0 with each start. */
export function countedSince(at: number, perHour: number): number {
  return Math.floor(((at - commissionedAt) / 3_600_000) * perHour)
}

export const minuteMs = 60_000
export const hourMs = 3_600_000
