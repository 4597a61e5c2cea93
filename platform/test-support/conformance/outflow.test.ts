import { afterAll, beforeAll, expect, it } from 'vitest'
import { gatewayLimits } from '../../src/edge/limits.ts'
import { both, type ConformanceRig, startConformanceRig } from './conformance-rig.ts'
import {
  acknowledge,
  goodbye,
  hex,
  packet,
  pingRequest,
  pingResponse,
  properties,
  sized,
  subscribe,
  uint16,
  unsubscribe,
  type Version,
} from './wire.ts'

let rig: ConformanceRig

beforeAll(async () => {
  rig = await startConformanceRig()
})

afterAll(() => rig.test.stop())

const filter = 'spBv1.0/STATE/+'
const topic = 'spBv1.0/STATE/busbar'
const bytesOf = (packet: string) => Buffer.from(packet.replaceAll(' ', ''), 'hex')

/** The packet id of a STATE at QoS 1; fails for any other packet. */
function idOfState(version: Version, received: string): number {
  const bytes = bytesOf(received)
  const head = Buffer.concat([Buffer.from([0x33, bytes.length - 2]), sized(topic)])
  expect(hex(bytes.subarray(0, head.length))).toBe(hex(head))
  const payload = bytes.subarray(head.length + 2 + properties(version).length)
  expect(JSON.parse(payload.toString())).toMatchObject({ online: true })
  return bytes.readUInt16BE(head.length)
}

both('STATE comes at QoS 1 where that was granted, at QoS 0 elsewhere, once', async (version) => {
  const { client } = await rig.login(version)
  client.send(subscribe(version, 1, [filter, 0]))
  await client.next()
  expect(await client.next()).toMatch(/^31 /)
  const ids: number[] = []
  for (const qos of [1, 2]) {
    client.send(subscribe(version, 2, [topic, qos]))
    expect((await client.next()).endsWith(' 01')).toBe(true)
    const id = idOfState(version, await client.next())
    ids.push(id)
    client.send(acknowledge(4, id), pingRequest)
    expect(await client.next()).toBe(pingResponse)
  }
  expect(ids.every((id) => id > 0)).toBe(true)
  expect(new Set(ids).size).toBe(2)
  // The packet was acknowledged before, and no message waits for it.
  client.send(acknowledge(4, ids[0] ?? 0))
  expect(await client.rest()).toEqual(goodbye(version, 0x82))
})

both('a message under way when its filter goes is acknowledged all the same', async (version) => {
  const { client } = await rig.login(version)
  client.send(subscribe(version, 1, [topic, 1]))
  await client.next()
  const id = idOfState(version, await client.next())
  client.send(unsubscribe(version, 2, topic), acknowledge(4, id), pingRequest)
  expect((await client.take(2))[1]).toBe(pingResponse)
  client.destroy()
})

it('at most Receive Maximum messages are sent unacknowledged, and the rest waits', async () => {
  const { client } = await rig.login(5, { properties: [0x21, uint16(2)] })
  const asks = [1, 2, 3, 4].map((id) => subscribe(5, id, [topic, 1]))
  client.send(...asks, pingRequest)
  const first = await client.take(7)
  expect(first.filter((packet) => packet.startsWith('90'))).toHaveLength(4)
  expect(first[6]).toBe(pingResponse)
  const ids = first.filter((packet) => packet.startsWith('33')).map((packet) => idOfState(5, packet))
  expect(new Set(ids).size).toBe(2)
  for (const id of ids) {
    client.send(acknowledge(4, id))
    expect(idOfState(5, await client.next())).not.toBe(id)
  }
  client.destroy()
})

both('a client that acknowledges nothing and asks for ever more is ended', async (version) => {
  const { client } = await rig.login(version)
  const most = gatewayLimits.outboundInflightMax + gatewayLimits.outboundWaitingMax
  client.send(...Array.from({ length: most + 1 }, (_, index) => subscribe(version, index + 1, [topic, 1])))
  const answers = await client.rest()
  expect(answers.filter((packet) => packet.startsWith('33'))).toHaveLength(gatewayLimits.outboundInflightMax)
  expect(answers.slice(-1)).toEqual(version === 5 ? goodbye(5, 0x97) : [expect.stringMatching(/^90 /)])
})

it('a PUBACK may give any reason of its table, and no other', async () => {
  const { client } = await rig.login(5)
  for (const code of [0x00, 0x10, 0x80, 0x83, 0x87, 0x90, 0x91, 0x97, 0x99]) {
    client.send(subscribe(5, 1, [topic, 1]))
    await client.next()
    const id = idOfState(5, await client.next())
    // A message that the client refused is not sent again.
    client.send(packet(0x40, uint16(id), code), pingRequest)
    expect(await client.next()).toBe(pingResponse)
  }
  client.send(subscribe(5, 1, [topic, 1]))
  await client.next()
  client.send(packet(0x40, uint16(idOfState(5, await client.next())), 0xff))
  expect(await client.rest()).toEqual(goodbye(5, 0x82))
})

it('a PUBREL with an invalid reason closes with 0x82', async () => {
  for (const code of [0x10, 0x80, 0xff]) {
    expect(await rig.fate(5, packet(0x62, uint16(1), code))).toEqual(goodbye(5, 0x82))
  }
  const { client } = await rig.login(5)
  for (const code of [0x00, 0x92]) {
    client.send(packet(0x62, uint16(1), code))
    expect(await client.next()).toBe('70 03 00 01 92')
  }
  client.destroy()
})

it('an empty filter closes with 0x82 in MQTT 5', async () => {
  const own = 'v1/devices/me/a'
  expect(await rig.fate(5, subscribe(5, 1, [own, 0], ['', 0]))).toEqual(goodbye(5, 0x82))
  expect(await rig.fate(5, unsubscribe(5, 1, own, ''))).toEqual(goodbye(5, 0x82))
})
