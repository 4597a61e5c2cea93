import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { describe, expect, it, vi } from 'vitest'
import { compressResponses } from './compressed-responses.ts'

const machines = Array.from({ length: 500 }, (_, place) => ({ name: `Press ${place}`, online: true }))
const app = Fastify()
compressResponses(app)
app.get('/long', async () => machines)
app.get('/short', async () => machines.slice(0, 3))

const get = (url: string, encoding?: string) =>
  app.inject({ url, headers: encoding === undefined ? {} : { 'accept-encoding': encoding } })

describe('a response', () => {
  it('that is long is compressed, and the same after decompression', async () => {
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

  it('that is short, or requested without a supported encoding, is sent as it is', async () => {
    const short = await get('/short', 'br')
    expect(short.headers['content-encoding']).toBeUndefined()
    expect((await get('/long')).json()).toEqual(machines)
    expect((await get('/long', 'identity')).json()).toEqual(machines)
  })
})

describe('many long responses at once', () => {
  it('are compressed two at a time, eight wait, and the others go out as they are', async () => {
    const started: (() => void)[] = []
    const encode = (text: string) =>
      new Promise<Buffer>((resolve) => started.push(() => resolve(Buffer.from(`small ${text.length}`))))
    const busy = Fastify()
    compressResponses(busy, { br: encode, gzip: encode })
    busy.get('/long', async () => machines)
    const encodingOf = async () =>
      (await busy.inject({ url: '/long', headers: { 'accept-encoding': 'br' } })).headers['content-encoding']
    const responses = Array.from({ length: 15 }, encodingOf)
    let plain = 0
    for (const response of responses) void response.then((encoding) => encoding ?? plain++)
    await vi.waitFor(() => expect(plain).toBe(5))
    let [running, most] = [0, 0]
    while (running < 10) {
      await vi.waitFor(() => expect(started.length).toBeGreaterThan(running))
      most = Math.max(most, started.length - running)
      started[running++]?.()
    }
    expect(most).toBe(2)
    const encodings = await Promise.all(responses)
    expect(encodings.filter((encoding) => encoding === 'br')).toHaveLength(10)
    // Every turn was given back.
    const next = encodingOf()
    await vi.waitFor(() => expect(started).toHaveLength(11))
    started[10]?.()
    expect(await next).toBe('br')
  })

  it('do not keep the turn of one that could not be compressed', async () => {
    let isBroken = true
    const encode = async () => {
      if (isBroken) throw new Error('no memory')
      return Buffer.from('small')
    }
    const broken = Fastify()
    compressResponses(broken, { br: encode, gzip: encode })
    broken.get('/long', async () => machines)
    const ask = () => broken.inject({ url: '/long', headers: { 'accept-encoding': 'br' } })
    for (let asked = 0; asked < 3; asked++) expect((await ask()).statusCode).toBe(500)
    isBroken = false
    expect((await ask()).headers['content-encoding']).toBe('br')
  })
})
