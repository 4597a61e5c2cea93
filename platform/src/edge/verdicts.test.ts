import { plainTopic } from '@busbar/link'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RawClient } from '../../test-support/gateway/raw-client.ts'
import { startTestGateway, type TestGateway } from '../../test-support/gateway/test-gateway.ts'
import { gatewayLimits } from './limits.ts'

let test: TestGateway

beforeAll(async () => {
  test = await startTestGateway()
})

afterAll(() => test.stop())

const connect = (code: string, secret: string, more: object = {}) => ({
  cmd: 'connect' as const,
  protocolId: 'MQTT' as const,
  clean: true,
  clientId: code,
  keepalive: 0,
  username: code,
  password: Buffer.from(secret),
  ...more,
})

/** A client that is served throughout, which shows that others were not affected. */
async function expectOthersServed(work: () => Promise<void>): Promise<void> {
  const machine = await test.createMachine()
  const bystander = await RawClient.login(test.port, machine)
  await work()
  bystander.publish(plainTopic.telemetry, '{"n":1}')
  await bystander.next('puback')
  bystander.destroy()
}

describe('wrong secret, unknown code', () => {
  for (const [version, code] of [
    [4, { returnCode: 4 }],
    [5, { reasonCode: 0x86 }],
  ] as const) {
    it(`CONNACK refused under version ${version}, counted`, async () => {
      const machine = await test.createMachine()
      const before = test.gateway.stats().refusedLogins
      for (const [name, secret] of [
        [machine.code, 'wrong'],
        ['1234567890123456789', machine.secret],
        ['not a code', machine.secret],
        [machine.code, ''],
      ] as const) {
        const client = await RawClient.open(test.port, version, `127.0.1.${version}`)
        client.send(connect(name, secret, { protocolVersion: version }))
        expect(await client.next('connack')).toMatchObject(code)
        await client.closed()
      }
      expect(test.gateway.stats().refusedLogins - before).toBe(4)
    })
  }

  it('ten times a minute, then unheard from this address, while others are served', async () => {
    const machine = await test.createMachine()
    const tryOnce = async (secret: string) => {
      const client = await RawClient.open(test.port, 5, '127.0.2.2')
      client.send(connect(machine.code, secret, { protocolVersion: 5 }))
      const { reasonCode } = await client.next('connack')
      client.destroy()
      return reasonCode
    }
    for (let failed = 0; failed < 10; failed++) expect(await tryOnce('wrong')).toBe(0x86)
    expect(await tryOnce(machine.secret)).toBe(0x9f)
    const other = await RawClient.login(test.port, machine, { localAddress: '127.0.2.3' })
    other.destroy()
  })

  it('a changed secret holds at once', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine)
    client.destroy()
    const { createHash } = await import('node:crypto')
    await test.database.db
      .updateTable('machines')
      .set({ secret_hash: createHash('sha256').update('another').digest() })
      .where('id', '=', machine.machineId)
      .execute()
    const late = await RawClient.open(test.port, 4, '127.0.1.9')
    late.send(connect(machine.code, machine.secret, { protocolVersion: 4 }))
    expect((await late.next('connack')).returnCode).toBe(4)
  })

  it("a client id that is not the code's is refused", async () => {
    const machine = await test.createMachine()
    for (const [version, code] of [
      [4, { returnCode: 2 }],
      [5, { reasonCode: 0x85 }],
    ] as const) {
      const client = await RawClient.open(test.port, version)
      client.send(
        connect(machine.code, machine.secret, { protocolVersion: version, clientId: `${machine.code}x` }),
      )
      expect(await client.next('connack')).toMatchObject(code)
    }
  })
})

