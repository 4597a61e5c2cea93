import type { ServerHttp2Stream } from 'node:http2'
import { answerUnreachable } from './http-proxy.ts'
import { joinStreams } from './join-streams.ts'
import { openSocket } from './target.ts'

/** Opens a TCP target that the configuration allows, for a CONNECT. */
export async function proxyTcp(stream: ServerHttp2Stream, address: string): Promise<void> {
  const { hostname, port } = new URL(`tcp://${address}`)
  try {
    const socket = await openSocket({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port),
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
