import { expect, it } from 'vitest'
import { RawClient } from '../../test-support/gateway/raw-client.ts'
import { startTestGateway } from '../../test-support/gateway/test-gateway.ts'

it('the STATE death at an orderly stop does not carry the time of the birth, and comes at QoS 1', async () => {
  let now = Date.UTC(2026, 10, 22)
  const bornAt = now
  const test = await startTestGateway({ now: () => now, hostId: 'plant-7' })
  const topic = 'spBv1.0/STATE/plant-7'
  const [sure, lazy] = await Promise.all(
    ([1, 0] as const).map(async (qos) => {
      const client = await RawClient.login(test.port, await test.createMachine())
      client.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: 'spBv1.0/STATE/+', qos }] })
      const state = await client.next('publish')
      expect(state).toMatchObject({ topic, qos, retain: true, dup: false })
      expect(JSON.parse(String(state.payload))).toEqual({ online: true, timestamp: bornAt })
      return client
    }),
  )
  now += 3_600_000
  await test.stop()
  for (const [client, qos] of [
    [sure, 1],
    [lazy, 0],
  ] as const) {
    const death = await client?.next('publish')
    expect(death).toMatchObject({ topic, qos, retain: false })
    expect(JSON.parse(String(death?.payload))).toEqual({ online: false, timestamp: now })
  }
})