describe("another machine's topic", () => {
  const foreign = '9999999999999999999'

  it('SUBACK 0x80, or 0x87 under version 5, and logged', async () => {
    const machine = await test.createMachine()
    const filters = [
      '#',
      '+/+/+',
      'spBv1.0/#',
      'spBv1.0/+/NDATA/+',
      `spBv1.0/busbar/NCMD/${foreign}`,
      `data/${foreign}/#`,
      'v1/devices/+/telemetry',
      '$SYS/#',
      'v1/devices/me/a#',
    ]
    for (const [version, code, illFormed] of [
      [4, 0x80, 0x80],
      [5, 0x87, 0x8f],
    ] as const) {
      const client = await RawClient.login(test.port, machine, { version })
      client.send({
        cmd: 'subscribe',
        messageId: 1,
        subscriptions: filters.map((topic) => ({ topic, qos: 0 as const })),
      })
      expect((await client.next('suback')).granted).toEqual([...filters.slice(1).map(() => code), illFormed])
      const own = [
        `spBv1.0/+/NCMD/${machine.code}`,
        `spBv1.0/g/DCMD/${machine.code}/#`,
        'v1/devices/me/rpc/request/+',
      ]
      client.send({
        cmd: 'subscribe',
        messageId: 2,
        subscriptions: own.map((topic) => ({ topic, qos: 2 as const })),
      })
      expect((await client.next('suback')).granted).toEqual([1, 1, 1])
      client.destroy()
    }
    expect(test.logged.filter(({ message }) => message === 'subscription.refused')).toHaveLength(
      filters.length * 2,
    )
  })

  const unset = 'the topic is unknown, and the machine is not set to take other topics as values'
  for (const [topic, why] of [
    [`spBv1.0/busbar/NDATA/${foreign}`, 'the topic names another machine'],
    [`data/${foreign}/x`, 'the topic names another machine'],
    ['spBv1.0/STATE/busbar', 'the topic names another machine'],
    ['v1/gateway/telemetry', unset],
    ['anything', unset],
  ] as const) {
    it(`publish to ${topic} closes the connection; log, raw view and MQTT 5 name the reason`, async () => {
      const machine = await test.createMachine()
      for (const version of [4, 5]) {
        const client = await RawClient.login(test.port, machine, { version })
        client.publish(topic, '{"n":1}')
        if (version === 5)
          expect(await client.next('disconnect')).toMatchObject({
            reasonCode: 0x87,
            properties: { reasonString: why },
          })
        await client.closed()
        expect(client.packets).toEqual([])
      }
      // The second time within a minute is not told again.
      expect(
        test.logged.filter(({ fields }) => (fields as { code?: string }).code === machine.code),
      ).toMatchObject([{ level: 'warn', message: 'topic.refused', fields: { topic, why } }])
      expect(await test.samples(machine.machineId)).toEqual([])
      const raw = await test.gateway.listRawMessages(machine.machineId, 10)
      expect(raw).toMatchObject([{ topic, verdict: 'unknownTopic', detail: why, bytes: 7 }])
    })
  }

  it('a will there refuses the login', async () => {
    const machine = await test.createMachine()
    const will = { topic: `spBv1.0/g/NDEATH/${foreign}`, payload: Buffer.from(''), qos: 0, retain: false }
    const client = await RawClient.open(test.port, 5)
    client.send(connect(machine.code, machine.secret, { protocolVersion: 5, will }))
    expect((await client.next('connack')).reasonCode).toBe(0x87)
    const raw = await test.gateway.listRawMessages(machine.machineId, 10)
    expect(raw).toMatchObject([{ topic: will.topic, detail: 'a will: the topic names another machine' }])
  })

  it('another client id refuses the login, and the raw view says so; a wrong secret leaves no trace there', async () => {
    const machine = await test.createMachine()
    for (const [clientId, secret] of [
      ['DVES_1234', 'wrong'],
      ['DVES_1234', machine.secret],
    ] as const) {
      const client = await RawClient.open(test.port, 4)
      client.send(connect(machine.code, secret, { clientId, protocolVersion: 4 }))
      await client.next('connack')
      await client.closed()
    }
    expect(await test.gateway.listRawMessages(machine.machineId, 10)).toMatchObject([
      { topic: '', verdict: 'protocolError', detail: expect.stringContaining('"DVES_1234"') },
    ])
  })

  it('a machine that takes other topics publishes values there, with the topic as their group', async () => {
    const machine = await test.createMachine()
    await test.database.db
      .updateTable('machines')
      .set({ other_topics: true })
      .where('id', '=', machine.machineId)
      .execute()
    const will = { topic: 'tele/plug/LWT', payload: Buffer.from('Offline'), qos: 0, retain: true }
    const connectAs = { clientId: 'DVES_1234', will }
    const client = await RawClient.login(test.port, machine, { connect: connectAs })
    const bodies: [topic: string, body: string][] = [
      ['/line/1', '{"a":1,"b":{"c":2}}'],
      ['shellies/plug/temperature', '21.5'],
      ['shellies/plug/relay/0', 'on'],
      ['tele/plug/STATE', '{"broken":'],
    ]
    for (const [place, [topic, body]] of bodies.entries()) {
      client.publish(topic, body, { messageId: place + 1 })
      await client.next('puback')
    }
    client.destroy()
    const values = async () =>
      (await test.samples(machine.machineId)).map(({ group, tag, value }) => [group, tag, value])
    await expect.poll(values).toEqual(
      expect.arrayContaining([
        ['/line/1', 'a', 1],
        ['/line/1', 'b.c', 2],
        ['shellies/plug/temperature', 'value', 21.5],
        ['shellies/plug/relay/0', 'value', 'on'],
        ['tele/plug/LWT', 'value', 'Offline'],
      ]),
    )
    expect(await test.gateway.listRawMessages(machine.machineId, 10)).toContainEqual(
      expect.objectContaining({ topic: 'tele/plug/STATE', verdict: 'notJson' }),
    )
    // Topics with a meaning of their own stay closed, and so does the 257th other one.
    const second = await RawClient.login(test.port, machine)
    for (let place = 0; place < 257; place++) second.publish(`t/${place}`, '1', { messageId: place + 1 })
    for (let place = 0; place < 257; place++) await second.next('puback')
    expect((await values()).filter(([group]) => String(group).startsWith('t/'))).toHaveLength(256)
    second.publish(`data/${foreign}/x`, '{"a":1}')
    await second.closed()
  })
})

