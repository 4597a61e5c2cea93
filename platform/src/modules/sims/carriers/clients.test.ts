import { simStates, simStopReasons } from '@busbar/contract'
import { describe, expect, test } from 'vitest'
import { ProviderFailed } from '../../../kernel/outgoing-http/ask-json.ts'
import { type Answer, failures, json, serve } from '../../../kernel/outgoing-http/testing/stand-in.ts'
import type { Carrier } from './carrier.ts'
import { openControlCenter, type SignedCarrier } from './control-center.ts'
import { openGsl } from './gsl.ts'
import { openOneNce } from './one-nce.ts'
import { signRequest } from './sign-request.ts'

const asked = '8986112233445566778'
const other = '8988303000123456789'
const secret = 'the-secret-of-the-account'
const at = Date.parse('2026-11-30T02:00:00Z')
const bearer = 'the-token-of-an-hour'
const long = 'x'.repeat(10_000)

/** Answers as a carrier does, with the given fields in place of the documented ones. */
interface Client {
  readonly open: (signed: SignedCarrier) => Carrier
  readonly details: (fields?: object) => unknown
  /** The answer about traffic, with the given figure in place of a number. */
  readonly usage: (figure?: unknown) => unknown
  readonly statusField: string
}

const device = {
  ...{ iccid: asked, imsi: '460060000000001', msisdn: '861064000000001', imei: '861234567890123' },
  ...{ status: 'ACTIVATED', ratePlan: 'plan', communicationPlan: 'plan', customer: null, modemID: '2221' },
  ...{ dateActivated: '2016-06-29 00:21:33.339+0000', dateUpdated: '2016-07-06 22:04:04.380+0000' },
}
const sim = {
  ...{ iccid: asked, iccid_with_luhn: `${asked}0`, imsi: '901405100000018', msisdn: '882285100000018' },
  ...{ imei: '861234567890123', imei_lock: false, status: 'Enabled', label: 'DX-137-B12' },
  activation_date: '2018-03-09T07:59:09.000+0000',
  ...{ ip_address: '100.100.100.18', current_quota: 500, quota_status: { id: 0, description: 'ok' } },
}
const gslCard = {
  ...{ sim_card_id: 5702790861709056, cid: asked, iccid: asked, sim_type: 3, device_status: null },
  ...{ msisdn: '1440000000000', imei: '861234567890123', sim_status: 20, operator_status: -1 },
  ...{ act_date: '2020-01-31T16:00:00.000Z', expire_time: '2021-06-30T00:00:00.000Z' },
  ...{ flow_left: 900.5, flow_used: 123.5, price_plan_name: '1G' },
}

const clients: Readonly<Record<string, Client>> = {
  controlCenter: {
    open: openControlCenter,
    details: (fields) => ({ ...device, ...fields }),
    usage: (figure = 12_345) => ({
      ...device,
      ctdDataUsage: figure,
      ctdSMSUsage: 0,
      overageLimitReached: false,
    }),
    statusField: 'status',
  },
  oneNce: {
    open: openOneNce,
    details: (fields) => ({ ...sim, ...fields }),
    usage: (figure = '0.002803') => ({
      stats: [{ date: '2026-11-29T00:00:00.000Z', data: { volume: figure, volume_rx: '0.001482' } }],
    }),
    statusField: 'status',
  },
  gsl: {
    open: openGsl,
    details: (fields) => ({ limit: 10, offset: 1, count: 1, sim_cards: [{ ...gslCard, ...fields }] }),
    usage: (figure = 1.5) => [
      { date: '20261129', sim_flow: [{ sim_card_id: 1, iccid: asked, flow: figure }] },
    ],
    statusField: 'sim_status',
  },
}

const withToken =
  (answer: Answer): Answer =>
  (request, response) =>
    request.url === '/management-api/oauth/token'
      ? json({ status_code: 200, access_token: bearer, token_type: 'bearer', expires_in: 3_600 })(
          request,
          response,
        )
      : answer(request, response)

