import type { telemetry } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import { getZone } from '../../shared/i18n/zone.ts'
import { csvName, isoLocal } from '../../shared/ui/data/csv.ts'
import { formatHistory, tableOf } from './history-csv.ts'
import { toTagSeries } from './history-series.ts'

const words = {
  time: 'Time',
  min: 'min',
  max: 'max',
  quality: 'quality',
  qualities: { good: 'Good', stale: 'Stale', bad: 'Bad', uncertain: 'Uncertain' },
}

function series(
  name: string,
  type: telemetry.TagType,
  points: telemetry.HistoryPoint[],
  more: { unit?: string; kind?: telemetry.HistoryKind } = {},
) {
  const { unit = '', kind = 'raw' } = more
  const version = null
  const told = { tagId: 1, machineId: 1, kind, intervalMs: 10, points, cutAt: null, version }
  return toTagSeries(
    { tagId: 1, name, type, unit, scale: null, min: null, max: null, version },
    { ...told, before: [0, 9, 9, 9], after: null },
  )
}

const range = { from: 10, to: 100 }
const linesOf = (csv: string) => csv.slice(1).split('\r\n')

describe('the exported file', () => {
  it('contains the range on screen, each series in its column, empty where a series has no sample', () => {
    const table = tableOf(
      [
        series(
          'Temp',
          'float64',
          [
            [10, 1.25, 1.25, 1.25],
            [30, 2, 2, 2],
            [100, 3, 3, 3],
          ],
          { unit: '°C' },
        ),
        series('Count', 'int64', [[20, '9007199254740993', null, null]]),
      ],
      range,
      words,
    )
    const csv = formatHistory(table)
    expect(csv.charCodeAt(0)).toBe(0xfeff)
    expect(linesOf(csv)).toEqual([
      `Time (${getZone()}),Temp (°C),Count`,
      `${isoLocal(10)},1.25,`,
      `${isoLocal(20)},,9007199254740993`,
      `${isoLocal(30)},2,`,
      '',
    ])
  })

  it('has the least and greatest of averages, and the quality where it is not good', () => {
    const table = tableOf(
      [
        series(
          'A',
          'float64',
          [
            [10, 2, 1, 3],
            [20, null, null, null, 'bad'],
          ],
          { kind: 'buckets' },
        ),
        series('B', 'bool', [[10, true, null, null, 'uncertain']]),
      ],
      range,
      words,
    )
    expect(linesOf(formatHistory(table))).toEqual([
      `Time (${getZone()}),A,A min,A max,A quality,B,B quality`,
      `${isoLocal(10)},2,1,3,Good,true,Uncertain`,
      `${isoLocal(20)},,,,Bad,,`,
      '',
    ])
  })

  it('makes text that a spreadsheet would run harmless, and leaves numbers alone', () => {
    const table = tableOf(
      [
        series('=Name', 'string', [
          [10, '=1+1', null, null],
          [20, 'a "b", c', null, null],
          [30, '@x', null, null],
        ]),
        series('Wide', 'string', [[10, '＝1+1', null, null]]),
        series('N', 'float64', [[10, -5.5, -5.5, -5.5]]),
      ],
      range,
      words,
    )
    expect(linesOf(formatHistory(table)).slice(0, 4)).toEqual([
      `Time (${getZone()}),'=Name,Wide,N`,
      `${isoLocal(10)},'=1+1,'＝1+1,-5.5`,
      `${isoLocal(20)},"a ""b"", c",,`,
      `${isoLocal(30)},'@x,,`,
    ])
  })

  it('says its time so that it can be read back', () => {
    const at = Date.UTC(2026, 10, 21, 10, 44, 16, 123)
    expect(new Date(isoLocal(at)).getTime()).toBe(at)
    expect(isoLocal(at)).toMatch(/^2026-11-2\dT\d\d:\d\d:16\.123[+-]\d\d:\d\d$/)
  })

  it('is called by machine and range, whatever the machine is called', () => {
    expect(csvName('Press 1/2: "A"', { from: 0, to: 1_000 })).toMatch(
      /^Press 1 2 A \d{4}-\d\d-\d\d_\d{6} \d{4}-\d\d-\d\d_\d{6}\.csv$/,
    )
  })
})
