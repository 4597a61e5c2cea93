import type { AnswerOf, operator } from '@busbar/contract'
import { expect, test } from 'vitest'
import { withRates } from './overview-rates.ts'

type Overview = AnswerOf<typeof operator.getOverview>

const lookAt = (at: number, messages: number, startedAt = 1) =>
  ({ at, startedAt, load: { messages, samples: 10 * messages } }) as Overview

test('rates appear with the second answer, and immediately on a page that opens later', () => {
  const first = withRates(lookAt(1_000, 100), undefined)
  expect(first.rates).toBeUndefined()
  const second = withRates(lookAt(2_000, 130), first)
  expect(second.rates).toEqual({ messages: 30, samples: 300 })
  expect(withRates(lookAt(2_000, 130), second).rates, 'the same instant again').toEqual(second.rates)
})

test('after a restart of the platform rates are missing at first', () => {
  const before = withRates(lookAt(2_000, 130), withRates(lookAt(1_000, 100), undefined))
  expect(withRates(lookAt(3_000, 5, 2_500), before).rates).toBeUndefined()
})
