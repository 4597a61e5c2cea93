import { once } from 'node:events'
import { createServer } from 'node:http'
import { type ClientHttp2Session, connect } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { TunnelStream, TunnelWindows, tunnelProtocol, tunnelSettings } from '@busbar/link'
import { WebSocketServer } from 'ws'

/** A platform's end of tunnels. */
export interface TunnelPlatform {
  /** `ws://127.0.0.1:port/tunnel` */
  url: string
  /** The session of the next agent that dials. */
  nextSession(): Promise<ClientHttp2Session>
  close(): Promise<void>
}

export async function startTunnelPlatform(): Promise<TunnelPlatform> {
  const server = createServer()
  const sockets = new WebSocketServer({
    server,
    path: '/tunnel',
    perMessageDeflate: false,
    handleProtocols: () => tunnelProtocol,
  })
  sockets.on('headers', (headers) => headers.push(`Date: ${new Date().toUTCString()}`))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/tunnel`,
    async nextSession() {
      const [ws] = await once(sockets, 'connection')
      let windows: TunnelWindows | undefined
      const bytes = new TunnelStream(ws, (count) => windows?.received(count))
      const session = connect('http://machine', { createConnection: () => bytes, settings: tunnelSettings })
      session.on('error', () => undefined)
      session.once('connect', () => {
        windows = new TunnelWindows(session, () => performance.now())
      })
      await once(session, 'remoteSettings')
      return session
    },
    async close() {
      for (const ws of sockets.clients) ws.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
