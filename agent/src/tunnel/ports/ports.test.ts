import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { ClientHttp2Session } from 'node:http2'
import { createServer, type Server, type Socket } from 'node:net'
import { portHeader, portLimits } from '@busbar/link'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isLongRun } from '../../../../testkit/src/seeds.ts'
import { systemClock } from '../../clock.ts'
import type { PortConfig } from '../../config/config.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { listen, openPair, PortProgram, visitHeaders } from '../../testing/port-program.ts'
import { startTunnelPlatform, type TunnelPlatform } from '../../testing/tunnel-platform.ts'
import { startAgentTunnel } from '../agent-tunnel.ts'

const waitMs = 15_000
const seeds = isLongRun() ? 100 : 20

let platform: TunnelPlatform
let clock: ManualClock
let controller: Server
let controllerPort: number
/** Connections to the controller, in their order. */
let accepted: Socket[]
const agents: { stop(): void }[] = []
const sockets: Socket[] = []

beforeEach(async () => {
  platform = await startTunnelPlatform()
  clock = new ManualClock()
  accepted = []
  controller = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    accepted.push(socket)
  })
  controllerPort = await listen(controller)
})

afterEach(async () => {
  for (const agent of agents.splice(0)) agent.stop()
  for (const socket of [...sockets.splice(0), ...accepted]) socket.destroy()
  controller.close()
  await platform.close()
})

const portOf = (fields: Partial<PortConfig> = {}): PortConfig => ({
  ...{ name: 'plc', host: '127.0.0.1', port: controllerPort, kind: 'other' },
  ...{ note: '', look: 'nobody', connections: 4 },
  ...fields,
})

async function startAgent(ports: PortConfig[] = [portOf()], time = clock as typeof systemClock) {
  const opened = platform.nextSession()
  const cloud = { url: '', code: '1', secret: 's', outboxSamplesMax: 0, tunnel: platform.url }
  const log = () => undefined
  const agent = startAgentTunnel(
    { cloud, targets: [], ports },
    { page: () => undefined, clock: time, log, random: () => 0 },
  )
  agents.push(agent)
  return { agent, session: await opened }
}

async function openProgram(visit = visitHeaders('7'), port = 'plc') {
  const [tool, side] = await openPair()
  sockets.push(tool, side)
  for (const socket of [tool, side]) socket.on('error', () => undefined)
  return { tool, program: new PortProgram(port, visit, side) }
}

async function hashOf(socket: Socket): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of socket.iterator({ destroyOnReturn: false })) hash.update(bytes)
  return hash.digest('hex')
}

const statusOf = async (session: ClientHttp2Session, program: PortProgram, more = {}) =>
  (await program.join(session, more))[':status']

async function textOf(session: ClientHttp2Session, program: PortProgram): Promise<string> {
  await program.join(session)
  let text = ''
  for await (const bytes of program.http2 ?? []) text += bytes
  return text
}

const accept = async (count: number) => {
  await expect.poll(() => accepted.length, { timeout: waitMs }).toBe(count)
  return accepted[count - 1] as Socket
}

