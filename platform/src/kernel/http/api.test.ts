import { accounts, type Lang, limits, routes } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'

const site = useSite()

interface Body {
  hwcode: number
  hwreason: string
  error?: { code: string; message: string; field?: string }
}

async function post(
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${site.url}${path}`, { method: 'POST', body, headers })
  return { status: response.status, body: (await response.json()) as Body }
}

describe('every route', () => {
  test('is answered by the platform', () => {
    const answered = new Set(site.platform.bindings.map(({ route }) => `${route.method} ${route.path}`))
    const elsewhere = new Set([
      ...['/healthz', '/readyz', '/.well-known/security.txt', '/api/openapi.json', '/api/v1/ingest'],
    ])
    const missing = routes.filter(
      (route) => !elsewhere.has(route.path) && !answered.has(`${route.method} ${route.path}`),
    )
    expect(missing.map((route) => route.path)).toEqual([])
  })

  test('is in the API document with its permission', async () => {
    const document = (await (await fetch(`${site.url}/api/openapi.json`)).json()) as {
      openapi: string
      paths: Record<string, Record<string, { 'x-permission': unknown }>>
    }
    expect(document.openapi).toBe('3.1.0')
    for (const route of routes.filter(
      (each) => each.path.startsWith('/api/') && each.path !== '/api/openapi.json',
    )) {
      const operation = document.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()]
      expect(operation?.['x-permission']).toEqual(route.who)
    }
  })
})

describe('bad input', () => {
  test('names the field, in the requested language', async () => {
    const user = await site.createUser()
    const ask = (lang: Lang) =>
      post(`/api/machine/add?lang=${lang}`, JSON.stringify({ machineName: 'Press', machineCode: '123' }), {
        'content-type': 'application/json',
        token: user.token,
      })
    const en = await ask('en')
    expect(en.status).toBe(400)
    expect(en.body.error).toEqual({
      code: '400',
      message: 'The field machineCode is not valid',
      field: 'machineCode',
    })
    expect((await ask('cn')).body.error?.message).toBe('参数 machineCode 无效')
  })

  test('a machine code sent as a number is refused: it would not survive a double', async () => {
    const user = await site.createUser()
    const answer = await post('/api/machine/getMachineState', '{"machineCode":3020882951040806712}', {
      'content-type': 'application/json',
      token: user.token,
    })
    expect(answer.body.error?.field).toBe('machineCode')
  })

  test.each([
    ['broken JSON', '{"loginName":', 'application/json', 400],
    ['a JSON list', '[1,2]', 'application/json', 400],
    ['a kind of body nobody knows', '<a/>', 'application/xml', 400],
    [
      'a body over 16 kB',
      JSON.stringify({ loginName: 'x'.repeat(limits.publicBodyBytesMax) }),
      'application/json',
      413,
    ],
  ])('%s gets an envelope', async (_, body, type, status) => {
    const answer = await post('/api/user/login', body, { 'content-type': type })
    expect(answer.status).toBe(status)
    expect(answer.body.hwcode).toBe(status)
    expect(answer.body.error?.message).toBeTruthy()
  })

  test.each([
    '/api/v1/alarm/none/such',
    '/api/v1/sms/none?lang=cn',
    '/api/msg/v1/ent/none',
    '/api/msg/v1/alarm/none',
  ])('an unknown address signed clients of alarms and SMS out: %s', async (path) => {
    for (const method of ['GET', 'POST'] as const) {
      const response = await fetch(`${site.url}${path}`, { method })
      expect(response.status).toBe(200)
      expect(await response.json()).toMatchObject({ hwcode: 420, error: { code: '404' } })
    }
  })

  test('an id that no alarm can have was a wrong field, and a foreign one HTTP 403', async () => {
    const { token } = await site.createUser()
    const ask = (method: string, path: string) => fetch(`${site.url}${path}`, { method, headers: { token } })
    for (const [method, path, code] of [
      ['GET', '/api/v1/alarm/nope', '404'],
      ['DELETE', '/api/v1/alarm/rules/1.5', '404'],
      ['GET', '/api/v1/alarm/9', '403'],
      ['DELETE', '/api/v1/alarm/shelve/9', '403'],
      ['GET', '/api/v1/alarm/rules?machineId=9', '403'],
      ['GET', '/api/msg/v1/ent/userMessage/info?eid=9', '403'],
    ] as const) {
      const response = await ask(method, path)
      expect(response.status, path).toBe(200)
      expect(await response.json()).toMatchObject({ hwcode: 420, error: { code } })
    }
    expect((await ask('GET', '/api/v1/alarm/rules?machineId=nope')).status).toBe(400)
    expect((await ask('GET', '/api/v1/boards/nope')).status).toBe(400)
  })

  test('an unknown address answers 404 in the envelope', async () => {
    const answer = await post('/api/nothing/here', '{}', { 'content-type': 'application/json' })
    expect(answer).toMatchObject({ status: 404, body: { hwcode: 404 } })
  })
})

describe('the guard of a route', () => {
  test('health and readiness', async () => {
    expect(await (await fetch(`${site.url}/healthz`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${site.url}/readyz`)).json()).toEqual({ status: 'ok', missing: [] })
  })

  test('a HEAD creates no push ticket', async () => {
    const user = await site.createUser()
    const head = (path: string) =>
      fetch(`${site.url}${path}`, { method: 'HEAD', headers: { token: user.token } })
    expect((await head(accounts.createPushTicket.path)).status).toBe(404)
    expect(await site.db.selectFrom('push_tickets').selectAll().execute()).toEqual([])
    for (const path of ['/healthz', '/readyz', '/api/openapi.json'])
      expect((await head(path)).status).toBe(200)
  })

  test('every answer forbids framing and sniffing', async () => {
    const { headers } = await fetch(`${site.url}/api/v1/brand`)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('X-Forwarded-For of a stranger does not count', async () => {
    const user = await site.createUser({ password: 'correct horse' })
    await post(
      '/api/user/login',
      new URLSearchParams({ loginName: user.email, loginPwd: 'wrong', terminalUUID: 't' }).toString(),
      {
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': '203.0.113.9',
      },
    )
    const failures = await site.db.selectFrom('login_failures').select('address').execute()
    expect(failures.map((row) => row.address)).toEqual(['127.0.0.1'])
  })
})
