import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { AddressRate } from '@busbar/contract'
import { portLimits, tunnelLimits, tunnelPath, tunnelProtocol, tunnelUpgrade } from '@busbar/link'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Role } from '../roles.ts'
import type { CallLimits } from './call-limits.ts'
import { Failure } from './failure.ts'
import { refuse, type WebPort } from './web-port.ts'

/** A place among the connections that have not signed in. */
interface Newcomer {
  /** Gives the place back. */
  leave(): void
}

/** The answer to a machine that wants to open a tunnel. */
type TunnelAdmission =
  | { readonly refused: '401 Unauthorized' | '429 Too Many Requests' | '503 Service Unavailable' }
  /** One of the two must be called in the same turn, with the WebSocket or with the socket that has sent 101. */
  | { accept(ws: WebSocket): void; acceptBytes(socket: Socket): void }

/** The parts that take over the WebSockets of the web port. */
export interface Upgrades {
  /** Pages' push sockets, with the request that opened them. */
  push(ws: WebSocket, sid: string, request: IncomingMessage): void
  /** Counts a WebSocket for MQTT before it is opened; undefined when there are too many strangers. */
  admitMqtt(address: string): Newcomer | undefined
  readonly mqttFrameBytesMax: number
  /** Machines' MQTT over WebSocket. */
  mqtt(ws: WebSocket, address: string, newcomer: Newcomer): void
  /** Machines' tunnels: admission is decided before the upgrade. */
  admitTunnel(authorization: string | undefined, address: string): Promise<TunnelAdmission>
  /** Programs' lines to machines' ports; each is told by the code of its close why it may not. */
  visitPort(
    ws: WebSocket,
    asked: { readonly authorization: string | undefined; readonly query: URLSearchParams },
  ): void
  /** The client's address, after TRUSTED_PROXIES. */
  addressOf(request: IncomingMessage): string
  readonly limits: Pick<CallLimits, 'takeByAddress'>
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
/** Of the lines to machines' ports. */
export const visitPortPath = '/visitPort'
const pushFrameBytesMax = 64 * 1024

/** The rate of each kind; separate, so that returning machines do not use up the sockets of pages, or the reverse. */
const rateByPath: Readonly<Record<string, AddressRate>> = {
  [pushPath]: 'pushSockets',
  [mqttPath]: 'mqttSockets',
  [tunnelPath]: 'tunnels',
  [visitPortPath]: 'visitPorts',
}

/** The role of the process that takes each kind. */
const roleByRate: Readonly<Partial<Record<AddressRate, Role>>> = {
  pushSockets: 'realtime',
  mqttSockets: 'edge',
  tunnels: 'edge',
  visitPorts: 'visits',
}

/** Whether this process does some work, never did it, or has left it to others. */
export type WorkState = 'own' | 'other' | 'left'

/** The web port's WebSockets by path, those of this process's work; anything else is refused. */
export function registerUpgrades(
  port: Pick<WebPort, 'onUpgrade'>,
  upgrades: Upgrades,
  stateOf: (role: Role) => WorkState = () => 'own',
): void {
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
  const visitPort = new WebSocketServer({
    noServer: true,
    // A message that is too long for a line is told so, up to twice the length.
    maxPayload: 2 * portLimits.frameBytesMax,
    perMessageDeflate: false,
  })
  // Sends the time to an agent with a wrong clock, for the end of a visit (`busbar-until`).
  tunnel.on('headers', (headers) => headers.push(`Date: ${new Date().toUTCString()}`))
  const openTunnel = async ({ request, socket, head, address }: Asked) => {
    const isBare = wantsBytes(request)
    if (isBare ? !isPlainUpgrade(request, head) : !offersTunnel(request))
      return refuse(socket, '400 Bad Request')
    const admission = await upgrades.admitTunnel(request.headers.authorization, address)
    if ('refused' in admission) return refuse(socket, admission.refused)
    if (!isBare) return tunnel.handleUpgrade(request, socket, head, (ws) => admission.accept(ws))
    if (socket.destroyed) return
    if (socket.readableLength > 0) return refuse(socket, '400 Bad Request')
    switchToBytes(socket as Socket)
    admission.acceptBytes(socket as Socket)
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
  const openVisitPort = ({ request, socket, head }: Asked, { searchParams: query }: URL) => {
    const { authorization } = request.headers
    visitPort.handleUpgrade(request, socket, head, (ws) => upgrades.visitPort(ws, { authorization, query }))
  }
  const open = async (asked: Asked) => {
    const { request, socket, address } = asked
    const url = parseUrl(request.url)
    if (!url) return refuse(socket, '400 Bad Request')
    const rate = rateByPath[url.pathname]
    const role = rate && roleByRate[rate]
    const state = role && stateOf(role)
    if (!state || state === 'other') return refuse(socket, '404 Not Found')
    if (state === 'left') return refuse(socket, '503 Service Unavailable')
    try {
      await upgrades.limits.takeByAddress(rate, address)
    } catch (error) {
      const isOver = error instanceof Failure && error.code === '429'
      return refuse(socket, isOver ? '429 Too Many Requests' : '503 Service Unavailable')
    }
    // It went while it was counted.
    if (socket.destroyed) return
    if (rate === 'pushSockets') openPush(asked, url)
    else if (rate === 'mqttSockets') openMqtt(asked)
    else if (rate === 'visitPorts') openVisitPort(asked, url)
    else await openTunnel(asked)
  }
  port.onUpgrade(
    (request, socket, head) =>
      void open({ request, socket, head, address: upgrades.addressOf(request) }).catch(() =>
        socket.destroy(),
      ),
  )
}

/**
 * Whether Node's HTTP/2 reads while a write waits for the network: 26 does, 20 does not. Two ends that do not, and
 * write in bulk to each other, block each other once all buffers between them are full; one that does is enough.
 */
const readsWhileWriting = Number.parseInt(process.versions.node, 10) >= 26

/** Whether an agent requests bare bytes in place of a WebSocket. */
function wantsBytes(request: IncomingMessage): boolean {
  return request.headers.upgrade?.toLowerCase() === tunnelUpgrade
}

/**
 * A request with nothing behind it. The platform speaks first: bytes that come before its answer were not written by an
 * agent for a tunnel, and a proxy may take them for another request.
 */
function isPlainUpgrade({ method, headers }: IncomingMessage, head: Buffer): boolean {
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return readsWhileWriting && method === 'GET' && !hasBody && head.length === 0
}

/** Answers 101; from here on the socket carries HTTP/2. */
function switchToBytes(socket: Socket): void {
  // The web server's own time-out is for requests.
  socket.setTimeout(0)
  socket.setNoDelay(true)
  const date = new Date().toUTCString()
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${tunnelUpgrade}\r\nDate: ${date}\r\n\r\n`,
  )
}

function offersTunnel(request: IncomingMessage): boolean {
  const offered = request.headers['sec-websocket-protocol'] ?? ''
  return offered.split(',').some((protocol) => protocol.trim() === tunnelProtocol)
}

function parseUrl(url: string | undefined): URL | undefined {
  return URL.parse(url ?? '', 'http://localhost') ?? undefined
}
