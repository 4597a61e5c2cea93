import type { Outage } from './connection-plan.ts'
import { coarseStepMs, type MachineModel } from './machine-model.ts'
import type { TagValue } from './profiles/profile.ts'

/** The oldest simulated history. */
export const historyMostMs = 7 * 24 * 3_600_000
/**
 * The newest hour is kept in fine steps, so that its chart has its shape; a day by the minute; the rest
 * coarsely.
 */
const densities = [
  { withinMs: 3_600_000, intervalMs: 10_000 },
  { withinMs: 24 * 3_600_000, intervalMs: 60_000 },
  { withinMs: historyMostMs, intervalMs: 600_000 },
] as const
/** From here on the process runs in the same steps as live. */
const fineStepsMs = 3_600_000

/** All tags at one instant, in the order of the profile's tags. */
export interface Sample {
  at: number
  values: readonly TagValue[]
}

/** An alarm of the past; `clearedAt` is missing while it is active. */
export interface AlarmEpisode {
  id: string
  raisedAt: number
  clearedAt: number | undefined
}

export interface History {
  /** In time order. */
  samples: Sample[]
  /** In the order in which they were raised. */
  episodes: AlarmEpisode[]
}

/** Lets other work of the process run between two stretches of simulation. */
export type Pause = () => Promise<void>
const pauseEveryMs = 6 * 3_600_000

/**
 * Runs `model` from its current state up to `untilAt` and returns the samples it would have sent, without
 * those within `missing`. Only multiples of the intervals are used, so that a repeat gives the same past.
 */
export async function recordHistory(
  model: MachineModel,
  untilAt: number,
  missing: readonly Outage[],
  pause: Pause,
): Promise<History> {
  const history: History = { samples: [], episodes: [] }
  const open = new Map<string, AlarmEpisode>()
  let pausedAt = model.at
  for (let at = Math.ceil(model.at / coarseStepMs) * coarseStepMs; at <= untilAt; at += coarseStepMs) {
    if (at > untilAt - fineStepsMs) model.advance(at)
    else model.advance(at, coarseStepMs)
    followAlarms(model, at, open, history.episodes)
    if (at % intervalAt(untilAt - at) === 0 && !missing.some(([fromAt, toAt]) => at >= fromAt && at < toAt))
      history.samples.push({ at, values: model.values() })
    if (at - pausedAt < pauseEveryMs) continue
    pausedAt = at
    await pause()
  }
  return history
}

function intervalAt(ageMs: number): number {
  return (densities.find(({ withinMs }) => ageMs < withinMs) ?? densities[2]).intervalMs
}

function followAlarms(
  model: MachineModel,
  at: number,
  open: Map<string, AlarmEpisode>,
  episodes: AlarmEpisode[],
): void {
  const standing = model.alarms()
  for (const id of standing) {
    if (open.has(id)) continue
    const episode = { id, raisedAt: at, clearedAt: undefined }
    open.set(id, episode)
    episodes.push(episode)
  }
  for (const [id, episode] of open) {
    if (standing.has(id)) continue
    open.delete(id)
    episode.clearedAt = at
  }
}

/** No batch of history is larger than this on the wire. */
export const batchBytesMax = 200_000
/** The first batch, whose size shows how many samples fit. */
const firstBatchSamples = 100
/** Words differ in length from one sample to the next. */
const fillShare = 0.8

/**
 * Samples in batches, the newest batch first so that charts fill from the right; within a batch time runs
 * forward. `bytesOf` returns the size of a batch on the wire.
 */
export function* batchesOf(
  samples: readonly Sample[],
  bytesOf: (samples: readonly Sample[]) => number,
): Generator<readonly Sample[]> {
  const first = samples.slice(-firstBatchSamples)
  if (first.length === 0) return
  yield first
  const fits = Math.max(1, Math.floor((batchBytesMax * fillShare * first.length) / bytesOf(first)))
  for (let end = samples.length - first.length; end > 0; end -= fits)
    yield samples.slice(Math.max(0, end - fits), end)
}