/** The same numbers for the same seed, from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

test.for(Array.from({ length: seeds }, (_, seed) => seed))(
  'seed %i: over lines and tunnels that break no byte is lost, doubled or moved, and both ends close',
  { timeout: 120_000 },
  async (seed) => {
    const random = randomOf(seed)
    let { session } = await startAgent([portOf()], systemClock)
    const { tool, program } = await openProgram()
    expect(await statusOf(session, program)).toBe(200)
    const device = await accept(1)
    const sent = [randomBytes(4_000_000 * random()), randomBytes(4_000_000 * random())] as const
    const hashes = [hashOf(device), hashOf(tool)]
    tool.end(sent[0])
    device.end(sent[1])
    while (!program.isDone) {
      for (let turns = 30 * random(); turns > 0; turns--)
        await new Promise((resolve) => setImmediate(resolve))
      if (random() < 0.2) {
        // The whole tunnel: the agent dials again.
        const next = platform.nextSession()
        program.cut()
        session.destroy()
        session = await next
      } else if (random() < 0.5) {
        program.cut()
      }
      if (program.http2 === undefined || program.http2.closed || random() < 0.1)
        expect(await statusOf(session, program)).toBe(200)
    }
    expect(await Promise.all(hashes)).toEqual(
      sent.map((bytes) => createHash('sha256').update(bytes).digest('hex')),
    )
  },
)

test('a half-closed direction does not end the other', async () => {
  const { session } = await startAgent()
  const { tool, program } = await openProgram()
  expect(await statusOf(session, program)).toBe(200)
  const device = await accept(1)
  tool.end('all')
  expect(String((await once(device, 'data'))[0])).toBe('all')
  await once(device, 'end')
  device.write('some')
  expect(String((await once(tool, 'data'))[0])).toBe('some')
  device.end('rest')
  expect(String((await once(tool, 'data'))[0])).toBe('rest')
  await once(tool, 'end')
})

test('a stream belongs to its visit and its port', async () => {
  const { session } = await startAgent([portOf(), portOf({ name: 'other' })])
  const { program } = await openProgram()
  expect(await statusOf(session, program)).toBe(200)
  program.cut()
  for (const [headers, status] of [
    [visitHeaders('8'), 410],
    [{ ...visitHeaders('7'), ':authority': 'other' }, 410],
    [{ [portHeader.from]: '1' }, 410],
    [{ [portHeader.from]: '-1' }, 400],
    [{ [portHeader.stream]: 'short' }, 400],
    [visitHeaders('7'), 200],
  ] as const)
    expect(await statusOf(session, program, headers)).toBe(status)
})

test('a newer line takes the place of the one before, which ends', async () => {
  const { session } = await startAgent()
  const { tool, program } = await openProgram()
  expect(await statusOf(session, program)).toBe(200)
  const before = program.http2
  expect(await statusOf(session, program)).toBe(200)
  if (before && !before.closed) await once(before, 'close')
  tool.write('over the new one')
  expect(String((await once(await accept(1), 'data'))[0])).toBe('over the new one')
  expect(accepted).toHaveLength(1)
})

test('the frame over frees the connection at once, a broken line only after its time', async () => {
  const { session } = await startAgent([portOf({ connections: 1 })])
  const { program } = await openProgram()
  expect(await statusOf(session, program)).toBe(200)
  const first = await accept(1)
  first.resume()
  let hasEnded = false
  const firstEnded = once(first, 'end').then(() => {
    hasEnded = true
  })
  program.cut()
  const { program: second } = await openProgram(visitHeaders('8'))
  // Without a line it holds its connection.
  expect(await statusOf(session, second)).toBe(409)
  clock.advance(portLimits.keepMs - 1)
  expect(await statusOf(session, second)).toBe(409)
  expect(hasEnded).toBe(false)
  clock.advance(1)
  await firstEnded
  expect(await statusOf(session, program)).toBe(410)

  expect(await statusOf(session, second)).toBe(200)
  const device = await accept(2)
  device.resume()
  const ended = once(device, 'end')
  second.send({ kind: 'over' })
  await ended
  expect(await statusOf(session, second)).toBe(410)
  const { program: third } = await openProgram(visitHeaders('9'))
  expect(await statusOf(session, third)).toBe(200)
})

test('a visit has eight streams, whatever their ports', async () => {
  const { session } = await startAgent([portOf({ connections: 32 }), portOf({ name: 'b', connections: 32 })])
  for (let at = 0; at < portLimits.streamsMax; at++) {
    const { program } = await openProgram(visitHeaders('7'), at % 2 === 0 ? 'plc' : 'b')
    expect(await statusOf(session, program)).toBe(200)
  }
  const { program: ninth } = await openProgram()
  expect(await textOf(session, ninth)).toBe('This visit has 8 streams already.\n')
  const { program: other } = await openProgram(visitHeaders('8'))
  expect(await statusOf(session, other)).toBe(200)
})

test('a stream ends with its visit, with a line or without one', async () => {
  const { session } = await startAgent()
  const [{ program: joined }, { program: alone }] = [await openProgram(), await openProgram()]
  const visit = visitHeaders('7', 'rw', 20_000)
  expect(await statusOf(session, joined, visit)).toBe(200)
  expect(await statusOf(session, alone, visit)).toBe(200)
  await accept(2)
  const gone = Promise.all(
    accepted.map((socket) => {
      socket.resume()
      return once(socket, 'end')
    }),
  )
  alone.cut()
  clock.advance(portLimits.keepMs - 1)
  await gone
  await expect.poll(() => joined.over, { timeout: waitMs }).toEqual({ kind: 'over' })
})

test('a controller that breaks its connection ends the stream, and the program is told', async () => {
  const { session } = await startAgent()
  const { program } = await openProgram()
  expect(await statusOf(session, program)).toBe(200)
  ;(await accept(1)).resetAndDestroy()
  await expect.poll(() => program.over, { timeout: waitMs }).toEqual({ kind: 'over' })
  expect(await statusOf(session, program)).toBe(410)
})

test('an agent that stops ends its streams; one that loses its tunnel does not', async () => {
  const { agent, session } = await startAgent([portOf()], systemClock)
  const { tool, program } = await openProgram()
  expect(await statusOf(session, program)).toBe(200)
  const device = await accept(1)
  const next = platform.nextSession()
  program.cut()
  session.destroy()
  device.write('meanwhile')
  expect(await statusOf(await next, program)).toBe(200)
  expect(String((await once(tool, 'data'))[0])).toBe('meanwhile')
  device.resume()
  const ended = once(device, 'end')
  agent.stop()
  await ended
})

test('a port that is not listed, also by another spelling, is refused with the list', async () => {
  const named = portOf({ name: `127.0.0.1:${controllerPort}` })
  const { session } = await startAgent([portOf(), named])
  const list = `There is no such port. The agent's file lists: plc, 127.0.0.1:${controllerPort}.\n`
  for (const name of [
    `localhost:${controllerPort}`,
    `127.1:${controllerPort}`,
    'PLC',
    `plc:${controllerPort}`,
  ]) {
    const { program } = await openProgram(visitHeaders('7'), name)
    expect(await textOf(session, program), name).toBe(list)
  }
  const { program } = await openProgram(visitHeaders('7'), named.name)
  expect(await statusOf(session, program)).toBe(200)
})

test('a port that cannot be reached is told without its address', async () => {
  controller.close()
  const { session } = await startAgent()
  const { program } = await openProgram()
  expect(await textOf(session, program)).toBe(
    'The device behind this machine cannot be reached: ECONNREFUSED.\n',
  )
  // The place is free again.
  expect(await statusOf(session, program)).toBe(502)
})

test.each([
  ['other', 'nobody', 'user', 403],
  ['modbus', 'nobody', 'user', 403],
  ['modbus', 'users', 'user', 200],
  ['modbus', 'users', 'visitor', 403],
  ['modbus', 'users', undefined, 403],
  ['s7', 'visitors', 'visitor', 200],
] as const)('a view-only visit to %s with look %s by a %s: %i', async (kind, look, reach, status) => {
  const { session } = await startAgent([portOf({ kind, look })])
  const { program } = await openProgram(visitHeaders('7', 'ro'))
  const more = reach === undefined ? {} : { [portHeader.reach]: reach }
  expect(await statusOf(session, program, more)).toBe(status)
  expect(accepted.length).toBe(status === 200 ? 1 : 0)
  // An open stream does not change its mode.
  if (status === 200) expect(await statusOf(session, program, visitHeaders('7', 'rw'))).toBe(410)
})

test('the ports and the time that their last connection took are told', async () => {
  const { session } = await startAgent([portOf({ kind: 's7', look: 'users', note: 'left' })])
  const list = async () => {
    const http2 = session.request({ ':authority': 'agent', ':path': '/ports' })
    let text = ''
    for await (const bytes of http2) text += bytes
    return JSON.parse(text).ports
  }
  const told = { name: 'plc', kind: 's7', note: 'left', look: 'users', connections: 4 }
  expect(await list()).toEqual([{ ...told, roundTripMs: null }])
  const { program } = await openProgram()
  expect(await statusOf(session, program)).toBe(200)
  expect(await list()).toEqual([{ ...told, roundTripMs: 0 }])
  controller.close()
  for (const socket of accepted) socket.destroy()
  const { program: failed } = await openProgram()
  expect(await statusOf(session, failed)).toBe(502)
  expect(await list()).toEqual([{ ...told, roundTripMs: null }])
})

test('a program that does not read stops the controller; one that sends no frame is cut off', async () => {
  const { session } = await startAgent()
  const { program } = await openProgram()
  expect(await statusOf(session, program)).toBe(200)
  const device = await accept(1)
  program.http2?.pause()
  const bytes = Buffer.alloc(16 * 1024 * 1024)
  device.write(bytes)
  let last = -1
  const isStill = () => {
    const before = last
    last = device.bytesWritten - device.writableLength
    return before === last
  }
  await expect.poll(isStill, { interval: 200, timeout: waitMs }).toBe(true)
  expect(device.writableLength).toBeGreaterThan(0)
  const { program: wrong } = await openProgram()
  expect(await statusOf(session, wrong)).toBe(200)
  const other = await accept(2)
  other.resume()
  const ended = once(other, 'end')
  wrong.http2?.write('GET / HTTP/1.1\r\n\r\n')
  await ended
})

/** A write of Modbus to a register, and its answer, which are the same bytes. */
function registerWrite(transaction: number, address: number, value: number): Buffer {
  const bytes = Buffer.from('000000000006010600000000', 'hex')
  for (const [at, word] of [transaction, address, value].entries())
    bytes.writeUInt16BE(word, [0, 8, 10][at] ?? 0)
  return bytes
}

