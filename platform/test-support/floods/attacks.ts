import { Agent } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { plainTopic } from '@busbar/link'
import { PushClient } from '@busbar/testkit'
import { changeRules, importRules, pressLinks, registerMachines } from './alarm-attacks.ts'
import { call, repeat } from './attack-calls.ts'
import type { AttackTarget } from './attack-target.ts'
import {
  floodPackets,
  manyValues,
  messagesOfWrite,
  openMachine,
  publishOf,
  valuesFrom,
  valuesOfMessage,
} from './mqtt-attacks.ts'
import { guessTickets, holdHalfOpen, leaveStreamsUnread, openAndClose } from './port-attacks.ts'
import { guessProjectKeys, leaveRowsUnread, pressTests } from './project-attacks.ts'

export interface AttackOrder extends AttackTarget {
  readonly kind: AttackKind
  readonly durationMs: number
}

/** The amount that an attack sent. */
export interface AttackReport {
  readonly sent: number
}

export type AttackKind = keyof typeof attacks

const documentConnections = 16
const bodyConnections = 16
const bodyFields = 110_000
const historyQueries = 48
const pushSockets = 50
const watchedMachines = 200
const incompleteConnections = 300
const silentConnections = 300
const crossingValue = 1_000_000
const alarmsOfWrite = 64
const alarmKeys = 16
const alarmTextLength = 500

/** The attacks by name. Each goes on until `isOver` and answers how many requests, messages or writes it sent. */
const attacks = {
  documents: readDocuments,
  bodies: sendBodies,
  history: queryHistory,
  watches: watchAndUnwatch,
  pings: (order: AttackTarget, isOver: () => boolean) => floodPackets(order, pingRequests(), isOver),
  values: (order: AttackTarget, isOver: () => boolean) => floodPackets(order, manyValues(0), isOver),
  crossings: (order: AttackTarget, isOver: () => boolean) => floodPackets(order, crossingValues(), isOver),
  alarms: (order: AttackTarget, isOver: () => boolean) => floodPackets(order, manyAlarms(), isOver),
  links: pressLinks,
  registrations: registerMachines,
  rules: changeRules,
  files: importRules,
  projectKeys: guessProjectKeys,
  unreadRows: leaveRowsUnread,
  tests: pressTests,
  tickets: guessTickets,
  halfOpen: holdHalfOpen,
  unreadStreams: leaveStreamsUnread,
  shortStreams: openAndClose,
  unfinished: holdUnfinished,
} satisfies Record<string, (order: AttackTarget, isOver: () => boolean) => Promise<number>>

/** Runs one attack for its time, which begins when the attack first asks whether it is over. */
export async function attack(order: AttackOrder): Promise<AttackReport> {
  let endsAt: number | undefined
  const isOver = () => {
    endsAt ??= performance.now() + order.durationMs
    return performance.now() >= endsAt
  }
  return { sent: await attacks[order.kind](order, isOver) }
}

async function readDocuments(order: AttackTarget, isOver: () => boolean): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: documentConnections })
  const sent = await repeat(documentConnections, isOver, (loop) =>
    call(order, agent, {
      path: `/api/openapi.json?lang=${loop % 2 ? 'cn' : 'en'}`,
      headers: { 'accept-encoding': loop % 3 ? 'br' : 'gzip' },
    }),
  )
  agent.destroy()
  return sent
}

