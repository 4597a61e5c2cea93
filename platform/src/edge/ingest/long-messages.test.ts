import { gzipSync } from 'node:zlib'
import {
  alarmPrefix,
  compressedPayload,
  encodeSparkplugPayload,
  propertyKey,
  SparkplugDatatype,
  type SparkplugMetric,
} from '@busbar/link'
import { fillDisk } from '@busbar/platform/test-support/telemetry/logged-samples.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { RawClient } from '../../../test-support/gateway/raw-client.ts'
import { startTestGateway, type TestGateway } from '../../../test-support/gateway/test-gateway.ts'
import { uplinkLimits } from '../../modules/telemetry/index.ts'
import { gatewayLimits } from '../limits.ts'
import { TurnQueue } from '../mqtt/turn-queue.ts'
import { SparkplugNode } from './adapters/sparkplug.ts'
import { LongMessages, longTopic } from './long-messages.ts'

const birthTopic = { type: 'NBIRTH', group: 'g', edgeNode: 'n' } as const
const engUnit = { type: SparkplugDatatype.string, raw: { kind: 'string', value: 'mm' } } as const

function birth(tags: number, timestamp: number, value = 1): Buffer {
  const metrics = Array.from({ length: tags }, (_, place): SparkplugMetric => {
    return {
      name: `Line ${place % 20}/A sensor with a long name ${place}`,
      alias: place + 1,
      timestamp,
      datatype: SparkplugDatatype.double,
      properties: { [propertyKey.engUnit]: engUnit },
      raw: { kind: 'double', value },
    }
  })
  const bdSeq = {
    name: 'bdSeq',
    datatype: SparkplugDatatype.int64,
    raw: { kind: 'long', value: 3n },
  } as const
  const alarm = {
    name: `${alarmPrefix}hot`,
    datatype: SparkplugDatatype.boolean,
    raw: { kind: 'boolean', value: true },
  } as const
  return Buffer.from(encodeSparkplugPayload({ timestamp, seq: 0, metrics: [bdSeq, alarm, ...metrics] }))
}

describe('a long message', () => {
  it.each([
    ['as it is', (bytes: Buffer) => bytes],
    [
      'compressed',
      (bytes: Buffer) => Buffer.from(encodeSparkplugPayload(compressedPayload(gzipSync(bytes), 'GZIP'))),
    ],
  ])('is read over many turns and says the same as one read at once: %s', async (_, wrap) => {
    const now = Date.now()
    const payload = wrap(birth(5_000, now))
    expect(longTopic('spBv1.0/g/NBIRTH/n', payload)).toEqual(birthTopic)
    const turns = new TurnQueue(() => performance.now())
    let others = 0
    let isReading = true
    const other = {
      takeTurn: () => {
        others++
        return isReading
      },
    }
    turns.add(other)
    const long = new LongMessages(turns).enter(birthTopic, payload, now)
    const decoded = await long?.decoded
    isReading = false
    expect(others).toBeGreaterThanOrEqual(25)
    const inTurns = new SparkplugNode()
    const atOnce = new SparkplugNode()
    const uplink = inTurns.accept(birthTopic, payload, now, decoded)
    expect(uplink).toEqual(atOnce.accept(birthTopic, payload, now))
    expect(uplink.records).toHaveLength(10_001)
  })

  it('that is malformed is refused in the same way as one read at once', async () => {
    const payload = Buffer.concat([birth(1_000, Date.now()), Buffer.from([0xff])])
    const long = new LongMessages(new TurnQueue(() => 0)).enter(birthTopic, payload, 0)
    const uplink = new SparkplugNode().accept(birthTopic, payload, 0, await long?.decoded)
    expect(uplink).toEqual(new SparkplugNode().accept(birthTopic, payload, 0))
    expect(uplink.verdict).toBe('protocolError')
  })

  it('is one of few that are read at a time; the next begins when one is stored or its connection ends', async () => {
    const long = new LongMessages(new TurnQueue(() => 0))
    const enter = () => long.enter(birthTopic, birth(300, 0), 0)
    const messages = Array.from({ length: gatewayLimits.longMessagesMax }, enter)
    const next = enter()
    await Promise.all(messages.map((message) => message?.decoded))
    let isRead = false
    void next?.decoded.then(() => {
      isRead = true
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isRead).toBe(false)
    if (messages[0]) long.leave(messages[0])
    expect(await next?.decoded).toHaveProperty('birth')
    const last = enter()
    last?.end()
    expect(await last?.decoded).toBeUndefined()
  })

  it('waits as long as there is room for its bytes', () => {
    const long = new LongMessages(new TurnQueue(() => 0))
    const half = Buffer.alloc(gatewayLimits.longMessagesBytesMax / 2)
    expect(long.enter(birthTopic, half, 0)).toBeDefined()
    expect(long.enter(birthTopic, half, 0)).toBeDefined()
    expect(long.enter(birthTopic, Buffer.alloc(1), 0)).toBeUndefined()
  })
})

describe('a birth of many tags at the gateway', () => {
  let test: TestGateway
  const clients: RawClient[] = []

  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy()
    await test.stop()
  })

  async function connect(machine: { code: string; secret: string }): Promise<RawClient> {
    const client = await RawClient.login(test.port, machine)
    clients.push(client)
    return client
  }

  const count = uplinkLimits.samplesPerPart * 2

  it("keeps its machine's next messages behind it", async () => {
    test = await startTestGateway()
    const machine = await test.createMachine()
    const client = await connect(machine)
    const at = Date.now()
    client.publish(`spBv1.0/g/NBIRTH/${machine.code}`, birth(count, at), { messageId: 1 })
    const metrics: SparkplugMetric[] = [{ alias: 1, timestamp: at + 1, raw: { kind: 'double', value: 9 } }]
    const data = encodeSparkplugPayload({ timestamp: at + 1, seq: 1, metrics })
    client.publish(`spBv1.0/g/NDATA/${machine.code}`, Buffer.from(data), { messageId: 2 })
    expect((await client.next('puback')).messageId).toBe(1)
    expect((await client.next('puback')).messageId).toBe(2)
    const samples = await test.samples(machine.machineId)
    expect(samples).toHaveLength(count + 1)
    expect(samples.at(-1)?.value).toBe(9)
  })

  it.each([
    ['with DUP', true],
    ['as a new message', false],
  ])('that was cut off between two parts is stored once when it is sent again %s', async (_, dup) => {
    test = await startTestGateway()
    const { db } = test.database
    const machine = await test.createMachine()
    const payload = birth(count, Date.now())
    const topic = `spBv1.0/g/NBIRTH/${machine.code}`
    const emptyDisk = await fillDisk(db, count / 2)
    const first = await connect(machine)
    first.publish(topic, payload, { messageId: 5 })
    await first.closed()
    expect(first.packets.some(({ cmd }) => cmd === 'puback')).toBe(false)
    expect(await test.samples(machine.machineId)).toHaveLength(count / 2)
    await emptyDisk()
    const second = await connect(machine)
    second.publish(topic, payload, { messageId: 5, dup })
    await second.next('puback')
    const samples = await test.samples(machine.machineId)
    expect(samples).toHaveLength(count)
    expect(new Set(samples.map(({ tag }) => tag)).size).toBe(count)
  })
})
