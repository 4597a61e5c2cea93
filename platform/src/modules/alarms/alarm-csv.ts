import {
  type CsvCell,
  type CsvForm,
  type alarms as contract,
  formatCsv,
  type Lang,
  type Text,
} from '@busbar/contract'
import type { ZoneClock } from '../../kernel/files/zone-clock.ts'

const levels: Readonly<Record<contract.AlarmRow['level'], Text>> = {
  critical: { cn: '紧急', en: 'Critical' },
  major: { cn: '重要', en: 'Major' },
  minor: { cn: '一般', en: 'Minor' },
  info: { cn: '提示', en: 'Information' },
}

const stages: Readonly<Record<contract.AlarmStage, Text>> = {
  normal: { cn: '已恢复', en: 'Cleared' },
  activeUnacknowledged: { cn: '未恢复，待确认', en: 'Active, unacknowledged' },
  activeAcknowledged: { cn: '未恢复，已确认', en: 'Active, acknowledged' },
  clearedUnacknowledged: { cn: '已恢复，待确认', en: 'Cleared, unacknowledged' },
  shelved: { cn: '已搁置', en: 'Shelved' },
  outOfService: { cn: '已停用', en: 'Out of service' },
}

const kinds: Readonly<Record<contract.AlarmEventKind, Text>> = {
  raised: { cn: '发生', en: 'Raised' },
  counted: { cn: '再次发生', en: 'Raised again' },
  changed: { cn: '内容或级别变化', en: 'Text or level changed' },
  cleared: { cn: '恢复', en: 'Cleared' },
  filled: { cn: '补传记录', en: 'Recorded late' },
  confirmed: { cn: '确认', en: 'Acknowledged' },
  shelved: { cn: '搁置', en: 'Shelved' },
  unshelved: { cn: '结束搁置', en: 'Shelving ended' },
  outOfService: { cn: '停用', en: 'Taken out of service' },
  inService: { cn: '恢复使用', en: 'Returned to service' },
}

/** The reader of a file. */
export interface CsvReader {
  readonly lang: Lang
  readonly clock: ZoneClock
  readonly form: CsvForm
}

type Column<Row> = readonly [heading: Text, cell: (row: Row, reader: CsvReader) => CsvCell]

const alarmColumns: readonly Column<contract.AlarmRow>[] = [
  [{ cn: '发生时间', en: 'Raised' }, (row, reader) => time(row.raisedAt, reader)],
  [{ cn: '恢复时间', en: 'Cleared' }, (row, reader) => time(row.clearedAt, reader)],
  [{ cn: '级别', en: 'Level' }, (row, { lang }) => levels[row.level][lang]],
  [{ cn: '状态', en: 'State' }, (row, { lang }) => stages[row.stage][lang]],
  [{ cn: '设备', en: 'Device' }, (row) => row.machineName],
  [{ cn: '机器码', en: 'Machine code' }, (row) => ({ code: row.machineCode })],
  [{ cn: '标识', en: 'Key' }, (row) => row.key],
  [{ cn: '内容', en: 'Text' }, (row) => row.text],
  [{ cn: '变量', en: 'Variable' }, (row) => row.tag],
  [{ cn: '值', en: 'Value' }, (row) => valueCell(row.value)],
  [{ cn: '限值', en: 'Limit' }, (row) => valueCell(row.limit)],
  [{ cn: '单位', en: 'Unit' }, (row) => row.unit],
  [{ cn: '次数', en: 'Count' }, (row) => row.count],
  [{ cn: '确认人', en: 'Acknowledged by' }, (row) => row.confirmedBy],
  [{ cn: '确认时间', en: 'Acknowledged' }, (row, reader) => time(row.confirmedAt, reader)],
  [{ cn: '备注', en: 'Note' }, (row) => row.note],
]

