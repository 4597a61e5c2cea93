import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { unpackZstd } from './unpack-zstd.ts'

const text = (length: number) => Buffer.from('busbar '.repeat(length)).subarray(0, length)

test('one context unpacks many bodies, short and longer than its buffer', () => {
  for (const length of [0, 1, 400, 7_200, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 3_000_000, 400])
    expect(unpackZstd(zstdCompressSync(text(length))).equals(text(length)), `${length} bytes`).toBe(true)
})

test('bytes that are not zstd are refused, and the next body is unpacked all the same', () => {
  const broken = zstdCompressSync(text(5_000))
  broken.writeUInt32LE(0)
  expect(() => unpackZstd(broken)).toThrow()
  expect(unpackZstd(zstdCompressSync(text(5_000))).equals(text(5_000))).toBe(true)
})

test('the context is used again: Node still has the internals that drive it', () => {
  const packed = zstdCompressSync(text(400))
  expect(unpackZstd(packed).buffer).toBe(unpackZstd(packed).buffer)
})
