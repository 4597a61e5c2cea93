import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Packet, parser } from 'mqtt-packet'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bareCode, openBareConnection, type Storing } from './bare-connection.ts'
import { type ConformanceRig, startConformanceRig } from './conformance-rig.ts'
import {
  acknowledge,
  connect,
  disconnect,
  pingRequest,
  publish,
  sized,
  subscribe,
  uint16,
  uint32,
  unsubscribe,
  type Version,
} from './wire.ts'

const streamsBare = 3_000
const streamsOverTcp = 200
const heapGrowthBytesMax = 24 * 1024 * 1024
const dayMs = 24 * 3_600 * 1_000

/** Random numbers below 1 that a seed repeats (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** All packets that a client may send after its CONNECT, in order. */
function conversation(version: Version): Buffer[] {
  const properties = version === 5 ? [0x01, 1, 0x26, sized('a'), sized('b'), 0x08, sized('a/b')] : []
  return [
    subscribe(version, 1, ['v1/devices/me/rpc/request/+', 1], ['spBv1.0/STATE/+', 0], ['#', 0]),
    publish(version, { qos: 0, properties }),
    publish(version, { qos: 1, packetId: 2, properties }),
    publish(version, { qos: 2, packetId: 3 }),
    publish(version, { qos: 2, packetId: 3, isDup: true }),
    acknowledge(6, 3),
    pingRequest,
    unsubscribe(version, 4, 'v1/devices/me/rpc/request/+', 'never'),
    publish(version, { qos: 1, packetId: 2, topic: 'v1/devices/me/油温', payload: 'no json' }),
    disconnect,
  ]
}

function connectFor(version: Version): Buffer {
  return connect(version, {
    clientId: `${bareCode}:fuzz`,
    userName: bareCode,
    password: 'secret',
    keepAliveS: 60,
    properties: [0x11, uint32(60), 0x21, uint16(20), 0x27, uint32(100_000)],
    will: { topic: 'v1/devices/me/telemetry', payload: '{"gone":1}', qos: 1 },
  })
}

/** Breaks a stream in one to four places: bits, bytes, ranges lost, doubled or made up. */
function mutate(stream: Buffer, random: () => number): Buffer {
  const below = (max: number) => Math.floor(random() * max)
  let bytes = Buffer.from(stream)
  for (let count = 1 + below(4); count > 0; count--) {
    const at = below(bytes.length)
    const length = 1 + below(8)
    const before = bytes.subarray(0, at)
    const made = Buffer.from(Array.from({ length }, () => below(256)))
    const kind = below(6)
    if (kind === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8))
    else if (kind === 1) bytes[at] = below(256)
    else if (kind === 2) bytes = Buffer.concat([before, bytes.subarray(at + length)])
    else if (kind === 3) bytes = Buffer.concat([before, made, bytes.subarray(at)])
    else if (kind === 4) bytes = Buffer.concat([before, bytes.subarray(at, at + 40), bytes.subarray(at)])
    else if (random() < 0.3) bytes = Buffer.from(before)
    if (bytes.length === 0) bytes = Buffer.from(made)
  }
  return bytes
}

/** Cuts bytes at random places. */
function cut(bytes: Buffer, random: () => number): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + Math.floor(random() * (random() < 0.5 ? 4 : 200))
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}

/** The platform's output, read by an independent parser. */
function readAnswers(written: readonly Buffer[], version: Version): Packet[] {
  const packets: Packet[] = []
  const reader = parser({ protocolVersion: version })
  reader.on('packet', (packet) => packets.push(packet))
  reader.on('error', (error) => {
    throw error
  })
  if (reader.parse(Buffer.concat(written)) !== 0) throw new Error('half a packet')
  return packets
}

const ackPackets = ['puback', 'pubrec', 'pubcomp', 'suback', 'unsuback']
const serverPackets = new Set<string>(['connack', ...ackPackets, 'pingresp', 'publish', 'disconnect'])

/**
 * The fault of answers: one CONNACK comes first, a DISCONNECT is last, and there are at most as many PUBACKs as
 * messages.
 */
