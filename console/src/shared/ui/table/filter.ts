import type { CellValue } from './cell-value.ts'

/** A filter of a column or of a list as a whole. */
export type Filter =
  | { readonly kind: 'text' }
  | {
      readonly kind: 'choice'
      /** The words of each value. */
      readonly choices: Readonly<Record<string, string>>
      /** Only one at a time, as the platform's lists take it. */
      readonly isSingle?: boolean
      /** In a panel although the choices are few: the list has many such filters. */
      readonly isInPanel?: boolean
    }
  | { readonly kind: 'dateRange' }
  | { readonly kind: 'number'; readonly unit?: string }

export type FilterKind = Filter['kind']

export interface TextFilterValue {
  readonly kind: 'text'
  readonly text: string
}

export interface ChoiceFilterValue {
  readonly kind: 'choice'
  readonly chosen: readonly string[]
}

/** Epoch milliseconds; `to` is the first instant outside. */
export interface DateRangeValue {
  readonly kind: 'dateRange'
  readonly from?: number
  readonly to?: number
}

export interface NumberRangeValue {
  readonly kind: 'number'
  readonly min?: number
  readonly max?: number
}

export type FilterValue = TextFilterValue | ChoiceFilterValue | DateRangeValue | NumberRangeValue

/** The values of a list's filters by their ids; a filter that narrows nothing is absent. */
export type Filters = Readonly<Record<string, FilterValue>>

/** Whether a value passes a filter. */
export function passesFilter(value: CellValue, filter: FilterValue): boolean {
  switch (filter.kind) {
    case 'text':
      return foldText(value).includes(foldText(filter.text))
    case 'choice':
      return filter.chosen.includes(String(value ?? ''))
    case 'dateRange':
      return (
        typeof value === 'number' &&
        value >= (filter.from ?? Number.NEGATIVE_INFINITY) &&
        value < (filter.to ?? Number.POSITIVE_INFINITY)
      )
    case 'number':
      return (
        typeof value === 'number' &&
        value >= (filter.min ?? Number.NEGATIVE_INFINITY) &&
        value <= (filter.max ?? Number.POSITIVE_INFINITY)
      )
  }
}

/** Whether one of the values contains each word of a search; spaces do not count: `mingli` finds Ming Li. */
export function passesSearch(values: readonly CellValue[], search: string): boolean {
  const folded = values.map((value) => foldText(value).replace(/[^\S\n]+/g, ''))
  return foldText(search)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => folded.some((value) => value.includes(word)))
}

/** The filters with one of them changed; a value that does not narrow the list removes the filter. */
export function changeFilter(filters: Filters, id: string, value: FilterValue | undefined): Filters {
  const { [id]: _, ...others } = filters
  return value === undefined || isIdle(value) ? others : { ...others, [id]: value }
}

function isIdle(value: FilterValue): boolean {
  switch (value.kind) {
    case 'text':
      return value.text.trim() === ''
    case 'choice':
      return value.chosen.length === 0
    case 'dateRange':
      return value.from === undefined && value.to === undefined
    case 'number':
      return value.min === undefined && value.max === undefined
  }
}

/** The one value of a choice filter; undefined where nothing or several are chosen. */
export function chosenOf<T extends string>(filters: Filters, id: string): T | undefined {
  const value = filters[id]
  return value?.kind === 'choice' && value.chosen.length === 1 ? (value.chosen[0] as T) : undefined
}

/** The range of a date filter; empty without one. */
export function rangeOf(filters: Filters, id: string): { readonly from?: number; readonly to?: number } {
  const value = filters[id]
  if (value?.kind !== 'dateRange') return {}
  return {
    ...(value.from === undefined ? {} : { from: value.from }),
    ...(value.to === undefined ? {} : { to: value.to }),
  }
}

/** Without differences of case, width and accents. */
function foldText(value: CellValue): string {
  return String(value ?? '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .trim()
}

/** Whether filters differ from the initial ones. */
export function narrowsFurther(asked: Filters, presets: Filters): boolean {
  return Object.entries(asked).some(([id, value]) => JSON.stringify(value) !== JSON.stringify(presets[id]))
}
