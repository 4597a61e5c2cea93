import { parseCsv } from '@busbar/contract'
import { expect, test } from 'vitest'
import type { Cell, Column } from './cell.ts'
import { writeCsv } from './csv-writer.ts'
import { ZoneClock } from './zone-clock.ts'

const columns: Column[] = [{ header: 'Time', kind: 'time' }, { header: '=Tag' }, { header: 'Value' }]

async function write(rows: readonly (readonly Cell[])[], zone = 'UTC'): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of writeCsv({ columns, clock: new ZoneClock(zone) }, [rows])) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

const at = Date.UTC(2026, 10, 23, 9, 5, 7, 120)

test('a file begins with a byte order mark, and text that looks like a formula stays text', async () => {
  const text = await write([
    [at, '=1+1', -5],
    [at, '@SUM(A1)', 1.5],
    [null, '\tx', 9_007_199_254_740_993n],
    [at, 'a "b", c', true],
  ])
  expect(text).toBe(
    [
      "\uFEFFTime,'=Tag,Value",
      "2026-11-23 09:05:07.120+00:00,'=1+1,-5",
      "2026-11-23 09:05:07.120+00:00,'@SUM(A1),1.5",
      ',"\'\tx",9007199254740993',
      '2026-11-23 09:05:07.120+00:00,"a ""b"", c",true',
      '',
    ].join('\r\n'),
  )
  expect(parseCsv(text).map(({ cells }) => cells[1])).toEqual(['=Tag', '=1+1', '@SUM(A1)', '\tx', 'a "b", c'])
})

test('times are those of the zone, across the change of its clocks', async () => {
  const change = Date.UTC(2026, 9, 25, 1)
  const text = await write(
    [change - 1, change, change + 3_600_000].map((time) => [time, 'x', 1]),
    'Europe/Berlin',
  )
  expect(parseCsv(text).map(({ cells }) => cells[0])).toEqual([
    'Time',
    '2026-10-25 02:59:59.999+02:00',
    '2026-10-25 02:00:00.000+01:00',
    '2026-10-25 03:00:00.000+01:00',
  ])
})

test('a long file leaves in pieces', async () => {
  async function* blocks() {
    for (let block = 0; block < 50; block++)
      yield Array.from({ length: 1_000 }, (_, row) => [at + row, 'temperature', row])
  }
  let largest = 0
  let lines = 0
  for await (const piece of writeCsv({ columns, clock: new ZoneClock('Asia/Shanghai') }, blocks())) {
    largest = Math.max(largest, piece.length)
    lines += piece.toString().split('\n').length - 1
  }
  expect(lines).toBe(50_001)
  expect(largest).toBeLessThan(600_000)
})
