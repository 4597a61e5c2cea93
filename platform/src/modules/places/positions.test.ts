import { metresBetween } from '@busbar/contract'
import type { ToldCell, ToldWifi } from '@busbar/link'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../config.ts'
import { LocalRateCounters } from '../../kernel/http/rate-counters.ts'
import { ProviderFailed } from '../../kernel/outgoing-http/ask-json.ts'
import { type Answer, failures, json, serve, writeKey } from '../../kernel/outgoing-http/testing/stand-in.ts'
import { convertPoint } from './coordinates.ts'
import { openAmapPositions } from './providers/amap-positions.ts'
import { Locator, signalKinds } from './providers/locator.ts'
import { deviceOf, readCells, readWifi } from './providers/read-signals.ts'
import { openTencentPositions } from './providers/tencent-positions.ts'

const wifi: readonly ToldWifi[] = [
  { mac: '22:27:1d:20:08:d5', signalDbm: -55, ssid: 'hall, 1|2' },
  { mac: '5c:63:bf:a4:bf:56', signalDbm: -86 },
]
const serving: ToldCell = { radio: 'lte', mcc: 460, mnc: 1, tac: 40977, cellId: 2205409, signalDbm: -65 }
const cells: readonly ToldCell[] = [serving, { radio: 'gsm', mcc: 460, mnc: 0, lac: 9, cellId: 4 }]
const cellOf5G: ToldCell = { radio: 'nr', mcc: 460, mnc: 11, tac: 5, nci: 2 ** 35 }
const device = deviceOf('17')

/** In GCJ-02, as both services speak. */
const drawn = { lat: 39.990633, lng: 116.483038 }
const crossing = convertPoint(drawn, 'gcj02', 'wgs84')
const tencentAt = ({ lat, lng }: { lat: number; lng: number }, accuracy: number) => ({
  status: 0,
  message: 'query ok',
  result: { location: { latitude: lat, longitude: lng, altitude: 0, accuracy }, address: '' },
})
const amapAt = ({ lat, lng }: { lat: number; lng: number }, radius: number) => ({
  infocode: '10000',
  status: '1',
  info: 'OK',
  result: { type: '4', location: `${lng},${lat}`, radius: `${radius}`, desc: '' },
})
const services = {
  amap: {
    open: openAmapPositions,
    found: amapAt(drawn, 550),
    withoutRadius: amapAt(drawn, 0),
    nothing: { status: '1', info: 'OK', result: { type: '0', location: [], radius: [] } },
    refused: { status: '0', info: 'INVALID_USER_KEY', infocode: '10001' },
  },
  tencent: {
    open: openTencentPositions,
    found: tencentAt(drawn, 550),
    withoutRadius: tencentAt(drawn, 0),
    nothing: { status: 347, message: '查询无结果' },
    refused: { status: 121, message: '此key每日调用量已达到上限' },
  },
}

describe.each(Object.entries(services))('positions of %s', (_name, { open, ...answers }) => {
  const start = async (answer: Answer) => {
    const { url, asked, bodies } = await serve(answer)
    return { provider: open({ url, key: 'secretKey' }), asked, bodies }
  }

  test.each([
    ['wifi', { device, wifi }],
    ['cells', { device, cells }],
  ] as const)('by %s, in WGS-84 with the radius as it came', async (source, signals) => {
    const { provider } = await start(json(answers.found))
    expect(provider.canLocate(signals)).toBe(true)
    const position = await provider.locate(signals)
    expect(position).toMatchObject({ accuracyM: 550, source })
    expect(metresBetween(position ?? drawn, crossing)).toBeLessThan(1)
  })

  test('neither one access point nor an address is asked for', () => {
    const provider = open({ url: 'http://127.0.0.1:1', key: 'secretKey' })
    expect(provider.canLocate({ device, wifi: wifi.slice(1) })).toBe(false)
    expect(provider.canLocate({ device, ip: '120.24.78.68' })).toBe(false)
  })

  test('it may know nothing', async () => {
    const { provider } = await start(json(answers.nothing))
    expect(await provider.locate({ device, wifi })).toBeUndefined()
  })

  test.each<[string, string, Answer]>([
    ['its refusal', 'refused', json(answers.refused)],
    ['radius 0', 'noRadius', json(answers.withoutRadius)],
    ...failures,
  ])('%s is a failure: %s', async (_what, reason, answer) => {
    const { provider } = await start(answer)
    const error = await provider.locate({ device, cells }).catch((thrown) => thrown)
    expect(error).toBeInstanceOf(ProviderFailed)
    expect(error).toMatchObject({ reason })
    expect(String(error)).not.toContain('secretKey')
  })
})

