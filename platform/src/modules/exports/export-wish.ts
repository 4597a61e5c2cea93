import type {
  CsvWish,
  ExportAggregate,
  ExportFormat,
  ExportInterval,
  ExportLayout,
  Lang,
} from '@busbar/contract'

/** The values that a person wants as a file, and its form; exports from before that of csv could be chosen have none. */
export interface ExportWish extends CsvWish {
  readonly tagIds: readonly number[]
  /** Epoch milliseconds, `to` excluded. */
  readonly from: number
  readonly to: number
  readonly format: ExportFormat
  readonly layout: ExportLayout
  readonly timezone: string
  /** Undefined: every sample. */
  readonly interval?: ExportInterval | undefined
  readonly agg: ExportAggregate
  /** The language of headers and qualities. */
  readonly lang: Lang
}