async function sendBodies(order: AttackTarget, isOver: () => boolean): Promise<number> {
  const names = Array.from({ length: bodyFields }, (_, n) => `f${n}`)
  const bodies = [
    { type: 'application/x-www-form-urlencoded', body: names.join('=&') },
    { type: 'application/json', body: `{${names.map((name) => `"${name}":0`).join(',')}}` },
    { type: 'application/json', body: `{"x":[${'[],'.repeat(bodyFields)}0]}` },
  ]
  const paths = ['/api/user/login', '/api/machine/add', '/api/machine/select']
  const agent = new Agent({ keepAlive: true, maxSockets: bodyConnections })
  let turn = 0
  const sent = await repeat(bodyConnections, isOver, () => {
    turn++
    const { type, body } = bodies[turn % bodies.length] as (typeof bodies)[number]
    const path = paths[Math.floor(turn / bodies.length) % paths.length] as string
    return call(order, agent, { method: 'POST', path, headers: { 'content-type': type }, body })
  })
  agent.destroy()
  return sent
}

async function queryHistory(order: AttackTarget, isOver: () => boolean): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: historyQueries })
  const to = Date.now()
  const dayMs = 86_400_000
  const tags = order.tagIds.map((tagId) => `tagIds=${tagId}`).join('&')
  const sent = await repeat(historyQueries, isOver, (loop) =>
    call(order, agent, {
      path: `/api/v1/data/history?${tags}&from=${to - dayMs * (1 + (loop % 3))}&to=${to}&points=5000&agg=avg`,
      headers: { token: order.token },
    }),
  )
  agent.destroy()
  return sent
}

async function watchAndUnwatch(order: AttackTarget, isOver: () => boolean): Promise<number> {
  return repeat(pushSockets, isOver, async () => {
    const socket = await PushClient.open(order.url, order.token)
    let sent = 0
    while (!isOver() && !socket.closed) {
      for (let n = 0; n < watchedMachines; n++) {
        const machineId = n % 2 ? order.machineId : order.machineId + n
        socket.watch(machineId, order.tagIds)
        socket.unwatch(machineId)
        sent += 2
      }
      await sleep(1_000)
    }
    socket.close()
    return sent
  })
}

function pingRequests(): Buffer {
  return Buffer.alloc(64 * 1024, Buffer.from([0xc0, 0]))
}

/** Each message crosses the limits of all rules, and the next one comes back. */
function crossingValues(): Buffer {
  return Buffer.concat(
    Array.from({ length: messagesOfWrite }, (_, n) => valuesFrom(n % 2 ? crossingValue : -valuesOfMessage)),
  )
}

/** Alarms with long texts, raised and cleared in turn. */
function manyAlarms(): Buffer {
  const text = '泵'.repeat(alarmTextLength)
  return Buffer.concat(
    Array.from({ length: alarmsOfWrite }, (_, n) =>
      publishOf(plainTopic.alarms, {
        id: `E${Math.floor(n / 2) % alarmKeys}`,
        level: 'critical',
        text,
        state: n % 2 ? 'cleared' : 'raised',
      }),
    ),
  )
}

/** Endless packets of machines and of strangers, and silent strangers. */
async function holdUnfinished(order: AttackTarget, isOver: () => boolean): Promise<number> {
  const machine = order.machines[0] as AttackTarget['machines'][number]
  // A PUBLISH of two megabytes whose end never comes.
  const publish = Buffer.concat([Buffer.from([0x30, 0x80, 0x80, 0x80, 0x01]), Buffer.alloc(256 * 1024)])
  const connectHead = Buffer.from([0x10, 0x80, 0x40, 0x00, 0x04])
  const sockets = new Set<Socket>()
  const hold = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.resume()
  }
  const stranger = (bytes?: Buffer) => {
    const socket = connect({ host: '127.0.0.1', port: order.mqttPort })
    hold(socket)
    if (bytes) socket.write(bytes)
  }
  let sent = 0
  while (!isOver()) {
    while (sockets.size < incompleteConnections + silentConnections) {
      sent++
      if (sent % 3 === 0) {
        openMachine(order, machine).then(
          (socket) => {
            hold(socket)
            socket.write(publish)
          },
          () => undefined,
        )
      }
      stranger(sent % 2 ? connectHead : undefined)
    }
    await sleep(50)
  }
  for (const socket of sockets) socket.destroy()
  return sent
}
