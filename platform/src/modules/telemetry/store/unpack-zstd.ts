import { createZstdDecompress, type ZstdDecompress, zstdDecompressSync } from 'node:zlib'

/** Longer output is unpacked the usual way. */
const outBytes = 256 * 1024
/** They are of one tag for a day at most: more is damage, or an attack on memory. */
const outBytesMax = 64 * 1024 * 1024

/** The part of Node's zlib streams that its types leave out; its functions with `Sync` call `writeSync`. */
interface Internals {
  readonly _handle?: {
    reset?(): void
    writeSync?(
      flush: number,
      from: Buffer,
      fromPlace: number,
      fromBytes: number,
      to: Buffer,
      toPlace: number,
      toBytes: number,
    ): void
  } | null
  /** Free bytes of the output, and remaining bytes of the input. */
  readonly _writeState?: Uint32Array
}

let stream: (ZstdDecompress & Internals) | undefined
let out: Buffer | undefined

/**
 * Unpacks zstd. The bytes hold until the next call.
 *
 * `zstdDecompressSync` makes a stream, a context of zstd and a buffer for each call: twenty microseconds beside the one to
 * four that a chunk takes, and memory outside the heap, for which the collector runs. Here one context serves all of them.
 * A Node whose streams look different is asked the usual way.
 */
export function unpackZstd(packed: Buffer): Buffer {
  if (!stream || stream.destroyed) {
    stream = createZstdDecompress()
    // A failed one is replaced, and the usual way reports the error.
    stream.on('error', () => {})
  }
  const { _handle: handle, _writeState: state } = stream
  if (!handle?.reset || !handle.writeSync || !state) return unpackOnce(packed)
  out ??= Buffer.allocUnsafeSlow(outBytes)
  handle.reset()
  handle.writeSync(0, packed, 0, packed.length, out, 0, out.length)
  const [free = 0, left = 1] = state
  if (stream.destroyed || left !== 0 || free === 0) return unpackOnce(packed)
  return out.subarray(0, outBytes - free)
}

const unpackOnce = (packed: Buffer): Buffer => zstdDecompressSync(packed, { maxOutputLength: outBytesMax })
