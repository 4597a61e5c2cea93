import {
  formToInput,
  type InputOf,
  jsonToInput,
  pickFields,
  type Route,
  signsOutAt404,
} from '@busbar/contract'
import type { FastifyRequest } from 'fastify'
import { Failure } from './failure.ts'
import { SentForm } from './multipart.ts'

/** Parses a form with a file, after its sender was let in. */
export function readBody({ body }: FastifyRequest): Promise<unknown> | unknown {
  return body instanceof SentForm ? body.read() : body
}

/**
 * Path parameters, query and body as the route's own types.
 * @throws Failure 400 naming the first field that is wrong; 404 for an id in the path that nothing can have, on the paths
 * that answer a missing thing by a refusal (rules/calls.md: status codes)
 */
export function readInput<R extends Route>(route: R, request: FastifyRequest, sent: unknown): InputOf<R> {
  const body = route.listBody && Array.isArray(sent) ? { [route.listBody]: sent } : sent
  // Other methods have no query, because addresses end up in logs.
  const readsQuery = request.method !== 'POST' && request.method !== 'PUT'
  const query = readsQuery ? (request.query as Record<string, unknown>) : {}
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) {
    throw new Failure('400', { field: 'body' })
  }
  const isJson = request.headers['content-type']?.includes('json') ?? false
  const fromBody = (body ?? {}) as Record<string, unknown>
  const beside = formToInput(route.request, query)
  const named = formToInput(route.request, request.params as Record<string, unknown>)
  // The answer names the field without a sentence: sentences for 5,000 wrong items would take milliseconds.
  const check = (input: Record<string, unknown>) =>
    route.request.safeParse({ ...beside, ...input, ...named }, { error: () => 'invalid' })
  let result = check(isJson ? pickFields(route.request, fromBody) : formToInput(route.request, fromBody))
  if (!result.success && isJson) result = check(jsonToInput(route.request, fromBody))
  if (!result.success) {
    const field = String(result.error.issues[0]?.path[0] ?? 'body')
    if (field in named && signsOutAt404(route.path)) throw new Failure('404')
    throw new Failure('400', { field })
  }
  for (const [name, value] of Object.entries(result.data)) {
    if (!isKeepable(value)) throw new Failure('400', { field: name })
  }
  return result.data as InputOf<R>
}

/** Whether the database can store every text in a value: it refuses NUL and half a surrogate pair. */
function isKeepable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (Array.isArray(value)) return value.every(isKeepable)
  if (typeof value !== 'object' || value === null || value instanceof Blob) return true
  return Object.values(value).every(isKeepable)
}
