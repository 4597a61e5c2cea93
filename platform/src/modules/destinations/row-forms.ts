import { gzipSync } from 'node:zlib'
import type { destinations } from '@busbar/contract'
import { dateFormat } from '../../kernel/date-format.ts'
import type { StreamRow } from '../project-stream/index.ts'

/** How the rows of a request are written. */
export interface BodyForm {
  readonly format: destinations.RowFormat
  readonly isNdjson: boolean
  readonly isGzip: boolean
}

export interface Body {
  readonly bytes: Buffer
  readonly headers: Readonly<Record<string, string>>
}

/** The body of a request. `zoneOf`: the time zone of a machine, which the flat form writes its times in. */
export function formatBody(rows: readonly string[], { isNdjson, isGzip }: Omit<BodyForm, 'format'>): Body {
  const text = isNdjson ? `${rows.join('\n')}\n` : `[${rows.join(',\n')}]`
  const type = isNdjson ? 'application/x-ndjson' : 'application/json'
  const bytes = Buffer.from(text)
  if (!isGzip) return { bytes, headers: { 'content-type': type } }
  return { bytes: gzipSync(bytes), headers: { 'content-type': type, 'content-encoding': 'gzip' } }
}

/** A row as its receiver gets it; Sparkplug is made of the JSON at the connection. Events and gaps have one form. */
export function formatRow(
  { id, kind, text }: Pick<StreamRow, 'id' | 'kind' | 'text'>,
  format: destinations.RowFormat,
  zone: string,
): string {
  return format === 'flat' && kind === 'row' ? flatJson(id, text, zone) : `{"id":"${id}",${text}`
}

interface CanonicalRow {
  readonly machineCode: string
  readonly group: string
  readonly time: number
  readonly values: Readonly<Record<string, boolean | number | string | null>>
}

/** As HMI vendors write it: texts, beside which the machine's own time and group stand. */
function flatJson(id: string, rowText: string, zone: string): string {
  const { machineCode, group, time, values } = JSON.parse(`{${rowText}`) as CanonicalRow
  const texts = Object.entries(values).map(([key, value]) => [key, flatValue(value)])
  return JSON.stringify({
    ...Object.fromEntries(texts),
    _id: id,
    _machineCode: machineCode,
    _groupName: group,
    _terminalTime: terminalTime(time, zone),
  })
}

function flatValue(value: boolean | number | string | null): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return value === null ? '' : String(value)
}

/** `YYYY-MM-DD HH:mm:ss.SSS` on the machine's clock. */
function terminalTime(time: number, zone: string): string {
  const format = dateFormat('sv-SE', {
    ...{ timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 },
  })
  return format.format(time).replace(',', '.')
}
