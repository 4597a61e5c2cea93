import type { Schema } from './openapi.ts'

/** A line of a table of fields. */
export interface SchemaField {
  /** The path of the field: `list[].name`. */
  readonly path: string
  readonly depth: number
  readonly type: string
  readonly required: boolean
  readonly description: string
}

const depthMax = 5

/** The fields of a schema, each before those inside it. */
export function listFields(schema: Schema | undefined): SchemaField[] {
  return schema ? inside(schema, '', 0) : []
}

function inside(schema: Schema, path: string, depth: number): SchemaField[] {
  if (depth >= depthMax) return []
  if (schema.items) return inside(schema.items, `${path}[]`, depth)
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (options) return options.flatMap((option) => inside(option, path, depth))
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const fieldPath = path ? `${path}.${name}` : name
    const line = {
      path: fieldPath,
      depth,
      type: typeName(field),
      required: schema.required?.includes(name) ?? false,
      description: field.description ?? '',
    }
    return [line, ...inside(field, fieldPath, depth + 1)]
  })
}

/** The type of a value in one line: `string[]`, `"cn" | "en"`. */
export function typeName(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return [...new Set(options.map(typeName))].join(' | ')
  if (schema.type === 'array') return `${bracketed(schema.items ? typeName(schema.items) : 'any')}[]`
  if (schema.format === 'binary') return 'file'
  return schema.type ?? 'any'
}

const bracketed = (name: string): string => (name.includes(' ') ? `(${name})` : name)

/** A value of a schema's form to begin from, with its required fields only. */
export function sampleOf(schema: Schema, depth = 0): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const option = schema.anyOf?.[0] ?? schema.oneOf?.[0]
  if (option) return sampleOf(option, depth)
  if (schema.type === 'array') return []
  if (schema.type === 'integer' || schema.type === 'number') return 1
  if (schema.type === 'boolean') return false
  if (schema.type !== 'object' || depth >= depthMax) return schema.type === 'string' ? '' : {}
  const required = schema.required ?? []
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => required.includes(name))
  return Object.fromEntries(fields.map(([name, field]) => [name, sampleOf(field, depth + 1)]))
}
