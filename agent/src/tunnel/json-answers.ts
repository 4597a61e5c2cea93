import type { IncomingHttpHeaders } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { resetStream } from '@busbar/link'
import { errorReason, type Log } from '../log.ts'
import { answerText } from './answer-text.ts'
import type { PlatformClock } from './visitor.ts'

const bodyMs = 20_000

/** Answers the platform's own questions; false for paths of others. */
export type PlatformRoutes = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  platformClock: PlatformClock,
) => boolean

/** A request in an unknown form. */
export class BadRequest extends Error {}

export interface JsonAnswer {
  readonly status: number
  readonly body: unknown
}

export type JsonFields = Readonly<Record<string, unknown>>

/** Sends what `answering` resolves to; null is answered as a path without anything. */
export function answerJson(stream: ServerHttp2Stream, answering: Promise<JsonAnswer | null>, log: Log): void {
  answering
    .then((found) => {
      if (stream.destroyed) return
      if (found === null) return answerText(stream, 404, 'There is nothing here.')
      stream.respond({ ':status': found.status, 'content-type': 'application/json' })
      stream.end(JSON.stringify(found.body))
    })
    .catch((error: unknown) => {
      if (stream.destroyed) return
      if (error instanceof BadRequest) return answerText(stream, 400, 'This is no such request.')
      log('error', 'remote.failed', { reason: errorReason(error) })
      answerText(stream, 500, 'The agent failed.')
    })
}

/** The fields of a request; rejects with `BadRequest`. */
export async function readJson(stream: ServerHttp2Stream, bytesMax: number): Promise<JsonFields> {
  const timer = setTimeout(() => resetStream(stream, 'the body took too long'), bodyMs)
  try {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > bytesMax) throw new BadRequest()
      chunks.push(chunk)
    }
    return fieldsOf(JSON.parse(Buffer.concat(chunks).toString('utf8')))
  } catch (error) {
    if (error instanceof SyntaxError) throw new BadRequest()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

export function fieldsOf(value: unknown): JsonFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadRequest()
  return value as JsonFields
}
