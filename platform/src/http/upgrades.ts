import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { tunnelLimits, tunnelPath, tunnelProtocol } from '@busbar/link'
import { type WebSocket, WebSocketServer } from 'ws'
import { gatewayLimits } from '../gateway/limits.ts'
import type { Newcomer } from '../gateway/newcomers.ts'
import type { TunnelAdmission } from '../tunnel/tunnel-registry.ts'
import { addressKey } from './client-address.ts'
import { RateLimiter } from './rate-limiter.ts'
import { refuse, type WebPort } from './web-port.ts'

export interface Upgrades {
  /** Pages' push sockets, with the request that opened them. */
  push(ws: WebSocket, sid: string, request: IncomingMessage): void
  /** Counts a WebSocket for MQTT before it is opened; undefined when there are too many strangers. */
  admitMqtt(address: string): Newcomer | undefined
  /** Machines' MQTT over WebSocket. */
  mqtt(ws: WebSocket, address: string, newcomer: Newcomer): void
  /** Machines' tunnels: who is there is decided before the upgrade. */
  admitTunnel(authorization: string | undefined, address: string): Promise<TunnelAdmission>
  /** The client's address, after TRUSTED_PROXIES. */
  addressOf(request: IncomingMessage): string
}

const pushFrameBytesMax = 64 * 1024
const mqttFrameBytesMax = gatewayLimits.packetBytesMax
const opensPerMinuteMax = 600

/** The web port's WebSockets by path; anything else is refused. */
export function registerUpgrades(port: Pick<WebPort, 'onUpgrade'>, upgrades: Upgrades): void {
  const push = new WebSocketServer({
    noServer: true,
    maxPayload: pushFrameBytesMax,
    perMessageDeflate: false,
  })
  const mqtt = new WebSocketServer({
    noServer: true,
    maxPayload: mqttFrameBytesMax,
    perMessageDeflate: false,
    // Pings count as packets of their connection, which answers them in its turn.
    autoPong: false,
    handleProtocols: (offered) =>
      offered.has('mqtt') ? 'mqtt' : offered.has('mqttv3.1') ? 'mqttv3.1' : false,
  })
  const tunnel = new WebSocketServer({
    noServer: true,
    maxPayload: tunnelLimits.messageBytesMax,
    perMessageDeflate: false,
    handleProtocols: () => tunnelProtocol,
  })
  // An agent whose clock is wrong learns the time, for the end of a visit (`busbar-until`).
  tunnel.on('headers', (headers) => headers.push(`Date: ${new Date().toUTCString()}`))
  const openTunnel = async (request: IncomingMessage, socket: Duplex, head: Buffer, address: string) => {
    const admission = await upgrades.admitTunnel(request.headers.authorization, address)
    if ('refused' in admission) return refuse(socket, admission.refused)
    tunnel.handleUpgrade(request, socket, head, (ws) => admission.accept(ws))
  }
  const opens = new RateLimiter({ max: opensPerMinuteMax, windowMs: 60_000 })
  port.onUpgrade((request, socket, head) => {
    const url = parseUrl(request.url)
    const address = upgrades.addressOf(request)
    if (!url) return refuse(socket, '400 Bad Request')
    if (!opens.take(addressKey(address), Date.now())) return refuse(socket, '429 Too Many Requests')
    if (url.pathname === '/echo.io') {
      const sid = url.searchParams.get('sid') ?? ''
      push.handleUpgrade(request, socket, head, (ws) => upgrades.push(ws, sid, request))
    } else if (url.pathname === '/mqtt') {
      const newcomer = upgrades.admitMqtt(address)
      if (!newcomer) return refuse(socket, '429 Too Many Requests')
      socket.once('close', () => newcomer.leave())
      mqtt.handleUpgrade(request, socket, head, (ws) => upgrades.mqtt(ws, address, newcomer))
    } else if (url.pathname === tunnelPath) {
      if (!offersTunnel(request)) return refuse(socket, '400 Bad Request')
      void openTunnel(request, socket, head, address)
    } else {
      refuse(socket, '404 Not Found')
    }
  })
}

function offersTunnel(request: IncomingMessage): boolean {
  const offered = request.headers['sec-websocket-protocol'] ?? ''
  return offered.split(',').some((protocol) => protocol.trim() === tunnelProtocol)
}

function parseUrl(url: string | undefined): URL | undefined {
  return URL.parse(url ?? '', 'http://localhost') ?? undefined
}
