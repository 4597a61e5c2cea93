import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { gatewayLimits } from '../gateway/limits.ts'
import { addressKey } from './client-address.ts'
import { RateLimiter } from './rate-limiter.ts'

export interface Upgrades {
  /** Pages' push sockets. */
  push(ws: WebSocket, sid: string): void
  /** Machines' MQTT over WebSocket. */
  mqtt(ws: WebSocket, address: string): void
  /** The client's address, after TRUSTED_PROXIES. */
  addressOf(request: IncomingMessage): string
}

const pushFrameBytesMax = 64 * 1024
const mqttFrameBytesMax = gatewayLimits.packetBytesMax
const opensPerMinuteMax = 600

/** The web port's WebSockets by path; anything else is refused. */
export function registerUpgrades(server: Server, upgrades: Upgrades): void {
  const push = new WebSocketServer({
    noServer: true,
    maxPayload: pushFrameBytesMax,
    perMessageDeflate: false,
  })
  const mqtt = new WebSocketServer({
    noServer: true,
    maxPayload: mqttFrameBytesMax,
    perMessageDeflate: false,
    handleProtocols: (offered) =>
      offered.has('mqtt') ? 'mqtt' : offered.has('mqttv3.1') ? 'mqttv3.1' : false,
  })
  const opens = new RateLimiter({ max: opensPerMinuteMax, windowMs: 60_000 })
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const url = parseUrl(request.url)
    const address = upgrades.addressOf(request)
    if (!url) return refuse(socket, '400 Bad Request')
    if (!opens.take(addressKey(address), Date.now())) return refuse(socket, '429 Too Many Requests')
    if (url.pathname === '/echo.io') {
      push.handleUpgrade(request, socket, head, (ws) => upgrades.push(ws, url.searchParams.get('sid') ?? ''))
    } else if (url.pathname === '/mqtt') {
      mqtt.handleUpgrade(request, socket, head, (ws) => upgrades.mqtt(ws, address))
    } else {
      refuse(socket, '404 Not Found')
    }
  })
}

function parseUrl(url: string | undefined): URL | undefined {
  return URL.parse(url ?? '', 'http://localhost') ?? undefined
}

function refuse(socket: Duplex, status: string): void {
  // An upgraded socket has left the server's time-outs: a peer that never closes must not keep it.
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
