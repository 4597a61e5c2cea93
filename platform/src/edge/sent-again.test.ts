import { encodeSparkplugPayload, plainTopic, rawValue, SparkplugDatatype } from '@busbar/link'
import type { TestMachine } from '@busbar/testkit/builders.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RawClient } from '../../test-support/gateway/raw-client.ts'
import { startTestGateway, type TestGateway } from '../../test-support/gateway/test-gateway.ts'
import { createRandom } from '../../test-support/histories/random.ts'
import { StoreFailed, type Telemetry } from '../modules/telemetry/index.ts'
import { digestOf, KnownMessages } from './ingest/known-messages.ts'
import { gatewayLimits } from './limits.ts'

/** Appends wait for it while it is set; the test lets them continue or fail. */
let held: { goOn(): void; fail(error: Error): void }[] | undefined
let test: TestGateway
let ticks: number
let machine: TestMachine
const clients: RawClient[] = []

beforeEach(async () => {
  ticks = 0
  held = undefined
  test = await startTestGateway({ ticks: () => ticks, wrapTelemetry: holdable })
  machine = await test.createMachine()
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await test.stop()
})

function holdable(telemetry: Telemetry): Telemetry {
  const append: Telemetry['append'] = async (...given) => {
    if (held) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      held.push({ goOn: resolve, fail: reject })
      await promise
    }
    return telemetry.append(...given)
  }
  return new Proxy(telemetry, {
    get(target, name) {
      if (name === 'append') return append
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function connect(): Promise<RawClient> {
  const client = await RawClient.login(test.port, machine)
  clients.push(client)
  return client
}

/** Publishes at QoS 1 and waits for the acknowledgement. */
async function publish(
  client: RawClient,
  payload: string | Buffer,
  more: { messageId?: number; dup?: boolean; topic?: string } = {},
): Promise<void> {
  client.publish(more.topic ?? plainTopic.telemetry, payload, more)
  await client.next('puback')
}

function post(body: string) {
  const basic = Buffer.from(`${machine.code}:${machine.secret}`).toString('base64')
  return test.gateway.ingestHttp(`Basic ${basic}`, async () => Buffer.from(body), '127.0.0.1')
}

const stamped = (value: number, ts = Date.now()) => JSON.stringify({ ts, values: { n: value } })
const valuesOf = async () => (await test.samples(machine.machineId)).map(({ value }) => value)
const verdicts = async () =>
  (await test.gateway.listRawMessages(machine.machineId, 50)).map(({ verdict }) => verdict).reverse()

describe('a message sent again', () => {
  it('with its packet id and DUP is stored once, with a stamp or without', async () => {
    const client = await connect()
    for (const [messageId, payload] of [
      [1, '{"n":1}'],
      [2, stamped(2)],
    ] as const) {
      await publish(client, payload, { messageId })
      await publish(client, payload, { messageId, dup: true })
    }
    expect(await valuesOf()).toEqual(expect.arrayContaining([1, 2]))
    expect(await valuesOf()).toHaveLength(2)
    expect(await verdicts()).toEqual(['stored', 'repeated', 'stored', 'repeated'])
  })

  it('over another connection is stored once where it is stamped', async () => {
    const [old, payload] = [stamped(1, Date.now() - 1_000), stamped(2)]
    const first = await connect()
    await publish(first, old)
    await publish(first, payload, { messageId: 2 })
    first.destroy()
    const second = await connect()
    await publish(second, old)
    await publish(second, payload, { messageId: 7 })
    await publish(second, '{"n":3}')
    await publish(await connect(), '{"n":3}')
    expect(await valuesOf()).toHaveLength(4)
    expect(await verdicts()).toEqual(['stored', 'stored', 'repeated', 'repeated', 'stored', 'stored'])
  })

  it('by HTTP is answered with success, and how many values were stored before', async () => {
    const payload = stamped(1)
    expect(await post(payload)).toEqual({ stored: 1, refused: [] })
    expect(await post(payload)).toEqual({ stored: 0, repeated: 1, refused: [] })
    await publish(await connect(), payload)
    expect(await valuesOf()).toEqual([1])
    expect(await verdicts()).toEqual(['stored', 'repeated', 'repeated'])
  })

  it('among others is reported by HTTP value by value', async () => {
    const ts = Date.now()
    await post(stamped(1, ts))
    const again = JSON.stringify([
      { ts, values: { n: 1 } },
      { ts: ts + 1, values: { n: 2 } },
    ])
    expect(await post(again)).toMatchObject({ stored: 1, repeated: 1 })
    expect(await post(` ${stamped(2, ts + 1)}`)).toMatchObject({ stored: 0, repeated: 1 })
    expect(await valuesOf()).toEqual([1, 2])
    expect(await verdicts()).toEqual(['stored', 'stored', 'repeated'])
  })

  it('after ten minutes is read value by value', async () => {
    const payload = stamped(1)
    await post(payload)
    ticks += gatewayLimits.knownMessageMsMax + 1
    expect(await post(payload)).toMatchObject({ stored: 0, repeated: 1, notes: [expect.any(String)] })
  })

  it('waits for the commit of the first', async () => {
    const payload = stamped(1)
    held = []
    const first = await connect()
    first.publish(plainTopic.telemetry, payload)
    await expect.poll(() => held?.length).toBe(1)
    const second = post(payload)
    first.publish(plainTopic.telemetry, payload, { dup: true })
    first.send({ cmd: 'pingreq' })
    await first.next('pingresp')
    expect(first.packets).toEqual([])
    expect(held).toHaveLength(1)
    for (const append of held) append.goOn()
    await first.next('puback')
    await first.next('puback')
    expect(await second).toMatchObject({ stored: 0, repeated: 1 })
    expect(await valuesOf()).toEqual([1])
  })

  it('is stored when the first was not, once for all senders', async () => {
    const payload = stamped(1)
    held = []
    const first = post(payload)
    await expect.poll(() => held?.length).toBe(1)
    const [second, third] = [post(payload), post(payload)]
    held.shift()?.fail(new StoreFailed('full'))
    expect(await first).toMatchObject({ code: '503' })
    await expect.poll(() => held?.length).toBe(1)
    held.shift()?.goOn()
    expect([await second, await third]).toEqual(
      expect.arrayContaining([
        { stored: 1, refused: [] },
        { stored: 0, repeated: 1, refused: [] },
      ]),
    )
    expect(held).toEqual([])
    expect(await valuesOf()).toEqual([1])
  })

  it('is refused again where it was refused', async () => {
    const refused = JSON.stringify({ ts: Date.now(), values: { ['x'.repeat(300)]: 1 } })
    expect(await post(refused)).toMatchObject({ code: '400' })
    expect(await post(refused)).toMatchObject({ code: '400' })
    const client = await connect()
    await publish(client, refused)
    await publish(client, refused, { dup: true })
    expect(await verdicts()).toEqual(Array(4).fill('tagsRefused'))
  })

  it('is new for the next owner', async () => {
    const payload = stamped(1)
    const client = await connect()
    await publish(client, payload)
    test.gateway.disown(machine.machineId)
    await client.closed()
    await publish(await connect(), payload)
    // The message is dropped; its value is still recognised, because the owner in the store is the same.
    const [last] = await test.gateway.listRawMessages(machine.machineId, 1)
    expect(last).toMatchObject({ verdict: 'repeated', detail: expect.stringContaining('1 values') })
  })
})

describe('not sent again', () => {
  it('is the same message without DUP over the same connection', async () => {
    const client = await connect()
    await publish(client, '{"n":1}')
    await publish(client, '{"n":1}')
    expect(await valuesOf()).toEqual([1, 1])
  })

  it('is another one with DUP and the packet id of an earlier one', async () => {
    const client = await connect()
    await publish(client, '{"n":1}')
    await publish(client, '{"n":2}', { dup: true })
    expect(await valuesOf()).toEqual([1, 2])
  })

  it('applies to a message with an implausible stamp', async () => {
    const unset = stamped(1, Date.UTC(1990, 0, 1))
    const told = { stored: 1, refused: [], notes: [expect.stringContaining('1990-01-01')] }
    expect(await post(unset)).toEqual(told)
    expect(await post(unset)).toEqual(told)
  })

  it('applies to a node’s birth and its next message, though their stamps are equal', async () => {
    const timestamp = Date.now()
    const int = SparkplugDatatype.int32
    const bytes = (seq: number, value: number) =>
      Buffer.from(
        encodeSparkplugPayload({
          timestamp,
          seq,
          metrics: [{ name: 'n', datatype: int, timestamp, raw: rawValue(value, int) }],
        }),
      )
    const topic = (type: string) => `spBv1.0/plant/${type}/${machine.code}`
    for (let connection = 0; connection < 2; connection++) {
      const client = await connect()
      await publish(client, bytes(0, 0), { topic: topic('NBIRTH') })
      for (let seq = 1; seq < 4; seq++) {
        await publish(client, bytes(seq, seq), { topic: topic('NDATA'), messageId: seq })
        const [latest] = await test.telemetry.listLatest(machine.machineId)
        expect(latest?.value).toBe(BigInt(seq))
      }
      client.destroy()
      await client.closed()
    }
    expect(await verdicts()).not.toContain('repeated')
  })
})

describe('known messages', () => {
  const about = { packetId: 1, source: {}, isStamped: true, values: 1, cost: 1, adapter: null }
  const sent = { qos: 1, packetId: 1, isDup: false }
  const said = (machineId: number, text: string) => ({
    machineId,
    topic: 't',
    digest: digestOf(Buffer.from(text)),
  })

  it('are let go by age, and of one machine its oldest above its share', () => {
    const known = new KnownMessages(() => ticks)
    const most = gatewayLimits.knownMessagesPerMachineMax
    expect(most).toBeGreaterThanOrEqual(gatewayLimits.inflightMax)
    known.add(said(2, 'other'), about)
    for (let count = 0; count <= most; count++) known.add(said(1, `${count}`), about)
    expect(known.count).toBe(most + 1)
    expect(known.find(said(1, '0'), sent, {})).toBeUndefined()
    expect(known.find(said(1, '1'), sent, {})).toBeDefined()
    expect(known.find(said(2, 'other'), sent, {})).toBeDefined()
    ticks += gatewayLimits.knownMessageMsMax
    known.add(said(2, 'fresh'), about)
    ticks += 1
    known.sweep()
    expect(known.count).toBe(1)
    expect(known.find(said(2, 'fresh'), sent, {})).toBeDefined()
    known.forget(2)
    expect(known.count).toBe(0)
  })

  it('are let go, the oldest of all machines first, when there are too many', () => {
    const known = new KnownMessages(() => ticks)
    const most = gatewayLimits.knownMessagesMax
    for (let count = 0; count <= most; count++) known.add(said(count % 1_000, `${count}`), about)
    expect(known.count).toBe(most)
    expect(known.find(said(0, '0'), sent, {})).toBeUndefined()
    expect(known.find(said(1, '1'), sent, {})).toBeDefined()
  })

  it('the result of one that was let go is not taken for that of the next in its place', async () => {
    const known = new KnownMessages(() => ticks)
    const first = known.add(said(1, 'first'), about)
    const settled = known.find(said(1, 'first'), sent, {})?.settled()
    known.forget(1)
    known.add(said(1, 'second'), about)
    known.settle(first, false)
    expect(known.find(said(1, 'second'), sent, {})).toMatchObject({ isStored: undefined })
    await expect(settled).resolves.toBe(false)
  })

  it('are found as a map of them all finds them, whatever is added, settled and let go', () => {
    const known = new KnownMessages(() => ticks)
    const model = new Map<string, { machineId: number; at: number; isStored: boolean | undefined }>()
    const { below } = createRandom(1)
    for (let step = 0; step < 20_000; step++) {
      const [machineId, text] = [below(20), `${below(200)}`]
      const key = `${machineId} ${text}`
      const kind = below(1_000)
      if (kind === 0) {
        known.forget(machineId)
        for (const [one, message] of model) if (message.machineId === machineId) model.delete(one)
      } else if (kind < 300) {
        const found = known.find(said(machineId, text), sent, {})
        const wanted = model.get(key)
        const isFresh = wanted !== undefined && ticks - wanted.at <= gatewayLimits.knownMessageMsMax
        expect(found !== undefined).toBe(isFresh && wanted.isStored !== false)
        if (found) expect(found.isStored).toBe(wanted?.isStored)
      } else {
        const isStored = [true, false, undefined][below(3)]
        const id = known.add(said(machineId, text), about)
        if (isStored !== undefined) known.settle(id, isStored)
        model.set(key, { machineId, at: ticks, isStored })
      }
      ticks += below(200)
      if (kind !== 1) continue
      known.sweep()
      for (const [one, { at }] of model) if (ticks - at > gatewayLimits.knownMessageMsMax) model.delete(one)
    }
    expect(model.size).toBeGreaterThan(1_000)
  })
})
