import type { FileAnswer } from '@busbar/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dispositionOf, findRange, sendFile } from './send-file.ts'

const content = Buffer.from('0123456789')
const file: FileAnswer = {
  name: '压机 "4" 50%.csv',
  mediaType: 'text/csv; charset=utf-8',
  bytes: content.length,
  tag: 'abc',
  async *open(from, to) {
    yield content.subarray(from, to + 1)
  },
}

let app: FastifyInstance
beforeAll(async () => {
  app = Fastify()
  app.get('/file', (request, reply) => sendFile(request, reply, file))
  app.get('/empty', (request, reply) => sendFile(request, reply, { ...file, bytes: 0 }))
  await app.ready()
})
afterAll(() => app.close())

const get = (headers: Record<string, string> = {}, url = '/file') => app.inject({ url, headers })

test('a file is sent complete, as a download under its name', async () => {
  const answer = await get()
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toBe('0123456789')
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-length': '10',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    etag: '"abc"',
    'content-disposition': `attachment; filename="__ _4_ 50_.csv"; filename*=UTF-8''%E5%8E%8B%E6%9C%BA%20%224%22%2050%25.csv`,
  })
  expect((await get({}, '/empty')).headers['content-length']).toBe('0')
})

test('a name cannot end the header, or begin another one', () => {
  expect(dispositionOf('a"\r\nset-cookie: x=1;\ud800.csv')).toBe(
    `attachment; filename="a___set-cookie: x=1;_.csv"; filename*=UTF-8''a%22%0D%0Aset-cookie%3A%20x%3D1%3B%EF%BF%BD.csv`,
  )
})

test('a download goes on where it was cut, as long as the file is the same', async () => {
  const rest = await get({ range: 'bytes=4-', 'if-range': '"abc"' })
  expect([rest.statusCode, rest.body, rest.headers['content-range']]).toEqual([206, '456789', 'bytes 4-9/10'])
  const other = await get({ range: 'bytes=4-', 'if-range': '"abd"' })
  expect([other.statusCode, other.body]).toEqual([200, '0123456789'])
  const outside = await get({ range: 'bytes=10-' })
  expect([outside.statusCode, outside.body, outside.headers['content-range']]).toEqual([
    416,
    '',
    'bytes */10',
  ])
})

test.each([
  ['bytes=0-0', { from: 0, to: 0 }],
  ['bytes=2-99', { from: 2, to: 9 }],
  ['bytes=-3', { from: 7, to: 9 }],
  ['bytes=-99', { from: 0, to: 9 }],
  ['bytes=-0', 'outside'],
  ['bytes=5-4', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,4-5', undefined],
  ['rows=0-1', undefined],
  [undefined, undefined],
])('the range %s', (header, expected) => {
  expect(findRange(header, 10)).toEqual(expected)
})

test('a copy that its reader may use is asked for by its tag, and not sent again', async () => {
  const own = Fastify()
  own.get('/tile', (request, reply) => sendFile(request, reply, { ...file, freshS: 60 }))
  const first = await own.inject({ url: '/tile' })
  expect(first.headers['cache-control']).toBe('private, max-age=60')
  const again = await own.inject({ url: '/tile', headers: { 'if-none-match': '"abc"' } })
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', '"abc"'])
  const other = await own.inject({ url: '/tile', headers: { 'if-none-match': '"abd"' } })
  expect([other.statusCode, other.body]).toEqual([200, '0123456789'])
  await own.close()
})
