import { limits, tagLimits, timing } from '@busbar/contract'
import { tunnelLimits } from '@busbar/link'
import type { z } from 'zod'
import { settings } from './config.ts'
import { gatewayLimits } from './edge/limits.ts'
import { bodyBudgetBytes } from './kernel/http/body-budget.ts'
import { openAlarmsMax } from './modules/alarms/index.ts'
import { keptDays, uplinkLimits } from './modules/telemetry/index.ts'

/** The texts between the markers `<!-- generated: name -->` and `<!-- end of name -->` of docs/operations.md. */
const parts: Readonly<Record<string, (results: string) => string>> = {
  settings: settingsTable,
  limits: limitsTable,
  sizing,
}

/**
 * A document with its generated parts as the code makes them.
 * @param results bench/RESULTS.md, whose figures the sizes are computed from
 * @throws when a part's markers, or a figure, are not there
 */
export function writeGenerated(document: string, results: string): string {
  let text = document
  for (const [name, write] of Object.entries(parts)) {
    const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`]
    const from = text.indexOf(begin)
    const to = text.indexOf(end)
    if (from < 0 || to < from) throw new Error(`The document has no ${begin} … ${end}`)
    text = `${text.slice(0, from + begin.length)}\n\n${write(results)}\n\n${text.slice(to)}`
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

/** Values a second of the example that the sizes are told for. */
const exampleRate = 1_000

function sizing(results: string): string {
  const commits = measured(results, 'Busbar, acknowledged after the commit', /\(([\d,]+) points\/s\)/)
  const connectionKb = measured(results, 'an idle MQTT connection', /([\d.]+) kB resident/)
  const sampleBytes = measured(results, 'bytes a sample with indexes and averages', /^([\d.]+)/)
  const noiseBytes = measured(results, 'bytes a sample with indexes and averages', /noise ([\d.]+)/)
  const bytesADay = exampleRate * 86_400 * sampleBytes
  const megabytes = Math.round(bytesADay / 1e6)
  const gigabytes = Math.ceil((bytesADay * keptDays.rawDays) / 1e9)
  return [
    `- Two shared cores commit ${(Math.floor(commits / 1_000) * 1_000).toLocaleString('en-US')} values a second, and an idle MQTT connection costs ${connectionKb} kB.`,
    `- A value takes ${sampleBytes} bytes on disk with its index and averages; one that is different noise each time takes ${noiseBytes}. ${exampleRate.toLocaleString('en-US')} values a second are ${megabytes} MB a day, and ${gigabytes} GB over the ${keptDays.rawDays} days that samples are kept. Plan for twice as much: values of the last hours are not folded yet, and the write-ahead log has its own share.`,
  ].join('\n')
}

/**
 * A figure of bench/RESULTS.md.
 * @param row the first cell of its row
 * @param figure finds it in the second
 */
function measured(results: string, row: string, figure: RegExp): number {
  const cell = results
    .split('\n')
    .find((line) => line.split('|')[1]?.trim() === row)
    ?.split('|')[2]
    ?.trim()
  const [, text] = figure.exec(cell ?? '') ?? []
  if (text === undefined) throw new Error(`bench/RESULTS.md has no such figure in a row "${row}"`)
  return Number(text.replaceAll(',', ''))
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
