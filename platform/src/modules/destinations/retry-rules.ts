import type { destinations } from '@busbar/contract'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Before the second, third … try; the last wait is repeated (rules/projects.md: retries). */
const waitsMs = [5_000, 30_000, 2 * minuteMs, 10 * minuteMs, 30 * minuteMs, hourMs] as const
/** Each wait is longer or shorter by up to this part, so that those who failed together do not come together. */
const spreadPart = 0.2
const retryAfterMsMax = hourMs
/** A destination that failed for this time is switched off. */
const patienceMs = 72 * hourMs
/** Members are told of a destination that failed for this time. */
const toldAfterMs = 10 * minuteMs
/** So many refusals make a request a dead letter. */
const refusalsMax = 5

/**
 * The meaning of an answer that is a failure. `gone`: the receiver wants nothing more; `refused`: not this request,
 * while it says nothing about the receiver's state; `slower`: fewer requests.
 */
export type Meaning = 'gone' | 'refused' | 'slower'

/** How a try ended. */
export interface TryEnd {
  /** The HTTP status of the answer, or a broker's reason code, if one came. */
  readonly status: number | null
  /** Null where the rows were accepted. */
  readonly fault: destinations.DestinationFault | null
  readonly means?: Meaning | undefined
  /** As the answer had it. */
  readonly retryAfter?: string | undefined
}

/** The tries of one request. */
export interface Tries {
  /** Those that ended, this one included. */
  readonly tries: number
  /** Those of them that refused the request itself, without this one. */
  readonly refusals: number
  /** Epoch milliseconds of the first failure since the last success. */
  readonly failingSince: number | undefined
}

/** The step after the end of a try. */
export type Verdict =
  | { readonly kind: 'accepted' }
  /** The receiver says that it is gone for good. */
  | { readonly kind: 'switchOff'; readonly reason: 'gone' | 'failedTooLong' }
  /** The receiver does not take this request; the next one may be better. */
  | { readonly kind: 'dead' }
  | {
      readonly kind: 'retry'
      readonly waitMs: number
      /** The receiver refused the request itself. */
      readonly isRefusal: boolean
      /** It asks for fewer requests. */
      readonly isSlower: boolean
      /** It has failed for so long that members are told. */
      readonly isTold: boolean
    }

/** The only decision about what follows from an answer, or from none. `random`: 0 to 1. */
export function judge(end: TryEnd, tries: Tries, now: number, random: number): Verdict {
  if (end.fault === null) return { kind: 'accepted' }
  if (end.means === 'gone') return { kind: 'switchOff', reason: 'gone' }
  const isRefusal = end.means === 'refused'
  if (isRefusal && tries.refusals + 1 >= refusalsMax) return { kind: 'dead' }
  const failedMs = now - (tries.failingSince ?? now)
  if (failedMs >= patienceMs) return { kind: 'switchOff', reason: 'failedTooLong' }
  const isSlower = end.means === 'slower'
  const asked = isSlower ? readRetryAfter(end.retryAfter, now) : undefined
  return {
    kind: 'retry',
    waitMs: asked ?? waitMs(tries.tries, random),
    isRefusal,
    isSlower,
    isTold: failedMs >= toldAfterMs,
  }
}

/** The meaning of an HTTP status. */
export function meaningOf(status: number): Meaning | undefined {
  if (status === 410) return 'gone'
  if (status === 429 || status === 503) return 'slower'
  return status >= 400 && status < 500 && status !== 408 && status !== 425 ? 'refused' : undefined
}

function waitMs(tries: number, random: number): number {
  const usual = waitsMs[Math.min(tries, waitsMs.length) - 1] ?? waitsMs[0]
  return Math.round(usual * (1 + spreadPart * (2 * random - 1)))
}

/** Seconds or a date (RFC 9110, 10.2.3), as milliseconds from now; undefined for anything else. */
export function readRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1_000 : Date.parse(text) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), retryAfterMsMax)
}

/** Rows that come one by one go together. */
const gatherMs = 50
const paceMsMin = 250
const paceMsMax = minuteMs

/** The least time between two requests of a lane: it doubles when the receiver asks for fewer, and halves by each success. */
export const slowDown = (paceMs: number): number => Math.min(paceMsMax, Math.max(paceMsMin, paceMs * 2))
export const speedUp = (paceMs: number): number => (paceMs <= paceMsMin ? 0 : paceMs / 2)

/** The least time between the beginnings of two requests of a lane: behind a full one there is nothing to wait for. */
export const distanceMs = ({
  wasFull,
  paceMs,
}: {
  readonly wasFull: boolean
  readonly paceMs: number
}): number => (wasFull ? paceMs : Math.max(gatherMs, paceMs))
