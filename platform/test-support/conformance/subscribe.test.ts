import { afterAll, beforeAll, expect, it } from 'vitest'
import { gatewayLimits } from '../../src/edge/limits.ts'
import { isTopicFilter, isTopicName, matchesTopic } from '../../src/edge/mqtt/topic-syntax.ts'
import { both, type ConformanceRig, startConformanceRig } from './conformance-rig.ts'
import {
  goodbye,
  hex,
  packet,
  pingRequest,
  pingResponse,
  properties,
  publish,
  sized,
  subscribe,
  uint16,
  uint32,
  unsubscribe,
  type Version,
  type Wanted,
} from './wire.ts'

let rig: ConformanceRig

beforeAll(async () => {
  rig = await startConformanceRig()
})

afterAll(() => rig.test.stop())

const rpc = 'v1/devices/me/rpc/request/+'
const stateFilter = 'spBv1.0/STATE/+'

const suback = (version: Version, id: number, ...codes: number[]) =>
  hex(packet(0x90, uint16(id), properties(version), ...codes))
/** MQTT 3.1.1's UNSUBACK has no codes for its filters. */
const unsuback = (version: Version, id: number, ...codes: number[]) =>
  hex(packet(0xb0, uint16(id), properties(version), ...(version === 5 ? codes : [])))
/** A message as the platform sends it: QoS 0, never again. */
const message = (version: Version, topic: string, payload: string) =>
  hex(packet(0x30, sized(topic), properties(version), payload))

/** Whether the platform can reach a machine on a topic. */
const sends = (machineId: number, topic: string, payload = 'x') =>
  rig.test.gateway.send(machineId, topic, Buffer.from(payload))

both('a SUBACK has the id and a code for each filter, in order', async (version) => {
  const { client, machine } = await rig.login(version)
  const refused = version === 5 ? 0x87 : 0x80
  const wanted: Wanted[] = [
    [rpc, 0],
    ['data/elsewhere/#', 1],
    ['v1/devices/me/attributes', 1],
    ['#', 0],
    [`cmd/${machine.code}/#`, 2],
  ]
  client.send(subscribe(version, 0xabcd, ...wanted))
  expect(await client.next()).toBe(suback(version, 0xabcd, 0, refused, 1, refused, 1))
  client.destroy()
})

both('a SUBSCRIBE or UNSUBSCRIBE without filters closes', async (version) => {
  expect(await rig.fate(version, subscribe(version, 1))).toEqual(goodbye(version, 0x82))
  expect(await rig.fate(version, unsubscribe(version, 1))).toEqual(goodbye(version, 0x82))
})

both('a SUBSCRIBE or UNSUBSCRIBE with packet id 0 closes', async (version) => {
  expect(await rig.fate(version, subscribe(version, 0, [rpc, 0]))).toEqual(goodbye(version, 0x82))
  expect(await rig.fate(version, unsubscribe(version, 0, rpc))).toEqual(goodbye(version, 0x82))
})

both('reserved subscription options close', async (version) => {
  for (const options of version === 5 ? [0x40, 0x80] : [0x04, 0x08, 0x10, 0x20, 0x40, 0x80]) {
    expect(await rig.fate(version, subscribe(version, 1, [rpc, options]))).toEqual(goodbye(version, 0x81))
  }
})

both('a subscription of QoS 3 closes', async (version) => {
  expect(await rig.fate(version, subscribe(version, 1, [rpc, 3]))).toEqual(goodbye(version, 0x82))
})

both('a filter that is not UTF-8, has U+0000 or ends too soon closes', async (version) => {
  for (const filter of [Buffer.from([0x61, 0xff]), Buffer.from([0xed, 0xa0, 0x80]), 'v1/devices/me/\0']) {
    expect(await rig.fate(version, subscribe(version, 1, [filter, 0]))).toEqual(goodbye(version, 0x81))
    expect(await rig.fate(version, unsubscribe(version, 1, filter))).toEqual(goodbye(version, 0x81))
  }
  const short = [uint16(1), properties(version), uint16(5), 'abc']
  expect(await rig.fate(version, packet(0x82, ...short))).toEqual(goodbye(version, 0x81))
  expect(await rig.fate(version, packet(0xa2, ...short))).toEqual(goodbye(version, 0x81))
  const bare = packet(0x82, uint16(1), properties(version), sized(rpc))
  expect(await rig.fate(version, bare)).toEqual(goodbye(version, 0x81))
})

both('an ill-formed filter is refused alone', async (version) => {
  const { client, machine } = await rig.login(version)
  const own = 'v1/devices/me'
  const wrong = [...(version === 4 ? [''] : []), '#a', `${own}/a#`, `${own}/#/a`, `${own}/a+`, `${own}/+a`]
  client.send(subscribe(version, 1, ...wrong.map((filter): Wanted => [filter, 0]), [rpc, 0]))
  const refused = wrong.map(() => (version === 5 ? 0x8f : 0x80))
  expect(await client.next()).toBe(suback(version, 1, ...refused, 0))
  expect(sends(machine.machineId, 'v1/devices/me/rpc/request/1')).toBe(true)
  client.destroy()
})

