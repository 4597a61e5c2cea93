import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Cell } from './cell.ts'
import { type Sheet, writeXlsx } from './xlsx-writer.ts'
import { ZoneClock } from './zone-clock.ts'

const run = promisify(execFile)
const clock = new ZoneClock('Asia/Shanghai')
const at = Date.UTC(2026, 10, 23, 9, 5, 7, 120)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'busbar-xlsx-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Reads a file as another program does: typed cells, formats, the rows that stay in sight. */
const script = `
import json, sys, zipfile, openpyxl
from openpyxl.utils.escape import unescape
assert zipfile.ZipFile(sys.argv[1]).testzip() is None
book = openpyxl.load_workbook(sys.argv[1])
def tell(cell):
  value = cell.value
  return [cell.data_type, str(value) if cell.is_date else unescape(value) if cell.data_type == 's' else value, cell.number_format, cell.quotePrefix or False]
print(json.dumps([{ 'name': sheet.title, 'freeze': sheet.freeze_panes, 'width': sheet.column_dimensions['A'].width,
  'rows': [[tell(cell) for cell in row] for row in sheet.iter_rows()] } for sheet in book.worksheets]))`

interface ReadSheet {
  readonly name: string
  readonly freeze: string
  readonly width: number
  readonly rows: [type: string, value: unknown, format: string, isQuoted: boolean][][]
}

async function writeAndRead(sheets: Iterable<Sheet>, rowsMax?: number): Promise<ReadSheet[]> {
  const file = join(folder, 'a.xlsx')
  await pipeline(writeXlsx(sheets, { clock, ...(rowsMax ? { rowsMax } : {}) }), createWriteStream(file))
  return read(file)
}

async function read(file: string): Promise<ReadSheet[]> {
  const python = process.env.BUSBAR_PYTHON ?? '/usr/bin/python3'
  return JSON.parse((await run(python, ['-c', script, file])).stdout) as ReadSheet[]
}

const sheetOf = (name: string, rows: readonly (readonly Cell[])[]): Sheet => ({
  name,
  columns: [{ header: '时间', kind: 'time' }, { header: '=tag' }, { header: 'value', digits: 2, width: 20 }],
  blocks: [rows.slice(0, 1), [], rows.slice(1)],
})

const values = (sheet: ReadSheet | undefined) => sheet?.rows.map((row) => row.map(([, value]) => value))

test('each column of times has the offsets of its times behind it, which tell apart the hour that comes twice', async () => {
  const berlin = new ZoneClock('Europe/Berlin')
  const twice = [Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 25, 1, 30)]
  const file = join(folder, 'offsets.xlsx')
  const columns = [{ header: 'from', kind: 'time' }, { header: 'to', kind: 'time' }, { header: 'n' }] as const
  const sheet = {
    name: 'a',
    columns,
    blocks: [
      [
        [...twice, 1],
        [twice[1] ?? 0, null, 2],
      ],
    ],
  }
  await pipeline(writeXlsx([sheet], { clock: berlin, offset: 'UTC offset' }), createWriteStream(file))
  expect(values((await read(file))[0])).toEqual([
    ['from', 'UTC offset', 'to', 'UTC offset', 'n'],
    ['2026-10-25 02:30:00', '+02:00', '2026-10-25 02:30:00', '+01:00', 1],
    ['2026-10-25 02:30:00', '+01:00', null, null, 2],
  ])
})

test('another program reads numbers, times in the zone, and texts that are not formulas', async () => {
  const texts = ['=1+1', '+1', '@x', '\t=1', 'a<b>&"c"', '_x000D_', 'one\r\ntwo', '温度\u0001 ']
  const [sheet, ...others] = await writeAndRead([
    sheetOf('pump', [[at, 'plain', 1.23456], ...texts.map((text) => [null, text, -5]), [at, null, true]]),
  ])
  expect(others).toEqual([])
  expect(sheet).toMatchObject({ name: 'pump', freeze: 'A2', width: 25 })
  expect(sheet?.rows[1]).toEqual([
    ['d', '2026-11-23 17:05:07.120000', 'yyyy\\-mm\\-dd\\ hh:mm:ss.000', false],
    ['s', 'plain', 'General', false],
    ['n', 1.23456, '0.00', false],
  ])
  expect(sheet?.rows[2]?.[1]).toEqual(['s', '=1+1', '@', true])
  expect(values(sheet)?.map((row) => row[1])).toEqual([
    '=tag',
    'plain',
    ...texts.slice(0, -1).map((text) => text.replace('\r\n', '\n')),
    '温度\uFFFD ',
    null,
  ])
  expect(sheet?.rows.at(-1)?.[2]).toEqual(['b', true, 'General', false])
})

test('a number of more digits than a spreadsheet keeps is written as text', async () => {
  const [sheet] = await writeAndRead([
    sheetOf('a', [
      [at, 'big', 9_007_199_254_740_993n],
      [at, 'small', 12n],
    ]),
  ])
  expect(sheet?.rows[1]?.[2]?.slice(0, 2)).toEqual(['s', '9007199254740993'])
  expect(sheet?.rows[2]?.[2]?.slice(0, 2)).toEqual(['n', 12])
})

test('a sheet that is full goes on in a next one', async () => {
  const rows = Array.from({ length: 7 }, (_, row) => [at, 'x', row])
  const sheets = await writeAndRead([sheetOf('pump', rows), sheetOf('PUMP', rows.slice(0, 3))], 4)
  expect(sheets.map(({ name }) => name)).toEqual(['pump', 'pump (2)', 'pump (3)', 'PUMP (4)'])
  const numbers = sheets.map((sheet) => values(sheet)?.map((row) => row[2]))
  expect(numbers).toEqual([
    ['value', 0, 1, 2],
    ['value', 3, 4, 5],
    ['value', 6],
    ['value', 0, 1, 2],
  ])
})

test('names of sheets are those that spreadsheets take', async () => {
  const long = '一号车间的冷却水循环水泵机组和它旁边的另外一台水泵机组'
  const names = ["'a/b:c'", '', 'History', `${long}${long}`, `${long}${long}`]
  const sheets = await writeAndRead(names.map((name) => sheetOf(name, [])))
  expect(sheets.map(({ name }) => name)).toEqual([
    'a b c',
    '_',
    '_History',
    `${long}${long}`.slice(0, 31),
    `${`${long}${long}`.slice(0, 27)} (2)`,
  ])
})

test('a reader that leaves early ends the rows', async () => {
  let ended = false
  async function* blocks() {
    try {
      for (;;) yield Array.from({ length: 5_000 }, () => [at, 'x', 1])
    } finally {
      ended = true
    }
  }
  let pieces = 0
  for await (const _ of writeXlsx([{ ...sheetOf('a', []), blocks: blocks() }], { clock }))
    if (++pieces > 3) break
  expect(ended).toBe(true)
})
