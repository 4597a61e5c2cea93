import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { plainTopic } from '@busbar/link'
import mqtt from 'mqtt'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillDiskOf } from '../../test-support/full-disk.ts'
import { RawClient } from '../../test-support/gateway/raw-client.ts'
import { startTestGateway, type TestGateway } from '../../test-support/gateway/test-gateway.ts'
import { HttpPresence } from './presence/http-presence.ts'
import { httpSilenceMsMax } from './presence/http-silence.ts'

const run = promisify(execFile)
const mosquittoPub = process.env.BUSBAR_MOSQUITTO_PUB ?? '/usr/bin/mosquitto_pub'

let test: TestGateway

beforeAll(async () => {
  test = await startTestGateway()
})

afterAll(() => test.stop())

describe('outside clients', () => {
  for (const [name, protocolVersion, over] of [
    ['mqtt 3.1.1 over TCP', 4, 'tcp'],
    ['mqtt 5 over TCP', 5, 'tcp'],
    ['mqtt 3.1.1 over WebSocket', 4, 'ws'],
    ['mqtt 5 over WebSocket', 5, 'ws'],
  ] as const) {
    it(`${name} publishes at every QoS`, async () => {
      const machine = await test.createMachine()
      const client = await mqtt.connectAsync(over === 'tcp' ? test.url : test.webSocketUrl, {
        protocolVersion,
        username: machine.code,
        password: machine.secret,
        clientId: `${machine.code}:test`,
      })
      const at = Date.now()
      for (const qos of [1, 2] as const) {
        const payload = JSON.stringify({ ts: at + qos, values: { temp: 20 + qos } })
        await client.publishAsync(plainTopic.telemetry, payload, { qos })
      }
      expect((await test.samples(machine.machineId)).map((row) => [row.tag, row.at, row.value])).toEqual([
        ['temp', at + 1, 21],
        ['temp', at + 2, 22],
      ])
      await client.publishAsync(plainTopic.telemetry, JSON.stringify({ ts: at + 3, values: { temp: 23 } }))
      await expect.poll(() => test.samples(machine.machineId)).toHaveLength(3)
      expect(test.gateway.presence.isOnline(machine.machineId)).toBe(true)
      await client.endAsync()
      await expect.poll(() => test.gateway.presence.isOnline(machine.machineId)).toBe(false)
    })
  }

  it('mosquitto_pub publishes at QoS 1', async () => {
    const machine = await test.createMachine()
    const args = ['-h', '127.0.0.1', '-p', String(test.port), '-u', machine.code, '-P', machine.secret]
    await run(mosquittoPub, [
      ...args,
      '-i',
      machine.code,
      '-q',
      '1',
      '-t',
      plainTopic.telemetry,
      '-m',
      '{"rpm":1450}',
    ])
    await run(mosquittoPub, [
      ...args,
      '-i',
      machine.code,
      '-V',
      '5',
      '-q',
      '2',
      '-t',
      plainTopic.telemetry,
      '-m',
      '{"rpm":1451}',
    ])
    expect((await test.samples(machine.machineId)).map((row) => [row.tag, row.value])).toEqual([
      ['rpm', 1450],
      ['rpm', 1451],
    ])
  })
})

