import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { gatewayLimits } from '../../src/edge/limits.ts'
import { TelemetryBusy } from '../../src/modules/telemetry/index.ts'
import { both, type ConformanceRig, startConformanceRig } from './conformance-rig.ts'
import {
  acknowledge,
  bytes,
  goodbye,
  hex,
  packet,
  pingRequest,
  pingResponse,
  publish,
  sized,
  uint16,
  uint32,
} from './wire.ts'

let rig: ConformanceRig

beforeAll(async () => {
  rig = await startConformanceRig()
})

afterEach(() => {
  rig.held = undefined
})

afterAll(() => rig.test.stop())

const puback = (id: number) => hex(acknowledge(4, id))
const pubrec = (id: number) => hex(acknowledge(5, id))
const pubcomp = (id: number) => hex(acknowledge(7, id))
const value = (n: number) => JSON.stringify({ n })
const valuesOf = async (machineId: number) => (await rig.test.samples(machineId)).map(({ value }) => value)

/** Waits until this number of commits is held. */
async function holding(count: number) {
  await expect.poll(() => rig.held?.length).toBe(count)
  return rig.held ?? []
}

both('each QoS gets its answer with its packet id', async (version) => {
  const { client, machine } = await rig.login(version)
  client.send(
    publish(version, { qos: 0, payload: value(1) }),
    publish(version, { qos: 1, packetId: 65_535, payload: value(2) }),
    publish(version, { qos: 2, packetId: 256, payload: value(3) }),
    pingRequest,
  )
  expect((await client.take(3)).sort()).toEqual([puback(65_535), pubrec(256), pingResponse])
  client.send(acknowledge(6, 256))
  expect(await client.next()).toBe(pubcomp(256))
  expect((await valuesOf(machine.machineId)).sort()).toEqual([1, 2, 3])
  client.destroy()
})

both('a message of QoS 0 begins behind its topic', async (version) => {
  const { client, machine } = await rig.login(version)
  client.send(publish(version, { qos: 0, payload: '  {"n":7}' }))
  await expect.poll(() => valuesOf(machine.machineId)).toEqual([7])
  client.destroy()
})

both('QoS 3 closes', async (version) => {
  expect(await rig.fate(version, publish(version, { qos: 3 }))).toEqual(goodbye(version, 0x81))
})

both('QoS 0 that comes again closes', async (version) => {
  expect(await rig.fate(version, publish(version, { qos: 0, isDup: true }))).toEqual(goodbye(version, 0x81))
})

both('packet id 0 closes', async (version) => {
  for (const qos of [1, 2]) {
    const fate = await rig.fate(version, publish(version, { qos, packetId: 0 }))
    expect(fate).toEqual(goodbye(version, 0x82))
  }
  expect(await rig.fate(version, acknowledge(6, 0))).toEqual(goodbye(version, 0x82))
})

both('a topic that is not UTF-8 closes', async (version) => {
  for (const wrong of [[0xff], [0xc0, 0x80], [0xed, 0xbf, 0xbf], [0xe4, 0xbd]]) {
    const topic = Buffer.concat([Buffer.from('v1/devices/me/'), Buffer.from(wrong)])
    expect(await rig.fate(version, publish(version, { topic }))).toEqual(goodbye(version, 0x81))
  }
})

both('a topic with a character beyond ASCII, U+FEFF or U+FFFD is a topic', async (version) => {
  const { client } = await rig.login(version)
  let packetId = 0
  for (const name of ['油温', '\ufeffa', '\ufffd', '😀', '\u{10ffff}']) {
    client.send(publish(version, { topic: `v1/devices/me/${name}`, packetId: ++packetId }))
    expect(await client.next()).toBe(puback(packetId))
  }
  // A byte that is shown as the replacement character, which itself would be allowed.
  const topic = Buffer.concat([Buffer.from('v1/devices/me/'), Buffer.from([0xff])])
  client.send(
    publish(version, { topic: 'v1/devices/me/\ufffd', packetId: 9 }),
    publish(version, { topic, packetId: 10 }),
  )
  expect(await client.rest()).toEqual([puback(9), ...goodbye(version, 0x81)])
})

both('an empty topic, a wildcard or U+0000 in a topic closes', async (version) => {
  const fateOf = (topic: string) => rig.fate(version, publish(version, { topic }))
  expect(await fateOf('')).toEqual(goodbye(version, 0x82))
  expect(await fateOf('v1/devices/me/\0')).toEqual(goodbye(version, 0x81))
  for (const name of ['#', '+', 'a+']) {
    expect(await fateOf(`v1/devices/me/${name}`)).toEqual(goodbye(version, 0x82))
  }
})