describe('malformed or over-long packets', () => {
  const malformed: [name: string, bytes: number[], reasonCode: number][] = [
    ['a length of five bytes', [0x30, 0xff, 0xff, 0xff, 0xff, 0x01], 0x81],
    ['a PUBLISH of QoS 3', [0x36, 0x05, 0, 1, 0x61, 0, 1], 0x81],
    ['a topic beyond the packet', [0x30, 0x04, 0, 9, 0x61, 0x62], 0x81],
    ['a PUBLISH with packet id 0', [0x32, 0x06, 0, 1, 0x61, 0, 0, 0], 0x82],
    ['an empty topic', [0x30, 0x03, 0, 0, 0], 0x82],
    ['a wildcard in a topic', [0x30, 0x04, 0, 1, 0x23, 0], 0x82],
    ['a topic that is not UTF-8', [0x30, 0x04, 0, 1, 0xff, 0], 0x81],
    ['packet type 0', [0x00, 0x00], 0x81],
    ['a SUBSCRIBE with wrong flags', [0x80, 0x07, 0, 1, 0, 0, 1, 0x61, 0], 0x81],
    ['a second CONNECT', [0x10, 0x0d, 0, 4, 0x4d, 0x51, 0x54, 0x54, 5, 2, 0, 0, 0, 0, 0], 0x82],
    ['a CONNACK from a client', [0x20, 0x03, 0, 0, 0], 0x82],
    ['a properties length beyond the packet', [0x32, 0x06, 0, 1, 0x61, 0, 1, 0x7f], 0x81],
  ]
  for (const [name, bytes, reasonCode] of malformed) {
    it(`${name} closes with 0x${reasonCode.toString(16)}`, async () => {
      await expectOthersServed(async () => {
        const machine = await test.createMachine()
        const client = await RawClient.login(test.port, machine, { version: 5 })
        client.sendBytes(bytes)
        expect((await client.next('disconnect')).reasonCode).toBe(reasonCode)
        await client.closed()
      })
    })
  }

  it('a packet over the limit closes with 0x95 before its bytes come', async () => {
    await expectOthersServed(async () => {
      const machine = await test.createMachine()
      const client = await RawClient.login(test.port, machine, { version: 5 })
      client.sendBytes([0x30, 0xff, 0xff, 0xff, 0x7f])
      expect((await client.next('disconnect')).reasonCode).toBe(0x95)
      await client.closed()
      const old = await RawClient.login(test.port, machine)
      old.sendBytes([0x30, 0xff, 0xff, 0xff, 0x7f])
      await old.closed()
    })
  })

  it('before the login only a short CONNECT is read', async () => {
    for (const bytes of [
      [0xc0, 0],
      [0x30, 0x04, 0, 1, 0x61, 0],
      [0x10, 0xff, 0xff, 0x7f],
      [0x10, 0x02, 0, 4],
    ]) {
      const client = await RawClient.open(test.port)
      client.sendBytes(bytes)
      await client.closed()
      expect(client.packets).toEqual([])
    }
  })

  it('an unknown protocol version is refused with return code 1', async () => {
    const client = await RawClient.open(test.port)
    client.sendBytes([0x10, 0x0c, 0, 4, 0x4d, 0x51, 0x54, 0x54, 9, 2, 0, 0, 0, 0])
    expect((await client.next('connack')).returnCode).toBe(1)
  })

  it('random bytes never do harm', async () => {
    await expectOthersServed(async () => {
      const machine = await test.createMachine()
      let seed = 42
      const random = () => {
        seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
        return seed / 0x7fffffff
      }
      for (let round = 0; round < 30; round++) {
        const client = await RawClient.login(test.port, machine, { version: round % 2 ? 4 : 5 })
        const noise = Buffer.from(Array.from({ length: 200 }, () => Math.floor(random() * 256)))
        noise[0] = (1 + Math.floor(random() * 15)) << 4
        noise[1] = 60
        client.sendBytes(noise)
        client.socket.end()
        await client.closed()
      }
    })
  })

  it('a packet that comes byte by byte is a packet', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine)
    const payload = Buffer.from('{"n":1}')
    const topic = Buffer.from(plainTopic.telemetry)
    const bytes = [0x32, topic.length + payload.length + 4, 0, topic.length, ...topic, 0, 9, ...payload]
    for (const byte of bytes) {
      client.sendBytes([byte])
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect((await client.next('puback')).messageId).toBe(9)
    client.destroy()
  })
})

