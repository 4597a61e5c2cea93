import type { CsvCell, telemetry } from '@busbar/contract'
import { getZone } from '../../shared/i18n/zone.ts'
import { formatTable, isoLocal } from '../../shared/ui/data/csv.ts'
import type { TimeRange } from '../../shared/ui/data/time-range.ts'
import { pointsWithin, type TagSeries, titleOf } from './history-series.ts'

export interface CsvWords {
  readonly time: string
  readonly min: string
  readonly max: string
  readonly quality: string
  readonly qualities: Readonly<Record<telemetry.Quality, string>>
}

/** Rows of the visible data: one per time, and for each series its exact value at that time. */
export interface SeenTable {
  readonly header: readonly string[]
  readonly rows: readonly { readonly at: number; readonly cells: readonly CsvCell[] }[]
}

interface Column {
  readonly name: string
  readonly cellsByTime: ReadonlyMap<number, CsvCell>
}

export function tableOf(series: readonly TagSeries[], range: TimeRange, words: CsvWords): SeenTable {
  const columns = series.flatMap((each) => columnsOf(each, range, words))
  const times = [...new Set(columns.flatMap(({ cellsByTime }) => [...cellsByTime.keys()]))].sort(
    (a, b) => a - b,
  )
  return {
    header: [`${words.time} (${getZone()})`, ...columns.map(({ name }) => name)],
    rows: times.map((at) => ({ at, cells: columns.map(({ cellsByTime }) => cellsByTime.get(at) ?? null) })),
  }
}

/** For averages also the minimum and maximum; for samples their quality, if one of them is not good. */
function columnsOf(series: TagSeries, range: TimeRange, words: CsvWords): Column[] {
  const { tag, kind } = series
  const points = pointsWithin(series, range)
  const name = titleOf(tag)
  const title = tag.unit ? `${name} (${tag.unit})` : name
  const column = (name: string, cellOf: (point: (typeof points)[number]) => CsvCell): Column => ({
    name,
    cellsByTime: new Map(points.map((point) => [point.at, cellOf(point)])),
  })
  const columns = [column(title, ({ told }) => cellOf(told, tag.type))]
  if (kind === 'buckets' && tag.type !== 'string') {
    columns.push(column(`${title} ${words.min}`, ({ min }) => min))
    columns.push(column(`${title} ${words.max}`, ({ max }) => max))
  }
  if (points.some(({ quality }) => quality !== 'good')) {
    const ofPoint = (quality: telemetry.Quality) => words.qualities[quality]
    columns.push(column(`${title} ${words.quality}`, ({ quality }) => ofPoint(quality)))
  }
  return columns
}

function cellOf(told: telemetry.TagValue, type: telemetry.TagType): CsvCell {
  if (told === null) return null
  // The digits of an int64 beyond 2^53 come as a string and are a number.
  if (type === 'string') return String(told)
  return typeof told === 'number' ? told : { exact: String(told) }
}

/** The table as a file, its times exact. */
export function formatHistory({ header, rows }: SeenTable): string {
  return formatTable([header, ...rows.map(({ at, cells }) => [{ exact: isoLocal(at) }, ...cells])])
}
