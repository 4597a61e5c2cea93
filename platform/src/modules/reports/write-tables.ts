import { type Cell, type Column, roundNumber } from '../../kernel/files/cell.ts'
import { writeCsv } from '../../kernel/files/csv-writer.ts'
import { type Sheet, writeXlsx } from '../../kernel/files/xlsx-writer.ts'
import { ZoneClock } from '../../kernel/files/zone-clock.ts'
import { leftOutLines } from './print/left-out.ts'
import { levels, type ReportAlarm, type ReportData, type ReportTag, type Value } from './report-data.ts'
import { Writer } from './report-words.ts'

const rowsPerBlock = 2_000

/** A report as a workbook: a sheet for each of its parts. */
export function writeReportXlsx(data: ReportData): AsyncGenerator<Buffer> {
  const { words } = new Writer(data.lang, data.timeZone)
  return writeXlsx(sheetsOf(data), { clock: new ZoneClock(data.timeZone), offset: words.offset })
}

/**
 * A report as one table: part, device, variable, figure, value, time. Programs read it; the points of trends are in the
 * workbook only.
 */
export function writeReportCsv(data: ReportData): AsyncGenerator<Buffer> {
  const { words } = new Writer(data.lang, data.timeZone)
  const columns: Column[] = [
    { header: words.section },
    { header: words.device },
    { header: words.code, kind: 'text' },
    { header: words.group },
    { header: words.variable },
    { header: words.unit },
    { header: words.figure },
    { header: words.value },
    { header: words.time, kind: 'time' },
    { header: words.note },
  ]
  return writeCsv({ columns, clock: new ZoneClock(data.timeZone) }, [figureRows(data)])
}

/** Text, numbers and switches of a variable as cells. */
const cellOf = (value: Value, { digits }: Pick<ReportTag, 'digits'>): Cell =>
  typeof value === 'number' ? roundNumber(value, { digits, isComputed: true }) : value
const seconds = (ms: number | null): Cell => (ms === null ? null : Math.round(ms / 1_000))

interface Named {
  readonly name: string
  readonly code: string
}

function namesOf(data: ReportData): (machineId: number) => Named {
  const names = new Map(data.machines.map((one) => [one.id, one]))
  return (machineId) => names.get(machineId) ?? { name: '', code: '' }
}

function figureRows(data: ReportData): Cell[][] {
  const writer = new Writer(data.lang, data.timeZone)
  const { words } = writer
  const nameOf = namesOf(data)
  const rows: Cell[][] = []
  const add = (
    section: string,
    of: { readonly machineId?: number; readonly tag?: ReportTag },
    figure: string,
    value: Cell,
    more: { readonly at?: number | null; readonly note?: string } = {},
  ) => {
    const machineId = of.tag?.machineId ?? of.machineId
    const machine = machineId === undefined ? { name: '', code: '' } : nameOf(machineId)
    const { group = '', name = '', unit = '' } = of.tag ?? {}
    rows.push([
      section,
      machine.name,
      machine.code,
      group,
      name,
      unit,
      figure,
      value,
      more.at ?? null,
      more.note ?? '',
    ])
  }
  add(words.summary, {}, words.period, writer.period(data.from, data.to))
  add(words.summary, {}, words.timeZone, writer.zone(data.to))
  add(words.summary, {}, words.owner, data.owner)
  add(words.summary, {}, words.madeAt, null, { at: data.madeAt })
  for (const line of leftOutLines(data, writer)) add(words.summary, {}, words.leftOutTitle, line)
  for (const { machineId, ...one } of data.availability ?? []) {
    const share = one.knownMs > 0 ? one.onlineMs / one.knownMs : null
    add(words.availability, { machineId }, words.online, share)
    add(words.availability, { machineId }, `${words.onlineTime} (s)`, seconds(one.onlineMs))
    add(words.availability, { machineId }, words.outages, one.outages)
    add(words.availability, { machineId }, `${words.longestOutage} (s)`, seconds(one.longestMs))
  }
  for (const tag of data.statistics ?? []) {
    const of = { tag }
    add(words.statistics, of, words.samples, tag.samples)
    if (tag.states) {
      for (const { value, ms } of tag.states)
        add(words.states, of, `${words.duration} (s)`, seconds(ms), { note: writer.value(value, tag) })
      continue
    }
    const note = tag.isOfAverages ? words.ofAverages : ''
    add(words.statistics, of, words.min, cellOf(tag.min?.value ?? null, tag), {
      at: tag.min?.at ?? null,
      note,
    })
    add(words.statistics, of, words.max, cellOf(tag.max?.value ?? null, tag), {
      at: tag.max?.at ?? null,
      note,
    })
    add(words.statistics, of, words.mean, cellOf(tag.mean, tag), { note })
    add(words.statistics, of, words.timeMean, cellOf(tag.timeMean, tag), { note })
    add(words.statistics, of, words.last, cellOf(tag.last, tag), { note })
    add(words.statistics, of, words.delta, cellOf(tag.delta, tag), { note })
  }
  for (const one of data.alarms?.byMachine ?? []) {
    const { machineId } = one
    for (const level of levels) add(words.alarms, { machineId }, words.levels[level], one[level])
    add(words.alarms, { machineId }, `${words.alarmTime} (s)`, seconds(one.ms))
  }
  for (const alarm of data.alarms?.list ?? [])
    add(words.alarmList, { machineId: alarm.machineId }, words.levels[alarm.level], seconds(alarm.ms), {
      at: alarm.raisedAt,
      note: alarm.text,
    })
  return rows
}

