import { afterAll, beforeAll, expect, it } from 'vitest'
import { both, type ConformanceRig, startConformanceRig } from './conformance-rig.ts'
import {
  bytes,
  type ConnectFields,
  hex,
  packet,
  pingRequest,
  pingResponse,
  publish,
  reasonString,
  sized,
  telemetryTopic,
  uint16,
  uint32,
  type Version,
} from './wire.ts'
import { WireClient } from './wire-client.ts'

let rig: ConformanceRig

beforeAll(async () => {
  rig = await startConformanceRig()
})

afterAll(() => rig.test.stop())

/** A CONNACK that refuses: MQTT 3.1.1's return code, undefined without one, or MQTT 5's reason. */
function refusalOf(
  version: Version,
  returnCode: number | undefined,
  reasonCode: number,
  told?: string,
): string[] {
  if (version === 5) return [hex(packet(0x20, 0, reasonCode, ...reasonString(told)))]
  return returnCode === undefined ? [] : [hex(packet(0x20, 0, returnCode))]
}

/** The answers to a machine's CONNECT with these fields. */
async function refusalFor(version: Version, fields: ConnectFields): Promise<string[]> {
  return rig.refusal(rig.connect(version, await rig.test.createMachine(), fields))
}

const illFormed = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe4, 0xbd]]
const will = { topic: telemetryTopic, payload: '{"gone":1}' }

both('a CONNECT with text that is not UTF-8 is refused', async (version) => {
  const malformed = refusalOf(version, undefined, 0x81)
  for (const wrong of illFormed) {
    const text = Buffer.from(wrong)
    expect(await refusalFor(version, { clientId: text })).toEqual(malformed)
  }
  const text = Buffer.from([0x61, 0xff])
  expect(await refusalFor(version, { userName: text })).toEqual(malformed)
  expect(await refusalFor(version, { will: { ...will, topic: text } })).toEqual(malformed)
})

both('a CONNECT with U+0000 in its text is refused', async (version) => {
  const malformed = refusalOf(version, undefined, 0x81)
  expect(await refusalFor(version, { clientId: 'a\0' })).toEqual(malformed)
  expect(await refusalFor(version, { userName: 'a\0' })).toEqual(malformed)
  expect(await refusalFor(version, { will: { ...will, topic: `${telemetryTopic}\0` } })).toEqual(malformed)
})

both('a leading U+FEFF is part of a text', async (version) => {
  const machine = await rig.test.createMachine()
  const refused = await rig.refusal(rig.connect(version, machine, { clientId: `\ufeff${machine.code}` }))
  const told = `the client id "\uFEFF${machine.code}" does not begin with the machine code`
  expect(refused).toEqual(refusalOf(version, 2, 0x85, told))
})

both('whatever comes before a CONNECT closes unanswered', async () => {
  for (const first of [pingRequest, publish(4), packet(0x20, 0, 0), packet(0xf0, 0x18, 0), packet(0x00)]) {
    expect(await rig.refusal(first)).toEqual([])
  }
})

both('a CONNECT with flags in its header is refused', async (version) => {
  const machine = await rig.test.createMachine()
  expect(await rig.refusal(rig.connect(version, machine, { first: 0x11 }))).toEqual([])
})

both('a CONNECT that ends before its last field is refused', async (version) => {
  const machine = await rig.test.createMachine()
  const whole = rig.connect(version, machine, { will })
  const body = whole.subarray(3)
  // Behind name, level, flags, keep alive, and their properties: a client id, a will, a user name, a password.
  for (let length = 11; length < body.length; length += 7) {
    const refused = await rig.refusal(packet(0x10, body.subarray(0, length)))
    expect(refused).toEqual(refusalOf(version, undefined, 0x81))
  }
})

both('another protocol name closes unanswered', async (version) => {
  for (const protocol of ['MQTY', 'mqtt', 'MQ', '', 'HTTP/1.1']) {
    expect(await refusalFor(version, { protocol })).toEqual([])
  }
})

both('an unknown protocol level is answered with return code 1', async (version) => {
  for (const level of [0, 3, 6, 0x84, 0xff]) {
    expect(await refusalFor(version, { level })).toEqual(['20 02 00 01'])
  }
})

it('MQTT 3.1 is not served by the rules of 3.1.1, but answered with return code 1', async () => {
  for (const level of [3, 4, 5, 0x83]) {
    expect(await refusalFor(4, { protocol: 'MQIsdp', level })).toEqual(['20 02 00 01'])
  }
})

both('a reserved connect flag is refused', async (version) => {
  expect(await refusalFor(version, { flags: 0xc3 })).toEqual(refusalOf(version, undefined, 0x81))
})

both('flags of a will without a will are refused', async (version) => {
  for (const flags of [0xc2 | 0x08, 0xc2 | 0x10, 0xc2 | 0x20]) {
    expect(await refusalFor(version, { flags })).toEqual(refusalOf(version, undefined, 0x81))
  }
})

