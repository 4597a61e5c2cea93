import type { IncomingHttpHeaders } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { Writable } from 'node:stream'
import { tunnelTarget } from '@busbar/link'
import type { PageHandler, Visitor } from './page-handler.ts'
import { toTargetHeaders } from './target-headers.ts'

const pageOrigin = `http://${tunnelTarget.page}`

/** Gives a request for the agent's own page to the page. */
export function servePage(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  visitor: Visitor,
  page: PageHandler,
): void {
  page(
    {
      method: String(headers[':method']),
      path: String(headers[':path']),
      headers: toTargetHeaders(headers, pageOrigin) as IncomingHttpHeaders,
      body: stream,
      visitor,
    },
    {
      begin(status, answerHeaders) {
        if (stream.destroyed || stream.closed) return nowhere()
        stream.respond({ ...answerHeaders, ':status': status })
        return stream.writableEnded ? nowhere() : stream
      },
    },
  )
}

/** For what is written to an answer without a body, or to a visitor who is gone. */
function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}
