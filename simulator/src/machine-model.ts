import { faultSeverity } from './fault-schedule.ts'
import { createRandom, type Random, seedOf } from './random.ts'
import type { TagSpec, TagValue, Trade } from './trades/trade.ts'

/** The one step of every process model, so that a replay and a live run give the same values. */
export const processStepMs = 2_000

export type WriteVerdict = 'written' | 'unknownTag' | 'readOnly' | 'wrongType' | 'outOfRange'

/**
 * One machine: a trade's process, its noise and its faults, all decided by the machine code. Time is handed in and
 * only moves forward.
 */
export interface MachineModel {
  readonly trade: Trade
  readonly at: number
  /** Runs the process up to the last whole step at or before `untilAt`. */
  advance(untilAt: number): void
  /** The tags' values in the order of `trade.tags`, rounded to what the controller resolves. */
  values(): TagValue[]
  /** Ids of the alarms that stand. */
  alarms(): ReadonlySet<string>
  /** What a person set; the process honours it from the next step on. */
  write(tagName: string, value: TagValue): WriteVerdict
}

/** A machine of `trade` in the middle of ordinary work at `startAt` (epoch milliseconds). */
export function createMachineModel(trade: Trade, machineCode: string, startAt: number): MachineModel {
  const random: Random = createRandom(seedOf(machineCode))
  let at = Math.floor(startAt / processStepMs) * processStepMs
  const run = trade.createRun(random, at)
  const severity = new Map<string, number>()
  const severityOf = (faultId: string) => severity.get(faultId) ?? 0
  return {
    trade,
    get at() {
      return at
    },
    advance(untilAt) {
      while (at + processStepMs <= untilAt) {
        at += processStepMs
        for (const fault of trade.faults) severity.set(fault.id, faultSeverity(machineCode, fault, at))
        run.step(processStepMs, random, severityOf)
      }
    },
    values() {
      const byName = run.read()
      return trade.tags.map((tag) => quantise(tag, byName[tag.name]))
    },
    alarms: () => run.alarms(),
    write(tagName, value) {
      const tag = trade.tags.find((candidate) => candidate.name === tagName)
      if (tag === undefined) return 'unknownTag'
      if (!tag.writable) return 'readOnly'
      const verdict = checkSetPoint(tag, value)
      if (verdict === 'written') run.write(tagName, value)
      return verdict
    },
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
