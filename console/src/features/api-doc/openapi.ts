import type { Lang } from '@busbar/contract'

/** As much of JSON Schema as the API document uses. */
export interface Schema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
  readonly description?: string
  readonly default?: unknown
  readonly format?: string
}

interface Content {
  readonly [type: string]: { readonly schema: Schema }
}

interface DocumentOperation {
  readonly summary: string
  readonly tags: readonly string[]
  readonly 'x-permission': Permission
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

/** The callers: a word, or a right over the thing named by a field. */
export type Permission = string | Readonly<Record<string, string>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: Schema
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
}

/** One call, as the page shows it. */
export interface Operation {
  /** Its address on the page, after the `#`. */
  readonly anchor: string
  readonly method: string
  readonly path: string
  readonly title: string
  readonly group: string
  readonly permission: Permission
  readonly parameters: readonly Parameter[]
  readonly body: Schema | undefined
  /** The body is a form with a file. */
  readonly isForm: boolean
  /** `hwdata` of the answer, or all of it if the answer has no envelope. */
  readonly answer: Schema | undefined
  readonly errors: readonly { readonly status: string; readonly text: string }[]
}

/** Loads the API document in a language; the platform makes it from its routes. */
export async function fetchDocument(lang: Lang, signal: AbortSignal): Promise<ApiDocument> {
  const response = await fetch(`/api/openapi.json?lang=${lang}`, { signal })
  if (!response.ok) throw new Error(`openapi.json: ${response.status}`)
  return (await response.json()) as ApiDocument
}

/** Every call of a document, in its order. */
export function listOperations(document: ApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => toOperation(path, method, operation)),
  )
}

function toOperation(path: string, method: string, operation: DocumentOperation): Operation {
  const content = operation.requestBody?.content ?? {}
  const form = content['multipart/form-data']
  return {
    anchor: `${method}${path}`,
    method: method.toUpperCase(),
    path,
    title: operation.summary,
    group: operation.tags[0] ?? '',
    permission: operation['x-permission'],
    parameters: operation.parameters ?? [],
    body: (form ?? content['application/json'])?.schema,
    isForm: form !== undefined,
    answer: findAnswer(operation.responses['200']?.content?.['application/json']?.schema),
    errors: listErrors(operation),
  }
}

function findAnswer(schema: Schema | undefined): Schema | undefined {
  const envelope = schema?.oneOf ? schema.oneOf[0] : schema
  return envelope?.properties?.hwdata ?? envelope
}

function listErrors({ responses }: DocumentOperation) {
  return Object.entries(responses).flatMap(([status, { description }]) => {
    const texts = description.split('; ')
    // The first of a success is its "OK".
    return (status === '200' ? texts.slice(1) : texts).map((text) => ({ status, text }))
  })
}

/** The calls in which every word of a search occurs: in the path, the title or the method. */
export function searchOperations(operations: readonly Operation[], search: string): Operation[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return operations.filter(({ method, path, title }) => {
    const text = `${method} ${path} ${title}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** By the first part of their paths, in the order they come. */
export function groupOperations(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>()
  for (const operation of operations) {
    const group = groups.get(operation.group)
    if (group) group.push(operation)
    else groups.set(operation.group, [operation])
  }
  return groups
}
