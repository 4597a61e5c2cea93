import { Quality } from '@busbar/link'
import type { Alarm, Machine, WriteRefusal, WriteResult, WriteSource } from '../machine.ts'
import type { Sample, Tag, TagValue } from '../tag.ts'

export interface MemoryMachine extends Machine {
  /** Every requested write, with its origin. */
  readonly writes: { tag: number; value: TagValue; source: WriteSource }[]
  /** The result of the next writes; without it the machine keeps the written value. */
  answer: ((tag: number, value: TagValue) => Promise<WriteResult | { refused: WriteRefusal }>) | null
  set(tag: number, value: TagValue | null, at?: number, quality?: number): void
  /** The number of its listeners. */
  listeners(): number
}

/** A machine that exists only in memory. */
export function createMemoryMachine(
  tags: Tag[],
  alarms: Alarm[] = [],
  now: () => number = Date.now,
): MemoryMachine {
  const samples = new Map<number, Sample>()
  const listeners = new Set<(samples: readonly Sample[]) => void>()
  return {
    code: '1000000000000000001',
    tags,
    writes: [],
    answer: null,
    current: () => [...samples.values()],
    alarms: () => alarms,
    listeners: () => listeners.size,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    set(tag, value, at = now(), quality = value === null ? Quality.bad : Quality.good) {
      const sample: Sample = { tag, at, value, quality: quality as Sample['quality'] }
      samples.set(tag, sample)
      for (const listener of listeners) listener([sample])
    },
    async write(tag, value, source) {
      this.writes.push({ tag, value, source })
      if (this.answer !== null) return this.answer(tag, value)
      this.set(tag, value)
      return { state: 'confirmed', kept: value, error: '' }
    },
  }
}