describe('unreadable messages', () => {
  const unreadable: [name: string, payload: Buffer, verdict: string, detail: string][] = [
    ['JSON that is a number', Buffer.from('5'), 'unknownShape', 'JSON that is no object or array'],
    ['JSON that is null', Buffer.from('null'), 'unknownShape', 'JSON that is no object or array'],
    ['no JSON', Buffer.from('{"a":'), 'notJson', 'not JSON'],
    [
      'bad UTF-8',
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      'notJson',
      'not UTF-8; if the machine sends GBK, set its text encoding',
    ],
    ['nothing', Buffer.alloc(0), 'notJson', 'not JSON'],
    [
      'over 256 kB',
      Buffer.from(`{"a":"${'x'.repeat(262_140)}"}`),
      'tooLarge',
      '262148 bytes of JSON, at most 262144',
    ],
  ]
  for (const [name, payload, verdict, detail] of unreadable) {
    it(`${name}: acknowledged, not stored, kept with the reason`, async () => {
      const machine = await test.createMachine()
      const client = await RawClient.login(test.port, machine)
      client.publish(plainTopic.telemetry, payload)
      await client.next('puback')
      await expect
        .poll(() => test.rawMessages(machine.machineId))
        .toEqual([{ topic: plainTopic.telemetry, verdict, detail, bytes: payload.length }])
      expect(await test.samples(machine.machineId)).toEqual([])
      client.destroy()
    })
  }

  it('no adapter can read it: stored with the reason', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine)
    client.publish(`v1/devices/me/claim`, 'x')
    await client.next('puback')
    await expect
      .poll(async () => (await test.rawMessages(machine.machineId))[0]?.verdict)
      .toBe('unknownTopic')
    client.destroy()
  })

  it('only the last hundred are kept', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine)
    for (let id = 1; id <= 150; id++) client.publish(plainTopic.telemetry, `no ${id}`, { messageId: id })
    for (let id = 1; id <= 150; id++) await client.next('puback')
    const last = async () => (await test.rawMessages(machine.machineId)).length
    await expect.poll(last).toBe(100)
    client.publish(plainTopic.telemetry, 'one more', { messageId: 151 })
    await client.next('puback')
    await expect.poll(async () => (await test.rawMessages(machine.machineId)).at(-1)?.bytes).toBe(8)
    await expect.poll(last).toBe(100)
    client.destroy()
  })
})

