import { expect, it } from 'vitest'
import { groupCommitLimits } from './commit-batch.ts'
import type { UplinkRecord } from './uplink-record.ts'
import { WaitingEntries } from './waiting-entries.ts'

const { alarmsPerBatchMax, recordsPerBatchMax } = groupCommitLimits
const value: UplinkRecord = { kind: 'attributes', attributes: {} }

let places = 0

/** An entry with a name; its records are not read, so one record stands for all of them. */
const entryOf = (machineId: number, name: string, { alarms = 0, records = 1 } = {}) => ({
  machineId,
  name,
  alarms,
  records: { length: records } as readonly UplinkRecord[],
  place: places++,
})
type Entry = ReturnType<typeof entryOf>

/** The names of each batch until nothing waits. */
function takeAll(waiting: WaitingEntries<Entry>): string[][] {
  const batches: string[][] = []
  while (waiting.size > 0) batches.push(waiting.take().map(({ name }) => name))
  return batches
}

it('a batch of a storm costs as much as it has entries, however many wait behind it', () => {
  const count = 200 * alarmsPerBatchMax
  let reads = 0
  const waiting = new WaitingEntries<{
    machineId: number
    alarms: number
    records: readonly UplinkRecord[]
    place: number
  }>()
  for (let place = 0; place < count; place++) {
    waiting.add({
      machineId: place,
      records: [value],
      place,
      get alarms() {
        reads++
        return 1
      },
    })
  }
  let batches = 0
  for (; waiting.size > 0; batches++) expect(waiting.take()).toHaveLength(alarmsPerBatchMax)
  expect(batches).toBe(count / alarmsPerBatchMax)
  // A scan of all that wait for each batch would read 100 times as often.
  expect(reads).toBeLessThan(20 * count)
})

it('an alarm goes behind the values that its machine sent before it', () => {
  const waiting = new WaitingEntries<Entry>()
  waiting.add(entryOf(2, 'a long one', { records: recordsPerBatchMax }))
  waiting.add(entryOf(1, 'value'))
  waiting.add(entryOf(1, 'alarm', { alarms: 1 }))
  waiting.add(entryOf(1, 'value after it'))
  expect(takeAll(waiting)).toEqual([['a long one'], ['value', 'alarm', 'value after it']])
})

it('returned entries come first, in their order, also when they are returned twice', () => {
  const waiting = new WaitingEntries<Entry>()
  for (const name of ['a', 'b', 'c']) waiting.add(entryOf(1, name, { alarms: alarmsPerBatchMax }))
  const [a] = waiting.take()
  const [b] = waiting.take()
  waiting.add(entryOf(1, 'd'))
  waiting.add(entryOf(2, 'e'))
  waiting.putBack([a, b].filter((entry) => entry !== undefined))
  const [again] = waiting.take()
  expect(again?.name).toBe('a')
  waiting.putBack([again].filter((entry) => entry !== undefined))
  expect(takeAll(waiting)).toEqual([['a'], ['b', 'e'], ['c', 'd']])
})