/** A stream to a Modbus device that answers each write. */
async function openModbus(mode: 'ro' | 'rw' = 'rw') {
  const { session } = await startAgent([portOf({ kind: 'modbus', look: 'users' })])
  const { tool, program } = await openProgram(visitHeaders('7', mode))
  expect(await statusOf(session, program, { [portHeader.reach]: 'user' })).toBe(200)
  const device = await accept(1)
  device.on('data', (bytes: Buffer) => device.write(bytes))
  let transaction = 0
  const write = async (address: number, value: number) => {
    transaction++
    const answered = once(tool, 'data')
    tool.write(registerWrite(transaction, address, value))
    await answered
  }
  const told = () => program.writes.map((writes) => writes.map(({ place, to }) => `${place} ${to}`))
  return { session, tool, program, device, write, told }
}

test('a write is told at once, those that follow together after a while, and none twice', async () => {
  const { write, told } = await openModbus()
  await write(1, 5)
  await expect.poll(told, { timeout: waitMs }).toEqual([['holding:1 5']])
  for (let value = 6; value < 10; value++) await write(1, value)
  await write(2, 1)
  clock.advance(249)
  await write(2, 2)
  expect(told()).toHaveLength(1)
  clock.advance(1)
  await expect.poll(told, { timeout: waitMs }).toEqual([['holding:1 5'], ['holding:1 9', 'holding:2 2']])
  clock.advance(10_000)
  await write(3, 1)
  await expect.poll(() => told().at(-1), { timeout: waitMs }).toEqual(['holding:3 1'])
  expect(told()).toHaveLength(3)
})

