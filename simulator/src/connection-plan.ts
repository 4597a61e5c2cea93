import type { Presence } from './profiles/profile.ts'
import { createRandom, seedOf } from './random.ts'

/** A time without a connection, epoch milliseconds, the end not included. */
export type Outage = readonly [fromAt: number, untilAt: number]

interface Habit {
  /** Each period of this length has one spell of trouble. */
  everyMs: number
  /** Shortest and longest single drop. */
  dropMs: readonly [least: number, most: number]
  /** Drops in one spell, and the time up between them. */
  drops: number
  upMs: number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

const habits: Record<Presence, Habit> = {
  steady: { everyMs: 21 * hourMs, dropMs: [minuteMs, 4 * minuteMs], drops: 1, upMs: 0 },
  rough: { everyMs: 6 * hourMs, dropMs: [2 * minuteMs, 12 * minuteMs], drops: 1, upMs: 0 },
  flapping: { everyMs: 8 * hourMs, dropMs: [20_000, 70_000], drops: 6, upMs: 50_000 },
  away: { everyMs: 9 * hourMs, dropMs: [8 * hourMs, 8.4 * hourMs], drops: 1, upMs: 0 },
}

/** The outages of a machine's own schedule that touch [fromAt, untilAt), in time order. */
export function plannedOutages(
  machineCode: string,
  presence: Presence,
  fromAt: number,
  untilAt: number,
): Outage[] {
  const habit = habits[presence]
  const outages: Outage[] = []
  const last = Math.floor((untilAt - 1) / habit.everyMs)
  for (let stretch = Math.floor(fromAt / habit.everyMs); stretch <= last; stretch += 1) {
    for (const outage of spell(machineCode, habit, stretch)) {
      if (outage[0] < untilAt && outage[1] > fromAt) outages.push(outage)
    }
  }
  return outages
}

/** Whether the machine's line is up at `at`, by its own schedule and the given outages. */
export function isReachable(
  machineCode: string,
  presence: Presence,
  told: readonly Outage[],
  at: number,
): boolean {
  const within = ([fromAt, untilAt]: Outage) => at >= fromAt && at < untilAt
  return !told.some(within) && plannedOutages(machineCode, presence, at, at + 1).length === 0
}

/** One stretch's drops; the spell is placed so that it ends before the stretch does. */
function spell(machineCode: string, habit: Habit, stretch: number): Outage[] {
  const random = createRandom(seedOf(`${machineCode}:line:${stretch}`))
  const [least, most] = habit.dropMs
  const lengths = Array.from({ length: habit.drops }, () => least + (most - least) * random())
  const spellMs = lengths.reduce((sum, lengthMs) => sum + lengthMs + habit.upMs, 0)
  let at = stretch * habit.everyMs + random() * (habit.everyMs - spellMs)
  return lengths.map((lengthMs) => {
    const outage = [Math.round(at), Math.round(at + lengthMs)] as const
    at += lengthMs + habit.upMs
    return outage
  })
}