test('AMap gets the cell in use apart from its neighbours, and none of 5G', async () => {
  const { url, asked } = await serve(json(services.amap.found))
  const amap = openAmapPositions({ url, key: 'secretKey' })
  await amap.locate({ device, cells: [...cells, cellOf5G] })
  await amap.locate({ device, wifi })
  const [byCells, byWifi] = asked.map(({ searchParams }) => Object.fromEntries(searchParams))
  expect(byCells).toMatchObject({
    accesstype: '0',
    bts: '460,01,40977,2205409,-65',
    nearbts: '460,00,9,4,-100',
    imei: device,
  })
  expect(byWifi).toMatchObject({
    accesstype: '1',
    macs: '22:27:1d:20:08:d5,-55,hall 12|5c:63:bf:a4:bf:56,-86,',
  })
  expect(amap.canLocate({ device, cells: [cellOf5G] })).toBe(false)
})

test('Tencent gets cells of 4G and 5G by their tracking area', async () => {
  const { url, bodies } = await serve(json(services.tencent.found))
  const tencent = openTencentPositions({ url, key: 'secretKey' })
  await tencent.locate({ device, cells: [serving, cellOf5G] })
  await tencent.locate({ device, wifi })
  expect(bodies.map((body) => JSON.parse(body))).toEqual([
    {
      key: 'secretKey',
      device_id: device,
      cellinfo: [
        { mcc: 460, mnc: 1, lac: 40977, cellid: 2205409, rss: -65 },
        { mcc: 460, mnc: 11, lac: 5, cellid: 2 ** 35 },
      ],
    },
    {
      key: 'secretKey',
      device_id: device,
      wifiinfo: [
        { mac: '22271d2008d5', rssi: -55 },
        { mac: '5c63bfa4bf56', rssi: -86 },
      ],
    },
  ])
})

describe('cells and access points that a machine tells', () => {
  test('cells: the one in use first, then the strongest, ten at most, as a list or its text', () => {
    const list = [
      { ...serving, cellId: 1, signalDbm: -90 },
      { ...serving, cellId: 2, signalDbm: -50 },
      { ...serving, cellId: 3, signalDbm: -99, serving: true },
      { ...serving, cellId: 4, signalDbm: undefined },
    ]
    expect(readCells(list).map(({ cellId }) => cellId)).toEqual([3, 2, 1, 4])
    expect(readCells(JSON.stringify(list)).map(({ cellId }) => cellId)).toEqual([3, 2, 1, 4])
    expect(readCells(Array.from({ length: 50 }, (_, cellId) => ({ ...serving, cellId })))).toHaveLength(10)
  })

  test('access points: each once, the strongest first, thirty at most, their addresses in one form', () => {
    expect(
      readWifi([
        { mac: 'AA-BB-CC-DD-EE-FF', signalDbm: -80 },
        { mac: 'aabbccddeeff', signalDbm: -40 },
        { mac: '00:00:00:00:00:01', signalDbm: -60 },
      ]),
    ).toEqual([
      { mac: 'aa:bb:cc:dd:ee:ff', signalDbm: -40 },
      { mac: '00:00:00:00:00:01', signalDbm: -60 },
    ])
    const many = Array.from({ length: 99 }, (_, at) => ({
      mac: `0000000000${at.toString().padStart(2, '0')}`,
      signalDbm: -at,
    }))
    expect(readWifi(many)).toHaveLength(30)
  })

  test.each<[string, unknown]>([
    ['no list', { mcc: 460 }],
    ['broken text', '[{"mcc":460'],
    ['nothing', undefined],
    ['entries of other forms', [1, null, { ...serving, mcc: '460' }, { ...serving, cellId: -1 }]],
    ['a cell without its number', [{ radio: 'lte', mcc: 460, mnc: 0, tac: 1 }]],
    ['an area out of range', [{ ...serving, tac: 2 ** 24 }]],
    ['a strength out of range', [{ ...serving, signalDbm: 5 }]],
  ])('%s tells nothing', (_what, told) => {
    expect(readCells(told)).toEqual([])
    expect(readWifi(told)).toEqual([])
  })
})

