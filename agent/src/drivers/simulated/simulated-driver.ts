import { Quality } from '@busbar/link'
import type { Clock } from '../../clock.ts'
import type { Reading, Tag, TagValue } from '../../tag.ts'
import { scaleValue, unscaleValue } from '../../tag.ts'
import type { Driver } from '../driver.ts'
import type { Signal } from './signal.ts'
import { numberAsType, signalNumber } from './signal.ts'

export interface SimulatedTag extends Tag {
  signal: Signal
}

export interface SimulatedConnection {
  tags: readonly SimulatedTag[]
}

/** A simulated controller. `random` gives 0 to 1. */
export function createSimulatedDriver(
  connection: SimulatedConnection,
  clock: Clock,
  random: () => number,
): Driver {
  const startedAtMs = clock.monotonic()
  const last: (number | null)[] = connection.tags.map(() => null)
  /** A written value replaces the signal. */
  const written = new Map<number, TagValue>()

  function readingOf(tag: SimulatedTag, index: number): Reading {
    const held = written.get(index)
    if (held !== undefined) return { index, value: held, quality: Quality.good }
    const number = signalNumber(tag.signal, clock.monotonic() - startedAtMs, last[index] ?? null, random)
    last[index] = number
    return { index, value: scaleValue(tag, numberAsType(number, tag.type)), quality: Quality.good }
  }

  return {
    poll: async () => connection.tags.map(readingOf),
    read: async (index) => readingOf(connection.tags[index] as SimulatedTag, index),
    async write(index, value) {
      const tag = connection.tags[index] as SimulatedTag
      const raw = unscaleValue(tag, value)
      written.set(index, scaleValue(tag, typeof raw === 'number' ? numberAsType(raw, tag.type) : raw))
    },
    async close() {},
  }
}
