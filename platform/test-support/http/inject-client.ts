import { type Client, createClient } from '@busbar/contract'
import type { TestPlatform } from '@busbar/testkit'

/** Calls the platform without a network in between: half of a call's time. */
export function injectClient({ platform }: TestPlatform, { token }: { readonly token: string }): Client {
  const inject: typeof fetch = async (url, { method, headers, body } = {}) => {
    const { statusCode, body: answered } = await platform.app.inject({
      method: method as 'GET',
      url: String(url),
      headers: headers as Record<string, string>,
      ...(body === undefined ? {} : { payload: String(body) }),
    })
    return new Response(answered, { status: statusCode })
  }
  return createClient({ baseUrl: '', lang: () => 'en', token: () => token, fetch: inject })
}
