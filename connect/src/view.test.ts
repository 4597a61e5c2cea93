import { describe, expect, test } from 'vitest'
import { countColumns, fit, formatTable } from './columns.ts'
import { formatQr } from './qr-text.ts'
import { textsOf } from './texts/index.ts'
import { formatBytes, renderView, type View } from './view.ts'

const langs = ['cn', 'en'] as const
const view: View = {
  machine: '注塑机 4\u001b[2J',
  mode: 'rw',
  until: 90 * 60_000,
  now: 0,
  control: { isMine: false, who: '王工' },
  targets: [
    {
      name: 'plc',
      kind: 'modbus',
      localAddress: '127.0.0.1:10502',
      streams: 2,
      bytes: { in: 12_345, out: 99 },
      counts: { reads: 120, writes: 7, refused: 3 },
      roundTripMs: 41.6,
      end: undefined,
    },
    {
      name: '驱动器',
      kind: 's7',
      localAddress: '127.0.0.1:10102',
      streams: 0,
      bytes: { in: 0, out: 0 },
      counts: undefined,
      roundTripMs: undefined,
      end: { reason: 'rightLost', detail: '' },
    },
  ],
  takers: undefined,
  told: Array.from({ length: 50 }, (_, at) => `line ${at}`),
}

describe.each(langs)('the view in %s', (lang) => {
  const t = textsOf[lang]

  test.each([
    [40, 12],
    [80, 24],
    [160, 60],
  ])('fits %i columns and %i rows', (columns, rows) => {
    const lines = renderView(view, { columns, rows, t, lang })
    expect(lines).toHaveLength(rows)
    for (const line of lines) expect(countColumns(line)).toBeLessThanOrEqual(columns)
    expect(lines.join('')).not.toContain('\u001b')
  })

  test('says where each port is, who is in control, the time left, and what ended and why', () => {
    const lines = renderView(view, { columns: 160, rows: 40, t, lang })
    const all = lines.join('\n')
    for (const part of [
      '127.0.0.1:10502',
      '12.3 kB',
      '120/7/3',
      '42 ms',
      '王工',
      t.modes.rw,
      t.endReasons.rightLost,
    ])
      expect(all).toContain(part)
    expect(all).toContain(t.viewTimeLeft(90))
    expect(lines.at(-1)).toBe(t.viewKeys)
    // The newest of what happened, just above the keys.
    expect(lines.at(-2)).toBe('line 49')
  })

  test('offers the visits that can be handed control, by a digit each', () => {
    const takers = Array.from({ length: 12 }, (_, at) => ({ sessionId: at, name: `P${at}`, asks: at === 0 }))
    const lines = renderView({ ...view, takers }, { columns: 160, rows: 40, t, lang })
    const all = lines.join('\n')
    expect(all).toContain(`1  P0  ${t.takerAsks}`)
    expect(all).toContain('9  P8')
    expect(all).not.toContain('P9')
    expect(lines.at(-1)).toBe(t.handKeys)
  })
})

test('columns count Chinese characters twice', () => {
  expect(countColumns('注塑机 4')).toBe(8)
  expect(fit('注塑机', 4)).toBe('注… ')
  expect(fit('ab', 4)).toBe('ab  ')
  expect(
    formatTable([
      ['端口', 'x'],
      ['plc', 'y'],
    ]),
  ).toEqual(['端口  x', 'plc   y'])
})

test('bytes have three digits at most', () => {
  expect([0, 999, 1_000, 123_456, 5_000_000].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1.0 kB',
    '123 kB',
    '5.0 MB',
  ])
})

test('the QR code is as wide in each row, and dark on light in any terminal', () => {
  const rows = formatQr('https://busbar.example/deviceCode?code=7KMP-4TXW').split('\n')
  expect(new Set(rows.map((row) => row.length)).size).toBe(1)
  for (const row of rows) expect(row.startsWith('\u001b[30;107m')).toBe(true)
})
