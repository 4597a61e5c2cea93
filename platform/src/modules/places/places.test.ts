import { places as contract } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import { LocalRateCounters } from '../../kernel/http/rate-counters.ts'
import { ProviderFailed } from '../../kernel/outgoing-http/ask-json.ts'
import { type Answer, failures, json, serve } from '../../kernel/outgoing-http/testing/stand-in.ts'
import { convertPoint } from './coordinates.ts'
import type { AddressProvider } from './providers/address-provider.ts'
import { openAmap } from './providers/amap.ts'
import { ProviderChain } from './providers/provider-chain.ts'
import { openTencent } from './providers/tencent.ts'

/** In GCJ-02, as both services speak. */
const drawn = { lat: 39.990633, lng: 116.483038 }
const crossing = convertPoint(drawn, 'gcj02', 'wgs84')
const providers = {
  amap: {
    open: openAmap,
    found: {
      status: '1',
      info: 'OK',
      infocode: '10000',
      geocodes: [
        {
          formatted_address: '北京市朝阳区阜通东大街6号',
          city: '北京市',
          district: '朝阳区',
          township: [],
          location: '116.483038,39.990633',
        },
      ],
    },
    nothing: { status: '1', info: 'OK', geocodes: [] },
    named: { status: '1', info: 'OK', regeocode: { formatted_address: '北京市朝阳区阜通东大街6号' } },
    unnamed: { status: '1', info: 'OK', regeocode: { formatted_address: [] } },
    refused: { status: '0', info: 'DAILY_QUERY_OVER_LIMIT', infocode: '10003' },
    questionRefused: { status: '0', info: 'ENGINE_RESPONSE_DATA_ERROR', infocode: '30001' },
  },
  tencent: {
    open: openTencent,
    found: {
      status: 0,
      message: 'query ok',
      result: {
        location: { lat: 39.990633, lng: 116.483038 },
        address_components: {
          province: '北京市',
          city: '北京市',
          district: '朝阳区',
          street: '阜通东大街',
          street_number: '6号',
        },
      },
    },
    nothing: { status: 347, message: '查询无结果' },
    named: { status: 0, message: 'query ok', result: { address: '北京市朝阳区阜通东大街6号' } },
    unnamed: { status: 0, message: 'query ok', result: { address: '' } },
    refused: { status: 121, message: '此key每日调用量已达到上限' },
    questionRefused: { status: 306, message: '请求有护持信息请检查字符串' },
  },
}

describe.each(Object.entries(providers))('%s', (_name, { open, ...answers }) => {
  const start = async (answer: Answer) => {
    const { url, asked } = await serve(answer)
    return { provider: open({ url, key: 'secretKey' }), asked }
  }

  test('answers no place outside of the earth', async () => {
    const text = JSON.stringify(answers.found).replaceAll('39.990633', '95').replaceAll('116.483038', '231')
    const { provider } = await start((_request, response) => response.end(text))
    await expect(provider.search('x', 'cn')).rejects.toMatchObject({ reason: 'wrongAnswer' })
  })

  test('finds an address and answers it in WGS-84', async () => {
    const { provider, asked } = await start(json(answers.found))
    const [first, ...others] = await provider.search('阜通东大街6号 & key=1', 'cn')
    expect(first).toMatchObject({ name: '朝阳区', address: '北京市朝阳区阜通东大街6号' })
    expect(first?.lat).toBeCloseTo(crossing.lat, 6)
    expect(first?.lng).toBeCloseTo(crossing.lng, 6)
    expect(others).toEqual([])
    expect(asked[0]?.searchParams.getAll('key')).toEqual(['secretKey'])
    expect(asked[0]?.searchParams.get('address')).toBe('阜通东大街6号 & key=1')
  })

  test('names a place, which it is asked for in GCJ-02', async () => {
    const { provider, asked } = await start(json(answers.named))
    expect(await provider.nameOf(crossing, 'cn')).toBe('北京市朝阳区阜通东大街6号')
    expect(asked[0]?.searchParams.get('location')?.split(',').map(Number).sort()).toEqual([
      drawn.lng,
      drawn.lat,
    ])
  })

  test('knows no such address, and no name of a place', async () => {
    const { provider } = await start(json(answers.nothing))
    expect(await provider.search('nowhere', 'cn')).toEqual([])
    const silent = await start(json(answers.unnamed))
    expect(await silent.provider.nameOf(crossing, 'cn')).toBeUndefined()
  })

  test.each<[string, string, Answer]>([['its refusal', 'refused', json(answers.refused)], ...failures])(
    '%s is a failure: %s',
    async (_what, reason, answer) => {
      const { provider } = await start(answer)
      const error = await provider.search('somewhere', 'cn').catch((thrown) => thrown)
      expect(error).toBeInstanceOf(ProviderFailed)
      expect(error).toMatchObject({ reason })
      expect(String(error)).not.toContain('secretKey')
    },
  )
})

