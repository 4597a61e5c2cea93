import {
  type CsvCell,
  type CsvForm,
  type tagSettings as contract,
  formatCsv,
  type Lang,
  type TagSettingField,
  type TagSettings,
  tagLimits,
  tagSettingFields,
} from '@busbar/contract'
import { readTable, type TableRow } from '../../kernel/files/read-table.ts'
import { ownOf, type TagState } from '../telemetry/index.ts'

/** Fields to set; null: back to the machine's own. */
export type Wish = { readonly [Field in TagSettingField]?: TagSettings[Field] | null | undefined }

/** Columns of settings; an empty cell leaves the machine's own. */
const settingColumns = ['name', 'unit', 'scale', 'min', 'max', 'enum', 'readAs', 'writable'] as const
/**
 * The columns before them identify a tag and show the machine's own description; only `group` and `tag` of these are
 * read.
 */
const columns = ['group', 'tag', 'type', 'ownName', 'ownUnit', ...settingColumns] as const

/** In the cell of a unit: no unit is shown, even if the machine sends one. */
const noUnit = '-'

/** The tags of a machine as a file, one line a tag. */
export function formatTags(tags: readonly TagState[], lang: Lang, form: CsvForm): string {
  return formatCsv([[...columns], ...tags.map((tag) => cellsOf(tag, lang))], form)
}

function cellsOf(tag: TagState, lang: Lang): CsvCell[] {
  const own = ownOf(tag, lang)
  const { name, unit, scale, min, max, readAs, writable, ...settings } = tag.settings ?? {}
  return [
    tag.group,
    tag.name,
    tag.type,
    own.name,
    own.unit,
    name ?? null,
    unit === '' ? { exact: noUnit } : (unit ?? null),
    scale ?? null,
    min ?? null,
    max ?? null,
    settings.enum ? formatTexts(settings.enum) : null,
    readAs ?? null,
    writable === undefined ? null : { exact: String(writable) },
  ]
}

/** A line of a file that names a tag, with the wished settings, or the reason why it cannot be read. */
export type TagLine = { readonly line: number } & (
  | { readonly tag: TagState; readonly wish: Wish }
  | { readonly reason: contract.TagLineRefusal; readonly column: string }
)

/**
 * Reads a file in the format of the export; undefined without a column `tag`. Missing columns change nothing. Throws
 * TAG_FILE_TOO_LONG and TABLE_UNREADABLE.
 */
export async function readTags(csv: string, tags: readonly TagState[]): Promise<TagLine[] | undefined> {
  const table = await readTable(csv, { rowsMax: tagLimits.tagFileLines, refusal: 'TAG_FILE_TOO_LONG' })
  if (!table.has('tag')) return undefined
  const settable = settingColumns.filter((column) => table.has(column))
  const known = new Map(tags.map((tag) => [keyOf(tag.group, tag.name), tag]))
  const seen = new Set<TagState>()
  return table.map((row): TagLine => {
    const { line, isTooWide } = row
    if (isTooWide) return { line, reason: 'line', column: '' }
    const tag = known.get(keyOf(row.cell('group'), row.cell('tag')))
    if (!tag) return { line, reason: 'tagUnknown', column: 'tag' }
    if (seen.has(tag)) return { line, reason: 'tagTwice', column: 'tag' }
    seen.add(tag)
    const wish: Record<string, unknown> = {}
    for (const column of settable) {
      const value = readCell(row, column)
      if (value === undefined) return { line, reason: 'line', column }
      wish[column] = value
    }
    return { line, tag, wish: wish as Wish }
  })
}

const keyOf = (group: string, tag: string) => `${group}\n${tag}`

/** The value of a cell; null if it is empty, undefined if it is invalid. */
function readCell(row: TableRow, column: TagSettingField): Wish[TagSettingField] {
  const text = row.cell(column).trim()
  if (text === '') return null
  const read = tagSettingFields[column].safeParse(parseCell(row, column, text))
  return read.success ? read.data : undefined
}

function parseCell(row: TableRow, column: TagSettingField, text: string): unknown {
  switch (column) {
    case 'scale':
    case 'min':
    case 'max':
      return row.number(column)
    case 'writable':
      return row.flag(column)
    case 'enum':
      return parseTexts(text)
    case 'unit':
      return text === noUnit ? '' : text
    default:
      return text
  }
}

/** `0=Stopped; 1=Running`; a backslash stands before a semicolon or a backslash of a text. */
function formatTexts(texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts)
    .map(([value, text]) => `${value}=${text.replace(/[\\;]/g, '\\$&')}`)
    .join('; ')
}

function parseTexts(text: string): Record<string, string> | undefined {
  const texts: Record<string, string> = {}
  for (const [part] of text.matchAll(/(?:\\.|[^\\;])+/g)) {
    const at = part.indexOf('=')
    const value = part.slice(0, at).trim()
    if (at < 0 || Object.hasOwn(texts, value)) return undefined
    texts[value] = part.slice(at + 1).replace(/\\(.)/g, '$1')
  }
  return texts
}
