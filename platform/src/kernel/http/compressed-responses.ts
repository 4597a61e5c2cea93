import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { chooseEncoding, type Encoding } from './accepted-encoding.ts'

/**
 * Below this a response is a few packets either way. Answers this long contain no secret that compression could reveal.
 */
const compressBytesMin = 4_096
/** A list of machines becomes a tenth of itself; more would cost time that the wire does not give back. */
const brotliQuality = 4
/** At a time: half of the threads that also hash passwords and read files. */
const compressionsMax = 2
/** Few, because waiting responses are held in memory uncompressed. */
const waitingMax = 8

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

const encoders: Readonly<Record<Encoding, (text: string) => Promise<Buffer>>> = {
  br: (text) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }),
  gzip: (text) => deflate(text),
}

/**
 * Compresses long responses outside the event loop, where the caller accepts that. A few are compressed at a time and a few
 * more wait; further responses go out uncompressed. Files are compressed when they are built.
 */
export function compressResponses(app: FastifyInstance, encode = encoders): void {
  const turns = createTurns(compressionsMax, waitingMax)
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < compressBytesMin) return payload
    if (reply.hasHeader('content-encoding')) return payload
    reply.header('vary', 'accept-encoding')
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    const turn = encoding && turns.take()
    if (!turn) return payload
    await turn
    try {
      const compressed = await encode[encoding](payload)
      reply.header('content-encoding', encoding).removeHeader('content-length')
      return compressed
    } finally {
      turns.give()
    }
  })
}

/** `max` turns at a time; `take` gives nothing when `waitingMax` wait for one already. */
function createTurns(max: number, waitingMax: number): { take(): Promise<void> | undefined; give(): void } {
  const waiting: (() => void)[] = []
  let taken = 0
  return {
    take() {
      if (taken < max) {
        taken++
        return Promise.resolve()
      }
      return waiting.length < waitingMax ? new Promise((resolve) => waiting.push(resolve)) : undefined
    },
    give() {
      const next = waiting.shift()
      if (next) next()
      else taken--
    },
  }
}