async function start({ open }: Pick<Client, 'open'>, answer: Answer, now = () => at) {
  const headers: (string | undefined)[] = []
  const service = await serve((request, response) => {
    headers.push(request.headers.authorization)
    withToken(answer)(request, response)
  })
  return { ...service, headers, carrier: open({ url: service.url, user: 'operator', secret, now }) }
}

const failureOf = (call: Promise<unknown>): Promise<ProviderFailed> =>
  call.then(
    () => {
      throw new Error('answered')
    },
    (error) => {
      if (error instanceof ProviderFailed) return error
      throw error
    },
  )

/** Each method of a carrier that it has. */
const questionsOf = (carrier: Carrier) =>
  Object.entries({
    listChanged: () => carrier.listChanged?.(0, null),
    listCards: () => carrier.listCards?.(null),
    details: () => carrier.details([asked]),
    usage: () => carrier.usage([asked], at),
  }).flatMap(([name, ask]) => (name in carrier && carrier[name as keyof Carrier] ? [{ name, ask }] : []))

describe.each(Object.entries(clients))('the client of %s', (_, client) => {
  test.each(failures)('says why it has no answer: %s', async (_what, reason, answer) => {
    const { carrier } = await start(client, answer)
    for (const { name, ask } of questionsOf(carrier)) {
      const failure = await failureOf(ask() as Promise<unknown>)
      expect([name, failure.reason]).toEqual([name, reason])
    }
  })

  test('tells no secret, no token and no answer in its errors', async () => {
    const repeating = (status: number): Answer => {
      return (request, response) =>
        response.writeHead(status).end(`${request.headers.authorization} ${secret} ${bearer}`)
    }
    const basic = Buffer.from(`operator:${secret}`).toString('base64')
    for (const answer of [repeating(200), repeating(401), ...failures.map(([, , failing]) => failing)]) {
      const { carrier } = await start(client, answer)
      for (const { ask } of questionsOf(carrier)) {
        const failure = await failureOf(ask() as Promise<unknown>)
        const told = [failure.message, failure.stack, String(failure.cause), JSON.stringify(failure)].join()
        for (const hidden of [secret, bearer, basic]) expect(told).not.toContain(hidden)
      }
    }
  })

  test('knows no card that the carrier does not know', async () => {
    const gone: Answer = (_request, response) => response.writeHead(404).end('{}')
    const { carrier } = await start(client, client.open === openGsl ? json({ sim_cards: [] }) : gone)
    expect(await carrier.details([asked])).toEqual([])
  })

  test('maps its words by its table, and a word that nobody knows to unknown', async () => {
    const strange = client.statusField === 'sim_status' ? 42 : 'HIBERNATED'
    const { carrier } = await start(client, json(client.details({ [client.statusField]: strange })))
    const [card] = await carrier.details([asked])
    expect(card).toMatchObject({ iccid: asked, state: 'unknown' })
    expect(card?.word).toBe(strange === 42 ? 'sim_status 42' : 'HIBERNATED')
    expect(Object.values(carrier.states)).not.toContain('unknown')
    expect(simStates).toEqual(expect.arrayContaining(Object.values(carrier.states)))
  })

  test('takes no name of JavaScript for a state', async () => {
    if (client.statusField === 'sim_status') return
    const { carrier } = await start(client, json(client.details({ status: 'constructor' })))
    expect(await carrier.details([asked])).toMatchObject([{ state: 'unknown', word: 'constructor' }])
  })

  test('cuts texts, and takes out what nobody can store', async () => {
    const texts = { msisdn: `1\u0000\u202e${long}`, imei: long, [client.statusField]: long }
    const told = client.statusField === 'sim_status' ? { ...texts, sim_status: 20 } : texts
    const { carrier } = await start(client, json(client.details(told)))
    const [card] = await carrier.details([asked])
    expect(card?.msisdn).toMatch(/^1x{20,31}$/)
    expect(card?.imei.length).toBe(32)
    expect(card?.word.length).toBeLessThanOrEqual(64)
  })

  test('leaves cards out that nobody asked for', async () => {
    const { carrier } = await start(client, json(client.details({ iccid: other })))
    expect(await carrier.details([asked])).toEqual([])
  })

  test('answers by 20 characters where 20 were asked for', async () => {
    const { carrier } = await start(client, json(client.details()))
    expect(await carrier.details([`${asked}3`])).toMatchObject([{ iccid: `${asked}3` }])
  })

  test('reads times of its form, and no others', async () => {
    const broken = { dateActivated: 'soon', activation_date: 12, act_date: '2020-13-45T99:00:00Z' }
    const { carrier } = await start(client, json(client.details(broken)))
    expect(await carrier.details([asked])).toMatchObject([{ activeAt: null }])
  })

  test.each([
    ['negative', -1],
    ['beyond 2^53', 2 ** 54],
    ['no number', 'NaN'],
    ['nothing', null],
  ])('takes no figure for traffic that is %s', async (_what, figure) => {
    const { carrier } = await start(client, json(client.usage(figure)))
    const usage = carrier.usage([asked], at).then(
      (usages) => usages.map(({ cycleBytes, days }) => ({ cycleBytes, days })),
      (error) => (error as ProviderFailed).reason,
    )
    expect(await usage).toBe('wrongAnswer')
  })

  test('asks nobody about no card', async () => {
    const { carrier, asked: requests } = await start(client, json({}))
    expect(await carrier.details([])).toEqual([])
    expect(await carrier.usage([], at)).toEqual([])
    expect(requests).toEqual([])
  })
})

