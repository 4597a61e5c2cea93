import { once } from 'node:events'
import { request } from 'node:http'
import { createServer, performServerHandshake, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import {
  type AgentInfo,
  TunnelStream,
  tunnelPath,
  tunnelProtocol,
  tunnelSessionOptions,
  tunnelSettings,
  tunnelUpgrade,
} from '@busbar/link'
import { WebSocket } from 'ws'
import { serve } from '../src/rpc.ts'

/* Idle connections in a separate process: bare WebSockets, or tunnels as an agent opens them, in a WebSocket
   or on bare bytes. */

export interface IdleOrder {
  readonly port: number
  /** Of the first of the connections. */
  readonly from: number
  /** The machines that sign in; without them the WebSockets are bare. */
  readonly codes?: readonly string[]
  readonly secret?: string
  readonly way?: 'webSocket' | 'bytes'
  readonly count: number
}

/** An address may open 600 WebSockets a minute: each address of this loopback network opens this many. */
const perAddress = 400
const openAtOnce = 16

const info: AgentInfo = { version: 'bench', targets: [{ name: 'page', readOnly: true }], ports: [] }
const sockets = new Set<WebSocket | Socket>()

serve({
  /** Resolves when all are open, and answers how many that is. */
  async open(order: IdleOrder): Promise<number> {
    let next = 0
    const openSome = async () => {
      while (next < order.count) await openOne(order, next++)
    }
    await Promise.all(Array.from({ length: openAtOnce }, openSome))
    return sockets.size
  },

  async close(): Promise<void> {
    const closed = [...sockets].map((socket) => once(socket, 'close'))
    for (const socket of sockets) socket instanceof WebSocket ? socket.close() : socket.destroy()
    await Promise.all(closed)
  },
})

async function openOne(order: IdleOrder, place: number): Promise<void> {
  const { port, from, codes, secret } = order
  const address = Math.floor((from + place) / perAddress)
  const localAddress = `127.1.${Math.floor(address / 250)}.${1 + (address % 250)}`
  const code = codes?.[place]
  if (order.way === 'bytes') {
    await openBytes(port, localAddress, `${code}:${secret}`)
    return
  }
  const path = code === undefined ? '/' : tunnelPath
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, code === undefined ? [] : tunnelProtocol, {
    perMessageDeflate: false,
    localAddress,
    ...(code === undefined ? {} : { auth: `${code}:${secret}` }),
  })
  socket.once('close', () => sockets.delete(socket))
  // The platform sends first, so the listener has to exist before its data arrives.
  const served = new Promise<void>((resolve) => {
    socket.once('open', () => resolve(code === undefined ? undefined : serveTunnel(socket)))
  })
  const failed = once(socket, 'close').then(() => {
    throw new Error(`connection ${place} of ${code ?? 'nobody'} did not open`)
  })
  failed.catch(() => undefined)
  await Promise.race([served, failed])
  sockets.add(socket)
}

/** A tunnel on bare bytes. */
async function openBytes(port: number, localAddress: string, auth: string): Promise<void> {
  const asked = request({
    ...{ host: '127.0.0.1', port, path: tunnelPath, localAddress, auth, agent: false },
    headers: { connection: 'Upgrade', upgrade: tunnelUpgrade },
  })
  asked.end()
  const [, socket, head] = (await once(asked, 'upgrade')) as [unknown, Socket, Buffer]
  socket.once('close', () => sockets.delete(socket))
  if (head.length > 0) socket.unshift(head)
  const session = performServerHandshake(socket, {
    ...tunnelSessionOptions,
    settings: { ...tunnelSettings, enableConnectProtocol: true },
  })
  session.on('error', () => undefined)
  await new Promise<void>((resolve) =>
    session.on('stream', (stream) => answerInfo(stream as ServerHttp2Stream, resolve)),
  )
  sockets.add(socket)
}

function answerInfo(stream: ServerHttp2Stream, done: () => void): void {
  stream.on('error', () => undefined)
  stream.resume()
  stream.respond({ ':status': 200 })
  stream.end(JSON.stringify(info))
  stream.once('close', done)
}

/**
 * The agent's end in a WebSocket, as far as an idle tunnel needs it. Resolves when the platform knows the
 * offer.
 */
async function serveTunnel(socket: WebSocket): Promise<void> {
  const server = createServer({
    ...tunnelSessionOptions,
    settings: { ...tunnelSettings, enableConnectProtocol: true },
  })
  server.on('session', (session) => session.on('error', () => undefined))
  const asked = new Promise<void>((resolve) => {
    server.on('stream', (stream: ServerHttp2Stream) => answerInfo(stream, resolve))
  })
  server.emit('connection', new TunnelStream(socket, () => undefined))
  await asked
}
