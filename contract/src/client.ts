import type { ErrorCode } from './errors.ts'
import { timing } from './limits.ts'
import type { AnswerOf, RequestOf, Route } from './route.ts'
import type { Lang } from './text.ts'

/** The header with which a client says what it is: `pc/1.6.0`. */
export const clientHeader = 'busbar-client'

/** A call that did not succeed. `http` is 0 when no answer came. */
export class ApiError extends Error {
  readonly http: number
  readonly hwcode: number
  readonly code: string
  readonly data: unknown
  /** The field a 400 names, if any. */
  readonly field: string | undefined

  constructor(failure: {
    http: number
    hwcode: number
    code: string
    message: string
    data?: unknown
    field?: string
  }) {
    super(failure.message)
    this.name = 'ApiError'
    this.http = failure.http
    this.hwcode = failure.hwcode
    this.code = failure.code
    this.data = failure.data
    this.field = failure.field
  }

  /** The caller may not see or do it; on some paths the status does not tell (rules/calls.md: status codes). */
  get isForbidden(): boolean {
    return this.http === 403 || this.is('403')
  }

  /** True for one of the codes this contract declares. */
  is(code: ErrorCode): boolean {
    return this.code === code
  }
}

export interface ClientOptions {
  /** '' in the console: the page's own origin. */
  readonly baseUrl: string
  readonly lang: () => Lang
  /** Sent as the header `token`; the console leaves it out and relies on its cookie. */
  readonly token?: () => string | undefined
  readonly fetch?: typeof fetch
  /** Its kind and version, as `pc/1.6.0`; a client that says nothing is never too old. */
  readonly client?: string
}

export interface Client {
  /** Calls a route; answers its `hwdata`. Throws ApiError. */
  call<R extends Route>(route: R, request: RequestOf<R>, signal?: AbortSignal): Promise<AnswerOf<R>>
}

interface Envelope {
  hwcode: number
  hwreason: string
  hwdata?: unknown
  error?: { code: string; message: string; field?: string }
}

/** The typed client of every route: the console's, the tests' and other programs'. */
export function createClient(options: ClientOptions): Client {
  const send: typeof fetch = options.fetch ?? ((...request) => fetch(...request))
  return {
    async call(route, request, signal) {
      const { url, body } = address(route, request as Record<string, unknown>)
      const token = options.token?.()
      const timeout = AbortSignal.timeout(timing.httpTimeoutMs)
      let response: Response
      try {
        response = await send(`${options.baseUrl}${url}`, {
          method: route.method,
          headers: {
            'accept-language': options.lang() === 'cn' ? 'zh-CN' : 'en',
            ...(token ? { token } : {}),
            ...(options.client ? { [clientHeader]: options.client } : {}),
            // A form with a file names its own boundary.
            ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
          },
          ...(body ? { body } : {}),
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        })
      } catch (cause) {
        if (signal?.aborted) throw cause
        throw new ApiError({ http: timeout.aborted ? 408 : 0, hwcode: 0, code: '', message: 'network' })
      }
      if (route.bare && response.ok) return (await response.json()) as AnswerOf<typeof route>
      return open(response) as Promise<AnswerOf<typeof route>>
    },
  }
}

async function open(response: Response): Promise<unknown> {
  let envelope: Envelope
  try {
    envelope = (await response.json()) as Envelope
  } catch {
    throw new ApiError({ http: response.status, hwcode: 0, code: '', message: response.statusText })
  }
  if (response.ok && envelope.hwcode === 0) return envelope.hwdata
  throw new ApiError({
    http: response.status,
    hwcode: envelope.hwcode,
    code: envelope.error?.code ?? String(envelope.hwcode),
    message: envelope.error?.message ?? envelope.hwreason,
    data: envelope.hwdata,
    ...(envelope.error?.field ? { field: envelope.error.field } : {}),
  })
}

function address(route: Route, request: Record<string, unknown>): { url: string; body?: string | FormData } {
  const rest = { ...request }
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (route.multipart) return { url: path, body: toForm(rest) }
  if (route.method === 'POST' || route.method === 'PUT') return { url: path, body: JSON.stringify(rest) }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(rest)) {
    if (value === undefined) continue
    for (const item of Array.isArray(value) ? value : [value]) query.append(name, String(item))
  }
  return { url: query.size ? `${path}?${query}` : path }
}

function toForm(fields: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields))
    form.append(name, value instanceof Blob ? value : String(value))
  return form
}
