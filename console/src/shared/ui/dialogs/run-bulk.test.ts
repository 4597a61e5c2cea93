import { expect, test } from 'vitest'
import { runBulk, runParts } from './run-bulk.ts'

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

test('many rows go in parts by one call each, and a call that fails keeps the other parts from nothing', async () => {
  const parts: (readonly number[])[] = []
  const refusal = new Error('refused')
  const failures = await runParts(
    [1, 2, 3, 4, 5],
    async (rows) => {
      parts.push(rows)
      if (rows.includes(3)) throw refusal
      return rows.filter((row) => row === 5).map((row) => ({ row, error: 'full' }))
    },
    2,
    () => undefined,
  )
  expect(parts).toEqual([[1, 2], [3, 4], [5]])
  expect(failures).toEqual([
    { row: 3, error: refusal },
    { row: 4, error: refusal },
    { row: 5, error: 'full' },
  ])
})
