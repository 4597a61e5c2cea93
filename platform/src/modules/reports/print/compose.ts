import {
  type AlarmFigures,
  type Availability,
  levels,
  type ReportAlarm,
  type ReportData,
  type TagFigures,
} from '../report-data.ts'
import { Writer } from '../report-words.ts'
import { drawTrend } from './chart.ts'
import type { Fonts } from './fonts.ts'
import { leftOutLines } from './left-out.ts'
import { contentWidth, ink, margin, type Page, paper, Sheet } from './sheet.ts'
import { drawTable, type TableRow } from './table.ts'

/** Pages of a report. */
export const pagesMax = 100
const trendHeight = 118
const levelColors = { critical: '#b3261e', major: '#c25700', minor: '#9a7700', info: '#3f6ea5' } as const

/** The pages of a report: summary, missing data, then each chosen part. */
export function composePages(data: ReportData, fonts: Fonts): readonly Page[] {
  return new Composition(data, fonts).compose()
}

class Composition {
  readonly #data: ReportData
  readonly #sheet: Sheet
  readonly #writer: Writer
  readonly #names: ReadonlyMap<number, string>

  constructor(data: ReportData, fonts: Fonts) {
    this.#data = data
    this.#sheet = new Sheet(fonts, pagesMax)
    this.#writer = new Writer(data.lang, data.timeZone)
    this.#names = new Map(data.machines.map(({ id, name }) => [id, name]))
  }

  compose(): readonly Page[] {
    const { availability, statistics, trends, alarms } = this.#data
    this.#drawTitle()
    this.#drawCards()
    this.#drawLeftOut()
    if (availability) this.#drawAvailability(availability)
    if (statistics) this.#drawStatistics(statistics)
    if (trends) this.#drawTrends(trends)
    if (alarms) this.#drawAlarms(alarms)
    const { kept } = this.#sheet
    for (const [place, page] of kept.entries()) this.#drawEdges(page, place + 1, kept.length)
    return kept
  }