both('a will of QoS 0, 1 and 2 is taken, of QoS 3 refused', async (version) => {
  for (const qos of [0, 1, 2]) {
    const { client } = await rig.login(version, { will: { ...will, qos } })
    client.destroy()
  }
  const refused = await refusalFor(version, { will: { ...will, qos: 3 } })
  expect(refused).toEqual(refusalOf(version, undefined, 0x81))
})

both('a will whose flag is missing, or a flag without its will, is refused', async (version) => {
  const malformed = refusalOf(version, undefined, 0x81)
  expect(await refusalFor(version, { will, flags: 0xc2 })).toEqual(malformed)
  const { code, secret } = await rig.test.createMachine()
  const credentials = { clientId: code, userName: code, password: secret }
  expect(await refusalFor(version, { ...credentials, flags: 0xc6 })).toEqual(malformed)
})

both('a user name or password without its flag is refused', async (version) => {
  const malformed = refusalOf(version, undefined, 0x81)
  expect(await refusalFor(version, { flags: 0x02 })).toEqual(malformed)
  expect(await refusalFor(version, { flags: 0x82 })).toEqual(malformed)
  expect(await refusalFor(version, { tail: sized('more') })).toEqual(malformed)
})

both('a flag without its user name or password is refused', async (version) => {
  const malformed = refusalOf(version, undefined, 0x81)
  const nobody = { userName: undefined, password: undefined }
  expect(await refusalFor(version, { ...nobody, flags: 0x82 })).toEqual(malformed)
  expect(await refusalFor(version, { password: undefined, flags: 0xc2 })).toEqual(malformed)
})

it('a password without a user name is malformed in 3.1.1 and a wrong login in 5', async () => {
  expect(await refusalFor(4, { userName: undefined })).toEqual([])
  expect(await refusalFor(5, { userName: undefined })).toEqual(refusalOf(5, undefined, 0x86))
})

both('every field of a CONNECT is read in its place', async (version) => {
  const machine = await rig.test.createMachine()
  const client = await WireClient.openTcp(rig.test.port)
  const properties = version === 5 ? [0x26, sized('a'), sized('b')] : []
  client.send(
    rig.connect(version, machine, {
      clientId: `${machine.code}:a name of more than 23 bytes`,
      keepAliveS: 65_535,
      properties,
      will: { ...will, qos: 1, properties },
    }),
  )
  expect(await client.next()).toMatch(/^20 .. 00 00/)
  client.destroy()
  await expect.poll(() => rig.test.samples(machine.machineId)).toHaveLength(1)
})

both("a client id that is not the machine's is refused", async (version) => {
  for (const clientId of ['abc', 'ABCdef0123456789', '1234567890123456789']) {
    const told = `the client id "${clientId.slice(0, 64)}" does not begin with the machine code`
    expect(await refusalFor(version, { clientId })).toEqual(refusalOf(version, 2, 0x85, told))
  }
})

it('an empty client id with a session to keep is refused in 3.1.1', async () => {
  expect(await refusalFor(4, { clientId: '', isClean: false })).toEqual(['20 02 00 02'])
})

it('an empty client id is replaced by a generated one, which MQTT 5 clients get', async () => {
  for (const isClean of [true, false]) {
    const machine = await rig.test.createMachine()
    const told = new Set<string>()
    for (let round = 0; round < 2; round++) {
      const client = await WireClient.openTcp(rig.test.port)
      client.send(rig.connect(5, machine, { clientId: '', isClean }))
      const connack = Buffer.from((await client.next()).replaceAll(' ', ''), 'hex')
      const start = connack.indexOf(bytes(0x12, uint16(36), `${machine.code}:`))
      expect(start).toBeGreaterThan(0)
      told.add(connack.toString('utf8', start + 3, start + 39))
      client.destroy()
    }
    expect(told.size).toBe(2)
  }
  const machine = await rig.test.createMachine()
  const client = await WireClient.openTcp(rig.test.port)
  client.send(rig.connect(4, machine, { clientId: '' }))
  expect(await client.next()).toBe('20 02 00 00')
  client.destroy()
})

both('a login is answered by one CONNACK without a session, first of all', async (version) => {
  for (const isClean of [true, false, false]) {
    const machine = await rig.test.createMachine()
    const client = await WireClient.openTcp(rig.test.port)
    const ping = Array.from({ length: 3 }, () => pingRequest)
    client.send(rig.connect(version, machine, { isClean }), ...ping)
    expect(await client.next()).toMatch(version === 5 ? /^20 16 00 00 13/ : /^20 02 00 00$/)
    expect(await client.take(3)).toEqual([pingResponse, pingResponse, pingResponse])
    client.destroy()
  }
})

