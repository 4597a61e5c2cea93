import { expect, it } from 'vitest'
import { qualityNumber, type SampleRecord } from '../../modules/telemetry/index.ts'
import { WholeSeconds } from './whole-seconds.ts'

const second = Date.UTC(2026, 10, 20)

const sample = (time: number | undefined, value: string, tag = 'a'): SampleRecord => ({
  ...{ kind: 'sample', group: '', tag, type: 'float64', value, quality: qualityNumber.good, time },
  ...{ late: false, isTypeGuess: true },
})

function timesOf(...samples: SampleRecord[]) {
  const seconds = new WholeSeconds()
  return samples.flatMap((one) =>
    seconds.spread([one]).map((record) => (record.kind === 'sample' ? record.time : null)),
  )
}

it('puts what changed within a second in its order, each tag by itself, a repeat where it was', () => {
  expect(
    timesOf(
      sample(second, '1'),
      sample(second, '2'),
      sample(second, '2'),
      sample(second, '5', 'b'),
      sample(second, '1'),
      sample(second + 1_000, '2'),
    ),
  ).toEqual([second, second + 1, second + 1, second, second + 2, second + 1_000])
})

it('never leaves the second, however much changes in it', () => {
  const times = timesOf(...Array.from({ length: 1_500 }, (_, count) => sample(second, String(count))))
  expect(times.at(-1)).toBe(second + 999)
})

it('changes no time that is finer than a second, none, or nonsense', () => {
  for (const time of [second + 1, undefined, Number.NaN]) {
    expect(timesOf(sample(time, '1'), sample(time, '2'))).toEqual([time, time])
  }
})