describe('a connection', () => {
  it('is answered only after the commit', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine)
    for (let id = 1; id <= 20; id++) {
      client.publish(plainTopic.telemetry, JSON.stringify({ ts: Date.now(), values: { [`n${id}`]: id } }), {
        messageId: id,
      })
      expect((await client.next('puback')).messageId).toBe(id)
      expect(await test.samples(machine.machineId)).toHaveLength(id)
    }
    client.destroy()
  })

  it('gets its acknowledgements in the order of its messages, refused ones among them', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine)
    for (let id = 1; id <= 9; id++) {
      client.publish(plainTopic.telemetry, id % 3 === 0 ? 'no json' : `{"n":${id}}`, { messageId: id })
    }
    const ids: (number | undefined)[] = []
    for (let id = 1; id <= 9; id++) ids.push((await client.next('puback')).messageId)
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    client.destroy()
  })

  it('of the same machine takes over from the one before, without a gap', async () => {
    const machine = await test.createMachine()
    const old = await RawClient.login(test.port, machine, { version: 5 })
    const events = test.presenceEvents.length
    const young = await RawClient.login(test.port, machine, {
      version: 5,
      connect: { clientId: `${machine.code}:2` },
    })
    expect((await old.next('disconnect')).reasonCode).toBe(0x8e)
    await old.closed()
    expect(test.gateway.presence.isOnline(machine.machineId)).toBe(true)
    expect(test.presenceEvents).toHaveLength(events)
    expect(test.logged.some(({ fields }) => String(fields.why).startsWith('taken over'))).toBe(true)
    young.publish(plainTopic.telemetry, '{"a":1}')
    await young.next('puback')
    young.destroy()
    await expect.poll(() => test.gateway.presence.isOnline(machine.machineId)).toBe(false)
  })

  it('that changes between two addresses in turn raises an alarm', async () => {
    const machine = await test.createMachine()
    const alarms = () =>
      test.database.db
        .selectFrom('alarms')
        .select('key')
        .where('machine_id', '=', machine.machineId)
        .execute()
    for (const localAddress of ['127.0.0.1', '127.0.0.2', '127.0.0.2', '127.0.0.1']) {
      await RawClient.login(test.port, machine, { localAddress })
    }
    expect(await alarms()).toEqual([])
    const last = await RawClient.login(test.port, machine, { localAddress: '127.0.0.2' })
    await expect.poll(alarms).toEqual([{ key: 'busbar/takeover' }])
    last.destroy()
  })

  it('that changes while the disk is full raises its alarm when there is room', async () => {
    const machine = await test.createMachine()
    const disk = await fillDiskOf(test.database.db, 'alarms')
    for (const localAddress of ['127.0.0.1', '127.0.0.2', '127.0.0.1', '127.0.0.2'])
      await RawClient.login(test.port, machine, { localAddress })
    await disk.met()
    await disk.giveRoom()
    const alarms = () =>
      test.database.db
        .selectFrom('alarms')
        .select('key')
        .where('machine_id', '=', machine.machineId)
        .execute()
    await expect.poll(alarms, { timeout: 15_000 }).toEqual([{ key: 'busbar/takeover' }])
  })

  it('ends when its keep-alive runs out one and a half times, not before', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine, { version: 5, connect: { keepalive: 1 } })
    const openedAt = performance.now()
    client.sendBytes([0xc0, 0])
    await client.next('pingresp')
    expect((await client.next('disconnect')).reasonCode).toBe(0x8d)
    expect(performance.now() - openedAt).toBeGreaterThan(1_400)
  })

  it('that breaks publishes its will, one that leaves does not', async () => {
    const machine = await test.createMachine()
    const will = { topic: plainTopic.telemetry, payload: Buffer.from('{"gone":true}'), qos: 0, retain: false }
    const polite = await RawClient.login(test.port, machine, { connect: { will } })
    polite.send({ cmd: 'disconnect' })
    await polite.closed()
    const broken = await RawClient.login(test.port, machine, { connect: { will } })
    expect(await test.samples(machine.machineId)).toHaveLength(0)
    broken.destroy()
    await expect.poll(() => test.samples(machine.machineId)).toHaveLength(1)
  })

  it('gets the state of the platform when it subscribes to it', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine)
    client.send({ cmd: 'subscribe', messageId: 7, subscriptions: [{ topic: 'spBv1.0/STATE/+', qos: 1 }] })
    expect((await client.next('suback')).granted).toEqual([1])
    const state = await client.next('publish')
    expect(state).toMatchObject({ topic: 'spBv1.0/STATE/busbar', retain: true, qos: 1 })
    expect(JSON.parse(String(state.payload))).toMatchObject({ online: true })
    client.destroy()
  })

  it('keeps QoS 2 exactly once within its session', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine)
    const telling = { qos: 2, messageId: 5 } as const
    client.publish(plainTopic.telemetry, '{"n":1}', telling)
    await client.next('pubrec')
    client.publish(plainTopic.telemetry, '{"n":1}', telling)
    await client.next('pubrec')
    client.send({ cmd: 'pubrel', messageId: 5 })
    expect((await client.next('pubcomp')).messageId).toBe(5)
    expect(await test.samples(machine.machineId)).toHaveLength(1)
    client.destroy()
  })

  it('has its presence kept: begin, end, last seen', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine)
    client.publish(plainTopic.telemetry, '{"n":1}')
    await client.next('puback')
    client.destroy()
    const rows = () =>
      test.database.db
        .selectFrom('machine_connections')
        .select(['protocol', 'address', 'ended_at'])
        .where('machine_id', '=', machine.machineId)
        .execute()
    await expect.poll(async () => (await rows())[0]?.ended_at ?? null).not.toBe(null)
    expect(await rows()).toMatchObject([{ protocol: 'tcp/mqtt', address: '127.0.0.1' }])
    expect(test.gateway.presence.lastSeenAt(machine.machineId)).toBeGreaterThan(Date.now() - 60_000)
  })

  it('makes its values stale when it ends', async () => {
    const machine = await test.createMachine()
    const client = await RawClient.login(test.port, machine)
    client.publish(plainTopic.telemetry, '{"n":1}')
    await client.next('puback')
    expect(await test.telemetry.listLatest(machine.machineId)).toMatchObject([{ value: 1, quality: 'good' }])
    client.destroy()
    await expect
      .poll(async () => (await test.telemetry.listLatest(machine.machineId))[0]?.quality)
      .toBe('stale')
  })
})

