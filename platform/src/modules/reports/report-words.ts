import type { Lang } from '@busbar/contract'
import { dateFormat } from '../../kernel/date-format.ts'
import type { Level, ReportTag, Value } from './report-data.ts'

const cn = {
  period: '统计时段',
  timeZone: '时区',
  madeAt: '生成时间',
  owner: '所有者',
  devices: '设备',
  device: '设备',
  code: '机器码',
  online: '在线率',
  raised: '新报警',
  critical: '紧急报警',
  leftOutTitle: '以下内容未包含在本报告中',
  leftOutMachines: (count: number) => `${count} 台设备：报告所有者已没有访问权限`,
  leftOutUnseen: (count: number) => `${count} 台设备：您没有访问权限`,
  leftOutTags: (names: string) => `以下变量已不存在：${names}`,
  leftOutTooLarge: (names: string) => `以下变量的数据过多，无法统计：${names}`,
  leftOutPages: '报告页数已达上限，后续内容请下载表格查看',
  availability: '设备在线情况',
  onlineTime: '在线时长',
  onlineOf: (online: string, known: string) => `${online} / ${known}`,
  knownTime: '在线 / 有数据时长',
  onlineKnown: (known: string) => `有数据 ${known} 内在线`,
  outages: '离线次数',
  longestOutage: '最长离线',
  neverSeen: '该时段内未连接',
  statistics: '变量统计',
  variable: '变量',
  group: '分组',
  unit: '单位',
  min: '最小值',
  max: '最大值',
  mean: '平均值',
  timeMean: '时间加权平均值',
  last: '最后值',
  delta: '增量',
  resets: '清零次数',
  samples: '采样数',
  minAt: '最小值时间',
  maxAt: '最大值时间',
  gap: '中断时长',
  ofAverages: '* 由平均值计算，无时间加权平均值与增量',
  states: '状态统计',
  state: '状态',
  duration: '持续时长',
  share: '占比',
  times: '次数',
  trends: '趋势图',
  trendHint: '曲线为平均值，色带为最小值至最大值，灰色区域为设备离线或数据中断',
  noData: '该时段无数据',
  alarms: '报警',
  levels: { critical: '紧急', major: '重要', minor: '一般', info: '提示' } satisfies Record<Level, string>,
  level: '级别',
  total: '合计',
  alarmTime: '报警时长',
  longestAlarms: '持续时间最长的报警',
  alarmList: '报警列表',
  alarmListCut: (shown: number, total: number) => `共 ${total} 条，显示最近 ${shown} 条`,
  alarm: '报警内容',
  raisedAt: '发生时间',
  clearedAt: '恢复时间',
  active: '未恢复',
  count: '次数',
  confirmedBy: '确认人',
  noAlarms: '该时段无报警',
  page: (page: number, pages: number) => `第 ${page} 页，共 ${pages} 页`,
  continued: '续',
  on: '开',
  off: '关',
  days: '天',
  hours: '小时',
  minutes: '分',
  seconds: '秒',
  summary: '概要',
  section: '部分',
  figure: '项目',
  value: '值',
  time: '时间',
  offset: '时差',
  note: '说明',
}

export type ReportWords = typeof cn

const en: ReportWords = {
  period: 'Period',
  timeZone: 'Time zone',
  madeAt: 'Generated',
  owner: 'Owner',
  devices: 'Devices',
  device: 'Device',
  code: 'Machine code',
  online: 'Online',
  raised: 'New alarms',
  critical: 'Critical alarms',
  leftOutTitle: 'This report doesn’t include',
  leftOutMachines: (count) =>
    count === 1
      ? '1 device: the owner of the report no longer has access'
      : `${count} devices: the owner of the report no longer has access`,
  leftOutUnseen: (count) =>
    count === 1 ? '1 device: you don’t have access' : `${count} devices: you don’t have access`,
  leftOutTags: (names) => `Variables that no longer exist: ${names}`,
  leftOutTooLarge: (names) => `Variables with too much data: ${names}`,
  leftOutPages: 'The report has reached its maximum length. Download the spreadsheet for the rest.',
  availability: 'Availability',
  onlineTime: 'Time online',
  onlineOf: (online, known) => `${online} of ${known}`,
  knownTime: 'Online, of time with data',
  onlineKnown: (known) => `of ${known} with data`,
  outages: 'Outages',
  longestOutage: 'Longest outage',
  neverSeen: 'Not connected in this period',
  statistics: 'Statistics',
  variable: 'Variable',
  group: 'Group',
  unit: 'Unit',
  min: 'Minimum',
  max: 'Maximum',
  mean: 'Mean',
  timeMean: 'Time-weighted mean',
  last: 'Last',
  delta: 'Increase',
  resets: 'Resets',
  samples: 'Samples',
  minAt: 'Time of minimum',
  maxAt: 'Time of maximum',
  gap: 'Time without data',
  ofAverages: '* Calculated from averages, without time-weighted mean and increase',
  states: 'Time in states',
  state: 'State',
  duration: 'Duration',
  share: 'Share',
  times: 'Times',
  trends: 'Trends',
  trendHint: 'Line: mean. Band: minimum to maximum. Grey: device offline or data missing.',
  noData: 'No data in this period',
  alarms: 'Alarms',
  levels: { critical: 'Critical', major: 'Major', minor: 'Minor', info: 'Info' },
  level: 'Level',
  total: 'Total',
  alarmTime: 'Time in alarm',
  longestAlarms: 'Longest alarms',
  alarmList: 'List of alarms',
  alarmListCut: (shown, total) => `The latest ${shown} of ${total}`,
  alarm: 'Alarm',
  raisedAt: 'Raised',
  clearedAt: 'Cleared',
  active: 'Active',
  count: 'Count',
  confirmedBy: 'Acknowledged by',
  noAlarms: 'No alarms in this period',
  page: (page, pages) => `Page ${page} of ${pages}`,
  continued: 'continued',
  on: 'On',
  off: 'Off',
  days: 'd',
  hours: 'h',
  minutes: 'min',
  seconds: 's',
  summary: 'Summary',
  section: 'Section',
  figure: 'Figure',
  value: 'Value',
  time: 'Time',
  offset: 'UTC offset',
  note: 'Note',
}

