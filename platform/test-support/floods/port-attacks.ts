import { randomBytes } from 'node:crypto'
import type { ServerHttp2Stream } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, visits } from '@busbar/contract'
import { portLimits } from '@busbar/link'
import { serveTestTunnel } from '@busbar/testkit'
import { WebSocket } from 'ws'
import { AgentLine, newStreamId, testPorts } from '../ports/port-agent.ts'
import { ProgramLine } from '../ports/program-line.ts'
import { repeat } from './attack-calls.ts'
import type { AttackTarget } from './attack-target.ts'

const guessingConnections = 32
const ticketBytes = 32
const halfOpenStreams = 1_000
/** One address may open fewer lines a minute than a flood does in a second. */
const addresses = 250
const openedPerSecond = 100
const retryMs = 100
const unreadMs = 500

const newTicket = () => randomBytes(ticketBytes).toString('base64url')

/** Guesses tickets of ports: each opens a WebSocket, and is told that the ticket is wrong. */
export function guessTickets({ url }: AttackTarget, isOver: () => boolean): Promise<number> {
  const base = `${url.replace('http', 'ws')}/visitPort?port=plc&from=0`
  return repeat(guessingConnections, isOver, () => {
    const ws = new WebSocket(`${base}&stream=${newStreamId()}`, {
      headers: { authorization: `Bearer ${newTicket()}` },
    })
    ws.on('error', () => undefined)
    return new Promise<number>((resolve) => ws.once('close', () => resolve(1)))
  })
}

/**
 * Holds 1,000 streams that do not get further: of every two, one stops within the request of its line, and one says
 * nothing more after it, not even when it is closed. Beside them a visit has as many lines as it may to a machine that
 * does not answer.
 */
export async function holdHalfOpen(order: AttackTarget, isOver: () => boolean): Promise<number> {
  const sockets = new Set<Socket>()
  let sent = 0
  const open = () => {
    sent++
    const socket = connect({
      host: '127.0.0.1',
      port: order.webPort,
      localAddress: `127.0.0.${2 + (sent % addresses)}`,
    })
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.resume()
    const head = requestOfLine(order)
    socket.write(sent % 2 ? head.slice(0, head.length / 2) : head)
  }
  const visit = openVisit(order, () => undefined)
  const pending = repeat(portLimits.streamsMax, isOver, async () => {
    const { connectUrl, ticket } = await visit.ask()
    const ws = new WebSocket(`${connectUrl}?port=plc&from=0&stream=${newStreamId()}`, {
      headers: { authorization: `Bearer ${ticket}` },
    })
    ws.on('error', () => undefined)
    while (!isOver() && ws.readyState <= ws.OPEN) await sleep(retryMs)
    ws.terminate()
    return 1
  })
  while (!isOver()) {
    while (sockets.size < halfOpenStreams) open()
    await sleep(50)
  }
  for (const socket of sockets) socket.destroy()
  sent += await pending
  visit.close()
  return sent
}

/** A program that never reads, in each stream that its visit may have, while the machine sends all that it can. */
export async function leaveStreamsUnread(order: AttackTarget, isOver: () => boolean): Promise<number> {
  let sent = 0
  const bytes = Buffer.alloc(portLimits.frameBytesMax)
  const visit = openVisit(order, (line) => {
    line.accept()
    const pour = () => {
      while (!line.stream.destroyed && !isOver()) {
        sent++
        if (!line.send({ kind: 'data', bytes })) return
      }
    }
    line.stream.on('drain', pour)
    pour()
  })
  await repeat(portLimits.streamsMax, isOver, async () => {
    const line = await visit.open()
    line.ws.pause()
    await sleep(unreadMs)
    line.ws.terminate()
    return 0
  })
  visit.close()
  return sent
}

/** A program that opens a stream and ends it, 100 times a second: in turn it says so, breaks off, and half closes. */
export async function openAndClose(order: AttackTarget, isOver: () => boolean): Promise<number> {
  const visit = openVisit(order, (line) => line.accept())
  const everyMs = (1_000 * portLimits.streamsMax) / openedPerSecond
  let turn = 0
  const sent = await repeat(portLimits.streamsMax, isOver, async () => {
    const nextAt = performance.now() + everyMs
    const line = await visit.open()
    const way = turn++ % 3
    if (way === 0) line.tell({ close: true })
    else {
      if (way === 1) line.tell({ end: true })
      line.ws.terminate()
    }
    await sleep(Math.max(0, nextAt - performance.now()))
    return 1
  })
  visit.close()
  return sent
}

/** The request of a line with a guessed ticket, byte by byte as a program sends it. */
function requestOfLine({ webPort }: AttackTarget): string {
  return [
    `GET /visitPort?port=plc&from=0&stream=${newStreamId()} HTTP/1.1`,
    `Host: 127.0.0.1:${webPort}`,
    `Authorization: Bearer ${newTicket()}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    '\r\n',
  ].join('\r\n')
}

/** The attacker's machine with its ports, and a visit of them that renews its tickets as a program does. */
function openVisit(order: AttackTarget, answer: (line: AgentLine) => void) {
  const [machine] = order.machines
  if (!machine) throw new Error('the attacker has no machine')
  const client = createClient({ baseUrl: order.url, lang: () => 'en', token: () => order.token })
  const take = (stream: ServerHttp2Stream, headers: AgentLine['headers']) =>
    answer(new AgentLine(stream, headers))
  const tunnel = serveTestTunnel(order, machine, take, { ports: testPorts })
  tunnel.on('error', () => undefined)
  const tickets: string[] = []
  const ask = () =>
    client.call(visits.openPorts, { machineID: order.machineId, terminalID: 'connect', mode: 'rw' })
  return {
    ask,
    /** A line of a new stream, as soon as it has passed its ticket on to the next. */
    async open(): Promise<ProgramLine> {
      const ticket = tickets.pop() ?? (await ask()).ticket
      const line = await ProgramLine.open(`${order.url.replace('http', 'ws')}/visitPort`, ticket)
      while (line.end === undefined && line.told('ticket').length === 0) await sleep(2)
      if (line.end !== undefined) throw new Error(line.end)
      tickets.push(String(line.told('ticket')[0]))
      return line
    },
    close: () => tunnel.terminate(),
  }
}
