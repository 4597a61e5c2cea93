import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { both, type ConformanceRig, startConformanceRig } from './conformance-rig.ts'
import {
  acknowledge,
  bytes,
  disconnect,
  goodbye,
  packet,
  pingRequest,
  pingResponse,
  publish,
  sized,
  subscribe,
  telemetryTopic,
  uint16,
  uint32,
} from './wire.ts'
import { WireClient } from './wire-client.ts'

let rig: ConformanceRig

beforeAll(async () => {
  rig = await startConformanceRig()
})

afterEach(() => {
  rig.held = undefined
})

afterAll(() => rig.test.stop())

const will = { topic: telemetryTopic, payload: '{"gone":1}' }
const hourS = 3_600
const versions = [4, 5] as const

/** Number of times a machine's will was published, after its connection is over. */
async function wills(machineId: number): Promise<number> {
  await expect.poll(() => rig.test.gateway.presence.isOnline(machineId)).toBe(false)
  await rig.test.telemetry.settled()
  return (await rig.test.samples(machineId)).filter(({ tag }) => tag === 'gone').length
}

/** Lets time pass until the gateway has checked for silence: a connection that must end has ended. */
async function pass(ms: number): Promise<void> {
  const { client } = await rig.login(4, { keepAliveS: 1 })
  rig.ticks += ms
  expect(await client.rest()).toEqual([])
}

both('a PINGREQ is answered by a PINGRESP, one with a body closes', async (version) => {
  const { client } = await rig.login(version)
  client.send(pingRequest, pingRequest)
  expect(await client.take(2)).toEqual([pingResponse, pingResponse])
  client.send(packet(0xc0, 0))
  expect(await client.rest()).toEqual(goodbye(version, 0x81))
})

it('silence of one and a half keep-alives closes as a broken network does', async () => {
  const opened = await Promise.all(versions.map((version) => rig.login(version, { keepAliveS: 10, will })))
  await pass(14_000)
  for (const { client } of opened) {
    client.send(pingRequest)
    expect(await client.next()).toBe(pingResponse)
  }
  await pass(15_000)
  expect(opened.map(({ client }) => client.isClosed)).toEqual([false, false])
  rig.ticks += 1
  for (const [index, { client, machine }] of opened.entries()) {
    expect(await client.rest()).toEqual(goodbye(versions[index] ?? 4, 0x8d))
    expect(await wills(machine.machineId)).toBe(1)
  }
})

it('every packet begins the keep-alive anew, and without one silence is never too long', async () => {
  for (const version of versions) {
    const { client } = await rig.login(version, { keepAliveS: 2 })
    const { client: patient } = await rig.login(version)
    rig.ticks += 2_000
    client.send(publish(version, { payload: '{}' }))
    await client.next()
    await pass(2_000)
    client.send(pingRequest)
    expect(await client.next()).toBe(pingResponse)
    rig.ticks += 24 * hourS * 1_000
    expect(await client.rest()).toEqual(goodbye(version, 0x8d))
    patient.send(pingRequest)
    expect(await patient.next()).toBe(pingResponse)
    patient.destroy()
  }
})

it('a connection without a CONNECT is closed after a while', async () => {
  const { connections } = rig.test.gateway.stats()
  const client = await WireClient.openTcp(rig.test.port)
  client.send(bytes(0x10))
  await expect.poll(() => rig.test.gateway.stats().connections).toBe(connections + 1)
  rig.ticks += 10_001
  expect(await client.rest()).toEqual([])
})

both('a DISCONNECT closes and takes the will with it', async (version) => {
  const { client, machine } = await rig.login(version, { will })
  client.send(disconnect, publish(version))
  expect(await client.rest()).toEqual([])
  expect(await wills(machine.machineId)).toBe(0)
  expect(await rig.test.samples(machine.machineId)).toEqual([])
})

both('a connection that breaks says its will, once, to retain or not', async (version) => {
  for (const isRetained of version === 5 ? [false] : [false, true]) {
    const { client, machine } = await rig.login(version, { will: { ...will, qos: 2, isRetained } })
    client.destroy()
    expect(await wills(machine.machineId)).toBe(1)
  }
  const { client, machine } = await rig.login(version)
  client.destroy()
  expect(await wills(machine.machineId)).toBe(0)
})

