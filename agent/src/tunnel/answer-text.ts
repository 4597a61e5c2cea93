import { constants, type ServerHttp2Stream } from 'node:http2'

/**
 * Answers for the agent itself, in a short plain text; nothing is sent if an answer has begun or the stream
 * is closed.
 */
export function answerText(stream: ServerHttp2Stream, status: number, text: string): void {
  if (stream.destroyed || stream.closed || stream.headersSent) return
  stream.respond({
    ':status': status,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  })
  // An answer to HEAD ends with its headers.
  if (!stream.writableEnded) stream.end(`${text}\n`)
  endUnread(stream)
}

/**
 * After a complete answer the rest of the request is not wanted (RFC 9113, 8.1), and would keep the stream
 * open.
 */
export function endUnread(stream: ServerHttp2Stream): void {
  if (!stream.endAfterHeaders && !stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR)
}
