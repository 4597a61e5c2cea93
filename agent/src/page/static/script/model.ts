import type {
  AlarmView,
  PageView,
  StateView,
  TagView,
  ValueQuality,
  ValueView,
  VisitView,
  WireValue,
  WriteView,
} from '../../page-api.ts'
import type { Line } from './line.ts'

/** The data of the page that its parts share. */
export interface Model {
  readonly page: PageView
  /** The platform's answer about the visit; null at the machine itself and before the first answer. */
  visit: VisitView | null
  readonly line: Line
  readonly values: Map<number, ValueView>
  connections: StateView['connections']
  alarms: AlarmView[]
  /** The agent's clock minus this browser's, ms. */
  clockAheadMs: number
  /** Time at which the line was lost, by the agent's clock; null while there is one. */
  lostAt: number | null
  /** Opens a tag's trend. */
  showTrend(tag: number): void
}

/** A part of the page. It is rebuilt for another language or configuration; `update` changes it in place. */
export interface Part {
  /** Tags whose values changed; null if any may have. */
  update(tags: readonly number[] | null): void
}

export interface Shown {
  value: WireValue
  quality: ValueQuality | 'none'
}

/** The visible part of a tag's value: bad samples have no value. */
export function shownValue(model: Model, tag: number): Shown {
  const view = model.values.get(tag)
  if (view === undefined) return { value: null, quality: 'none' }
  const [, value, quality] = view
  if (quality === 'bad') return { value: null, quality }
  return { value, quality: model.lostAt !== null ? 'stale' : quality }
}

/** A value to draw and to start from: an uncertain one is a value too. */
export function isTrusted(quality: Shown['quality']): boolean {
  return quality === 'good' || quality === 'uncertain'
}

export function agentNow(model: Model): number {
  return Date.now() + model.clockAheadMs
}

/** The value read back after a write is shown immediately: its sample may come after the answer. */
export function takeKept(model: Model, { tag, kept }: WriteView): void {
  if (kept !== null) model.values.set(tag, [tag, kept, 'good', agentNow(model)])
}

export function canWrite(model: Model): boolean {
  return model.page.mode === 'rw' && model.lostAt === null
}

export function isSetpoint(tag: TagView): boolean {
  return tag.writable && !tag.alarm
}
