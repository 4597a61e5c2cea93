import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { answerText, endUnread } from './answer-text.ts'
import { type Target, TargetUnreachable } from './target.ts'
import { spellAsBrowser, toTargetHeaders, toVisitorHeaders } from './target-headers.ts'

/** The part of an answer that may wait until the tunnel accepts it. */
const aheadBytesMax = 128 * 1024

/**
 * Passes a request that came as HTTP/2 to a target over HTTP/1.1; bodies stream both ways, an abort on either
 * side reaches the other.
 */
export function proxyRequest(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, target: Target): void {
  const method = String(headers[':method'])
  const hasBody = !stream.endAfterHeaders
  const outgoing = toTargetHeaders(headers, target.origin)
  if (hasBody && outgoing['content-length'] === undefined) outgoing['transfer-encoding'] = 'chunked'

  const ask = (agent: Target['kept']): void => {
    let isAnswered = false
    const asked = tryRequest(stream, { agent, method, path: String(headers[':path']), headers: outgoing })
    if (asked === undefined) return
    const abort = (): void => void asked.destroy()
    stream.once('close', abort)
    asked.once('response', (response) => {
      isAnswered = true
      // After the answer, a kept connection may belong to another request.
      if (!hasBody) response.once('end', () => stream.off('close', abort))
      answer(stream, method, response, target)
    })
    asked.on('error', (error) => {
      stream.off('close', abort)
      // A kept connection that the target has closed in the meantime.
      if (!isAnswered && asked.reusedSocket && !stream.destroyed) return ask(target.single)
      if (!isAnswered) answerUnreachable(stream, error)
    })
    if (!hasBody) return void asked.end()
    // The target may answer before the body begins.
    // Node's `flushHeaders` would send them as UTF-8.
    asked.write('', 'latin1')
    stream.pipe(asked)
  }
  // A body cannot be sent twice, and a wrong length would be read as the next request on a kept connection.
  ask(hasBody ? target.single : target.kept)
}

/** Starts a request; what Node refuses to send is answered 400. */
export function tryRequest(
  stream: ServerHttp2Stream,
  options: {
    agent: Target['kept']
    method: string
    path: string
    headers: ReturnType<typeof toTargetHeaders>
  },
): ClientRequest | undefined {
  try {
    const headers = spellAsBrowser(options.headers)
    return request({ ...options, headers, setHost: false, insecureHTTPParser: true })
  } catch {
    answerText(stream, 400, 'The request cannot be sent to this machine.')
    return undefined
  }
}

export function answerUnreachable(stream: ServerHttp2Stream, error: Error): void {
  const { status, message } =
    error instanceof TargetUnreachable ? error : { status: 502, message: 'its answer is not HTTP' }
  answerText(stream, status, `The device behind this machine cannot be reached: ${message}.`)
}

/** Passes a target's answer on. */
export function answer(
  stream: ServerHttp2Stream,
  method: string,
  response: IncomingMessage,
  target: Target,
): void {
  const { statusCode = 0 } = response
  if (stream.destroyed || stream.closed) return void response.destroy()
  if (statusCode < 200 || statusCode > 599) {
    response.destroy()
    answerText(stream, 502, `The device behind this machine answered with the status ${statusCode}.`)
    return
  }
  stream.respond({ ...toVisitorHeaders(response, target), ':status': statusCode })
  if (method === 'HEAD' || stream.writableEnded) {
    response.resume()
    return
  }
  passBody(response, stream)
}

/**
 * Like `pipeline`, with several chunks on their way at once: a stream of HTTP/2 sends once in a turn of the
 * event loop.
 */
function passBody(response: IncomingMessage, stream: ServerHttp2Stream): void {
  response.on('data', (piece: Buffer) => {
    if (!stream.write(piece) && stream.writableLength > aheadBytesMax) response.pause()
  })
  stream.on('drain', () => response.resume())
  response.once('end', () => stream.end())
  // An answer that breaks off must not look complete.
  response.once('error', (error) => stream.destroy(error))
  stream.once('finish', () => endUnread(stream))
  stream.once('close', () => response.destroy())
}