  get #words() {
    return this.#writer.words
  }

  #nameOf(machineId: number): string {
    return this.#names.get(machineId) ?? ''
  }

  #drawTitle(): void {
    const { name, brand, from, to, owner, madeAt } = this.#data
    const sheet = this.#sheet
    const { words } = this.#writer
    sheet.rect(0, 0, paper.width, 6, brand.accent)
    sheet.text(sheet.fit(brand.name, contentWidth, { size: 11, weight: 'bold' }), margin.left, 40, {
      size: 11,
      weight: 'bold',
      color: brand.accent,
    })
    const style = { size: 22, weight: 'bold' } as const
    let y = 74
    for (const line of sheet.wrap(name, contentWidth, style, 2)) {
      sheet.text(line, margin.left, y, style)
      y += 27
    }
    const zone = this.#writer.zone(to)
    const facts: [string, string][] = [
      [words.period, this.#writer.period(from, to)],
      [words.timeZone, zone],
      [words.owner, owner],
      [words.madeAt, this.#writer.time(madeAt)],
    ]
    const width = contentWidth / 2
    for (const [place, [label, value]] of facts.entries()) {
      const x = margin.left + (place % 2) * width
      const line = y + Math.floor(place / 2) * 16
      sheet.text(label, x, line, { size: 8.5, color: ink.soft })
      const shift = 58
      sheet.text(sheet.fit(value, width - shift - 8, { size: 9.5 }), x + shift, line, { size: 9.5 })
    }
    sheet.y = y + 36
  }

  #drawCards(): void {
    const { machines, availability, alarms } = this.#data
    const { words } = this.#writer
    const cards: { label: string; value: string; color?: string }[] = [
      { label: words.devices, value: this.#writer.count(machines.length) },
    ]
    if (availability) {
      const known = availability.reduce((sum, { knownMs }) => sum + knownMs, 0)
      const online = availability.reduce((sum, { onlineMs }) => sum + onlineMs, 0)
      // Of one device only: the times of several add up to a length that says nothing.
      const isPart = availability.length === 1 && known < this.#periodMs
      const label = isPart ? words.onlineKnown(this.#writer.duration(known)) : words.online
      cards.push({ label, value: this.#writer.percent(online, known) })
    }
    if (alarms) {
      const critical = alarms.byMachine.reduce((sum, one) => sum + one.critical, 0)
      cards.push({ label: words.raised, value: this.#writer.count(alarms.raised) })
      cards.push({
        label: words.critical,
        value: this.#writer.count(critical),
        ...(critical > 0 ? { color: levelColors.critical } : {}),
      })
    }
    const gap = 10
    const width = (contentWidth - gap * 3) / 4
    const sheet = this.#sheet
    for (const [place, { label, value, color = ink.text }] of cards.entries()) {
      const x = margin.left + place * (width + gap)
      sheet.rect(x, sheet.y, width, 52, ink.fill, 5)
      sheet.text(sheet.fit(value, width - 20, { size: 19, weight: 'bold' }), x + 10, sheet.y + 27, {
        size: 19,
        weight: 'bold',
        color,
      })
      sheet.text(sheet.fit(label, width - 20, { size: 8.5 }), x + 10, sheet.y + 42, {
        size: 8.5,
        color: ink.soft,
      })
    }
    sheet.y += 52 + 16
  }

  #drawLeftOut(): void {
    const lines = leftOutLines(this.#data, this.#writer)
    if (lines.length === 0) return
    const sheet = this.#sheet
    const style = { size: 9, color: ink.warn } as const
    const wrapped = lines.flatMap((line) => sheet.wrap(`· ${line}`, contentWidth - 24, style, 4))
    const height = wrapped.length * 13 + 30
    sheet.need(height)
    sheet.rect(margin.left, sheet.y, contentWidth, height, ink.warnFill, 5)
    sheet.text(this.#words.leftOutTitle, margin.left + 12, sheet.y + 18, { ...style, weight: 'bold' })
    for (const [place, line] of wrapped.entries())
      sheet.text(line, margin.left + 12, sheet.y + 33 + place * 13, style)
    sheet.y += height + 14
  }

  #heading(text: string, hint = '', room = 90): void {
    const sheet = this.#sheet
    if (sheet.y > margin.top) sheet.need(room)
    if (sheet.y > margin.top) sheet.y += 8
    sheet.text(text, margin.left, sheet.y + 13, { size: 13, weight: 'bold' })
    sheet.y += 21
    if (!hint) return
    sheet.text(sheet.fit(hint, contentWidth, { size: 8 }), margin.left, sheet.y + 6, {
      size: 8,
      color: ink.soft,
    })
    sheet.y += 14
  }

  #drawAvailability(all: NonNullable<ReportData['availability']>): void {
    const { words } = this.#writer
    this.#heading(words.availability)
    const hasParts = all.some(({ knownMs }) => knownMs < this.#periodMs)
    const rows = all.map((one): TableRow => {
      const isKnown = one.knownMs > 0
      const share = isKnown ? one.onlineMs / one.knownMs : 0
      return {
        cells: [
          this.#nameOf(one.machineId),
          isKnown ? { text: '', bar: share } : { text: words.neverSeen, color: ink.soft },
          isKnown ? this.#writer.percent(one.onlineMs, one.knownMs) : '–',
          isKnown ? this.#onlineTime(one, hasParts) : '–',
          isKnown ? this.#writer.count(one.outages) : '–',
          one.longestMs > 0 ? this.#writer.duration(one.longestMs) : '–',
        ],
      }
    })
    drawTable(
      this.#sheet,
      [
        { head: words.device, share: 26 },
        { head: '', share: 22 },
        { head: words.online, share: 12, isRight: true },
        { head: hasParts ? words.knownTime : words.onlineTime, share: hasParts ? 24 : 15, isRight: true },
        { head: words.outages, share: 11, isRight: true },
        { head: words.longestOutage, share: 15, isRight: true },
      ],
      rows,
      words,
    )
  }

  get #periodMs(): number {
    return Math.min(this.#data.to, this.#data.madeAt) - this.#data.from
  }

  /** The time online; with the time that is known, where that is a part of the period. */
  #onlineTime({ onlineMs, knownMs }: Availability, hasParts: boolean): string {
    const online = this.#writer.duration(onlineMs)
    return hasParts ? this.#writer.words.onlineOf(online, this.#writer.duration(knownMs)) : online
  }

  #drawStatistics(all: readonly TagFigures[]): void {
    const { words } = this.#writer
    const numbers = all.filter(({ states }) => states === null)
    const states = all.filter((one) => one.states !== null)
    if (numbers.length > 0) {
      const isOfAverages = numbers.some((one) => one.isOfAverages)
      this.#heading(words.statistics, isOfAverages ? words.ofAverages : '')
      drawTable(
        this.#sheet,
        [
          { head: words.variable, share: 27 },
          { head: words.min, share: 12, isRight: true },
          { head: words.max, share: 12, isRight: true },
          { head: words.mean, share: 12, isRight: true },
          { head: words.timeMean, share: 13, isRight: true },
          { head: words.last, share: 12, isRight: true },
          { head: words.delta, share: 12, isRight: true },
        ],
        this.#grouped(numbers, (one) => [[this.#tagName(one), ...this.#numbersOf(one)]]),
        words,
      )
    }
    if (states.length === 0) return
    this.#heading(words.states)
    drawTable(
      this.#sheet,
      [
        { head: words.variable, share: 30 },
        { head: words.state, share: 24 },
        { head: words.duration, share: 18, isRight: true },
        { head: words.share, share: 14, isRight: true },
        { head: words.times, share: 12, isRight: true },
      ],
      this.#grouped(states, (one) => this.#statesOf(one)),
      words,
    )
  }

  #numbersOf(one: TagFigures): string[] {
    if (one.samples === 0) return Array.from({ length: 6 }, () => '–')
    const value = (of: { readonly value: TagFigures['last'] } | null) =>
      this.#writer.value(of?.value ?? null, one)
    return [
      value(one.min),
      value(one.max),
      this.#writer.mean(one.mean, one),
      this.#writer.mean(one.timeMean, one),
      this.#writer.value(one.last, one),
      this.#writer.value(one.delta, one),
    ]
  }

  #statesOf(one: TagFigures): string[][] {
    const { states, samples } = one
    if (!states || states.length === 0 || samples === 0)
      return [[this.#tagName(one), this.#words.noData, '–', '–', '–']]
    const whole = states.reduce((sum, { ms }) => sum + ms, 0)
    return states
      .slice(0, 12)
      .map(({ value, ms, times }, place) => [
        place === 0 ? this.#tagName(one) : '',
        this.#writer.value(value, one),
        this.#writer.duration(ms),
        this.#writer.percent(ms, whole),
        this.#writer.count(times),
      ])
  }

  #tagName({ name, unit, isOfAverages }: TagFigures): string {
    return `${name}${unit ? ` (${unit})` : ''}${isOfAverages ? ' *' : ''}`
  }

  /** Rows of variables below the name of each device. */
  #grouped<Tag extends { readonly machineId: number }>(
    tags: readonly Tag[],
    cellsOf: (tag: Tag) => string[][],
  ): TableRow[] {
    return [...Map.groupBy(tags, ({ machineId }) => machineId)].flatMap(([machineId, own]) => [
      { cells: [this.#nameOf(machineId)], isGroup: true },
      ...own.flatMap((tag) => cellsOf(tag).map((cells) => ({ cells }))),
    ])
  }

  #drawTrends(trends: NonNullable<ReportData['trends']>): void {
    if (trends.length === 0) return
    this.#heading(this.#words.trends, this.#words.trendHint, 40 + trendHeight)
    const sheet = this.#sheet
    for (const trend of trends) {
      const height = trend.kind === 'states' ? 74 : trendHeight
      sheet.need(height + 16)
      const title = `${trend.name}${trend.unit ? ` (${trend.unit})` : ''}`
      const machine = this.#nameOf(trend.machineId)
      const half = contentWidth * 0.6
      const shown = sheet.fit(title, half, { size: 9, weight: 'bold' })
      sheet.text(shown, margin.left, sheet.y + 9, { size: 9, weight: 'bold' })
      sheet.textRight(
        sheet.fit(machine, contentWidth - sheet.width(shown, { size: 9, weight: 'bold' }) - 16, {
          size: 8.5,
        }),
        margin.left + contentWidth,
        sheet.y + 9,
        { size: 8.5, color: ink.soft },
      )
      const box = { x: margin.left, y: sheet.y + 10, width: contentWidth, height: height - 10 }
      drawTrend(sheet, box, trend, this.#data, this.#writer)
      sheet.y += height + 12
    }
  }

  #drawAlarms(alarms: AlarmFigures): void {
    const { words } = this.#writer
    this.#heading(words.alarms)
    const sheet = this.#sheet
    if (alarms.total === 0) {
      sheet.text(words.noAlarms, margin.left, sheet.y + 9, { size: 9, color: ink.soft })
      sheet.y += 20
      return
    }
    const count = (value: number, color: string) =>
      value > 0 ? { text: this.#writer.count(value), color } : { text: '0', color: ink.faint }
    drawTable(
      sheet,
      [
        { head: words.device, share: 30 },
        ...levels.map((level) => ({ head: words.levels[level], share: 11, isRight: true })),
        { head: words.total, share: 11, isRight: true },
        { head: words.alarmTime, share: 18, isRight: true },
      ],
      alarms.byMachine.map((one) => ({
        cells: [
          this.#nameOf(one.machineId),
          ...levels.map((level) => count(one[level], levelColors[level])),
          this.#writer.count(levels.reduce((sum, level) => sum + one[level], 0)),
          one.ms > 0 ? this.#writer.duration(one.ms) : '–',
        ],
      })),
      words,
    )
    if (alarms.longest.length > 0) {
      this.#heading(words.longestAlarms)
      this.#drawAlarmTable(alarms.longest)
    }
    const cut = alarms.total > alarms.list.length ? words.alarmListCut(alarms.list.length, alarms.total) : ''
    this.#heading(words.alarmList, cut)
    this.#drawAlarmTable(alarms.list)
  }

  #drawAlarmTable(list: readonly ReportAlarm[]): void {
    const { words } = this.#writer
    drawTable(
      this.#sheet,
      [
        { head: words.raisedAt, share: 15 },
        { head: words.level, share: 10 },
        { head: words.device, share: 20 },
        { head: words.alarm, share: 32 },
        { head: words.duration, share: 13, isRight: true },
        { head: words.clearedAt, share: 15, isRight: true },
      ],
      list.map((alarm) => ({
        cells: [
          this.#writer.short(alarm.raisedAt),
          { text: words.levels[alarm.level], color: levelColors[alarm.level] },
          this.#nameOf(alarm.machineId),
          alarm.count > 1 ? `${alarm.text} (×${alarm.count})` : alarm.text,
          this.#writer.duration(alarm.ms),
          alarm.clearedAt === null
            ? { text: words.active, color: levelColors.critical }
            : this.#writer.short(alarm.clearedAt),
        ],
      })),
      words,
    )
  }

  /** Draws the head and the foot of every page. */
  #drawEdges(page: Page, place: number, pages: number): void {
    const { name, brand, from, to } = this.#data
    const sheet = this.#sheet
    const style = { size: 7.5, color: ink.faint } as const
    const put = (text: string, x: number, y: number) =>
      page.push({ kind: 'text', x, y, text, size: style.size, weight: 'normal', color: style.color })
    const right = (text: string, y: number) =>
      put(text, paper.width - margin.right - sheet.width(text, style), y)
    const rule = (y: number) =>
      page.push({
        kind: 'path',
        points: [margin.left, y, paper.width - margin.right, y],
        isFilled: false,
        color: ink.line,
        width: 0.6,
        dash: 0,
      })
    const period = this.#writer.period(from, to)
    if (place > 1) {
      page.push({ kind: 'rect', x: 0, y: 0, width: paper.width, height: 3, color: brand.accent, radius: 0 })
      put(sheet.fit(name, contentWidth - sheet.width(period, style) - 20, style), margin.left, 36)
      right(period, 36)
      rule(43)
    }
    const foot = paper.height - 26
    rule(foot - 11)
    const number = this.#words.page(place, pages)
    const zone = this.#writer.zone(to)
    put(
      sheet.fit(`${brand.name} · ${zone}`, contentWidth - sheet.width(number, style) - 20, style),
      margin.left,
      foot,
    )
    right(number, foot)
    const isLast = place === pages && sheet.isFull
    if (isLast) put(sheet.fit(this.#words.leftOutPages, contentWidth, style), margin.left, foot + 11)
  }
}
