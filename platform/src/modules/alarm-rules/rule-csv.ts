import { alarmLimits, type CsvCell, type CsvForm, alarmRules as contract, formatCsv } from '@busbar/contract'
import { z } from 'zod'
import { readTable, type TableRow } from '../../kernel/files/read-table.ts'
import type { StoredCondition } from './rule-condition.ts'
import { byName, type KnownTag, presentCondition, readBody } from './rule-tags.ts'
import type { RuleBody } from './rules-store.ts'

const columns = [
  'group',
  'tag',
  'kind',
  'op',
  'limit',
  'deadband',
  'equals',
  'bit',
  'isSet',
  'perSecond',
  'overSeconds',
  'isCounter',
  'seconds',
  'minutes',
  'rules',
  'level',
  'onDelay',
  'offDelay',
  'cn',
  'en',
  'instruction',
  'days',
  'from',
  'to',
] as const
type Column = (typeof columns)[number]

/** The rules of a machine as a file, one line a rule. */
export function formatRules(rules: readonly RuleBody[], form: CsvForm): string {
  const lines = rules.map((rule) => columns.map((column) => cellOf(rule, column)))
  return formatCsv([[...columns], ...lines], form)
}

function cellOf({ condition, activeHours, text, ...rule }: RuleBody, column: Column): CsvCell {
  switch (column) {
    case 'group':
      return 'tag' in condition ? condition.tag.group : null
    case 'tag':
      return 'tag' in condition ? condition.tag.name : null
    case 'rules':
      return 'rules' in condition ? JSON.stringify(condition.rules) : null
    case 'cn':
    case 'en':
      return text[column]
    case 'days':
      return activeHours && { exact: activeHours.days.join(' ') }
    case 'from':
    case 'to':
      return activeHours && { exact: activeHours[column] }
    case 'instruction':
    case 'level':
      return rule[column]
    case 'onDelay':
    case 'offDelay':
      return rule[column]
    default: {
      const value = (condition as unknown as Partial<Record<Column, string | number | boolean>>)[column]
      if (value === undefined) return null
      return typeof value === 'boolean' ? { exact: String(value) } : value
    }
  }
}

/** A line that is not a rule, or a rule. */
export type ReadLine = { readonly line: number } & (
  | { readonly body: RuleBody }
  | { readonly reason: contract.RuleRefusal; readonly column: string }
)

/** Reads a file in the format of the export; undefined for another heading. Throws RULE_FILE_TOO_LONG, TABLE_UNREADABLE. */
export async function readRules(csv: string, tags: readonly KnownTag[]): Promise<ReadLine[] | undefined> {
  const table = await readTable(csv, {
    rowsMax: alarmLimits.alarmRuleFileLines,
    refusal: 'RULE_FILE_TOO_LONG',
  })
  if (!table.has('kind') || !table.has('level')) return undefined
  const known = byName(tags)
  return table.map((row) => ({ line: row.line, ...readLine(row, tags, known) }))
}

function readLine(
  row: TableRow,
  tags: readonly KnownTag[],
  known: ReadonlyMap<string, KnownTag>,
): { body: RuleBody } | { reason: contract.RuleRefusal; column: string } {
  if (row.isTooWide) return { reason: 'line', column: '' }
  const cell = (column: Column) => row.cell(column).trim()
  const named = known.get(`${cell('group')}\n${cell('tag')}`)
  if (cell('tag') && !named) return { reason: 'tagUnknown', column: 'tag' }
  const parts = readParts(cell('rules'), known)
  if (parts === 'line') return { reason: 'line', column: 'rules' }
  const numbers = (
    [
      'limit',
      'deadband',
      'bit',
      'perSecond',
      'overSeconds',
      'seconds',
      'minutes',
      'onDelay',
      'offDelay',
    ] as const
  )
    .filter((column) => cell(column) !== '')
    .map((column) => [column, row.number(column) ?? Number.NaN])
  const fields = {
    kind: cell('kind'),
    level: cell('level'),
    text: { cn: cell('cn'), en: cell('en') },
    ...(named && { tagId: named.tagId }),
    ...(cell('op') && { op: cell('op') }),
    ...(cell('equals') && { equals: equalsOf(row, named?.type) }),
    ...(cell('isSet') && { isSet: row.flag('isSet') ?? cell('isSet') }),
    ...(cell('isCounter') && { isCounter: row.flag('isCounter') ?? cell('isCounter') }),
    ...(cell('instruction') && { instruction: cell('instruction') }),
    ...(cell('from') && {
      activeHours: {
        days: cell('days').split(' ').map(Number),
        from: clock(cell('from')),
        to: clock(cell('to')),
      },
    }),
    ...(parts && { rules: parts }),
    ...Object.fromEntries(numbers),
  }
  const read = contract.alarmRule.safeParse(fields)
  if (!read.success) {
    const [name, inner] = read.error.issues[0]?.path ?? []
    return { reason: 'line', column: String((name === 'text' ? inner : name) ?? '') }
  }
  const body = readBody(read.data, tags)
  return typeof body === 'string' ? { reason: body, column: 'tag' } : { body }
}

/** `6:00` and `06:00:00` as a spreadsheet writes 06:00. */
const clock = (text: string): string => text.replace(/^(\d?\d:\d\d)(?::00)?$/, '$1').padStart(5, '0')

/** The value that a state equals, by the type of its variable: `1` and `ja` of a text variable are texts. */
function equalsOf(row: TableRow, type: KnownTag['type'] | undefined): string | number | boolean {
  const text = row.cell('equals').trim()
  if (type === 'string') return text
  return row.number('equals') ?? (type === 'bool' ? row.flag('equals') : undefined) ?? text
}

const part: z.ZodType<unknown> = z.lazy(() =>
  z.looseObject({
    tag: z.object({ group: z.string(), name: z.string() }).optional(),
    rules: z.array(part).optional(),
  }),
)

/** The parts of a combination, whose variables are in the file by their names. */
function readParts(
  text: string,
  known: ReadonlyMap<string, KnownTag>,
): readonly unknown[] | undefined | 'line' {
  if (text === '') return undefined
  try {
    const parts = z.array(part).parse(JSON.parse(text))
    return parts.map((one) => presentCondition(one as StoredCondition, known))
  } catch {
    return 'line'
  }
}
