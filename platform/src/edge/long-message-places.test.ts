import { gzipSync } from 'node:zlib'
import {
  compressedPayload,
  encodeSparkplugPayload,
  rawValue,
  type SparkplugMetric,
  SparkplugDatatype as type,
} from '@busbar/link'
import { expect, it } from 'vitest'
import type { NodeTopic } from './ingest/adapters/sparkplug.ts'
import { type LongMessage, LongMessages, saysLittle } from './ingest/long-messages.ts'
import { gatewayLimits } from './limits.ts'
import { TurnQueue } from './mqtt/turn-queue.ts'

const { longMessagesMax, readAtOnceBytesMax } = gatewayLimits
const metricsOf = (count: number): SparkplugMetric[] =>
  Array.from({ length: count }, (_, place) => ({
    name: `a metric with a long name, number ${place}`,
    datatype: type.int32,
    raw: rawValue(place, type.int32),
  }))

const topicOf = (kind: 'NBIRTH' | 'NDATA'): NodeTopic => ({ type: kind, group: 'plant', edgeNode: 'node' })
const birth = Buffer.from(encodeSparkplugPayload({ timestamp: 1, seq: 0, metrics: metricsOf(1_000) }))
const packed = (count: number) => {
  const inner = encodeSparkplugPayload({ timestamp: 1, seq: 1, metrics: metricsOf(count) })
  return Buffer.from(encodeSparkplugPayload(compressedPayload(gzipSync(inner), 'GZIP')))
}

function open() {
  const messages = new LongMessages(new TurnQueue(() => performance.now()))
  const enter = (kind: 'NBIRTH' | 'NDATA', payload: Buffer): LongMessage => {
    const message = messages.enter(topicOf(kind), payload, 1)
    if (!message) throw new Error('too many wait')
    return message
  }
  return { messages, enter }
}

it('a short message that unfolds does not wait until the births of others are stored', async () => {
  const { messages, enter } = open()
  expect(birth.length).toBeGreaterThan(readAtOnceBytesMax)
  const births = Array.from({ length: longMessagesMax }, () => enter('NBIRTH', birth))
  for (const message of births) expect(await message.decoded).toHaveProperty('birth')
  for (let round = 0; round < longMessagesMax * 2; round++) {
    const short = enter('NDATA', packed(3))
    const decoded = await short.decoded
    expect(decoded && saysLittle(decoded)).toBe(true)
    messages.leave(short)
  }
})

it('many that unfold to much, or are long, wait until others are stored', async () => {
  for (const [kind, payload] of [
    ['NDATA', packed(1_000)],
    ['NBIRTH', birth],
  ] as const) {
    const { messages, enter } = open()
    const first = Array.from({ length: longMessagesMax }, () => enter(kind, payload))
    const next = enter(kind, payload)
    let isRead = false
    void next.decoded.then(() => {
      isRead = true
    })
    for (const message of first) {
      const decoded = await message.decoded
      expect(decoded && saysLittle(decoded)).toBe(false)
    }
    expect(isRead).toBe(false)
    // A second call gives no second place back.
    for (let told = 0; told < 2; told++) messages.leave(first[0] as LongMessage)
    await next.decoded
    const last = enter(kind, payload)
    let isLastRead = false
    void last.decoded.then(() => {
      isLastRead = true
    })
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(isLastRead).toBe(false)
  }
})
