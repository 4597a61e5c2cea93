import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** Below this an answer is a few packets either way. No answer this long carries a secret to be guessed at. */
const compressBytesMin = 4_096
/** A list of machines becomes a tenth of itself; more would cost time that the wire does not give back. */
const brotliQuality = 4

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

const encoders: Readonly<Record<string, (text: string) => Promise<Buffer>>> = {
  br: (text) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (text) => deflate(text),
}

/** Compresses long answers beside the event loop, where the caller can read that. Files are compressed when built. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < compressBytesMin) return payload
    if (reply.hasHeader('content-encoding')) return payload
    reply.header('vary', 'accept-encoding')
    const accepted = String(request.headers['accept-encoding'] ?? '')
    const encoding = Object.keys(encoders).find((name) => new RegExp(`\\b${name}\\b(?!;q=0)`).test(accepted))
    const encode = encoding && encoders[encoding]
    if (!encode) return payload
    reply.header('content-encoding', encoding).removeHeader('content-length')
    return encode(payload)
  })
}
