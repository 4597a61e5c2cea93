import { limits, tagLimits, timing } from '@busbar/contract'
import { tunnelLimits } from '@busbar/link'
import type { z } from 'zod'
import { settings } from './config.ts'
import { gatewayLimits } from './edge/limits.ts'
import { bodyBudgetBytes } from './kernel/http/body-budget.ts'
import { openAlarmsMax } from './modules/alarms/index.ts'
import { keptDays, uplinkLimits } from './modules/telemetry/index.ts'

/** The texts between the markers `<!-- generated: name -->` and `<!-- end of name -->` of docs/operations.md. */
const parts: Readonly<Record<string, () => string>> = { settings: settingsTable, limits: limitsTable }

/**
 * A document with its generated parts as the code makes them.
 * @throws when a part's markers are not there
 */
export function writeGenerated(document: string): string {
  let text = document
  for (const [name, write] of Object.entries(parts)) {
    const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`]
    const from = text.indexOf(begin)
    const to = text.indexOf(end)
    if (from < 0 || to < from) throw new Error(`The document has no ${begin} … ${end}`)
    text = `${text.slice(0, from + begin.length)}\n\n${write()}\n\n${text.slice(to)}`
  }
  return text
}

function settingsTable(): string {
  const rows = Object.entries<z.ZodType>(settings).map(([name, setting]) => {
    if (!setting.description) throw new Error(`${name} has no description`)
    return [`\`${name}\``, formatDefault(setting), setting.description]
  })
  return table(['setting', 'default', 'what it is'], rows)
}

/** The description of a setting without a default explains the case without it. */
function formatDefault(setting: z.ZodType): string {
  const { success, data } = setting.safeParse(undefined)
  if (!success || data === undefined || data === '' || (Array.isArray(data) && data.length === 0)) return ''
  return `\`${typeof data === 'boolean' ? Number(data) : String(data)}\``
}

function limitsTable(): string {
  const count = (value: number) => value.toLocaleString('en-US')
  const size = (bytes: number) =>
    bytes >= 1_048_576 ? `${bytes / 1_048_576} MB` : bytes >= 1_024 ? `${bytes / 1_024} kB` : `${bytes} bytes`
  const keptFor = (field: keyof typeof keptDays, max: number) => `${keptDays[field]} days; ${max} days`
  const minutes = (ms: number) => (ms >= 3_600_000 ? `${ms / 3_600_000} h` : `${ms / 60_000} min`)
  return table(
    ['what', 'limit'],
    [
      ['MQTT connections of one process', count(gatewayLimits.connectionsMax)],
      ['MQTT packet', size(gatewayLimits.packetBytesMax)],
      ['messages of one connection that wait for their commit', count(gatewayLimits.inflightMax)],
      ['time to send CONNECT', `${gatewayLimits.connectMsMax / 1_000} s`],
      ['body of an HTTP request, without a session', size(limits.publicBodyBytesMax)],
      ['body of an HTTP request, signed in', size(limits.signedInBodyBytesMax)],
      [
        'body of an HTTP ingest, of an import, of a board and of an agent’s configuration',
        size(limits.largeBodyBytesMax),
      ],
      ['body of an import of variables or machines', size(tagLimits.tagFileBytesMax)],
      ['file of an upload', size(limits.uploadBytesMax)],
      ['names and values of a form', `${count(limits.formNamesMax)}, ${count(limits.formValuesMax)}`],
      ['values of a JSON body', count(limits.jsonNodesMax)],
      ['bodies in memory at a time', size(bodyBudgetBytes.total)],
      ['bodies in memory at a time, of one address', size(bodyBudgetBytes.ofAddress)],
      ['bodies in memory at a time, without a session', size(bodyBudgetBytes.ofStrangers)],
      [
        'bodies in memory at a time, without a session, of one address or IPv6 /48',
        size(bodyBudgetBytes.ofStrangersAddress),
      ],
      ['tags of a machine', count(limits.tagsPerMachine)],
      ['text of a tag', size(limits.tagTextBytesMax)],
      ['new or changed tags of a machine in one commit', count(uplinkLimits.tagWritesPerCommit)],
      ['open alarms of a machine', count(openAlarmsMax)],
      ['samples are kept, and at most where a space sets it', keptFor('rawDays', limits.retentionRawDaysMax)],
      ['averages of minutes, the same', keptFor('minuteDays', limits.retentionMinuteDaysMax)],
      ['averages of hours, the same', keptFor('hourDays', limits.retentionHourDaysMax)],
      ['raw messages kept of a machine', count(limits.rawMessagesMax)],
      ['machines in a list', count(limits.machinesPerList)],
      ['points of a series in one answer', count(limits.historyPointsMax)],
      ['streams of a tunnel, and of one visit', `${tunnelLimits.streamsMax}, ${limits.streamsPerVisit}`],
      [
        'a visit, and without a sign of life',
        `${minutes(timing.visitMaxMs)}, ${minutes(timing.visitIdleMs)}`,
      ],
    ],
  )
}

/** A table with its columns aligned, as the formatter of this repository leaves it. */
function table(head: string[], rows: string[][]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const line = (row: string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [first = [], ...rest] = cells
  return [line(first), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest.map(line)].join(
    '\n',
  )
}
