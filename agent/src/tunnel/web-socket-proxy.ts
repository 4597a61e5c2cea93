import { createHash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { answerText } from './answer-text.ts'
import { answer, answerUnreachable, tryRequest } from './http-proxy.ts'
import { joinStreams } from './join-streams.ts'
import type { Target } from './target.ts'
import { toTargetHeaders, toVisitorHeaders } from './target-headers.ts'

/** RFC 6455, 1.3. */
const acceptGuid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** Opens a target's WebSocket for an extended CONNECT (RFC 8441); its frames pass as bytes. */
export function proxyWebSocket(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  target: Target,
): void {
  const key = randomBytes(16).toString('base64')
  const asked = tryRequest(stream, {
    agent: target.single,
    method: 'GET',
    path: String(headers[':path']),
    headers: {
      ...toTargetHeaders(headers, target.origin),
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': key,
      'sec-websocket-version': '13',
    },
  })
  if (asked === undefined) return
  const abort = (): void => void asked.destroy()
  stream.once('close', abort)
  asked.once('upgrade', (response, socket, head) => {
    stream.off('close', abort)
    if (stream.destroyed || stream.closed || response.headers['sec-websocket-accept'] !== acceptOf(key)) {
      socket.destroy()
      return answerText(stream, 502, 'The device behind this machine did not open a WebSocket.')
    }
    const { 'sec-websocket-accept': _accept, ...answered } = toVisitorHeaders(response, target)
    stream.respond({ ...answered, ':status': 200 })
    if (head.length > 0) socket.unshift(head)
    joinStreams(stream, socket)
  })
  asked.once('response', (response) => answer(stream, 'GET', response, target))
  asked.once('error', (error) => answerUnreachable(stream, error))
  asked.end()
}

function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}${acceptGuid}`).digest('base64')
}
