import type { Outage } from './connection-plan.ts'
import type { MachineModel } from './machine-model.ts'
import type { TagValue } from './trades/trade.ts'

/** No history older than this is made up. */
export const historyMostMs = 24 * 3_600_000
/** The newest stretch is kept finely, so that a chart of the last hour has its shape. */
export const fineStretchMs = 3_600_000
export const fineIntervalMs = 10_000
export const coarseIntervalMs = 60_000

/** All tags at one instant, in the order of the trade's tags. */
export interface Sample {
  at: number
  values: readonly TagValue[]
}

/** An alarm that came and went in the past. */
export interface AlarmEpisode {
  id: string
  raisedAt: number
  clearedAt: number
}

export interface History {
  /** In time order. */
  samples: Sample[]
  episodes: AlarmEpisode[]
}

/** Lets the process's other work run between two hours of simulation. */
export type Pause = () => Promise<void>

/**
 * Runs `model` from where it stands up to `untilAt` and gives what it would have sent: a sample a minute, one in
 * ten seconds for the last hour, none within an outage. Only alarms that have ended are given: an open one belongs
 * to the birth, and a past end of the same alarm must not close it.
 */
export async function recordHistory(
  model: MachineModel,
  untilAt: number,
  outages: readonly Outage[],
  pause: Pause,
): Promise<History> {
  const samples: Sample[] = []
  const episodes: AlarmEpisode[] = []
  const raisedAt = new Map<string, number>()
  let paused = model.at
  let at = Math.ceil(model.at / fineIntervalMs) * fineIntervalMs
  for (; at <= untilAt; at += fineIntervalMs) {
    model.advance(at)
    followAlarms(model, at, raisedAt, episodes)
    const due = at > untilAt - fineStretchMs || at % coarseIntervalMs === 0
    const offline = outages.some(([fromAt, toAt]) => at >= fromAt && at < toAt)
    if (due && !offline) samples.push({ at, values: model.values() })
    if (at - paused >= 3_600_000) {
      paused = at
      await pause()
    }
  }
  return { samples, episodes: episodes.filter((episode) => !raisedAt.has(episode.id)) }
}

function followAlarms(
  model: MachineModel,
  at: number,
  raisedAt: Map<string, number>,
  episodes: AlarmEpisode[],
): void {
  const standing = model.alarms()
  for (const id of standing) if (!raisedAt.has(id)) raisedAt.set(id, at)
  for (const [id, since] of raisedAt) {
    if (standing.has(id)) continue
    raisedAt.delete(id)
    episodes.push({ id, raisedAt: since, clearedAt: at })
  }
}

/** No batch of history is larger than this on the wire. */
export const batchBytesMax = 200_000
/** A first guess at how many samples fit. */
const batchSamples = 400

/**
 * Samples in batches, the newest batch first so that charts fill from the right; within a batch time runs forward.
 * `bytesOf` says how large a batch would be on the wire; what is too large is halved.
 */
export function* batchesOf(
  samples: readonly Sample[],
  bytesOf: (samples: readonly Sample[]) => number,
): Generator<readonly Sample[]> {
  for (let end = samples.length; end > 0; end -= batchSamples) {
    yield* halved(samples.slice(Math.max(0, end - batchSamples), end), bytesOf)
  }
}

function* halved(
  samples: readonly Sample[],
  bytesOf: (samples: readonly Sample[]) => number,
): Generator<readonly Sample[]> {
  if (samples.length === 1 || bytesOf(samples) <= batchBytesMax) {
    yield samples
    return
  }
  const half = samples.length >> 1
  yield* halved(samples.slice(half), bytesOf)
  yield* halved(samples.slice(0, half), bytesOf)
}
