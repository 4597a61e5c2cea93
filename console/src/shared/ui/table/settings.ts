import type { TableColumn } from './column.ts'

/** A person's settings for a list, kept in this browser by person and list. */
export interface TableSettings {
  /** Columns whose visibility was decided, by their ids. */
  readonly shown: Readonly<Record<string, boolean>>
  /** Pixels, by column. */
  readonly widths: Readonly<Record<string, number>>
  /** Columns that were pinned or freed, by their ids. */
  readonly pinned: Readonly<Record<string, 'start' | 'end' | 'none'>>
  readonly sort?: { readonly columnId: string; readonly isDescending: boolean } | null
}

export const noSettings: TableSettings = { shown: {}, widths: {}, pinned: {} }

export const columnWidthMin = 56
export const columnWidthMax = 720
export const widthStep = 16

const keyPrefix = 'busbar.table.'
/** One list's settings are a few hundred characters; a longer text was not written by the console. */
const storedCharactersMax = 20_000

/** The part of the browser's storage that is used; tests provide their own. */
export type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

const keyOf = (person: number, list: string) => `${keyPrefix}${person}.${list}`

/** A person's settings for a list; invalid parts are dropped. */
export function loadSettings(storage: Storage, person: number, list: string): TableSettings {
  try {
    const text = storage.getItem(keyOf(person, list))
    if (!text || text.length > storedCharactersMax) return noSettings
    const stored: unknown = JSON.parse(text)
    if (!isRecord(stored)) return noSettings
    const sort = sortOf(stored.sort)
    return {
      shown: pick(stored.shown, (value): value is boolean => typeof value === 'boolean'),
      widths: Object.fromEntries(
        Object.entries(pick(stored.widths, (value): value is number => Number.isFinite(value))).map(
          ([id, width]) => [id, clampWidth(width)],
        ),
      ),
      pinned: pick(stored.pinned, (value) => value === 'start' || value === 'end' || value === 'none'),
      ...(sort === undefined ? {} : { sort }),
    }
  } catch {
    // Without storage, or with settings of another version, the list has its default look.
    return noSettings
  }
}

export function saveSettings(storage: Storage, person: number, list: string, settings: TableSettings): void {
  try {
    if (isUntouched(settings)) storage.removeItem(keyOf(person, list))
    else storage.setItem(keyOf(person, list), JSON.stringify(settings))
  } catch {
    // Full or forbidden storage: they hold until the page is closed.
  }
}

/** Whether a list has its default look. */
export function isUntouched({ shown, widths, pinned, sort }: TableSettings): boolean {
  return [shown, widths, pinned].every((part) => Object.keys(part).length === 0) && sort === undefined
}

export const clampWidth = (width: number) =>
  Math.round(Math.min(columnWidthMax, Math.max(columnWidthMin, width)))

/** Whether a column is shown: as a person decided, else as the list has it. */
export function isShown<Row>(column: TableColumn<Row>, settings: TableSettings): boolean {
  if (column.hideable === false) return true
  return settings.shown[column.id] ?? !column.isHiddenFirst
}

/** The edge a column stays at. */
export function pinOf<Row>(column: TableColumn<Row>, settings: TableSettings): 'start' | 'end' | undefined {
  const decided = settings.pinned[column.id]
  return decided === undefined ? column.pinned : decided === 'none' ? undefined : decided
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function pick<T>(value: unknown, isFit: (value: unknown) => value is T): Record<string, T> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, T] => isFit(entry[1])))
}

function sortOf(value: unknown): TableSettings['sort'] {
  if (value === null) return null
  if (!isRecord(value) || typeof value.columnId !== 'string') return undefined
  return { columnId: value.columnId, isDescending: value.isDescending === true }
}