both('a topic may have 65,535 bytes', async (version) => {
  const { client } = await rig.login(version)
  const topic = `v1/devices/me/${'x'.repeat(65_535 - 14)}`
  client.send(publish(version, { topic }))
  expect(await client.next()).toBe(puback(1))
  client.destroy()
})

both('a message without a payload is a message', async (version) => {
  const { client } = await rig.login(version)
  client.send(publish(version, { payload: '' }))
  expect(await client.next()).toBe(puback(1))
  client.destroy()
})

both("a message on another machine's topic closes unacknowledged", async (version) => {
  const own = publish(version, { payload: '{}' })
  // The second is as long as the one before, and nearly the same.
  for (const [topic, why] of [
    ['spBv1.0/g/NDATA/9999999999999999999', 'the topic names another machine'],
    [
      'v1/devices/mf/telemetry',
      'the topic is unknown, and the machine is not set to take other topics as values',
    ],
  ] as const) {
    const fate = await rig.fate(version, own, publish(version, { topic, packetId: 2 }))
    expect(fate).toEqual([puback(1), ...goodbye(version, 0x87, why)])
  }
})

both('acknowledgements come in the order of the messages, each when it is stored', async (version) => {
  const { client } = await rig.login(version)
  rig.held = []
  for (let id = 1; id <= 6; id++) {
    client.send(publish(version, { qos: 1 + (id % 2), packetId: id, payload: value(id) }))
  }
  const held = await holding(6)
  for (const commit of [5, 2, 4, 1, 3]) held[commit]?.resolve([])
  client.send(pingRequest)
  expect(await client.next()).toBe(pingResponse)
  held[0]?.resolve([])
  const answers = [pubrec(1), puback(2), pubrec(3), puback(4), pubrec(5), puback(6)]
  expect(await client.take(6)).toEqual(answers)
  client.destroy()
})

both('after its PUBACK a packet id is another message, whatever its DUP flag', async (version) => {
  const { client, machine } = await rig.login(version)
  for (const [n, isDup] of [
    [1, false],
    [2, true],
    [3, false],
  ] as const) {
    client.send(publish(version, { packetId: 8, payload: value(n), isDup }))
    expect(await client.next()).toBe(puback(8))
  }
  expect(await valuesOf(machine.machineId)).toEqual([1, 2, 3])
  client.destroy()
})

both('QoS 2 is stored once until it is released, and answered each time', async (version) => {
  const { client, machine } = await rig.login(version)
  const message = { qos: 2, packetId: 5 } as const
  client.send(publish(version, { ...message, payload: value(1) }))
  expect(await client.next()).toBe(pubrec(5))
  client.send(publish(version, { ...message, payload: value(1), isDup: true }))
  expect(await client.next()).toBe(pubrec(5))
  client.send(acknowledge(6, 5))
  expect(await client.next()).toBe(pubcomp(5))
  client.send(publish(version, { ...message, payload: value(2), isDup: true }))
  expect(await client.next()).toBe(pubrec(5))
  expect(await valuesOf(machine.machineId)).toEqual([1, 2])
  client.destroy()
})

both('QoS 2 sent again before it is stored is stored once', async (version) => {
  const { client } = await rig.login(version)
  rig.held = []
  const again = { qos: 2, packetId: 5, isDup: true } as const
  client.send(
    publish(version, { ...again, isDup: false }),
    publish(version, again),
    publish(version, again),
    pingRequest,
  )
  expect(await client.next()).toBe(pingResponse)
  const [commit] = await holding(1)
  commit?.resolve([])
  expect(await client.take(3)).toEqual([pubrec(5), pubrec(5), pubrec(5)])
  client.send(acknowledge(6, 5))
  expect(await client.next()).toBe(pubcomp(5))
  client.destroy()
})

both('a PUBREL that releases nothing is answered, with 0x92 in MQTT 5', async (version) => {
  const { client } = await rig.login(version)
  client.send(acknowledge(6, 77))
  expect(await client.next()).toBe(version === 5 ? '70 03 00 4d 92' : pubcomp(77))
  client.destroy()
})

both('a PUBREL before its PUBREC closes', async (version) => {
  const { client } = await rig.login(version)
  rig.held = []
  client.send(publish(version, { qos: 2, packetId: 5 }), acknowledge(6, 5))
  expect(await client.rest()).toEqual(goodbye(version, 0x82))
})

