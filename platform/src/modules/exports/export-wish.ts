import type {
  CsvForm,
  Delimiter,
  ExportAggregate,
  ExportDecimal,
  ExportDelimiter,
  ExportFormat,
  ExportInterval,
  ExportLayout,
  Lang,
} from '@busbar/contract'

/** The values that a person wants as a file, and its form. */
export interface ExportWish {
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
  /** Of csv; absent in exports from before it could be chosen. */
  readonly delimiter?: ExportDelimiter | undefined
  readonly decimal?: ExportDecimal | undefined
  /** The language of headers and qualities. */
  readonly lang: Lang
}

const delimiters: Readonly<Record<ExportDelimiter, Delimiter>> = { comma: ',', semicolon: ';', tab: '\t' }

/** How the csv file of a wish is written. */
export const formOf = ({ delimiter = 'comma', decimal = 'point' }: ExportWish): CsvForm => ({
  delimiter: delimiters[delimiter],
  decimal: decimal === 'point' ? '.' : ',',
})
