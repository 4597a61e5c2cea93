import { Quality } from '@busbar/link'
import type { Machine } from '../machine.ts'
import type { Sample, Tag, TagValue } from '../tag.ts'
import { isScaled } from '../tag.ts'
import type { SnapshotView, StateView, TagView, ValueQuality, ValueView, WireValue } from './page-api.ts'

/** A connection's name, and which of the machine's tags it reads. */
export interface PageConnection {
  name: string
  firstTag: number
  tagCount: number
}

export function tagView(tag: Tag, alarm: boolean): TagView {
  const whole = !isScaled(tag) && !tag.type.startsWith('float')
  return {
    group: tag.group,
    name: tag.name,
    displayName: tag.displayName,
    kind: tag.type === 'bool' ? 'bool' : tag.type === 'string' ? 'text' : 'number',
    whole,
    wide: isWide(tag),
    unit: tag.unit ?? '',
    scale: tag.scale ?? null,
    min: tag.min ?? null,
    max: tag.max ?? null,
    step: whole ? 1 : 10 ** -(tag.scale ?? decimalsOf(tag.factor)),
    writable: !tag.readOnly,
    keyTag: tag.keyTag,
    alarm,
  }
}

/** Whether its numbers are bigint. */
export function isWide(tag: Tag): boolean {
  return !isScaled(tag) && (tag.type === 'int64' || tag.type === 'uint64')
}

/** 0.05 moves the second decimal; a float without a factor the first. */
function decimalsOf(factor: number): number {
  if (factor === 1) return 1
  return Math.min(6, Math.max(0, Math.ceil(-Math.log10(Math.abs(factor)))))
}

export function wireValue(value: TagValue | null): WireValue {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : String(value)
}

/** An unknown quality counts as not good. */
function valueQuality(quality: number): ValueQuality {
  if (quality === Quality.good) return 'good'
  if (quality === Quality.uncertain) return 'uncertain'
  return quality === Quality.stale ? 'stale' : 'bad'
}

export function valueView({ tag, value, quality, at }: Sample): ValueView {
  return [tag, wireValue(value), valueQuality(quality), at]
}

/** A connection is online while any of its tags can be read. */
export function stateView(machine: Machine, connections: readonly PageConnection[]): StateView {
  const qualities: ValueQuality[] = []
  for (const { tag, quality } of machine.current()) qualities[tag] = valueQuality(quality)
  const raised = machine.alarms().filter((alarm) => alarm.raised)
  return {
    connections: connections.map(({ firstTag, tagCount }) => {
      const own = qualities.slice(firstTag, firstTag + tagCount)
      if (own.includes('good') || own.includes('uncertain')) return 'online'
      return own.some((quality) => quality !== undefined) ? 'offline' : 'unknown'
    }),
    alarms: raised.map(({ tag, id, level, text, since }) => ({ tag, id, level, text, since })),
  }
}

export function snapshotView(
  machine: Machine,
  connections: readonly PageConnection[],
  now: number,
): SnapshotView {
  return { now, ...stateView(machine, connections), values: machine.current().map(valueView) }
}
