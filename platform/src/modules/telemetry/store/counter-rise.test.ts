import type { MeterChange } from '@busbar/contract'
import { describe, expect, test } from 'vitest'
import { drawCounter } from '../../../../test-support/counters.ts'
import { createRandom } from '../../../../test-support/histories/random.ts'
import { averageHour } from './averages.ts'
import type { ChunkSamples } from './chunk.ts'
import { hourMs, hourOf } from './chunk-rows.ts'
import { CounterRise } from './counter-rise.ts'

const start = Date.UTC(2026, 9, 24, 22)
const minuteMs = 60_000

interface Sample {
  readonly at: number
  readonly value: number
}

const every = (values: readonly number[], stepMs = 10 * minuteMs): Sample[] =>
  values.map((value, place) => ({ at: start + place * stepMs, value }))

const blockOf = (samples: readonly Sample[]): ChunkSamples => ({
  times: samples.map(({ at }) => at),
  qualities: samples.map(() => 192),
  lates: samples.map(() => 0),
  filled: samples.map(() => 1),
  column: { type: 'float64', values: samples.map(({ value }) => value) },
  stamps: new Map(),
})

interface Told {
  readonly at: number
  readonly amount: number
  readonly isReset: boolean
}

function tell(samples: readonly Sample[], resets: readonly MeterChange[] = []): Told[] {
  const told: Told[] = []
  const counter = new CounterRise(false, resets, (at, amount, isReset) =>
    told.push({ at, amount: Number(amount), isReset }),
  )
  counter.takeBlock(blockOf(samples), 0, samples.length)
  counter.settle()
  return told
}

function rise(values: readonly number[]): { value: number; resets: number } {
  const told = tell(every(values))
  const sum = told.reduce((all, { amount }) => all + amount, 0)
  return { value: Number(sum.toPrecision(12)), resets: told.filter(({ isReset }) => isReset).length }
}

describe('the rise of a counter', () => {
  test.each([
    ['goes on from 0 where it fell', [1000, 1005, 1010, 5, 10, 15], 25, 1],
    ['ignores a dip by rounding', [100.5, 100.4, 100.6, 100.5, 100.7, 100.8], 0.3, 0],
    ['ignores a value that returns', [1010, 1012, 0, 1013, 1014, 1016], 6, 0],
    ['ignores two values until it returns', [1010, 1012, 0, 3, 1013, 1016], 6, 0],
    ['takes three low values for a reset', [1010, 1012, 0, 1, 3, 1013, 1016], 2 + 1016, 1],
    ['ignores a peak of a line that was disturbed', [1010, 1012, 99999, 1013, 1016], 6, 0],
    ['ignores a fall and a peak one after the other', [1010, 1012, 0, 65535, 1013, 1016], 6, 0],
    ['takes a fall at the end for a reset', [10, 12, 3, 5, 0, 1], 2 + 3 + 2 + 0 + 1, 2],
    ['counts a jump that stays', [5, 5000, 5001, 5002], 4997, 0],
    ['is never negative', [100, 99, 98, 97, 91], 0, 0],
    ['is never negative below 0', [5, -3, -2, -1], 0 + 2, 1],
  ] as const)('%s', (_, values, value, resets) => {
    expect(rise(values)).toEqual({ value, resets })
  })

  test('of a meter that was replaced goes from reading to reading', () => {
    const samples = every([8_000, 8_010, 20, 25, 31])
    const resets = [{ at: start + 15 * minuteMs, from: 8_012, to: 18 }]
    expect(tell(samples, resets).map(({ amount }) => amount)).toEqual([10, 2 + 2, 5, 6])
  })

  test('forgets a higher value after the next day', () => {
    const day = 24 * hourMs
    const values: Sample[] = [1000, 960, 970].map((value, place) => ({ at: start + place * hourMs, value }))
    const later = (days: number, value: number) => ({ at: start + days * day, value })
    expect(tell([...values, later(1, 980)])).toEqual([])
    expect(tell([...values, later(3, 980)])).toEqual([{ at: later(3, 980).at, amount: 10, isReset: false }])
  })
})

describe('the averages of an hour', () => {
  test.each([1, 60] as const)('of %i minutes tell the rise of a counter, or say that they do not', (step) => {
    for (let seed = 1; seed <= 60; seed++) {
      const samples = drawCounter(createRandom(seed), start, 200)
      const exact: Told[] = []
      const byHours: Told[] = []
      const tellInto = (told: Told[]) => (at: number, amount: number | bigint, isReset: boolean) =>
        told.push({ at, amount: Number(amount), isReset })
      const one = new CounterRise(false, [], tellInto(exact))
      const other = new CounterRise(false, [], tellInto(byHours))
      for (const [hour, inside] of Map.groupBy(samples, ({ at }) => hourOf(at))) {
        const block = blockOf(inside)
        one.takeBlock(block, 0, inside.length)
        const averages = averageHour(hour, block, step)
        if (!averages) throw new Error('numbers have averages')
        let isExact = true
        const tried = other.fork()
        for (let place = 0; place < averages.starts.length; place++)
          isExact = tried.takeBucket(averages, place, step * minuteMs) && isExact
        if (!isExact) other.takeBlock(block, 0, inside.length)
        else
          for (let place = 0; place < averages.starts.length; place++)
            other.takeBucket(averages, place, step * minuteMs)
      }
      one.settle()
      other.settle()
      const sumsOf = (told: readonly Told[]) =>
        Array.from(
          Map.groupBy(told, ({ at }) => hourOf(at)),
          ([hour, some]) => [hour, some.reduce((sum, { amount }) => sum + amount, 0).toFixed(6)],
        ).filter(([, sum]) => sum !== '0.000000')
      expect(sumsOf(byHours), `seed ${seed}`).toEqual(sumsOf(exact))
    }
  })
})