describe('the locator', () => {
  const open = (settings: Record<string, string>) =>
    new Locator({
      config: readConfig({ VISIT_HOST: 'visits.example', ...settings }),
      rateCounters: new LocalRateCounters(),
      logger: { warn: () => undefined } as never,
      now: () => 0,
    })
  const start = async (answers: { amap: Answer; tencent: Answer }) => {
    const [amap, tencent] = [await serve(answers.amap), await serve(answers.tencent)]
    const key = await writeKey('secretKey')
    const locator = open({
      AMAP_POSITION_KEY_FILE: key,
      AMAP_POSITION_URL: amap.url,
      TENCENT_MAP_KEY_FILE: key,
      TENCENT_MAP_URL: tencent.url,
    })
    return { locator, amap, tencent }
  }
  const shanghai = { lat: 31.23, lng: 121.47 }
  const berlin = { lat: 52.52, lng: 13.4 }
  const busy: Answer = (_request, response) => response.writeHead(429).end()

  test('asks AMap, then Tencent, and tells no fault where one knew', async () => {
    const { locator, amap, tencent } = await start({
      amap: busy,
      tencent: json(services.tencent.found),
    })
    const { position, fault } = await locator.locate({ device, wifi }, signalKinds, [])
    expect([position?.source, position?.accuracyM, fault]).toEqual(['wifi', 550, undefined])
    expect([amap.asked.length, tencent.asked.length]).toEqual([1, 1])
  })

  test('goes on to the next kind of signal, and to the table of addresses', async () => {
    const { locator } = await start({
      amap: json(services.amap.nothing),
      tencent: json(services.tencent.nothing),
    })
    const { position } = await locator.locate({ device, wifi, cells, ip: '120.24.78.68' }, signalKinds, [])
    expect(position).toMatchObject({ source: 'ip' })
    expect(metresBetween(position ?? drawn, { lat: 22.54, lng: 114.05 })).toBeLessThan(30_000)
    expect(position?.accuracyM).toBeGreaterThan(10_000)
  })

  test('believes no position on another continent than all the last ones, and asks the next provider', async () => {
    const far = await start({ amap: json(amapAt(berlin, 50)), tencent: json(services.tencent.found) })
    const { position } = await far.locator.locate({ device, wifi }, signalKinds, [shanghai])
    expect(position?.accuracyM).toBe(550)
    const all = await start({ amap: json(amapAt(berlin, 50)), tencent: json(tencentAt(berlin, 50)) })
    expect(await all.locator.locate({ device, wifi }, signalKinds, [shanghai])).toEqual({ fault: 'farAway' })
    const known = await all.locator.locate({ device, wifi }, signalKinds, [shanghai, berlin])
    expect(known.position?.accuracyM).toBe(50)
    expect(await open({}).locate({ device, ip: '120.24.78.68' }, signalKinds, [berlin])).toEqual({
      fault: 'farAway',
    })
  })

  test('machines on another continent do not make a provider rest', async () => {
    const { locator, amap } = await start({ amap: json(amapAt(berlin, 50)), tencent: busy })
    for (let ask = 0; ask < 7; ask++) await locator.locate({ device, wifi }, signalKinds, [shanghai])
    expect(amap.asked).toHaveLength(7)
  })

  test('says why the last provider failed, and neither place nor fault where nobody can tell', async () => {
    const { locator } = await start({ amap: busy, tencent: busy })
    expect(await locator.locate({ device, wifi }, signalKinds, [])).toEqual({ fault: 'busy' })
    const alone = open({})
    expect(await alone.locate({ device, wifi, cells }, signalKinds, [])).toEqual({})
    for (const ip of ['10.0.0.1', '8.8.8.8', 'nonsense'])
      expect(await alone.locate({ device, ip }, signalKinds, [])).toEqual({})
  })

  test('of a provider are cut, and without characters that nobody can store', async () => {
    const address = `上海\u0000市\u202e${'x'.repeat(100_000)}`
    const { url } = await serve(json({ status: '1', info: 'OK', regeocode: { formatted_address: address } }))
    const locator = open({ AMAP_URL: url, AMAP_KEY_FILE: await writeKey('secretKey') })
    const { cn } = await locator.addressesOf(shanghai)
    expect(cn).toMatch(/^上海市x+$/)
    expect(cn?.length).toBeLessThanOrEqual(200)
  })

  test('names a place in both languages', async () => {
    expect(await open({}).addressesOf({ lat: 22.55, lng: 114.06 })).toEqual({
      cn: '广东省深圳市',
      en: 'Shenzhen, China',
    })
    expect(await open({}).addressesOf({ lat: 0, lng: -140 })).toEqual({ cn: undefined, en: undefined })
  })

  test.each([
    ['202.96.209.5', 31.23, 121.47],
    ['222.80.1.1', 41.76, 86.15],
    ['210.0.128.1', 22.3, 114.17],
  ])('finds the city of %s', async (ip, lat, lng) => {
    const { position } = await open({}).locate({ device, ip }, signalKinds, [])
    expect(metresBetween(position ?? drawn, { lat, lng })).toBeLessThan(60_000)
  })
})

test('a machine’s number for services is the same each time, and not its id', () => {
  expect(deviceOf('17')).toMatch(/^\d{15}$/)
  expect(deviceOf('17')).toBe(deviceOf('17'))
  expect(deviceOf('17')).not.toBe(deviceOf('18'))
})