both('a filter that begins with a wildcard is refused', async (version) => {
  const { client } = await rig.login(version)
  const filters = ['#', '+', '+/+/+', '$SYS/#', '+/devices/me/#']
  client.send(subscribe(version, 1, ...filters.map((filter): Wanted => [filter, 1])))
  const refused = filters.map(() => (version === 5 ? 0x87 : 0x80))
  expect(await client.next()).toBe(suback(version, 1, ...refused))
  client.destroy()
})

both('a message goes out once, at QoS 0, on its topic, where a filter matches', async (version) => {
  const { client, machine } = await rig.login(version)
  client.send(subscribe(version, 1, [rpc, 2], ['v1/devices/me/#', 1], [rpc, 0]))
  await client.next()
  const topic = 'v1/devices/me/rpc/request/7'
  expect(sends(machine.machineId, topic, 'one')).toBe(true)
  expect(sends(machine.machineId, topic, 'two')).toBe(true)
  expect(sends(machine.machineId, 'v1/devices', 'three')).toBe(false)
  client.send(pingRequest)
  expect(await client.take(3)).toEqual([
    message(version, topic, 'one'),
    message(version, topic, 'two'),
    pingResponse,
  ])
  client.destroy()
})

both('a filter subscribed to again replaces the one before', async (version) => {
  const { client, machine } = await rig.login(version)
  client.send(subscribe(version, 1, [rpc, 0]), subscribe(version, 2, [rpc, 1]))
  expect(await client.take(2)).toEqual([suback(version, 1, 0), suback(version, 2, 1)])
  sends(machine.machineId, 'v1/devices/me/rpc/request/7')
  client.send(unsubscribe(version, 3, rpc))
  expect((await client.take(2))[1]).toBe(unsuback(version, 3, 0))
  expect(sends(machine.machineId, 'v1/devices/me/rpc/request/7')).toBe(false)
  client.destroy()
})

both(
  'UNSUBSCRIBE is always answered, removes what is the same to the letter, and stops messages',
  async (v) => {
    const { client, machine } = await rig.login(v)
    const topic = 'v1/devices/me/rpc/request/7'
    client.send(subscribe(v, 1, [rpc, 0]), unsubscribe(v, 2, topic, 'v1/devices/me/RPC/request/+', '#'))
    expect(await client.take(2)).toEqual([suback(v, 1, 0), unsuback(v, 2, 17, 17, 17)])
    expect(sends(machine.machineId, topic)).toBe(true)
    await client.next()
    client.send(unsubscribe(v, 3, 'never', rpc, rpc))
    expect(await client.next()).toBe(unsuback(v, 3, 17, 0, 17))
    expect(sends(machine.machineId, topic)).toBe(false)
    client.destroy()
  },
)

both('the state comes with the retain bit, and a message later without', async (version) => {
  const { client, machine } = await rig.login(version)
  for (const id of [1, 2]) {
    client.send(subscribe(version, id, [stateFilter, 0]))
    expect(await client.next()).toBe(suback(version, id, 0))
    expect(await client.next()).toMatch(/^31 /)
  }
  sends(machine.machineId, 'spBv1.0/STATE/busbar')
  expect(await client.next()).toMatch(/^30 /)
  client.destroy()
})

it('retain handling decides when the state is sent, and value 3 is refused', async () => {
  const { client } = await rig.login(5)
  const asks = async (id: number, options: number) => {
    client.send(subscribe(5, id, [stateFilter, options]), pingRequest)
    const answers = [await client.next(), await client.next()]
    if (answers[1] !== pingResponse) expect(await client.next()).toBe(pingResponse)
    return answers[1]?.startsWith('31') === true
  }
  expect(await asks(1, 0x20)).toBe(false)
  expect(await asks(2, 0x10)).toBe(false)
  expect(await asks(3, 0x00)).toBe(true)
  client.send(unsubscribe(5, 4, stateFilter))
  await client.next()
  expect(await asks(5, 0x10)).toBe(true)
  // No Local and Retain As Published are accepted as well.
  expect(await asks(6, 0x0c)).toBe(true)
  client.send(subscribe(5, 7, [stateFilter, 0x30]))
  expect(await client.rest()).toEqual(goodbye(5, 0x82))
})

it('a shared subscription closes with 0x9e, a local one with 0x82, and is a refused filter in 3.1.1', async () => {
  const shared = '$share/group/v1/devices/me/#'
  expect(await rig.fate(5, subscribe(5, 1, [rpc, 0], [shared, 1]))).toEqual(goodbye(5, 0x9e))
  expect(await rig.fate(5, subscribe(5, 1, [shared, 4]))).toEqual(goodbye(5, 0x82))
  const { client } = await rig.login(4)
  client.send(subscribe(4, 1, [shared, 1]))
  expect(await client.next()).toBe(suback(4, 1, 0x80))
  client.destroy()
})