describe('HTTP ingest', () => {
  const basic = (code: string, secret: string) =>
    `Basic ${Buffer.from(`${code}:${secret}`).toString('base64')}`
  const bodyOf = (text: string) => async () => Buffer.from(text)

  it('stores the same JSON and answers after the commit', async () => {
    const machine = await test.createMachine()
    const body = bodyOf(JSON.stringify({ temp: 21.5, on: true }))
    const answer = await test.gateway.ingestHttp(basic(machine.code, machine.secret), body, '127.0.0.9')
    expect(answer).toEqual({ stored: 2, refused: [] })
    expect(await test.samples(machine.machineId)).toHaveLength(2)
  })

  it('is being online, until it was silent for a while', async () => {
    const machine = await test.createMachine()
    const { presence } = test.gateway
    const online = () => presence.isOnline(machine.machineId)
    const send = () =>
      test.gateway.ingestHttp(basic(machine.code, machine.secret), bodyOf('{"a":1}'), '127.0.0.9')
    await send()
    expect(online()).toBe(true)
    const client = await RawClient.login(test.port, machine)
    await send()
    client.destroy()
    await expect.poll(online).toBe(false)
    await send()
    expect(online()).toBe(true)
    let ticks = 0
    const watch = new HttpPresence(presence, () => ticks)
    const other = await test.createMachine()
    watch.seen(other.machineId, '127.0.0.9', Date.now())
    ticks += httpSilenceMsMax
    watch.sweep()
    expect(presence.isOnline(other.machineId)).toBe(true)
    ticks += 1_000
    watch.sweep()
    expect(presence.isOnline(other.machineId)).toBe(false)
  })

  it('refuses strangers, and pauses a code that is wrong ten times', async () => {
    const machine = await test.createMachine()
    const ask = (secret: string) =>
      test.gateway.ingestHttp(basic(machine.code, secret), bodyOf('{"a":1}'), '127.0.0.77')
    expect(await test.gateway.ingestHttp(undefined, bodyOf('{}'), '127.0.0.77')).toEqual({ code: '113' })
    expect(await ask('wrong')).toEqual({ code: '113' })
    expect(await ask(machine.secret)).toEqual({ stored: 1, refused: [] })
    for (let failed = 1; failed < 10; failed++) expect(await ask('wrong')).toEqual({ code: '113' })
    expect(await ask(machine.secret)).toMatchObject({ retryIn: expect.any(Number) })
  })

  it('reports why it did not store', async () => {
    const machine = await test.createMachine()
    const answer = await test.gateway.ingestHttp(
      basic(machine.code, machine.secret),
      bodyOf('[1]'),
      '127.0.0.9',
    )
    const report = { stored: 0, refused: ['1 entries of the array are no objects'] }
    expect(answer).toEqual({ code: '400', report })
  })
})
