import { Quality } from '@busbar/link'
import type { Clock } from '../../clock.ts'
import type { Reading, Tag } from '../../tag.ts'
import { scaleValue } from '../../tag.ts'
import type { Driver } from '../driver.ts'
import type { Signal } from './signal.ts'
import { numberAsType, signalNumber } from './signal.ts'

export interface SimulatedTag extends Tag {
  signal: Signal
}

export interface SimulatedConnection {
  driver: 'simulated'
  name: string
  pollIntervalMs: number
  tags: SimulatedTag[]
}

/** A controller that exists only here. `random` gives 0 to 1. */
export function createSimulatedDriver(
  connection: SimulatedConnection,
  clock: Clock,
  random: () => number,
): Driver {
  const startedAtMs = clock.monotonic()
  const last: (number | null)[] = connection.tags.map(() => null)

  return {
    async poll() {
      const elapsedMs = clock.monotonic() - startedAtMs
      return connection.tags.map((tag, index): Reading => {
        const number = signalNumber(tag.signal, elapsedMs, last[index] ?? null, random)
        last[index] = number
        return { index, value: scaleValue(tag, numberAsType(number, tag.type)), quality: Quality.good }
      })
    },
    async close() {},
  }
}
