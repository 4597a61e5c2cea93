import { type Kysely, sql } from 'kysely'

/** A column, as the catalog describes it. */
interface Column {
  relation: string
  kind: 'table' | 'view'
  relation_comment: string | null
  name: string
  comment: string | null
  type: string
  is_array: boolean
  enum_values: string[] | null
  not_null: boolean
  has_default: boolean
  identity: '' | 'a' | 'd'
  generated: '' | 's' | 'v'
}

const scalarTypes: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  bool: 'boolean',
  bytea: 'Buffer',
  timestamptz: 'Date',
  timestamp: 'Date',
  json: 'JsonColumn',
  jsonb: 'JsonColumn',
}

/** Types that `pg` hands over as the text PostgreSQL writes. */
const textTypes = new Set(
  'text varchar bpchar name uuid numeric date time timetz inet cidr macaddr citext xml tsvector xid8'.split(
    ' ',
  ),
)

const preamble = `// Written from the migrations by generate-schema.ts; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** The values of a JSON column. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

/** A JSON column: parsed when read, written as text (JSON.stringify), because pg takes an array for PostgreSQL's own. */
export type JsonColumn = ColumnType<JsonValue, string, string>
export type NullableJsonColumn = ColumnType<JsonValue | null, string | null | undefined, string | null>
export type JsonColumnWithDefault = ColumnType<JsonValue, string | undefined, string>
`

/** The TypeScript of a migrated database's tables and views for Kysely; the same database gives the same text. */
export async function writeSchemaText(db: Kysely<unknown>): Promise<string> {
  const relations = Map.groupBy(await listColumns(db), (column) => column.relation)
  const interfaces = [...relations.values()].map(writeRelation)
  const entries = [...relations.keys()].map((name) => `  ${name}: ${typeNameOf(name)}\n`)
  return `${preamble}\n${interfaces.join('\n')}\nexport interface DB {\n${entries.join('')}}\n`
}

function writeRelation(columns: Column[]): string {
  const first = columns[0]
  if (!first) return ''
  const fields = columns.map(
    (column) => `${writeComment(column.comment, '  ')}  ${column.name}: ${typeOf(column)}\n`,
  )
  return `${writeComment(first.relation_comment, '')}export interface ${typeNameOf(first.relation)} {\n${fields.join('')}}\n`
}

function writeComment(comment: string | null, indent: string): string {
  return comment === null ? '' : `${indent}/** ${comment.replaceAll('*/', '*∕').replaceAll('\n', ' ')} */\n`
}

function typeNameOf(relation: string): string {
  const words = relation.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Table`
}

function typeOf(column: Column): string {
  const base = baseTypeOf(column)
  if (column.kind === 'view') {
    return `ColumnType<${base === 'JsonColumn' ? 'JsonValue' : base} | null, never, never>`
  }
  const set = column.has_default || column.identity === 'd'
  if (base === 'JsonColumn') {
    if (!column.not_null) return 'NullableJsonColumn'
    return set ? 'JsonColumnWithDefault' : base
  }
  if (column.identity === 'a' || column.generated !== '') {
    return `GeneratedAlways<${column.not_null ? base : `${base} | null`}>`
  }
  if (!column.not_null) return set ? `Generated<${base} | null>` : `${base} | null`
  return set ? `Generated<${base}>` : base
}

function baseTypeOf(column: Column): string {
  const literals = column.enum_values?.map((value) => `'${value.replaceAll("'", "\\'")}'`).join(' | ')
  const scalar = literals ?? scalarTypes[column.type] ?? (textTypes.has(column.type) ? 'string' : undefined)
  if (!scalar || (column.is_array && scalar === 'JsonColumn')) {
    throw new Error(
      `${column.relation}.${column.name}: there is no TypeScript for the type ${column.type} yet`,
    )
  }
  if (!column.is_array) return scalar
  return scalar.includes(' ') ? `(${scalar})[]` : `${scalar}[]`
}

async function listColumns(db: Kysely<unknown>): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.relname as relation,
           case when c.relkind in ('v', 'm') then 'view' else 'table' end as kind,
           obj_description(c.oid, 'pg_class') as relation_comment,
           a.attname as name,
           col_description(c.oid, a.attnum) as comment,
           base.typname as type,
           element.oid is not null as is_array,
           (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = base.oid)
             as enum_values,
           a.attnotnull as not_null,
           a.atthasdef and a.attgenerated = '' as has_default,
           a.attidentity as identity,
           a.attgenerated as generated
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type own on own.oid = a.atttypid
      join pg_type plain on plain.oid = case when own.typtype = 'd' then own.typbasetype else own.oid end
      left join pg_type element on element.oid = plain.typelem and plain.typcategory = 'A'
      join pg_type base on base.oid = coalesce(element.oid, plain.oid)
     where c.relnamespace = 'public'::regnamespace
       and c.relkind in ('r', 'p', 'v', 'm')
       and not c.relispartition
     order by c.relname collate "C", a.attnum`.execute(db)
  return rows
}
