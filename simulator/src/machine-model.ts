import { createFaultSchedule, type ToldFault } from './fault-schedule.ts'
import { chinaOffsetHours, plantClock } from './plant-time.ts'
import type { MachineProfile, Moment, ProfileRun, TagSpec, TagValue } from './profiles/profile.ts'
import { createSteppedRandom, seedOf } from './random.ts'

/** The step of a process that is watched live. */
export const processStepMs = 1_000
/** The step of what is long past: no profile has a control loop that this upsets. */
export const coarseStepMs = 10_000

export type WriteVerdict = 'written' | 'unknownTag' | 'readOnly' | 'wrongType' | 'outOfRange'

/** The state that a model needs to continue. */
export interface SavedModel {
  at: number
  run: ReturnType<ProfileRun['save']>
  /** When the alarms that stand were raised, by id: they have this time again when the machine is back. */
  alarmSince?: Record<string, number>
}

/**
 * One machine: a profile's process, its noise and its faults, all decided by the machine code and the time. Time is
 * handed in and only moves forward.
 */
export interface MachineModel {
  readonly profile: MachineProfile
  readonly at: number
  /** Runs the process up to the last whole step at or before `untilAt`. */
  advance(untilAt: number, stepMs?: number): void
  /** The tags' values in the order of `profile.tags`, rounded to what the controller resolves. */
  values(): TagValue[]
  /** Ids of the alarms that stand. */
  alarms(): ReadonlySet<string>
  /** Applies a person's setting; the process follows it from the next step on. */
  write(tagName: string, value: TagValue): WriteVerdict
  save(): SavedModel
}

export interface ModelOptions {
  profile: MachineProfile
  machineCode: string
  /** Epoch milliseconds: in the middle of ordinary work then, or as `saved` says. */
  startAt: number
  saved?: SavedModel | undefined
  told?: readonly ToldFault[] | undefined
}

export function createMachineModel(options: ModelOptions): MachineModel {
  const { profile, machineCode, saved } = options
  const utcOffsetHours = profile.place.utcOffsetHours ?? chinaOffsetHours
  let at = saved?.at ?? Math.floor(options.startAt / coarseStepMs) * coarseStepMs
  const random = createSteppedRandom(seedOf(machineCode))
  const severity = new Map<string, number>()
  const schedules = profile.faults.map((fault) => ({
    id: fault.id,
    at: createFaultSchedule(machineCode, fault, options.told),
  }))
  const now: Moment = {
    at,
    hour: 0,
    weekday: 0,
    random: random.next,
    severityOf: (faultId) => severity.get(faultId) ?? 0,
  }
  moveTo(at)
  const run = profile.createRun(now.random, at, saved?.run)

  function moveTo(instant: number): void {
    at = instant
    now.at = instant
    Object.assign(now, plantClock(instant, utcOffsetHours))
    for (const schedule of schedules) severity.set(schedule.id, schedule.at(instant))
    // Chance is of the instant, not of the start: two runs of one machine agree about its days.
    random.moveTo(instant / processStepMs)
  }

  return {
    profile,
    get at() {
      return at
    },
    advance(untilAt, stepMs = processStepMs) {
      while (at + stepMs <= untilAt) {
        moveTo(at + stepMs)
        run.step(stepMs, now)
      }
    },
    values() {
      const byName = run.read()
      return profile.tags.map((tag) => quantise(tag, byName[tag.name]))
    },
    alarms: () => run.alarms(),
    write(tagName, value) {
      const tag = profile.tags.find((candidate) => candidate.name === tagName)
      if (tag === undefined) return 'unknownTag'
      if (!tag.writable) return 'readOnly'
      const verdict = checkSetPoint(tag, value)
      if (verdict === 'written') run.write(tagName, value)
      return verdict
    },
    save: () => ({ at, run: run.save() }),
  }
}

function quantise(tag: TagSpec, value: TagValue | undefined): TagValue {
  if (value === undefined) throw new Error(`the model has no value for its tag ${tag.name}`)
  if (typeof value !== 'number') return value
  if (tag.type === 'int64') return Math.floor(value)
  const factor = 10 ** (tag.scale ?? 3)
  return Math.round(value * factor) / factor
}

function checkSetPoint(tag: TagSpec, value: TagValue): WriteVerdict {
  if (tag.type === 'bool') return typeof value === 'boolean' ? 'written' : 'wrongType'
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'wrongType'
  if (tag.type === 'int64' && !Number.isInteger(value)) return 'wrongType'
  const inRange = value >= (tag.min ?? value) && value <= (tag.max ?? value)
  return inRange ? 'written' : 'outOfRange'
}