both('a connection that is ended for an error says its will', async (version) => {
  const { client, machine } = await rig.login(version, { will })
  client.send(packet(0x36))
  expect(await client.rest()).toEqual(goodbye(version, 0x81))
  expect(await wills(machine.machineId)).toBe(1)
})

it('a DISCONNECT with another reason than success publishes the will', async () => {
  for (const code of [0x04, 0x80, 0x93]) {
    const { client, machine } = await rig.login(5, { will })
    client.send(packet(0xe0, code))
    expect(await client.rest()).toEqual([])
    expect(await wills(machine.machineId)).toBe(1)
  }
  const { client, machine } = await rig.login(5, { will })
  client.send(packet(0xe0, 0x00, 0))
  expect(await client.rest()).toEqual([])
  expect(await wills(machine.machineId)).toBe(0)
})

it('a will with a delay is published when the session ends, with the connection', async () => {
  const delayed = { ...will, properties: [0x18, uint32(hourS)] }
  const { client, machine } = await rig.login(5, { will: delayed, properties: [0x11, uint32(hourS)] })
  client.destroy()
  expect(await wills(machine.machineId)).toBe(1)
})

it('a DISCONNECT that requests a session is accepted only if the CONNECT requested one', async () => {
  const wish = packet(0xe0, 0, 5, 0x11, uint32(hourS))
  const { client, machine } = await rig.login(5, { will })
  client.send(wish)
  expect(await client.rest()).toEqual(goodbye(5, 0x82))
  expect(await wills(machine.machineId)).toBe(1)
  const { client: other } = await rig.login(5, { properties: [0x11, uint32(1)] })
  other.send(wish)
  expect(await other.rest()).toEqual([])
})

both('a DISCONNECT with flags or bytes too many closes as malformed', async (version) => {
  const { client, machine } = await rig.login(version, { will })
  client.send(packet(0xe1))
  expect(await client.rest()).toEqual(goodbye(version, 0x81))
  expect(await wills(machine.machineId)).toBe(1)
  const long = version === 5 ? packet(0xe0, 0, 0, 0) : packet(0xe0, 0)
  expect(await rig.fate(version, long)).toEqual(goodbye(version, 0x81))
})

it('a reason that DISCONNECT does not allow closes with 0x82', async () => {
  for (const code of [0x01, 0x87, 0x8b, 0xff]) {
    expect(await rig.fate(5, packet(0xe0, code))).toEqual(goodbye(5, 0x82))
  }
  const read = packet(0xe0, 0, 12, 0x1f, sized('tired'), 0x11, uint32(0))
  expect(await rig.fate(5, packet(0xe0, 0, 13, 0x1f, sized('tired'), 0x11, uint32(0)))).toEqual([])
  expect(await rig.fate(5, read)).toEqual(goodbye(5, 0x81))
})

both('flags of another packet close', async (version) => {
  const body = bytes(uint16(1))
  const wrong = [
    packet(0x41, body),
    packet(0x58, body),
    packet(0x60, body),
    packet(0x62 | 1, body),
    packet(0x72, body),
    bytes(0x80, subscribe(version, 1, ['v1/devices/me/a', 0]).subarray(1)),
    packet(0xa0, body),
    packet(0xc1),
    packet(0xf1, 0),
  ]
  for (const packet of wrong) expect(await rig.fate(version, packet)).toEqual(goodbye(version, 0x81))
})

both('a second CONNECT closes', async (version) => {
  const { client, machine } = await rig.login(version)
  client.send(rig.connect(version, machine))
  expect(await client.rest()).toEqual(goodbye(version, 0x82))
})

