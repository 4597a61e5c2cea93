import { Readable } from 'node:stream'
import type { FileAnswer } from '@busbar/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Bytes of a file, from the first to the last. */
interface ByteRange {
  readonly from: number
  readonly to: number
}

/** A file opened by itself, on the console's own host, can do nothing. */
const sandboxPolicy = "default-src 'none'; sandbox"

/** Sends a file as a download, whole or the one requested range (RFC 9110, 14). */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileAnswer): FastifyReply {
  const etag = `"${file.tag}"`
  reply.headers({
    'content-type': file.mediaType,
    'content-disposition': dispositionOf(file.name),
    'content-security-policy': sandboxPolicy,
    'accept-ranges': 'bytes',
    'cache-control': cacheControlOf(file),
    etag,
  })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  const isOfThese = request.headers['if-range'] === undefined || request.headers['if-range'] === etag
  const range = isOfThese ? findRange(request.headers.range, file.bytes) : undefined
  if (range === 'outside') {
    reply.code(416).header('content-range', `bytes */${file.bytes}`).header('content-length', 0)
    return reply.send('')
  }
  if (range) reply.code(206).header('content-range', `bytes ${range.from}-${range.to}/${file.bytes}`)
  const { from, to } = range ?? { from: 0, to: file.bytes - 1 }
  reply.header('content-length', to - from + 1)
  return reply.send(to < from ? '' : Readable.from(file.open(from, to), { objectMode: false }))
}

function cacheControlOf({ isPublic, freshS }: FileAnswer): string {
  if (isPublic) return 'public, max-age=31536000, immutable'
  return freshS === undefined ? 'private, no-store' : `private, max-age=${freshS}`
}

/** The range of a header; undefined: the whole file, also for several ranges, which a server need not answer. */
export function findRange(header: string | undefined, bytes: number): ByteRange | 'outside' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  // Without a first byte the number counts from the end.
  const from = first === '' ? Math.max(bytes - Number(last), 0) : Number(first)
  const to = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return from > to ? 'outside' : { from, to }
}

/** A name in UTF-8 (RFC 8187), with one in ASCII for programs that do not read it. */
export function dispositionOf(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