it('a subscription identifier closes with 0xa1', async () => {
  const subscribeAs = (...identifier: number[]) =>
    packet(0x82, uint16(1), properties(5, 0x0b, ...identifier), sized(rpc), 0)
  expect(await rig.fate(5, subscribeAs(1))).toEqual(goodbye(5, 0xa1))
  expect(await rig.fate(5, subscribeAs(0xff, 0xff, 0xff, 0x7f))).toEqual(goodbye(5, 0xa1))
  expect(await rig.fate(5, subscribeAs(0))).toEqual(goodbye(5, 0x82))
})

it('properties of SUBSCRIBE and UNSUBSCRIBE are read, or refused with the matching reason', async () => {
  const { client } = await rig.login(5)
  const own = properties(5, 0x26, sized('a'), sized('b'), 0x26, sized('a'), sized('c'))
  client.send(
    packet(0x82, uint16(1), own, sized(rpc), 0),
    packet(0xa2, uint16(2), own, sized(rpc)),
    packet(0xa2, uint16(3), properties(5, 0x0b, 1), sized(rpc)),
  )
  expect(await client.rest()).toEqual([suback(5, 1, 0), unsuback(5, 2, 0), ...goodbye(5, 0x81)])
  const wrong = packet(0x82, uint16(1), properties(5, 0x23, uint16(1)), sized(rpc), 0)
  expect(await rig.fate(5, wrong)).toEqual(goodbye(5, 0x81))
})

both('filters beyond the limits are refused', async (version) => {
  const { client } = await rig.login(version)
  const wanted = Array.from(
    { length: gatewayLimits.filtersPerConnectionMax + 1 },
    (_, index): Wanted => [`v1/devices/me/${index}`, 0],
  )
  client.send(subscribe(version, 1, ...wanted))
  const granted = wanted.slice(1).map(() => 0)
  expect(await client.next()).toBe(suback(version, 1, ...granted, version === 5 ? 0x97 : 0x80))
  const many = Array.from({ length: gatewayLimits.filtersPerPacketMax + 1 }, (): Wanted => ['a', 0])
  client.send(subscribe(version, 2, ...many))
  expect(await client.rest()).toEqual(goodbye(version, 0x97))
})

it('messages longer than the client accepts are not sent', async () => {
  const limit = [0x27, uint32(64)]
  const { client, machine } = await rig.login(5, { properties: limit })
  client.send(subscribe(5, 1, [rpc, 0]))
  await client.next()
  const topic = 'v1/devices/me/rpc/request/7'
  // Header, topic and property length leave 33 bytes to the payload.
  expect(sends(machine.machineId, topic, 'x'.repeat(33))).toBe(false)
  expect(sends(machine.machineId, topic, 'x'.repeat(32))).toBe(true)
  expect(await client.next()).toBe(message(5, topic, 'x'.repeat(32)))
  const many = Array.from({ length: 80 }, (): Wanted => ['v1/devices/me/a', 0])
  client.send(publish(5, { packetId: 9, payload: '{}' }), subscribe(5, 2, ...many))
  expect(await client.rest()).toEqual(['40 02 00 09', ...goodbye(5, 0x95)])
})

it('topics and filters are compared level by level and letter by letter', () => {
  const matches: [filter: string, topic: string, is: boolean][] = [
    ['a/b', 'a/b', true],
    ['a/b', 'A/b', false],
    ['a/b', 'a/b/', false],
    ['a/+', 'a/', true],
    ['a/+', 'a', false],
    ['a/+', 'a/b/c', false],
    ['a/#', 'a', true],
    ['a/#', 'a/b/c', true],
    ['+/+', '/b', true],
    ['/+', '/b', true],
    ['+', '/b', false],
    ['#', 'a/b', true],
    ['#', '$SYS/a', false],
    ['+/a', '$SYS/a', false],
    ['$SYS/#', '$SYS/a', true],
    ['a/\u00e9', 'a/e\u0301', false],
    ['a b', 'a b', true],
  ]
  for (const [filter, topic, is] of matches) {
    expect([filter, topic, matchesTopic(filter, topic)]).toEqual([filter, topic, is])
  }
  for (const filter of ['', 'a#', '#/a', 'a/#/b', 'a+', '+a/b', 'a/b+'])
    expect(isTopicFilter(filter)).toBe(false)
  for (const filter of ['/', '#', '+', '+/+/#', 'a/+/b', ' ', '//']) expect(isTopicFilter(filter)).toBe(true)
  for (const topic of ['', 'a/#', '+', 'a\0']) expect(isTopicName(topic)).toBe(false)
})