both('a packet of a server, AUTH, or packet type 0 closes', async (version) => {
  for (const wrong of [packet(0x20, 0, 0), packet(0x90, 0, 1, 0), packet(0xb0, 0, 1), packet(0xd0)]) {
    expect(await rig.fate(version, wrong)).toEqual(goodbye(version, 0x82))
  }
  const method = [0x15, sized('SCRAM-SHA-1')]
  for (const auth of [packet(0xf0), packet(0xf0, 0x18, 14, ...method), packet(0xf0, 0x19, 14, ...method)]) {
    expect(await rig.fate(version, auth)).toEqual(goodbye(version, 0x82))
  }
  expect(await rig.fate(version, packet(0x00))).toEqual(goodbye(version, 0x81))
})

both('a packet over the limit closes before it comes', async (version) => {
  expect(await rig.fate(version, bytes(0x30, 0xff, 0xff, 0xff, 0x7f))).toEqual(goodbye(version, 0x95))
  expect(await rig.fate(version, bytes(0x30, 0x81, 0x80, 0x80, 0x01))).toEqual(goodbye(version, 0x95))
  expect(await rig.fate(version, bytes(0x30, 0xff, 0xff, 0xff, 0xff, 0x01))).toEqual(goodbye(version, 0x81))
})

it('a length in more bytes than it takes closes in MQTT 5, and is read in 3.1.1', async () => {
  const overlong = bytes(0xc0, 0x80, 0x80, 0x00)
  expect(await rig.fate(5, overlong)).toEqual(goodbye(5, 0x81))
  const { client } = await rig.login(4)
  client.send(overlong)
  expect(await client.next()).toBe(pingResponse)
  client.destroy()
  const machine = await rig.test.createMachine()
  const whole = rig.connect(5, machine)
  expect(await rig.refusal(bytes(0x10, (whole[1] as number) | 0x80, 0, whole.subarray(2)))).toEqual([
    '20 03 00 81 00',
  ])
})

both('a packet that comes byte by byte is a packet', async (version) => {
  const { client } = await rig.login(version)
  for (const byte of publish(version, { packetId: 3, payload: '{}' })) {
    client.send(bytes(byte))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await client.next()).toBe('40 02 00 03')
  client.destroy()
})

both('a machine that connects again ends its connection before', async (version) => {
  const { client: old, machine } = await rig.login(version, { will })
  const young = await WireClient.openTcp(rig.test.port)
  young.send(rig.connect(version, machine))
  expect(await young.next()).toMatch(/^20 .. 00 00/)
  expect(await old.rest()).toEqual(goodbye(version, 0x8e))
  young.send(pingRequest)
  expect(await young.next()).toBe(pingResponse)
  young.destroy()
})

both('a session ends with its connection: subscriptions and packet ids are gone', async (version) => {
  const fields = { isClean: false, ...(version === 5 ? { properties: [0x11, uint32(hourS)] } : {}) }
  const { client, machine } = await rig.login(version, fields)
  client.send(
    subscribe(version, 1, ['v1/devices/me/a', 0]),
    publish(version, { qos: 2, packetId: 2, payload: '{}' }),
  )
  await client.take(2)
  client.destroy()
  const again = await WireClient.openTcp(rig.test.port)
  again.send(rig.connect(version, machine, fields))
  expect(await again.next()).toMatch(/^20 .. 00 00/)
  expect(rig.test.gateway.send(machine.machineId, 'v1/devices/me/a', Buffer.from('x'))).toBe(false)
  again.send(acknowledge(6, 2))
  expect(await again.next()).toBe(version === 5 ? '70 03 00 02 92' : '70 02 00 02')
  again.destroy()
})

both('nothing follows the last word: acknowledgements that are due come before it', async (version) => {
  const taken = publish(version, { packetId: 7, payload: '{}' })
  const fate = await rig.fate(version, taken, packet(0x36), publish(version, { packetId: 8, payload: '{}' }))
  expect(fate).toEqual(['40 02 00 07', ...goodbye(version, 0x81)])
})

it('a message stored after the last packet is not acknowledged any more', async () => {
  const { client } = await rig.login(5)
  rig.held = []
  client.send(publish(5))
  await expect.poll(() => rig.held?.length).toBe(1)
  client.send(packet(0x36))
  expect([await client.next()]).toEqual(goodbye(5, 0x81))
  for (const { resolve } of rig.held) resolve([])
  expect(await client.rest()).toEqual([])
})
