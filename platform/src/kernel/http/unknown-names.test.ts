import type { Route } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { expect, test } from 'vitest'
import { createAsk, readsQuery } from '../../../test-support/http/ask.ts'
import { missingOf } from '../../../test-support/rights/rights-fixture.ts'
import { routeCases } from '../../../test-support/rights/route-cases.ts'

/* Every route with fields that every object answers to: they are a stranger's names like any other. */

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'] as const
/** 503: a busy platform says that it is busy, and that it is not ready. */
const isBroken = (status: number) => status >= 500 && status !== 503
const values = ['x', '{"a":1}', '[1]']
const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

let clock = Date.now()
const site = useSite({ SECURITY_CONTACT: 'mailto:security@example.test' }, { now: () => clock })

interface Sending {
  readonly what: string
  readonly url: string
  readonly payload?: string
  readonly type?: string
}

/**
 * Calls with a name in the query, in a form, in JSON, as the value of each path parameter, and beside good fields; and with
 * the others beside good fields.
 */
function sendingsOf(route: Route, good: Readonly<Record<string, unknown>>): Sending[] {
  const parameters = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const pathWith = (value: (name: string) => unknown) =>
    route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(value(name))))
  const url = pathWith((name) => good[name])
  return names.flatMap((name, place) => {
    const inPath = parameters.length ? [{ what: `path ${name}`, url: pathWith(() => name) }] : []
    const texts = values.map((value) => `${name}=${encodeURIComponent(value)}`)
    const queries = [...texts, `${name}=1&${name}=2`].map((text) => ({
      what: `query ${text}`,
      url: `${url}?${text}`,
    }))
    if (readsQuery(route)) return place === 0 ? [...inPath, ...queries] : queries.slice(0, 1)
    const objects = ['1', '"x"', '[1]', '{"prototype":1}', 'null'].map((value) => `"${name}":${value}`)
    const fields = JSON.stringify(good).slice(1, -1)
    const beside = {
      what: `JSON ${name} beside good fields`,
      url,
      payload: `{"${name}":{}${fields && ','}${fields}}`,
      type: json,
    }
    if (place > 0) return [beside]
    const bodies = [
      ...[...texts, `${name}=1&${name}=2`].map((payload) => ({
        what: `form ${payload}`,
        url,
        payload,
        type: form,
      })),
      ...objects.map((text) => ({ what: `JSON ${text}`, url, payload: `{${text}}`, type: json })),
      beside,
    ]
    return [...inPath, ...queries.slice(0, 1), ...bodies]
  })
}

const named = routeCases.map(
  (routeCase) => [`${routeCase.route.method} ${routeCase.route.path}`, routeCase] as const,
)

test.each(named)(
  'a name that every object has breaks nothing: %s',
  async (_, { route, ids, rest, needs }) => {
    // Each with its own session, because a call may sign its caller out.
    const caller = await site.createUser()
    if (route.who === 'operator')
      await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', caller.userId).execute()
    const missing = Object.entries(ids).map(([name, kind]) => [name, missingOf(kind)])
    const good = { ...rest, ...Object.fromEntries(missing) }
    const token = needs === 'public' || needs === 'machine' ? {} : { token: caller.token }
    const faults: string[] = []
    let wasRead = needs === 'machine' || needs === 'projectKey'
    for (const { what, url, payload, type } of sendingsOf(route, good)) {
      clock += 61_000
      const { statusCode, body } = await site.platform.app.inject({
        method: route.method,
        url,
        headers: { ...token, ...(type ? { 'content-type': type } : {}) },
        ...(payload === undefined ? {} : { payload }),
      })
      wasRead ||= statusCode !== 401 && statusCode !== 404
      if (isBroken(statusCode)) faults.push(`${what}: ${statusCode} ${body.slice(0, 120)}`)
    }
    expect(faults, faults.join('\n')).toEqual([])
    expect(wasRead).toBe(true)
  },
)

test('without a session the names do not break anything either', async () => {
  const ask = createAsk(site)
  for (const { route } of routeCases) {
    for (const name of names) {
      const { status } = await ask(route, { [name]: 'x' })
      expect([route.path, name, isBroken(status)]).toEqual([route.path, name, false])
    }
  }
})