describe('Control Center', () => {
  const startWith = (answer: Answer) => start({ open: openControlCenter }, answer)

  test('is asked as its documentation says', async () => {
    const { carrier, asked: requests, headers } = await startWith(json({ devices: [], lastPage: true }))
    await carrier.listChanged?.(at, '3')
    expect(requests[0]?.pathname).toBe('/rws/api/v1/devices')
    expect(Object.fromEntries(requests[0]?.searchParams ?? [])).toEqual({
      modifiedSince: '2026-11-30T02:00:00+00:00',
      pageSize: '50',
      pageNumber: '3',
    })
    expect(headers).toEqual([`Basic ${Buffer.from(`operator:${secret}`).toString('base64')}`])
  })

  test('tells changed cards page by page; strange ones are left out', async () => {
    const { carrier } = await startWith((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('pageNumber'))
      const devices = [{ iccid: page === 1 ? asked : other, status: 'ACTIVATED' }, { iccid: '1' }, null]
      json({ devices, pageNumber: page, lastPage: page === 2 })(request, response)
    })
    expect(await carrier.listChanged?.(0, null)).toEqual({ iccids: [asked], next: '2' })
    expect(await carrier.listChanged?.(0, '2')).toEqual({ iccids: [other], next: null })
  })

  test('a list that never ends is ended', async () => {
    const { carrier } = await startWith(json({ devices: [{ iccid: asked }], lastPage: false }))
    expect((await carrier.listChanged?.(0, '9999'))?.next).toBe('10000')
    expect((await failureOf(carrier.listChanged?.(0, '10000') as Promise<unknown>)).reason).toBe(
      'wrongAnswer',
    )
    const empty = await startWith(json({ devices: [], lastPage: false }))
    expect(await empty.carrier.listChanged?.(0, null)).toEqual({ iccids: [], next: null })
  })

  test('tells a card', async () => {
    const { carrier, asked: requests } = await startWith(json(device))
    expect(await carrier.details([asked])).toEqual([
      {
        ...{ iccid: asked, msisdn: device.msisdn, imei: device.imei, state: 'working', word: 'ACTIVATED' },
        ...{ stopReason: undefined, activeAt: Date.parse('2016-06-29T00:21:33.339Z'), expireAt: null },
      },
    ])
    expect(requests[0]?.pathname).toBe(`/rws/api/v1/devices/${asked}`)
  })

  test.each([
    ['INVENTORY', 'unactivated'],
    ['TEST_READY', 'silent'],
    ['ACTIVATION_READY', 'toActivate'],
    ['ACTIVATED', 'working'],
    ['DEACTIVATED', 'suspended'],
    ['RETIRED', 'recycled'],
    ['PURGED', 'deleted'],
  ])('%s is %s', async (status, state) => {
    const { carrier } = await startWith(json({ ...device, status }))
    expect(await carrier.details([asked])).toMatchObject([{ word: status, state }])
  })

  test('tells the traffic of a cycle in bytes, with the card and whether its limit stops it', async () => {
    const reached = { ctdDataUsage: 2_147_483_648, overageLimitReached: true }
    const { carrier, asked: requests } = await startWith(
      json({ ...device, ...reached, overageLimitOverride: 'DEFAULT' }),
    )
    expect(await carrier.usage([asked], 0)).toEqual([
      {
        ...{ iccid: asked, cycleBytes: 2_147_483_648, days: [], asOf: at },
        card: expect.objectContaining({ iccid: asked, state: 'working', stopReason: 'overQuota' }),
      },
    ])
    expect(requests[0]?.pathname).toBe(`/rws/api/v1/devices/${asked}/ctdUsages`)
    const beyond = await startWith(
      json({ ...device, ...reached, overageLimitOverride: 'PERMANENT_OVERRIDE' }),
    )
    expect(await beyond.carrier.usage([asked], 0)).toMatchObject([{ card: { stopReason: null } }])
    const silent = await startWith(json({ ...device, ctdDataUsage: 1 }))
    expect((await silent.carrier.usage([asked], 0))[0]?.card?.stopReason).toBeUndefined()
  })
})

