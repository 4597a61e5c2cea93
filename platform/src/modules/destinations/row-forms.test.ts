import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { formatBody, formatRow } from './row-forms.ts'

const row = {
  ...{ no: 12, linkId: 5, machineId: 9, kind: 'row' as const, time: Date.parse('2026-11-29T00:00:01.5Z') },
  late: false,
  text: `"machineCode":"A1","machineName":"注塑机","group":"melt","time":${Date.parse('2026-11-29T00:00:01.5Z')},"receivedAt":2,"values":{"temp":21.5,"on":true,"count":"9223372036854775807","mode":null}}`,
}

test('the JSON of a row is what the stream has, with its id', () => {
  expect(formatRow({ ...row, id: '7-12' }, 'json', 'UTC')).toBe(`{"id":"7-12",${row.text}`)
})

test('the flat form has texts, and the time on the machine’s clock', () => {
  expect(JSON.parse(formatRow({ ...row, id: '7-12' }, 'flat', 'Asia/Shanghai'))).toEqual({
    temp: '21.5',
    on: '1',
    count: '9223372036854775807',
    mode: '',
    _id: '7-12',
    _machineCode: 'A1',
    _groupName: 'melt',
    _terminalTime: '2026-11-29 08:00:01.500',
  })
})

test('gaps have one form', () => {
  const gap = { ...row, kind: 'gap' as const, text: '"time":2,"gap":{"from":1,"to":2}}' }
  expect(JSON.parse(formatRow({ ...gap, id: '7-12' }, 'flat', 'UTC'))).toEqual({
    id: '7-12',
    time: 2,
    gap: { from: 1, to: 2 },
  })
})

test('a body is an array or lines, and may be packed', () => {
  const rows = ['{"id":"7-1"}', '{"id":"7-2"}']
  const array = formatBody(rows, { isNdjson: false, isGzip: false })
  expect(JSON.parse(array.bytes.toString())).toEqual([{ id: '7-1' }, { id: '7-2' }])
  const lines = formatBody(rows, { isNdjson: true, isGzip: true })
  expect(lines.headers).toEqual({ 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' })
  expect(gunzipSync(lines.bytes).toString().trim().split('\n')).toEqual(rows)
})
