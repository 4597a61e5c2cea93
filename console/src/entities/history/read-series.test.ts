import type { telemetry } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import { gapsOf } from '../../shared/ui/data/trend-gaps.ts'
import type { HistoryMachine } from './history-series.ts'
import { listRows } from './history-table.tsx'
import { hasForeign, readSeries } from './read-series.ts'

const press = (id: number, name = 'Press'): HistoryMachine => ({ id, name, code: `10${id}`, online: true })

const tagOf = (tagId: number): telemetry.Tag => ({
  ...{ tagId, group: '', wireGroup: '', tag: 'temp', name: 'temp', type: 'float64', unit: '°C', scale: null },
  ...{ readOnly: true, min: 0, max: 9, lastAt: null },
})

const pointsOf = (tagId: number, machineId: number): telemetry.HistorySeries => ({
  ...{
    tagId,
    machineId,
    kind: 'raw',
    intervalMs: null,
    cutAt: 150,
    before: null,
    after: null,
    version: null,
  },
  points: [[100, 5, 5, 5]],
})

/** Both were away and lost samples, at other times. */
const answer = {
  series: [pointsOf(11, 1), pointsOf(12, 1), pointsOf(21, 2)],
  machines: [
    {
      machineId: 1,
      gaps: [[10, 20]] as [number, number][],
      lost: [[30, 40, 7]] as [number, number, number][],
    },
    {
      machineId: 2,
      gaps: [[50, 60]] as [number, number][],
      lost: [[30, 40, 5]] as [number, number, number][],
    },
  ],
}
const tags = [11, 12, 21].map(tagOf)
const range = { from: 0, to: 200 }

describe('two machines of one name', () => {
  const series = readSeries(answer, { machines: [press(1), press(2)], tags, tagIds: [11, 12, 21] })

  it('both keep the reasons of their gaps, and their share of the lost samples', () => {
    const gaps = gapsOf(series)
    expect(gaps.filter(({ lost }) => lost === undefined).map(({ from }) => from)).toEqual([10, 50])
    expect(gaps.reduce((sum, { lost = 0 }) => sum + lost, 0)).toBe(12)
  })

  it('both have their rows in the table, under names that tell them apart', () => {
    const rows = listRows(series, range).filter(({ gap }) => gap)
    expect(rows.map(({ machineName, gap }) => [machineName, gap?.from, gap?.lost])).toEqual([
      ['Press (102)', 50, undefined],
      ['Press (101)', 30, 7],
      ['Press (102)', 30, 5],
      ['Press (101)', 10, undefined],
    ])
  })
})

describe('an earlier period', () => {
  const wish = { machines: [press(1)], tags, tagIds: [11] }
  const [now] = readSeries(answer, wish)
  const [earlier] = readSeries(answer, wish, 1_000)

  it('is moved with its gaps and its end to the time that is shown', () => {
    expect(earlier?.points.map(({ at }) => at)).toEqual([1_100])
    expect(earlier?.gaps).toEqual([
      { from: 1_010, to: 1_020 },
      { from: 1_030, to: 1_040, lost: 7 },
    ])
    expect(earlier?.cutAt).toBe(1_150)
  })

  it('is another curve of the same variable', () => {
    expect(earlier?.tag.tagId).toBe(now?.tag.tagId)
    expect(earlier?.key).not.toBe(now?.key)
  })
})

it('shows nothing of a machine that was not asked for, and says so', () => {
  const wish = { machines: [press(1)], tags, tagIds: [21, 12, 11] }
  expect(readSeries(answer, wish).map(({ tag }) => tag.tagId)).toEqual([12, 11])
  expect(hasForeign(answer, wish.machines, wish.tagIds)).toBe(true)
  expect(hasForeign(answer, wish.machines, [11, 12])).toBe(false)
})
