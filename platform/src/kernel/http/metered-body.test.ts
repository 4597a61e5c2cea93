import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { MeteredBody } from './metered-body.ts'

const free = { share: { take: () => undefined, release() {} }, bytesMax: 100_000, onBegin() {} }

test('pieces of one byte are joined', async () => {
  const letters = Array.from({ length: 15_000 }, (_, place) => Buffer.of(place % 251))
  const body = new MeteredBody(Readable.from(letters), free)
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece)
  expect(pieces.map(({ length }) => length)).toEqual([4_096, 4_096, 4_096, 2_712])
  expect(Buffer.concat(pieces)).toEqual(Buffer.concat(letters))
})

test('small and large pieces keep their order', async () => {
  const sizes = [10, 5_000, 1, 4_095, 1, 20_000, 3]
  const pieces = sizes.map((size, place) => Buffer.alloc(size, 97 + place))
  const body = new MeteredBody(Readable.from(pieces), free)
  expect(String(Buffer.concat(await body.toArray()))).toBe(pieces.join(''))
})

test('a source that is gone fails', async () => {
  const source = Readable.from([Buffer.from('x')])
  source.destroy()
  await expect(new MeteredBody(source, free).toArray()).rejects.toMatchObject({ code: '400' })
})
