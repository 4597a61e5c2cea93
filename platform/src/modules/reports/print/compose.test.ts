import { expect, test } from 'vitest'
import type { ReportAlarm, ReportData, ReportTag, TagFigures, Trend } from '../report-data.ts'
import { composePages, pagesMax } from './compose.ts'
import { Fonts } from './fonts.ts'
import { margin, paper } from './sheet.ts'
import { toSvg } from './to-svg.ts'

const dayMs = 86_400_000
const to = Date.UTC(2026, 10, 23)
const from = to - dayMs
const longName = 'AnExtremelyLongNameWithoutAnyBlankThatNoColumnHasRoomFor与很长很长的中文名称'.repeat(3)
const fonts = new Fonts()

function largestReport(alarms: number): ReportData {
  const machines = Array.from({ length: 30 }, (_, id) => ({
    id,
    name: `${id} ${longName}`,
    code: '1'.repeat(19),
  }))
  const tags = Array.from(
    { length: 60 },
    (_, place): ReportTag => ({
      machineId: place % 30,
      tagId: place,
      group: longName,
      name: longName,
      unit: '℃',
      digits: null,
      words: {},
    }),
  )
  const alarm = (place: number): ReportAlarm => ({
    machineId: place % 30,
    level: 'critical',
    text: longName,
    raisedAt: from + place,
    clearedAt: null,
    ms: dayMs,
    count: 12_345,
    confirmedBy: null,
  })
  const list = Array.from({ length: alarms }, (_, place) => alarm(place))
  return {
    name: longName,
    lang: 'cn',
    timeZone: 'America/Argentina/ComodRivadavia',
    brand: { name: longName, accent: '#0b63ce' },
    owner: longName,
    ...{ from, to, madeAt: to, machines },
    leftOut: { machines: 3, unseen: 2, tags: [longName, longName], tooLarge: [longName] },
    availability: machines.map(({ id }) => ({
      machineId: id,
      onlineMs: dayMs - 1,
      knownMs: dayMs,
      outages: 99_999,
      longestMs: dayMs,
    })),
    statistics: tags.map(
      (tag): TagFigures => ({
        ...tag,
        isOfAverages: true,
        samples: 1,
        min: { value: -123_456.789, at: from },
        max: { value: 1.234e300, at: to },
        mean: 1 / 3,
        timeMean: -1e-12,
        last: 123_456_789.123,
        delta: 0,
        resets: 0,
        gapMs: 0,
        states: tag.tagId % 2 ? [{ value: longName, ms: dayMs, times: 99_999 }] : null,
      }),
    ),
    trends: tags.map(
      (tag): Trend => ({
        ...tag,
        kind: tag.tagId % 2 ? 'states' : 'band',
        points: [
          [from, tag.tagId % 2 ? longName : 1e9, null, null],
          [to - 1, tag.tagId % 2 ? 'x' : -1e9, -2e9, 3e9],
        ],
        gaps: [[from - dayMs, from + 1_000]],
      }),
    ),
    alarms: {
      raised: alarms,
      total: alarms,
      list,
      longest: list.slice(0, 10),
      byMachine: machines.map(({ id }) => ({
        machineId: id,
        critical: 99_999,
        major: 0,
        minor: 0,
        info: 0,
        ms: dayMs,
      })),
    },
  }
}

test('names of any length stay on the page, and so does everything that is drawn', () => {
  const pages = composePages(largestReport(200), fonts)
  const isIn = (x: number, y: number) =>
    x >= -0.1 && x <= paper.width + 0.1 && y >= -0.1 && y <= paper.height + 0.1
  const outside = pages.flatMap((page) =>
    page.filter((drawn) => {
      if (drawn.kind === 'path')
        return drawn.points.some(
          (value, place) => place % 2 === 0 && !isIn(value, drawn.points[place + 1] as number),
        )
      if (drawn.kind === 'rect')
        return !isIn(drawn.x, drawn.y) || !isIn(drawn.x + drawn.width, drawn.y + drawn.height)
      const end = drawn.x + fonts.widthOf(drawn.text, drawn.size, drawn.weight)
      return drawn.x < margin.left - 0.1 || end > paper.width - margin.right + 0.1 || !isIn(drawn.x, drawn.y)
    }),
  )
  expect(outside).toEqual([])
  expect(pages.length).toBeGreaterThan(20)
})

test('a report has 100 pages at most, and the last one mentions that there is more', () => {
  const pages = composePages(largestReport(6_000), fonts)
  expect(pages).toHaveLength(pagesMax)
  const words = pages.at(-1)?.flatMap((drawn) => (drawn.kind === 'text' ? [drawn.text] : []))
  expect(words).toContain('报告页数已达上限，后续内容请下载表格查看')
})

test('characters that the main font lacks are drawn by another one, and text is never markup', () => {
  expect(fonts.runsOf('温度 ≥ 80 ℃ Ω', 'normal').length).toBeGreaterThan(1)
  expect(fonts.widthOf('😀\u0000', 10, 'normal')).toBeGreaterThan(0)
  const text = {
    kind: 'text',
    x: 0,
    y: 0,
    text: '<script>"&',
    size: 10,
    weight: 'bold',
    color: '#000',
  } as const
  expect(toSvg([text], fonts)).toContain('aria-label="&lt;script&gt;&quot;&amp;"')
})

test('a device that was known for part of the period is online for a share of that part, which is named', () => {
  const knownMs = 19.5 * 3_600_000
  const report = largestReport(0)
  const [first] = report.availability ?? []
  const [machine] = report.machines
  if (!first || !machine) throw new Error('the report has devices')
  const known = { ...first, onlineMs: knownMs, knownMs }
  const pages = composePages({ ...report, lang: 'en', machines: [machine], availability: [known] }, fonts)
  const texts = pages.flat().flatMap((drawn) => (drawn.kind === 'text' ? [drawn.text] : []))
  expect(texts).toContain('of 19 h 30 min with data')
  expect(texts).toContain('19 h 30 min of 19 h 30 min')
})