test('over another line everything is told again, also what was written without one', async () => {
  const { session, program, device, tool, write, told } = await openModbus()
  await write(1, 5)
  device.removeAllListeners('data')
  const asked = once(device, 'data')
  tool.write(registerWrite(9, 2, 6))
  const [bytes] = await asked
  program.cut()
  device.write(bytes)
  expect(await statusOf(session, program)).toBe(200)
  await once(tool, 'data')
  await expect.poll(() => told().flat().sort(), { timeout: waitMs }).toEqual(['holding:1 5', 'holding:2 6'])
})

test('at the end writes without an answer are told, before the last frame', async () => {
  const { program, device, tool, write, told } = await openModbus()
  await write(1, 5)
  device.removeAllListeners('data')
  const asked = once(device, 'data')
  tool.write(registerWrite(9, 2, 6))
  await asked
  program.send({ kind: 'over' })
  await expect.poll(() => program.over, { timeout: waitMs }).toEqual({ kind: 'over' })
  expect(told()).toEqual([['holding:1 5'], ['holding:2 6']])
})

test('many places are told in frames that are accepted', async () => {
  const { tool, program, told } = await openModbus()
  tool.resume()
  for (let at = 0; at < 2 * portLimits.writtenPlacesMax; at++) tool.write(registerWrite(at, at, 1))
  const places = () => new Set(told().flat()).size
  await expect
    .poll(
      () => {
        clock.advance(250)
        return places()
      },
      { timeout: waitMs },
    )
    .toBe(portLimits.writtenPlacesMax)
  expect(program.over).toBe(null)
})

test('in a visit that may only look nothing is told as written', async () => {
  const { program, write, told } = await openModbus('ro')
  await write(1, 5)
  program.send({ kind: 'over' })
  await expect.poll(() => program.over, { timeout: waitMs }).toEqual({ kind: 'over' })
  expect(program.counts?.refused).toBe(1)
  expect(told()).toEqual([])
})