both('more unreleased messages than CONNACK allows close with 0x93', async (version) => {
  const { client } = await rig.login(version)
  // A message without values is not stored: each is answered at once.
  const messages = Array.from({ length: gatewayLimits.inflightMax + 1 }, (_, index) =>
    publish(version, { qos: 2, packetId: index + 1, payload: '{}' }),
  )
  client.send(...messages)
  const rest = await client.rest()
  expect(rest).toHaveLength(gatewayLimits.inflightMax + goodbye(version, 0x93).length)
  expect(rest.at(-1)).toBe(goodbye(version, 0x93)[0] ?? pubrec(gatewayLimits.inflightMax))
})

both('what cannot be stored now closes unacknowledged', async (version) => {
  const { client } = await rig.login(version)
  rig.held = []
  client.send(publish(version))
  const [commit] = await holding(1)
  commit?.reject(new TelemetryBusy())
  expect(await client.rest()).toEqual(goodbye(version, 0x89))
})

both('acknowledgements that nothing asked for close', async (version) => {
  for (const type of [4, 5, 7]) {
    expect(await rig.fate(version, acknowledge(type, 1))).toEqual(goodbye(version, 0x82))
  }
})

it('a message to retain is taken and not retained in 3.1.1', async () => {
  const { client, machine } = await rig.login(4)
  client.send(publish(4, { isRetained: true }))
  expect(await client.next()).toBe(puback(1))
  const filter = sized('v1/devices/me/#')
  client.send(publish(4, { isRetained: true, payload: '', packetId: 2 }), packet(0x82, 0, 9, filter, 1))
  expect((await client.take(2)).sort()).toEqual([puback(2), '90 03 00 09 01'])
  client.send(pingRequest)
  expect(await client.next()).toBe(pingResponse)
  expect(await valuesOf(machine.machineId)).toEqual([1])
  client.destroy()
})

it('a message to retain closes with 0x9a in MQTT 5', async () => {
  for (const qos of [0, 1, 2]) {
    expect(await rig.fate(5, publish(5, { qos, isRetained: true }))).toEqual(goodbye(5, 0x9a))
  }
})

it('a topic alias closes with 0x94', async () => {
  for (const alias of [0, 1, 65_535]) {
    for (const topic of ['', 'v1/devices/me/telemetry']) {
      const fate = await rig.fate(5, publish(5, { topic, properties: [0x23, uint16(alias)] }))
      expect(fate).toEqual(goodbye(5, 0x94))
    }
  }
})

it('properties of a PUBLISH are read, or refused with the matching reason', async () => {
  const wrong: [properties: (number | Buffer)[], code: number][] = [
    [[0x0b, 1], 0x82],
    [[0x08, sized('a/#')], 0x82],
    [[0x08, sized('')], 0x82],
    [[0x08, sized(Buffer.from([0xff]))], 0x81],
    [[0x03, sized(Buffer.from([0xff]))], 0x81],
    [[0x01, 2], 0x82],
    [[0x02, uint32(1), 0x02, uint32(1)], 0x82],
    [[0x21, uint16(1)], 0x81],
    [[0x26, sized('a'), sized('\0')], 0x81],
    [[0x09, uint16(9), 1], 0x81],
  ]
  for (const [properties, code] of wrong) {
    const fate = await rig.fate(5, publish(5, { properties }))
    expect([properties, fate]).toEqual([properties, goodbye(5, code)])
  }
  // A length in more bytes than it takes, one beyond the packet, none at all.
  const topic = sized('v1/devices/me/telemetry')
  for (const length of [bytes(0x80, 0x00), bytes(0x05), bytes(0xff, 0xff, 0xff, 0xff, 0x01), bytes()]) {
    expect(await rig.fate(5, packet(0x32, topic, uint16(1), length))).toEqual(goodbye(5, 0x81))
  }
  const { client, machine } = await rig.login(5)
  const properties = [
    ...[0x01, 1, 0x02, uint32(60), 0x03, sized('application/json'), 0x08, sized('a/b')],
    ...[0x09, sized(Buffer.from([0xff])), 0x26, sized('a'), sized('b'), 0x26, sized('a'), sized('b')],
  ]
  client.send(publish(5, { properties }))
  expect(await client.next()).toBe(puback(1))
  expect(await valuesOf(machine.machineId)).toEqual([1])
  client.destroy()
})
