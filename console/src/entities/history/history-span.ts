import type { TimeRange } from '../../shared/ui/data/time-range.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The spans one press away. */
export const presets = {
  '15m': 15 * minuteMs,
  '1h': hourMs,
  '6h': 6 * hourMs,
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
} as const
export type Preset = keyof typeof presets
export const presetNames = Object.keys(presets) as Preset[]

/** The shortest and longest time a chart shows; older samples are kept as averages only. */
export const spanMs = { min: secondMs, max: 92 * dayMs } as const
/** 2000-01-01: no sample is older. */
const earliestAt = 946_684_800_000

/** The newest time, which moves on, or a fixed range. */
export type Span =
  | { readonly kind: 'live'; readonly lengthMs: number }
  | ({ readonly kind: 'fixed' } & TimeRange)

/** The time shown, as an address has it: the latest milliseconds, or a stretch. */
export interface SpanSearch {
  last?: number
  from?: number
  until?: number
}

/** The time span in an address; undefined if there is none. */
export function parseSpan({ last, from, until: to }: SpanSearch): Span | undefined {
  if (last !== undefined) return { kind: 'live', lengthMs: clampLength(last) }
  if (from === undefined || to === undefined || from < earliestAt) return undefined
  return { kind: 'fixed', from: Math.max(from, to - spanMs.max), to: Math.max(to, from + spanMs.min) }
}

/** The same for an address; `undefined` removes a parameter. */
export function formatSpan(span: Span): { [K in keyof SpanSearch]-?: SpanSearch[K] | undefined } {
  return span.kind === 'live'
    ? { last: span.lengthMs, from: undefined, until: undefined }
    : { last: undefined, from: Math.round(span.from), until: Math.round(span.to) }
}

/** The span's name where it is one of the presets. */
export function presetOf(span: Span): Preset | undefined {
  return span.kind === 'live' ? presetNames.find((name) => presets[name] === span.lengthMs) : undefined
}

export function lengthOf({ from, to }: TimeRange): number {
  return to - from
}

/** The address of what an address shows, with the time that is seen now: a live span would show another one later. */
export function shareLink(href: string, { from, to }: TimeRange): string {
  const link = new URL(href)
  link.searchParams.delete('last')
  link.searchParams.set('from', String(Math.round(from)))
  link.searchParams.set('until', String(Math.round(to)))
  return link.href
}

/** A live span as a fixed range. */
export function rangeOf(span: Span, now: number): TimeRange {
  return span.kind === 'live' ? { from: now - span.lengthMs, to: now } : { from: span.from, to: span.to }
}

/** A span that ends this close to now follows it, as a share of its length. */
const liveShare = 0.005

/** A range after moving or zooming: one that reaches now moves on, none lies in the future. */
export function spanAt(range: TimeRange, now: number): Span {
  const lengthMs = clampLength(lengthOf(range))
  if (range.to >= now - lengthMs * liveShare) return { kind: 'live', lengthMs: Math.round(lengthMs) }
  const from = Math.max(range.from, earliestAt)
  return { kind: 'fixed', from: Math.round(from), to: Math.round(from + lengthMs) }
}

/** A range `factor` times as long, in which `at` keeps its place. */
export function zoomRange(range: TimeRange, factor: number, at: number): TimeRange {
  const lengthMs = clampLength(lengthOf(range) * factor)
  const share = Math.min(Math.max((at - range.from) / lengthOf(range), 0), 1)
  const from = at - share * lengthMs
  return { from, to: from + lengthMs }
}

/** A range moved by a share of its length; negative: into the past. */
export function moveRange(range: TimeRange, share: number): TimeRange {
  const byMs = lengthOf(range) * share
  return { from: range.from + byMs, to: range.to + byMs }
}

function clampLength(lengthMs: number): number {
  return Math.min(Math.max(lengthMs, spanMs.min), spanMs.max)
}

/** The shortest preset that contains data of an offline machine. */
export function firstSpan(online: boolean, lastSeen: number | null, now: number): Span {
  const silentMs = online || lastSeen === null ? 0 : now - lastSeen
  const name = presetNames.find((preset) => presets[preset] > silentMs && preset !== '15m') ?? '90d'
  return { kind: 'live', lengthMs: presets[name] }
}

const bucketStepsMs = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 4, 6, 8, 12, 24].map((hours) => hours * hourMs),
]

/** A round interval that cuts a length into at most about this many. */
export function niceInterval(lengthMs: number, buckets: number): number {
  return bucketStepsMs.find((step) => step * buckets >= lengthMs) ?? dayMs
}

/** A range that begins and ends with an interval, so that buckets do not change while moving. */
export function alignRange({ from, to }: TimeRange, intervalMs: number): TimeRange {
  return { from: Math.floor(from / intervalMs) * intervalMs, to: Math.ceil(to / intervalMs) * intervalMs }
}
