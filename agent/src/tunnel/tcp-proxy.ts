import type { ServerHttp2Stream } from 'node:http2'
import type { PortConfig } from '../config/config.ts'
import { answerUnreachable } from './http-proxy.ts'
import { joinStreams } from './join-streams.ts'
import { openSocket } from './target.ts'

/** Opens a TCP target that the configuration allows, for a CONNECT. */
export async function proxyTcp(stream: ServerHttp2Stream, { host, port }: PortConfig): Promise<void> {
  try {
    const socket = await openSocket({
      ...{ host, port },
      // A device may answer after its visitor has sent everything.
      allowHalfOpen: true,
    })
    if (stream.destroyed || stream.closed) return void socket.destroy()
    stream.respond({ ':status': 200 })
    joinStreams(stream, socket)
  } catch (error) {
    answerUnreachable(stream, error as Error)
  }
}