function faultOf(packets: readonly Packet[], published: number): string | undefined {
  const kinds = packets.map(({ cmd }) => cmd)
  const stranger = kinds.find((kind) => !serverPackets.has(kind))
  if (stranger) return `${stranger} from a server`
  if (kinds.length > 0 && kinds.lastIndexOf('connack') !== 0) return 'not one CONNACK, first'
  const last = kinds.indexOf('disconnect')
  if (last >= 0 && last < kinds.length - 1) return 'something after DISCONNECT'
  if (kinds.filter((kind) => kind === 'puback').length > published) return 'an acknowledgement too many'
  return undefined
}

/** Plays one broken stream; fails with the seed that repeats it. */
async function playBare(seed: number): Promise<'ended' | 'waiting'> {
  const random = randomFrom(seed)
  const version: Version = random() < 0.5 ? 4 : 5
  const storing = (): Storing => {
    const drawn = random()
    return drawn < 0.45 ? 'nothing' : drawn < 0.95 ? 'stored' : 'failed'
  }
  const connection = openBareConnection(storing)
  const whole = [connectFor(version), ...conversation(version)]
  // Most streams break behind the CONNECT: a broken CONNECT reaches no further code.
  const isConnectKept = random() < 0.7
  const kept = isConnectKept ? (whole[0] as Buffer) : Buffer.alloc(0)
  const stream = mutate(Buffer.concat(isConnectKept ? whole.slice(1) : whole), random)
  for (const piece of cut(Buffer.concat([kept, stream]), random)) {
    await connection.deliver(piece)
    if (connection.isEnded) break
  }
  await connection.settle()
  const fate = connection.isEnded ? 'ended' : 'waiting'
  // A CONNECT that was changed may ask for the other version.
  const fault = isConnectKept && faultOf(readAnswers(connection.written, version), connection.published)
  if (fault) throw new Error(fault)
  // A silent client is ended at the latest when its keep-alive, or the time for a CONNECT, is over.
  if (isConnectKept) {
    connection.pass(dayMs)
    if (!connection.isEnded) throw new Error('a silent connection lasts')
  }
  connection.close()
  connection.close()
  if (connection.goneCount !== 1) throw new Error(`over ${connection.goneCount} times`)
  return fate
}

/** Bytes in use after garbage collection. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

it(`${streamsBare} broken streams crash nothing, hang nothing and leave nothing behind`, async () => {
  const fates = { ended: 0, waiting: 0 }
  const playFrom = async (from: number, to: number) => {
    for (let seed = from; seed < to; seed++) {
      try {
        fates[await playBare(seed)]++
      } catch (error) {
        throw new Error(`the stream of seed ${seed}`, { cause: error })
      }
    }
  }
  await playFrom(0, 500)
  const before = usedBytes()
  await playFrom(500, streamsBare)
  expect(usedBytes() - before).toBeLessThan(heapGrowthBytesMax)
  // Both happen often, or the streams show nothing.
  expect(fates.ended).toBeGreaterThan(streamsBare / 4)
  expect(fates.waiting).toBeGreaterThan(streamsBare / 50)
})

it('unbroken streams in any pieces get every answer', async () => {
  for (const version of [4, 5] as const) {
    for (let seed = 0; seed < 100; seed++) {
      const random = randomFrom(seed)
      const connection = openBareConnection(() => 'nothing')
      const stream = Buffer.concat([connectFor(version), ...conversation(version).slice(0, -1)])
      for (const piece of cut(stream, random)) await connection.deliver(piece)
      await connection.settle()
      const kinds = readAnswers(connection.written, version).map(({ cmd }) => cmd)
      expect(kinds.sort()).toEqual([
        'connack',
        'pingresp',
        'puback',
        'puback',
        'pubcomp',
        'publish',
        'pubrec',
        'pubrec',
        'suback',
        'unsuback',
      ])
      connection.close()
    }
  }
})

let rig: ConformanceRig

beforeAll(async () => {
  rig = await startConformanceRig()
})

afterAll(() => rig.test.stop())

it(`${streamsOverTcp} broken streams over TCP do not affect other clients`, async () => {
  const { client: bystander } = await rig.login(5)
  for (let seed = 0; seed < streamsOverTcp; seed++) {
    const random = randomFrom(seed)
    const version: Version = random() < 0.5 ? 4 : 5
    const { client } = await rig.login(version)
    const stream = mutate(Buffer.concat(conversation(version)), random)
    for (const piece of cut(stream, random)) client.send(piece)
    client.end()
    await client.rest()
  }
  bystander.send(publish(5))
  expect(await bystander.next()).toBe('40 02 00 01')
  bystander.destroy()
})
