import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { compressAnswers } from './compressed-answers.ts'

const machines = Array.from({ length: 500 }, (_, place) => ({ name: `Press ${place}`, online: true }))
const app = Fastify()
compressAnswers(app)
app.get('/long', async () => machines)
app.get('/short', async () => machines.slice(0, 3))

const get = (url: string, encoding?: string) =>
  app.inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } })

describe('an answer', () => {
  it('that is long comes compressed, the same when opened', async () => {
    for (const [accepted, encoding, open] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
    ] as const) {
      const { headers, rawPayload } = await get('/long', accepted)
      expect(headers['content-encoding']).toBe(encoding)
      expect(Number(headers['content-length'])).toBe(rawPayload.length)
      expect(headers.vary).toBe('accept-encoding')
      expect(JSON.parse(open(rawPayload).toString())).toEqual(machines)
    }
  })

  it('that is short, or asked for by somebody who cannot open it, comes as it is', async () => {
    const short = await get('/short', 'br')
    expect(short.headers['content-encoding']).toBeUndefined()
    expect((await get('/long')).json()).toEqual(machines)
    expect((await get('/long', 'identity')).json()).toEqual(machines)
  })
})
