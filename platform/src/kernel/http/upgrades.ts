import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { DoorRate } from '@busbar/contract'
import { tunnelLimits, tunnelPath, tunnelProtocol } from '@busbar/link'
import { type WebSocket, WebSocketServer } from 'ws'
import type { CallLimits } from './call-limits.ts'
import { Failure } from './failure.ts'
import { refuse, type WebPort } from './web-port.ts'

/** A place among those who have not signed in. */
interface Newcomer {
  /** Gives the place back. */
  leave(): void
}

/** The answer to a machine that wants to open a tunnel. */
type TunnelAdmission =
  | { readonly refused: '401 Unauthorized' | '429 Too Many Requests' | '503 Service Unavailable' }
  /** To be called in the same turn with the WebSocket. */
  | { accept(ws: WebSocket): void }

/** The parts that take over the WebSockets of the web port. */
export interface Upgrades {
  /** Pages' push sockets, with the request that opened them. */
  push(ws: WebSocket, sid: string, request: IncomingMessage): void
  /** Counts a WebSocket for MQTT before it is opened; undefined when there are too many strangers. */
  admitMqtt(address: string): Newcomer | undefined
  readonly mqttFrameBytesMax: number
  /** Machines' MQTT over WebSocket. */
  mqtt(ws: WebSocket, address: string, newcomer: Newcomer): void
  /** Machines' tunnels: who is there is decided before the upgrade. */
  admitTunnel(authorization: string | undefined, address: string): Promise<TunnelAdmission>
  /** The client's address, after TRUSTED_PROXIES. */
  addressOf(request: IncomingMessage): string
  readonly limits: Pick<CallLimits, 'takeAtDoor'>
}

/** A request for a WebSocket, from the address it counts for. */
interface Asked {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
  readonly address: string
}

const pushPath = '/echo.io'
const mqttPath = '/mqtt'
const pushFrameBytesMax = 64 * 1024

/** The rate of each kind; separate, so that returning machines do not use up the sockets of pages, or the reverse. */
const rateByPath: Readonly<Record<string, DoorRate>> = {
  [pushPath]: 'pushSockets',
  [mqttPath]: 'mqttSockets',
  [tunnelPath]: 'tunnels',
}

/** The web port's WebSockets by path; anything else is refused. */
export function registerUpgrades(port: Pick<WebPort, 'onUpgrade'>, upgrades: Upgrades): void {
  const push = new WebSocketServer({
    noServer: true,
    maxPayload: pushFrameBytesMax,
    perMessageDeflate: false,
  })
  const mqtt = new WebSocketServer({
    noServer: true,
    maxPayload: upgrades.mqttFrameBytesMax,
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
  const openTunnel = async ({ request, socket, head, address }: Asked) => {
    if (!offersTunnel(request)) return refuse(socket, '400 Bad Request')
    const admission = await upgrades.admitTunnel(request.headers.authorization, address)
    if ('refused' in admission) return refuse(socket, admission.refused)
    tunnel.handleUpgrade(request, socket, head, (ws) => admission.accept(ws))
  }
  const openMqtt = ({ request, socket, head, address }: Asked) => {
    const newcomer = upgrades.admitMqtt(address)
    if (!newcomer) return refuse(socket, '429 Too Many Requests')
    socket.once('close', () => newcomer.leave())
    mqtt.handleUpgrade(request, socket, head, (ws) => upgrades.mqtt(ws, address, newcomer))
  }
  const openPush = ({ request, socket, head }: Asked, url: URL) => {
    const sid = url.searchParams.get('sid') ?? ''
    push.handleUpgrade(request, socket, head, (ws) => upgrades.push(ws, sid, request))
  }
  const open = async (asked: Asked) => {
    const { request, socket, address } = asked
    const url = parseUrl(request.url)
    if (!url) return refuse(socket, '400 Bad Request')
    const rate = rateByPath[url.pathname]
    if (!rate) return refuse(socket, '404 Not Found')
    try {
      await upgrades.limits.takeAtDoor(rate, address)
    } catch (error) {
      const isOver = error instanceof Failure && error.code === '429'
      return refuse(socket, isOver ? '429 Too Many Requests' : '503 Service Unavailable')
    }
    // It went while it was counted.
    if (socket.destroyed) return
    if (rate === 'pushSockets') openPush(asked, url)
    else if (rate === 'mqttSockets') openMqtt(asked)
    else await openTunnel(asked)
  }
  port.onUpgrade(
    (request, socket, head) =>
      void open({ request, socket, head, address: upgrades.addressOf(request) }).catch(() =>
        socket.destroy(),
      ),
  )
}

function offersTunnel(request: IncomingMessage): boolean {
  const offered = request.headers['sec-websocket-protocol'] ?? ''
  return offered.split(',').some((protocol) => protocol.trim() === tunnelProtocol)
}

function parseUrl(url: string | undefined): URL | undefined {
  return URL.parse(url ?? '', 'http://localhost') ?? undefined
}