describe('1NCE', () => {
  const startWith = (answer: Answer, now?: () => number) => start({ open: openOneNce }, answer, now)

  test('fetches a token once however many ask, and again a minute before its end', async () => {
    let now = at
    const { carrier, asked: requests, bodies, headers } = await startWith(json(sim), () => now)
    const tokens = () => requests.filter(({ pathname }) => pathname === '/management-api/oauth/token').length
    await Promise.all(Array.from({ length: 10 }, () => carrier.details([asked])))
    expect(tokens()).toBe(1)
    expect(bodies[0]).toBe('{"grant_type":"client_credentials"}')
    expect(headers[0]).toBe(`Basic ${Buffer.from(`operator:${secret}`).toString('base64')}`)
    expect(new Set(headers.slice(1))).toEqual(new Set([`Bearer ${bearer}`]))
    now += 3_539_000
    await carrier.details([asked])
    expect(tokens()).toBe(1)
    now += 1_000
    await carrier.details([asked])
    expect(tokens()).toBe(2)
  })

  test('a token that is refused is fetched again with the next question', async () => {
    let refusals = 1
    const { carrier, asked: requests } = await startWith((request, response) =>
      refusals-- > 0 ? response.writeHead(401).end('{}') : json(sim)(request, response),
    )
    expect((await failureOf(carrier.details([asked]))).reason).toBe('refused')
    expect(await carrier.details([asked])).toHaveLength(1)
    expect(requests.filter(({ pathname }) => pathname.endsWith('/oauth/token'))).toHaveLength(2)
  })

  test('a sign-in that fails is tried again with the next question', async () => {
    let isDown = true
    const service = await serve((request, response) =>
      isDown ? response.writeHead(500).end('{}') : withToken(json(sim))(request, response),
    )
    const carrier = openOneNce({ url: service.url, user: 'operator', secret, now: () => at })
    const both = await Promise.all([failureOf(carrier.details([asked])), failureOf(carrier.details([asked]))])
    expect(both.map(({ reason }) => reason)).toEqual(['refused', 'refused'])
    isDown = false
    expect(await carrier.details([asked])).toHaveLength(1)
  })

  test.each([
    ['a line break', 'a\r\nb'],
    ['nothing', ''],
    ['too much', 'x'.repeat(20_000)],
  ])('a token with %s is not used', async (_what, text) => {
    const service = await serve(json({ access_token: text, expires_in: 3_600 }))
    const carrier = openOneNce({ url: service.url, user: 'operator', secret, now: () => at })
    expect((await failureOf(carrier.details([asked]))).reason).toBe('wrongAnswer')
    expect(service.asked).toHaveLength(1)
  })

  test('tells whole cards by pages of a hundred, until a shorter one', async () => {
    const { carrier, asked: requests } = await startWith((request, response) => {
      const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page'))
      const length = page === 1 ? 100 : 1
      const iccidOf = (n: number) => `${asked.slice(0, 13)}${String(page * 1000 + n).padStart(6, '0')}`
      json(Array.from({ length }, (_, n) => ({ ...sim, iccid: iccidOf(n) })))(request, response)
    })
    const first = await carrier.listCards?.(null)
    expect([first?.cards.length, first?.next]).toEqual([100, '2'])
    expect(first?.cards[0]).toMatchObject({ state: 'working', msisdn: sim.msisdn })
    expect(await carrier.listCards?.('2')).toMatchObject({ cards: [{ word: 'Enabled' }], next: null })
    expect(requests.slice(1).map(({ pathname, search }) => `${pathname}${search}`)).toEqual([
      '/management-api/v1/sims?page=1&pageSize=100',
      '/management-api/v1/sims?page=2&pageSize=100',
    ])
  })

  test('a list that never ends is ended', async () => {
    const { carrier } = await startWith(json(Array.from({ length: 100 }, () => sim)))
    expect((await failureOf(carrier.listCards?.('10000') as Promise<unknown>)).reason).toBe('wrongAnswer')
  })

  test('one strange card keeps no other from being read', async () => {
    const { carrier } = await startWith(json([{ ...sim, iccid: 'none' }, null, 7, sim]))
    expect((await carrier.listCards?.(null))?.cards.map(({ iccid }) => iccid)).toEqual([asked])
  })

  test('knows a card by 19 characters', async () => {
    const { carrier, asked: requests } = await startWith(json(sim))
    expect(await carrier.details([`${asked}5`])).toMatchObject([{ iccid: `${asked}5` }])
    expect(requests[1]?.pathname).toBe(`/management-api/v1/sims/${asked}`)
  })

  test('a card whose quota is used up is suspended for it', async () => {
    const { carrier } = await startWith(json({ ...sim, quota_status: { id: 2, description: '0%' } }))
    const [card] = await carrier.details([asked])
    expect(card).toMatchObject({ state: 'suspended', stopReason: 'overQuota', word: 'Enabled, 0% remaining' })
    expect(card?.activeAt).toBe(Date.parse('2018-03-09T07:59:09Z'))
    const disabled = await startWith(json({ ...sim, status: 'Disabled', quota_status: { id: 2 } }))
    expect(await disabled.carrier.details([asked])).toMatchObject([{ word: 'Disabled', stopReason: null }])
  })

  test('tells the traffic of days, at most of six months, and no sum as a day', async () => {
    const stats = [
      { date: '2026-11-28T00:00:00.000Z', data: { volume: '0.002803' } },
      { date: '2026-11-29', sms: { volume: '3' } },
      { date: 'TOTAL', data: { volume: '0.002803' } },
    ]
    const { carrier, asked: requests } = await startWith(json({ stats }))
    expect(await carrier.usage([asked], Date.parse('2026-11-28T10:00:00Z'))).toEqual([
      {
        ...{ iccid: asked, cycleBytes: null, asOf: at, card: null },
        days: [
          { day: '2026-11-28', bytes: 2_803 },
          { day: '2026-11-29', bytes: 0 },
        ],
      },
    ])
    await carrier.usage([asked], 0)
    expect(requests.slice(1).map(({ search }) => search)).toEqual([
      '?start_dt=2026-11-28&end_dt=2026-11-30',
      '?start_dt=2026-06-03&end_dt=2026-11-30',
    ])
  })
})

