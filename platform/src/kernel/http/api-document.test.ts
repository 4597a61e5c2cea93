import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { health } from '@busbar/contract'
import Fastify from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import { chooseEncoding } from './accepted-encoding.ts'
import { registerApiDocument } from './api-document.ts'
import { compressResponses } from './compressed-responses.ts'

const url = health.getOpenApi.path
let app: ReturnType<typeof Fastify>
let made: string[]
let isBroken: boolean
beforeEach(() => {
  made = []
  isBroken = false
  app = Fastify()
  compressResponses(app)
  registerApiDocument(app, { hookOf: () => async () => undefined }, (lang) => {
    made.push(lang)
    if (isBroken) throw new Error('no memory')
    return { lang, text: 'x'.repeat(10_000) }
  })
})

const get = (headers: Record<string, string> = {}, query = {}) => app.inject({ url, headers, query })

test('the document is made once a language, however many ask', async () => {
  const langs = Array.from({ length: 700 }, (_, place) => (place % 2 ? 'cn' : 'en'))
  const answers = await Promise.all(langs.map((lang) => get({ 'accept-encoding': 'br' }, { lang })))
  expect(made.sort()).toEqual(['cn', 'en'])
  for (const [place, { statusCode, rawPayload }] of answers.entries()) {
    expect(statusCode).toBe(200)
    if (place < 2)
      expect(JSON.parse(String(brotliDecompressSync(rawPayload)))).toMatchObject({ lang: langs[place] })
  }
})

test('it comes as the caller can read it', async () => {
  const whole = (await get()).json()
  expect((await get()).headers['content-encoding']).toBeUndefined()
  const zipped = await get({ 'accept-encoding': 'gzip' })
  expect(zipped.headers).toMatchObject({
    'content-encoding': 'gzip',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(zipped.rawPayload.length),
    vary: 'accept-encoding, accept-language',
  })
  expect(JSON.parse(String(gunzipSync(zipped.rawPayload)))).toEqual(whole)
})

test('a caller who already has the document gets 304', async () => {
  const { etag } = (await get()).headers
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/)
  for (const known of [String(etag), String(etag).slice(2), `"old", ${etag}`, '*']) {
    const { statusCode, body, headers } = await get({ 'if-none-match': known })
    expect([statusCode, body, headers.etag]).toEqual([304, '', etag])
  }
  expect((await get({ 'if-none-match': '"old"' })).statusCode).toBe(200)
  expect((await get({ 'if-none-match': String(etag) }, { lang: 'en' })).statusCode).toBe(200)
})

test('a making that failed is not kept', async () => {
  isBroken = true
  expect((await get()).statusCode).toBe(500)
  isBroken = false
  expect((await get()).statusCode).toBe(200)
})

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['gzip;q=0.5, br; q=0.000', 'gzip'],
  ['BR', 'br'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['x-br, brotli', undefined],
  ['identity', undefined],
  ['', undefined],
  [undefined, undefined],
])('of the encodings %s it is %s', (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding)
})