function* sheetsOf(data: ReportData): Generator<Sheet> {
  const writer = new Writer(data.lang, data.timeZone)
  const { words } = writer
  const nameOf = namesOf(data)
  const device: Column[] = [
    { header: words.device, width: 24 },
    { header: words.code, kind: 'text', width: 21 },
  ]
  const deviceOf = (machineId: number): Cell[] => [nameOf(machineId).name, nameOf(machineId).code]
  const variable: Column[] = [
    ...device,
    { header: words.group, width: 14 },
    { header: words.variable, width: 24 },
  ]
  const variableOf = (tag: ReportTag): Cell[] => [...deviceOf(tag.machineId), tag.group, tag.name]
  const text = (header: string, width = 16): Column => ({ header, width })
  const time = (header: string): Column => ({ header, kind: 'time', width: 24 })

  yield {
    name: words.summary,
    columns: [text(words.figure, 22), text(words.value, 60)],
    blocks: [
      [
        [data.name, ''],
        [words.period, writer.period(data.from, data.to)],
        [words.timeZone, writer.zone(data.to)],
        [words.owner, data.owner],
        [words.madeAt, writer.second(data.madeAt)],
        [words.devices, data.machines.length],
        ...leftOutLines(data, writer).map((line): Cell[] => [words.leftOutTitle, line]),
      ],
    ],
  }
  if (data.availability)
    yield {
      name: words.availability,
      columns: [
        ...device,
        text(`${words.online} (%)`),
        text(`${words.onlineTime} (s)`),
        text(words.outages),
        text(`${words.longestOutage} (s)`),
      ],
      blocks: [
        data.availability.map((one) => [
          ...deviceOf(one.machineId),
          one.knownMs > 0 ? (one.onlineMs / one.knownMs) * 100 : null,
          seconds(one.onlineMs),
          one.outages,
          seconds(one.longestMs),
        ]),
      ],
    }
  const numbers = data.statistics?.filter(({ states }) => !states) ?? []
  if (numbers.length > 0)
    yield {
      name: words.statistics,
      columns: [
        ...variable,
        text(words.unit, 8),
        text(words.min),
        time(words.minAt),
        text(words.max),
        time(words.maxAt),
        text(words.mean),
        text(words.timeMean),
        text(words.last),
        text(words.delta),
        text(words.resets),
        text(words.samples),
        text(`${words.gap} (s)`),
      ],
      blocks: [
        numbers.map((tag) => [
          ...variableOf(tag),
          tag.unit,
          cellOf(tag.min?.value ?? null, tag),
          tag.min?.at ?? null,
          cellOf(tag.max?.value ?? null, tag),
          tag.max?.at ?? null,
          cellOf(tag.mean, tag),
          cellOf(tag.timeMean, tag),
          cellOf(tag.last, tag),
          cellOf(tag.delta, tag),
          tag.resets,
          tag.samples,
          seconds(tag.gapMs),
        ]),
      ],
    }
  const states = data.statistics?.flatMap((tag) => (tag.states ?? []).map((one) => ({ tag, one }))) ?? []
  if (states.length > 0)
    yield {
      name: words.states,
      columns: [...variable, text(words.state, 20), text(`${words.duration} (s)`), text(words.times)],
      blocks: [
        states.map(({ tag, one }) => [
          ...variableOf(tag),
          writer.value(one.value, tag),
          seconds(one.ms),
          one.times,
        ]),
      ],
    }
  if (data.trends)
    yield {
      name: words.trends,
      columns: [
        time(words.time),
        ...variable,
        text(words.unit, 8),
        text(words.mean),
        text(words.min),
        text(words.max),
      ],
      blocks: trendBlocks(data.trends, writer, variableOf),
    }
  if (data.alarms) {
    yield {
      name: words.alarms,
      columns: [
        ...device,
        ...levels.map((level) => text(words.levels[level])),
        text(`${words.alarmTime} (s)`),
      ],
      blocks: [
        data.alarms.byMachine.map((one) => [
          ...deviceOf(one.machineId),
          ...levels.map((level) => one[level]),
          seconds(one.ms),
        ]),
      ],
    }
    yield {
      name: words.alarmList,
      columns: [
        time(words.raisedAt),
        time(words.clearedAt),
        ...device,
        text(words.level, 10),
        text(words.alarm, 40),
        text(`${words.duration} (s)`),
        text(words.count),
        text(words.confirmedBy),
      ],
      blocks: [data.alarms.list.map((alarm) => alarmRow(alarm, writer, deviceOf))],
    }
  }
}

const alarmRow = (alarm: ReportAlarm, { words }: Writer, deviceOf: (machineId: number) => Cell[]): Cell[] => [
  alarm.raisedAt,
  alarm.clearedAt,
  ...deviceOf(alarm.machineId),
  words.levels[alarm.level],
  alarm.text,
  seconds(alarm.ms),
  alarm.count,
  alarm.confirmedBy,
]

function* trendBlocks(
  trends: NonNullable<ReportData['trends']>,
  writer: Writer,
  variableOf: (tag: ReportTag) => Cell[],
): Generator<Cell[][]> {
  let block: Cell[][] = []
  for (const trend of trends)
    for (const [at, value, low, high] of trend.points) {
      const shown = trend.kind === 'states' ? writer.value(value, trend) : cellOf(value, trend)
      const bounds = [cellOf(low, trend), cellOf(high, trend)]
      block.push([at, ...variableOf(trend), trend.unit, shown, ...bounds])
      if (block.length < rowsPerBlock) continue
      yield block
      block = []
    }
  yield block
}