const reportWords: Readonly<Record<Lang, ReportWords>> = { cn, en }

const locales = { cn: 'zh-CN', en: 'en-GB' } as const

/** Writes times and numbers as a reader of a report reads them. */
export class Writer {
  readonly lang: Lang
  readonly words: ReportWords
  readonly #timeZone: string

  constructor(lang: Lang, timeZone: string) {
    this.lang = lang
    this.words = reportWords[lang]
    this.#timeZone = timeZone
  }

  /** `2026-11-23 09:05`. */
  time(at: number): string {
    return this.#format(at, { dateStyle: 'short', timeStyle: 'short' })
  }

  /** `2026-11-23 09:05:07`. */
  second(at: number): string {
    return this.#format(at, { dateStyle: 'short', timeStyle: 'medium' })
  }

  /** `2026-11-23`. */
  day(at: number): string {
    return this.#format(at, { dateStyle: 'short' })
  }

  /** `11-23 09:05`, short enough for a column. */
  short(at: number): string {
    return this.time(at).slice(5)
  }

  clock(at: number): string {
    return this.#format(at, { timeStyle: 'short' })
  }

  /** The zone by its name and its offset at an instant. */
  zone(at: number): string {
    const parts = dateFormat('en-US', { timeZone: this.#timeZone, timeZoneName: 'longOffset' }).formatToParts(
      at,
    )
    const offset = parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', 'UTC') ?? ''
    return this.lang === 'cn' ? `${this.#timeZone}（${offset}）` : `${this.#timeZone} (${offset})`
  }

  /** Whole days as their dates, other periods with times. */
  period(from: number, to: number): string {
    const isWhole = this.clock(from) === '00:00' && this.clock(to) === '00:00'
    if (!isWhole) return `${this.time(from)} – ${this.time(to)}`
    const [first, last] = [this.day(from), this.day(to - 1)]
    return first === last ? first : `${first} – ${last}`
  }

  duration(ms: number): string {
    const { days, hours, minutes, seconds } = this.words
    const gap = this.lang === 'cn' ? '' : ' '
    const s = Math.round(ms / 1_000)
    const parts: [number, string][] =
      s >= 86_400
        ? [
            [Math.floor(s / 86_400), days],
            [Math.floor((s % 86_400) / 3_600), hours],
          ]
        : s >= 3_600
          ? [
              [Math.floor(s / 3_600), hours],
              [Math.floor((s % 3_600) / 60), minutes],
            ]
          : s >= 60
            ? [
                [Math.floor(s / 60), minutes],
                [s % 60, seconds],
              ]
            : [[s, seconds]]
    return parts
      .filter(([count], place) => count > 0 || place === 0)
      .map(([count, unit]) => `${count}${gap}${unit}`)
      .join(' ')
  }

  percent(part: number, whole: number): string {
    if (whole <= 0) return '–'
    const share = (part / whole) * 100
    // An incomplete share must not be rounded up to 100 %.
    const shown = share < 100 && share > 99.995 ? 99.99 : share
    return `${shown.toFixed(shown === 100 || shown === 0 ? 0 : 2)} %`
  }

  count(value: number): string {
    return new Intl.NumberFormat(locales[this.lang]).format(value)
  }

  /** A value as its variable shows it; a state by its word. */
  value(value: Value, { digits, words }: Pick<ReportTag, 'digits' | 'words'>): string {
    if (value === null) return '–'
    const word = words[String(value)] ?? (typeof value === 'boolean' ? words[value ? '1' : '0'] : undefined)
    if (word) return word
    if (typeof value === 'boolean') return value ? this.words.on : this.words.off
    if (typeof value === 'string') return value
    if (digits !== null) return value.toFixed(Math.min(Math.max(digits, 0), 12))
    return formatFloat(value)
  }

  /** A mean, which may need one digit more than a value. */
  mean(value: number | null, tag: Pick<ReportTag, 'digits'>): string {
    return this.value(value, { digits: tag.digits === null ? null : Math.min(tag.digits + 1, 12), words: {} })
  }

  #format(at: number, options: Intl.DateTimeFormatOptions): string {
    return dateFormat('sv-SE', { ...options, timeZone: this.#timeZone }).format(at)
  }
}

/** At most six digits that mean something, without a tail of zeros. */
function formatFloat(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value)
  const short = Number(value.toPrecision(6))
  return Math.abs(short) >= 1e-4 && Math.abs(short) < 1e15 ? String(short) : short.toExponential()
}