it('CONNACK announces the platform’s features to MQTT 5 clients', async () => {
  const machine = await rig.test.createMachine()
  const client = await WireClient.openTcp(rig.test.port)
  client.send(
    // Request Response Information and Request Problem Information 0, a session for an hour.
    rig.connect(5, machine, { properties: [0x19, 1, 0x17, 0, 0x11, uint32(3_600), 0x22, uint16(10)] }),
  )
  const found = [
    [0x11, uint32(0)],
    [0x21, uint16(1_000)],
    [0x27, uint32(2 * 1024 * 1024)],
    [0x25, 0],
    [0x29, 0],
    [0x2a, 0],
  ] as const
  const connack = Buffer.from((await client.next()).replaceAll(' ', ''), 'hex')
  // These are absent: Maximum QoS, Topic Alias Maximum, Server Keep Alive, Reason String, Response Information.
  let length = 0
  for (const [identifier, value] of found) {
    const property = bytes(identifier, value)
    expect(connack.includes(property)).toBe(true)
    length += property.length
  }
  expect(connack.subarray(0, 5)).toEqual(bytes(0x20, length + 3, 0, 0, length))
  expect(connack).toHaveLength(length + 5)
  client.destroy()
})

both('a wrong secret is told, closed, and nothing after it heard', async (version) => {
  const machine = await rig.test.createMachine()
  const wrong = rig.connect(version, machine, { password: 'wrong' })
  const right = rig.connect(version, machine)
  const refused = await rig.refusal(bytes(wrong, right, publish(version)))
  expect(refused).toEqual(refusalOf(version, 4, 0x86))
  expect(await rig.test.samples(machine.machineId)).toEqual([])
})

both("a will on a wildcard or another's topic is refused", async (version) => {
  for (const topic of ['v1/devices/me/#', 'v1/devices/me/+', '']) {
    expect(await refusalFor(version, { will: { ...will, topic } })).toEqual(
      refusalOf(version, undefined, 0x90),
    )
  }
  const topic = 'spBv1.0/g/NDEATH/9999999999999999999'
  expect(await refusalFor(version, { will: { ...will, topic } })).toEqual(
    refusalOf(version, 5, 0x87, 'a will: the topic names another machine'),
  )
})

it('a will to retain is refused with 0x9a in MQTT 5', async () => {
  const refused = await refusalFor(5, { will: { ...will, isRetained: true } })
  expect(refused).toEqual(refusalOf(5, undefined, 0x9a))
})

it('an authentication method is refused with 0x8c, data without one with 0x82', async () => {
  const method = [0x15, sized('SCRAM-SHA-1')]
  expect(await refusalFor(5, { properties: method })).toEqual(refusalOf(5, undefined, 0x8c))
  expect(await refusalFor(5, { properties: [...method, 0x16, sized('data')] })).toEqual(
    refusalOf(5, undefined, 0x8c),
  )
  expect(await refusalFor(5, { properties: [0x16, sized('data')] })).toEqual(refusalOf(5, undefined, 0x82))
})

it('a CONNACK longer than the client takes is not sent', async () => {
  expect(await refusalFor(5, { properties: [0x27, uint32(20)] })).toEqual([])
})

it('properties of a CONNECT are read, or refused with the matching reason', async () => {
  const wrong: [properties: (number | Buffer)[], code: number][] = [
    [[0x21, uint16(0)], 0x82],
    [[0x27, uint32(0)], 0x82],
    [[0x17, 2], 0x82],
    [[0x19, 2], 0x82],
    [[0x21, uint16(9), 0x21, uint16(9)], 0x82],
    [[0x11, uint32(9), 0x11, uint32(9)], 0x82],
    [[0x24, 1], 0x81],
    [[0x7f, 1], 0x81],
    [[0x18, uint32(1)], 0x81],
    [[0x21, 1], 0x81],
    [[0x26, sized('a')], 0x81],
    [[0x26, sized('a'), sized(Buffer.from([0xff]))], 0x81],
    [[0x26, sized(Buffer.from([0xff])), sized('a')], 0x81],
    // An identifier in more bytes than it takes.
    [[0xa1, 0x00, uint16(9)], 0x81],
  ]
  for (const [properties, code] of wrong) {
    expect([properties, await refusalFor(5, { properties })]).toEqual([
      properties,
      refusalOf(5, undefined, code),
    ])
  }
  const willProperties = [
    [0x11, uint32(1)],
    [0x01, 2],
    [0x23, uint16(1)],
  ] as const
  for (const properties of willProperties) {
    const refused = await refusalFor(5, { will: { ...will, properties } })
    expect(refused).toEqual(refusalOf(5, undefined, properties[0] === 0x01 ? 0x82 : 0x81))
  }
  const { client } = await rig.login(5, {
    properties: [
      ...[0x11, uint32(5), 0x21, uint16(9), 0x27, uint32(65_536), 0x22, uint16(9), 0x19, 1, 0x17, 1],
      ...[0x26, sized('a'), sized('b'), 0x26, sized('a'), sized('')],
    ],
    will: {
      ...will,
      properties: [
        ...[0x18, uint32(5), 0x01, 1, 0x02, uint32(9), 0x03, sized('json'), 0x08, sized('a/b')],
        ...[0x09, sized('id'), 0x26, sized('a'), sized('b'), 0x26, sized('a'), sized('b')],
      ],
    },
  })
  client.send(pingRequest)
  expect(await client.next()).toBe(pingResponse)
  client.destroy()
})