describe('the chain of providers', () => {
  const found = { name: 'City', address: 'City', lat: 1, lng: 2 }
  const failing = (name: string): AddressProvider & { calls: number } => ({
    name,
    calls: 0,
    async search() {
      this.calls++
      throw new ProviderFailed('refused', 'no')
    },
    nameOf: async () => undefined,
  })
  const knowing = (name: string, places = [found]): AddressProvider & { calls: number } => ({
    name,
    calls: 0,
    async search() {
      this.calls++
      return places
    },
    nameOf: async () => undefined,
  })
  const chainOf = (outside: AddressProvider[], callsPerDayMax = 100) => {
    const clock = { now: 0 }
    const chain = new ProviderChain(outside, knowing('embedded', [{ ...found, name: 'Embedded' }]), {
      counters: new LocalRateCounters(),
      logger: { warn: () => undefined },
      now: () => clock.now,
      callsPerDayMax,
    })
    const search = async () =>
      (
        await chain.ask(
          (provider) => provider.search('x', 'en'),
          (places) => places.length > 0,
        )
      )[0]?.name
    return { search, clock }
  }

  test('passes over one that fails or knows nothing, and ends with the table that ships', async () => {
    expect(await chainOf([failing('one'), knowing('two')]).search()).toBe('City')
    expect(await chainOf([failing('one'), knowing('two', [])]).search()).toBe('Embedded')
    expect(await chainOf([]).search()).toBe('Embedded')
  })

  test('leaves one alone for a minute after five failures in a row', async () => {
    const one = failing('one')
    const { search, clock } = chainOf([one])
    for (let call = 0; call < 8; call++) await search()
    expect(one.calls).toBe(5)
    clock.now += 60_000
    await search()
    expect(one.calls).toBe(6)
  })

  test.each(Object.entries(providers))(
    'of which %s is not left alone for texts that it refuses, which anybody can write',
    async (_name, { open, questionRefused, refused }) => {
      const ask = async (body: object) => {
        const { url, asked } = await serve(json(body))
        const { search } = chainOf([open({ url, key: 'secretKey' })])
        for (let call = 0; call < 7; call++) await search()
        return asked.length
      }
      expect([await ask(questionRefused), await ask(refused)]).toEqual([7, 5])
    },
  )

  test('asks one no more often in a day than the operator allows', async () => {
    const one = knowing('one')
    const { search, clock } = chainOf([one], 2)
    const names = [await search(), await search(), await search()]
    expect([names, one.calls]).toEqual([['City', 'City', 'Embedded'], 2])
    clock.now += 86_400_000
    expect(await search()).toBe('City')
  })
})

describe('people', () => {
  const site = useSite()

  test('find cities in their language', async () => {
    const user = await site.createUser()
    const found = await site.as(user).call(contract.searchAddress, { q: 'Shenzhen' })
    expect(found[0]).toMatchObject({ address: 'Shenzhen, China' })
    expect(await site.as(user).call(contract.searchAddress, { q: 'no such city' })).toEqual([])
  })

  test('search thirty times a day, each for themselves', async () => {
    const [one, other] = [await site.createUser(), await site.createUser()]
    for (let call = 0; call < 30; call++) await site.as(one).call(contract.searchAddress, { q: '上海' })
    expect(await site.refusalOf(one, contract.searchAddress, { q: '上海' })).toBe('429')
    expect(await site.as(other).call(contract.searchAddress, { q: '上海' })).not.toEqual([])
  })
})
