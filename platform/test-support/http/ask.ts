import type { Route } from '@busbar/contract'
import type { TestPlatform } from '@busbar/testkit'

/** The answer of a route, unparsed. */
export interface Answer {
  readonly status: number
  readonly body: string
}

export type Ask = (
  route: Route,
  request: Readonly<Record<string, unknown>>,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>

export const readsQuery = ({ method }: Route): boolean => method === 'GET' || method === 'DELETE'

/**
 * Calls the platform without a network, as a browser or program would: fields in the path, in the query or in a body,
 * unchecked. Each call comes from a different address: limits by address are tested elsewhere.
 */
export function createAsk(site: TestPlatform): Ask {
  let calls = 0
  return async (route, request, headers = {}) => {
    calls++
    const { statusCode, body } = await site.platform.app.inject({
      method: route.method,
      url: pathOf(route, request),
      remoteAddress: `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls & 255}`,
      ...(await contentOf(route, request, headers)),
    })
    return { status: statusCode, body }
  }
}

/** The same over the network, for a platform in a process of its own. */
export function createNetworkAsk(baseUrl: string): Ask {
  return async (route, request, given = {}) => {
    const { payload, query = {}, headers } = await contentOf(route, request, given)
    const url = new URL(pathOf(route, request), baseUrl)
    for (const [name, values] of Object.entries(query))
      for (const value of values) url.searchParams.append(name, value)
    const answer = await fetch(url, {
      method: route.method,
      headers,
      redirect: 'manual',
      ...(payload === undefined ? {} : { body: payload }),
    })
    return { status: answer.status, body: await answer.text() }
  }
}

const pathOf = (route: Route, request: Readonly<Record<string, unknown>>): string =>
  route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(request[name])))

interface Content {
  readonly payload?: string | Buffer<ArrayBuffer>
  readonly query?: Readonly<Record<string, string[]>>
  readonly headers: Readonly<Record<string, string>>
}

async function contentOf(
  route: Route,
  request: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>>,
): Promise<Content> {
  if (route.multipart) {
    const form = new FormData()
    for (const [name, value] of Object.entries(request))
      if (value !== undefined) form.set(name, textOf(value))
    form.set('file', new Blob(['no picture']), 'logo.png')
    const encoded = new Response(form)
    const type = encoded.headers.get('content-type') ?? ''
    return {
      payload: Buffer.from(await encoded.arrayBuffer()),
      headers: { ...headers, 'content-type': type },
    }
  }
  if (!readsQuery(route))
    return { payload: JSON.stringify(request), headers: { ...headers, 'content-type': 'application/json' } }
  const given = Object.entries(request).filter(([, value]) => value !== undefined)
  const texts = given.map(([name, value]) => [name, [value].flat().map(textOf)] as const)
  return {
    query: Object.fromEntries(texts),
    headers,
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
