import { useDatabase } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'
import { silentLogger } from '../logger.ts'
import { type Counter, LocalRateCounters } from './rate-counters.ts'
import { SharedRateCounters } from './shared-rate-counters.ts'

const database = useDatabase({ poolMax: 8 })

/** The counters of another process. */
const ofProcess = () =>
  new SharedRateCounters({ db: database.db, local: new LocalRateCounters(), logger: silentLogger })

const counterOf = (key: string, more: Partial<Counter> = {}): Counter => ({
  ...{ group: 'signIns/64', key, max: 3, windowMs: 60_000, isShared: true },
  ...more,
})

test('two processes give as many tries against guessing as one, until the window is over', async () => {
  const [one, other] = [ofProcess(), ofProcess()]
  const tries = [one, other, one].map((counters) => counters.take([counterOf('a')], 1_000))
  expect(await Promise.all(tries)).toEqual([undefined, undefined, undefined])
  expect(await other.take([counterOf('a')], 21_000)).toEqual({ retryIn: 40 })
  expect(await one.take([counterOf('a')], 60_999)).toEqual({ retryIn: 1 })
  expect(await one.take([counterOf('b')], 60_999)).toBeUndefined()
  expect(await one.take([counterOf('a')], 61_000)).toBeUndefined()
})

test('many tries at one moment in two processes pass as often as allowed', async () => {
  const both = [ofProcess(), ofProcess()]
  const keys = ['user', 'address'].map((key) => counterOf(`moment ${key}`, { max: 10 }))
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      both[index % 2]?.take(index % 4 < 2 ? keys : keys.toReversed(), 1_000),
    ),
  )
  expect(answers.filter((answer) => answer === undefined)).toHaveLength(10)
})

test('a call that one counter refuses uses no try of another, and returns its own', async () => {
  const counters = ofProcess()
  const full = counterOf('full', { max: 1 })
  const room = counterOf('room', { max: 1 })
  const load = counterOf('load', { max: 1, isShared: false })
  expect(await counters.take([full], 1_000)).toBeUndefined()
  expect(await ofProcess().take([full, room], 1_000)).toEqual({ retryIn: 60 })
  expect(await counters.take([full, room, load], 1_000)).toEqual({ retryIn: 60 })
  expect(await counters.take([room, load], 1_000)).toBeUndefined()
  await ofProcess().giveBack([room], 1_000)
  expect(await counters.take([room], 1_000)).toBeUndefined()
})

test('a mark that one process leaves is used up in another, once and in time', async () => {
  const [one, other] = [ofProcess(), ofProcess()]
  await one.putMark('asks user 5', 2_000)
  expect(await other.takeMark('asks user 5', 1_999)).toBe(true)
  expect(await one.takeMark('asks user 5', 1_999)).toBe(false)
  await one.putMark('asks user 5', 2_000)
  expect(await other.takeMark('asks user 5', 2_000)).toBe(false)
})