describe('Global SIM Link', () => {
  const startWith = (answer: Answer, now?: () => number) => start({ open: openGsl }, answer, now)

  test('requests are signed as in the guide of Huawei Cloud', () => {
    const url = new URL(
      'https://service.region.example.com/v1/77b6a44cba5143ab91d13ab9a8ff44fd/vpcs?limit=2&marker=13551d6b-755d-4757-b956-536f674975c0',
    )
    const signed = signRequest({
      ...{ method: 'GET', url, headers: { 'content-type': 'application/json' } },
      accessKey: 'QTWAOYTTINDUT2QVKYUC',
      secretKey: 'MFyfvK41ba2giqM7Uio6PznpdUKGpownRZlmVmHc',
      now: Date.parse('2019-11-15T03:36:55Z'),
    })
    expect(signed).toEqual({
      'x-sdk-date': '20191115T033655Z',
      authorization:
        'SDK-HMAC-SHA256 Access=QTWAOYTTINDUT2QVKYUC, SignedHeaders=content-type;host;x-sdk-date, Signature=7be6668032f70418fcc22abc52071e57aff61b84a1d2381bb430d6870f4f6ebe',
    })
  })

  test('each request is signed for its address and its body', async () => {
    const { carrier, asked: requests, bodies, headers, url } = await startWith(json(clients.gsl?.usage()))
    await carrier.usage([asked], at)
    const { authorization } = signRequest({
      ...{ method: 'POST', url: new URL('/v1/sim-cards/batch-daily-flow', url), body: bodies[0] },
      ...{ accessKey: 'operator', secretKey: secret, now: at },
    })
    expect(headers).toEqual([authorization])
    expect(requests[0]?.pathname).toBe('/v1/sim-cards/batch-daily-flow')
  })

  test('tells whole cards by pages', async () => {
    const { carrier, asked: requests } = await startWith(
      json({ limit: 100, offset: 1, count: 101, sim_cards: Array.from({ length: 100 }, () => gslCard) }),
    )
    const page = await carrier.listCards?.(null)
    expect(page?.next).toBe('2')
    expect(page?.cards[0]).toEqual({
      ...{ iccid: asked, msisdn: gslCard.msisdn, imei: gslCard.imei, state: 'working', word: '在用' },
      ...{ stopReason: null, activeAt: Date.parse(gslCard.act_date) },
      expireAt: Date.parse(gslCard.expire_time),
    })
    expect(requests[0]?.search).toBe('?limit=100&offset=1')
    expect((await failureOf(carrier.listCards?.('10000') as Promise<unknown>)).reason).toBe('wrongAnswer')
  })

  test('looks for one card by its ICCID, which may be in another field', async () => {
    const { carrier, asked: requests } = await startWith(
      json({ sim_cards: [{ ...gslCard, iccid: null, cid: asked }] }),
    )
    expect(await carrier.details([asked])).toMatchObject([{ iccid: asked }])
    expect(requests[0]?.search).toBe(`?main_search_type=1&main_search_key=${asked}&limit=10&offset=1`)
  })

  test.each([
    [10, '可测试', 'silent'],
    [11, '未激活', 'unactivated'],
    [13, '可激活', 'toActivate'],
    [14, '已停用', 'suspended'],
    [20, '在用', 'working'],
    [30, '已拆机', 'recycled'],
  ])('sim_status %i is %s: %s', async (sim_status, word, state) => {
    const { carrier } = await startWith(json(clients.gsl?.details({ sim_status })))
    expect(await carrier.details([asked])).toMatchObject([{ word, state, stopReason: null }])
  })

  test.each(simStopReasons.map((reason, index) => [index + 1, reason] as const))(
    'operator_status %i stops a card: %s',
    async (operator_status, stopReason) => {
      const { carrier } = await startWith(json(clients.gsl?.details({ operator_status })))
      const state = stopReason === 'planOver' ? 'expired' : 'suspended'
      expect(await carrier.details([asked])).toMatchObject([{ state, stopReason }])
    },
  )

  test('an operator_status that nobody knows is told as it is', async () => {
    const { carrier } = await startWith(json(clients.gsl?.details({ operator_status: 9 })))
    expect(await carrier.details([asked])).toMatchObject([
      { state: 'unknown', word: 'operator_status 9', stopReason: null },
    ])
  })

  test.each([
    ['yesterday', '2026-11-29T08:00:00Z', { date: '20261129' }, '2026-11-29T16:00:00Z'],
    ['this month', '2026-11-10T00:00:00Z', { month: '202611' }, '2026-11-29T16:00:00Z'],
    ['the month before', '2026-10-31T15:00:00Z', { month: '202610' }, '2026-10-31T16:00:00Z'],
    ['long ago', '1970-01-01T00:00:00Z', { month: '202610' }, '2026-10-31T16:00:00Z'],
  ])('is asked for days since %s', async (_what, since, query, asOf) => {
    const { carrier, bodies } = await startWith(json([]))
    const [usage] = await carrier.usage([asked], Date.parse(since))
    expect(JSON.parse(bodies[0] ?? '')).toEqual({ iccids: [asked], ...query })
    expect(usage).toEqual({ iccid: asked, cycleBytes: null, days: [], asOf: Date.parse(asOf), card: null })
  })

  test('goes on where it ended, until yesterday', async () => {
    const { carrier } = await startWith(json([]), () => Date.parse('2026-12-10T03:00:00Z'))
    const spans: string[] = []
    for (let since = 0, n = 0; n < 3; n++) {
      const [usage] = await carrier.usage([asked], since)
      since = usage?.asOf ?? 0
      spans.push(new Date(since).toISOString().slice(0, 13))
    }
    expect(spans).toEqual(['2026-11-30T16', '2026-12-09T16', '2026-12-09T16'])
  })

  test('tells the traffic of days of a hundred cards, of those that were asked for', async () => {
    const answer = [
      {
        date: '2026-11-28',
        sim_flow: [
          { sim_card_id: 1, iccid: asked, flow: 1.5 },
          { sim_card_id: 2, iccid: '8986000000000000000', flow: 7 },
          { sim_card_id: 3, iccid: other, flow: -2 },
        ],
      },
      { date: '20261129', sim_flow: [{ iccid: asked, flow: 0.25 }] },
    ]
    const { carrier } = await startWith(json(answer))
    const usages = await carrier.usage([asked, other], Date.parse('2026-11-10T00:00:00Z'))
    expect(usages.map(({ iccid, days }) => [iccid, days])).toEqual([
      [
        asked,
        [
          { day: '2026-11-28', bytes: 1_572_864 },
          { day: '2026-11-29', bytes: 262_144 },
        ],
      ],
      [other, []],
    ])
  })

  test('a month of a hundred cards is not too large', async () => {
    const iccids = Array.from({ length: 100 }, (_, n) => `${asked.slice(0, 13)}${String(n).padStart(6, '0')}`)
    const sim_flow = iccids.map((iccid, n) => ({
      ...{ sim_card_id: 5_702_790_861_709_056 + n, iccid: `${iccid}0` },
      flow: 123.45678901234567,
    }))
    const days = Array.from({ length: 31 }, (_, n) => ({ date: String(20_261_001 + n), sim_flow }))
    const { carrier } = await startWith(json(days))
    const usages = await carrier.usage(iccids, 0)
    expect(usages.map((usage) => usage.days.length)).toEqual(iccids.map(() => 31))
  })
})
