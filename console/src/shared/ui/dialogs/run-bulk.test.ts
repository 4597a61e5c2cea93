import { expect, test } from 'vitest'
import { runBulk } from './run-bulk.ts'

test('a row that fails does not keep the rows after it from being done, and is answered with its reason', async () => {
  const done: string[] = []
  const counts: number[] = []
  const refusal = new Error('refused')
  const failures = await runBulk(
    ['first', 'second', 'third'],
    async (row) => {
      if (row === 'second') throw refusal
      done.push(row)
    },
    (count) => counts.push(count),
  )
  expect(done).toEqual(['first', 'third'])
  expect(failures).toEqual([{ row: 'second', error: refusal }])
  expect(counts).toEqual([1, 2, 3])
})