describe('values and times', () => {
  it('a time that is off is stored at arrival, uncertain; a backlog fills history', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine)
    const before = Date.now()
    const hourAgo = before - 3_600_000
    client.publish(plainTopic.telemetry, JSON.stringify({ ts: hourAgo, values: { a: 1 } }), { messageId: 1 })
    await client.next('puback')
    client.publish(plainTopic.telemetry, JSON.stringify({ ts: 'yesterday', values: { b: 1 } }), {
      messageId: 2,
    })
    await client.next('puback')
    const backlog = [
      { ts: hourAgo, values: { c: 1 } },
      { ts: before, values: { c: 2 } },
    ]
    client.publish(plainTopic.telemetry, JSON.stringify(backlog), { messageId: 3 })
    await client.next('puback')
    const rows = await test.samples(machine.machineId)
    expect(
      rows.filter(({ tag }) => tag !== 'c').map(({ quality, late, at }) => [quality, late, at >= before]),
    ).toEqual([
      [64, false, true],
      [64, false, true],
    ])
    expect(rows.filter(({ tag }) => tag === 'c').map(({ at, late, quality }) => [at, late, quality])).toEqual(
      [
        [hourAgo, true, 192],
        [before, false, 192],
      ],
    )
    client.destroy()
  })

  it('null is bad without a value, of a tag that is known', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine)
    client.publish(plainTopic.telemetry, '[{"a":1,"never":null}, {"a":null}]')
    await client.next('puback')
    expect(
      (await test.samples(machine.machineId)).map(({ tag, value, quality }) => [tag, value, quality]),
    ).toEqual([
      ['a', 1, 192],
      ['a', null, 0],
    ])
    client.destroy()
  })

  it('a packet may be as long as its limit', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine)
    client.publish(`spBv1.0/g/NDATA/${machine.code}`, Buffer.alloc(gatewayLimits.packetBytesMax - 100))
    await client.next('puback')
    client.destroy()
  })
})

describe('alarms and attributes', () => {
  it('are kept, without characters that turn the direction of text', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine)
    const alarm = {
      id: 'E2107',
      state: 'raised',
      level: 'critical',
      text: { cn: '油压\u2067低', en: 'Oil pressure\u202e low' },
    }
    client.publish(plainTopic.alarms, JSON.stringify(alarm), { messageId: 1 })
    client.publish(plainTopic.attributes, '{"model":"P-100","gps":{"lat":30.2,"lng":120.1}}', {
      messageId: 2,
    })
    client.publish(plainTopic.alarms, '{"id":"E1","state":"broken"}', { messageId: 3 })
    for (let id = 1; id <= 3; id++) await client.next('puback')
    const alarms = await test.database.db
      .selectFrom('alarms')
      .select(['key', 'level', 'text'])
      .where('machine_id', '=', machine.machineId)
      .execute()
    expect(alarms).toEqual([
      { key: 'E2107', level: 'critical', text: { cn: '油压低', en: 'Oil pressure low' } },
    ])
    const row = await test.database.db
      .selectFrom('machines')
      .select('attributes')
      .where('id', '=', machine.machineId)
      .executeTakeFirst()
    expect(row?.attributes).toEqual({ model: 'P-100', gps: { lat: 30.2, lng: 120.1 } })
    await expect
      .poll(async () => (await test.rawMessages(machine.machineId))[0])
      .toMatchObject({ verdict: 'unknownShape', detail: 'an alarm is raised or cleared' })
    client.destroy()
  })
})