const eventColumns: readonly Column<contract.AlarmJournalEvent>[] = [
  [{ cn: '时间', en: 'Time' }, (row, reader) => time(row.at, reader)],
  [{ cn: '事件', en: 'Event' }, (row, { lang }) => kinds[row.kind][lang]],
  [{ cn: '级别', en: 'Level' }, (row, { lang }) => (row.level ? levels[row.level][lang] : null)],
  [{ cn: '设备', en: 'Device' }, (row) => row.machineName],
  [{ cn: '机器码', en: 'Machine code' }, (row) => ({ code: row.machineCode })],
  [{ cn: '内容', en: 'Text' }, (row) => row.text],
  [{ cn: '值', en: 'Value' }, (row) => valueCell(row.value)],
  [{ cn: '次数', en: 'Count' }, (row) => row.count],
  [{ cn: '操作人', en: 'By' }, (row) => row.by],
  [{ cn: '备注', en: 'Note' }, (row) => row.note],
]

/** Alarms as a file. */
export const formatAlarms = (rows: readonly contract.AlarmRow[], reader: CsvReader) =>
  format(alarmColumns, rows, reader)

/** Events as a file. */
export const formatEvents = (rows: readonly contract.AlarmJournalEvent[], reader: CsvReader) =>
  format(eventColumns, rows, reader)

/** The figures of a period as a file: each line a figure, or an alarm with its numbers. */
export function formatQuality(quality: contract.AlarmQuality, reader: CsvReader): CsvFile {
  const { lang } = reader
  const say = (cn: string, en: string) => ({ cn, en })[lang]
  const alarm = (row: { machineName: string; machineCode: string; key: string; text: string }): CsvCell[] => [
    row.machineName,
    { code: row.machineCode },
    row.key,
    row.text,
  ]
  const lines: CsvCell[][] = [
    [say('开始', 'From'), time(quality.from, reader)],
    [say('结束', 'To'), time(quality.to, reader)],
    [say('发生次数', 'Raised'), quality.raised],
    [say('平均每 10 分钟', 'Average per 10 minutes'), quality.perTenMinutes.average],
    [say('10 分钟内最高', 'Highest in 10 minutes'), quality.perTenMinutes.highest],
    [say('平均每天', 'Average per day'), quality.perDay.average],
    [say('单日最高', 'Highest on a day'), quality.perDay.highest],
    [say('泛滥次数', 'Floods'), quality.floodsCount],
    [say('泛滥时间占比（%）', 'Time in floods (%)'), quality.floodPercent],
    ...quality.byLevel.map(({ level, raised }) => [levels[level][lang], raised]),
    ...quality.byDay.map(({ from, raised }) => [say('日', 'Day'), raised, time(from, reader)]),
    ...quality.floods.map(({ from, to, raised }) => [
      say('泛滥', 'Flood'),
      raised,
      time(from, reader),
      time(to, reader),
    ]),
    ...quality.worst.map((row) => [say('最频繁', 'Most frequent'), row.raised, ...alarm(row)]),
    ...quality.chattering.map((row) => [say('频繁触发', 'Chattering'), row.peak, ...alarm(row)]),
    ...quality.standing.map((row) => [
      say('长期未恢复', 'Standing'),
      time(row.raisedAt, reader),
      ...alarm(row),
    ]),
  ]
  const heading = [say('项目', 'Figure'), say('数值', 'Value'), say('设备或时间', 'Device or time')]
  return { csv: formatCsv([heading, ...lines], reader.form), lines: lines.length }
}

export interface CsvFile {
  readonly csv: string
  readonly lines: number
}

function format<Row>(columns: readonly Column<Row>[], rows: readonly Row[], reader: CsvReader): CsvFile {
  const heading = columns.map(([text]) => text[reader.lang])
  const lines = rows.map((row) => columns.map(([, cell]) => cell(row, reader)))
  return { csv: formatCsv([heading, ...lines], reader.form), lines: lines.length }
}

/** A time by the reader's clocks, with its offset. */
const time = (at: number | null, { clock }: CsvReader): CsvCell =>
  at === null ? null : { exact: clock.text(at) }

function valueCell(value: contract.AlarmRow['value']): CsvCell {
  if (value === null) return null
  return typeof value === 'boolean' ? { exact: String(value) } : value
}
