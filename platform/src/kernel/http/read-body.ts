import type { Readable } from 'node:stream'
import { Failure } from './failure.ts'

/** Reads a request's body; undefined when it is longer than `bytesMax`: the rest is not read. */
export function readBody(stream: Readable, bytesMax: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const take = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= bytesMax) {
        chunks.push(chunk)
        return
      }
      stream.off('data', take)
      stream.pause()
      resolve(undefined)
    }
    stream.on('data', take)
    stream.once('end', () => resolve(Buffer.concat(chunks)))
    stream.once('error', reject)
    stream.once('close', () => reject(new Failure('400', { field: 'body' })))
  })
}
