import { setImmediate } from 'node:timers/promises'
import { plainTopic } from '@busbar/link'
import { afterEach, expect, it } from 'vitest'
import { RawClient } from '../../test-support/gateway/raw-client.ts'
import { startTestGateway, type TestGateway } from '../../test-support/gateway/test-gateway.ts'
import { type RefusedTags, type Telemetry, TelemetryBusy } from '../modules/telemetry/index.ts'
import { gatewayLimits } from './limits.ts'

let test: TestGateway
let client: RawClient | undefined

afterEach(async () => {
  client?.destroy()
  await test.stop()
})

/** A store whose commits end when the test ends them. */
function heldStore() {
  const held: { resolve(refused: RefusedTags): void; reject(error: Error): void }[] = []
  let listener: ((isHigh: boolean) => void) | undefined
  let isHigh = false
  return {
    held,
    setPressure(high: boolean) {
      isHigh = high
      listener?.(high)
    },
    wrap: (telemetry: Telemetry): Telemetry =>
      new Proxy(telemetry, {
        get(target, key) {
          if (key === 'append')
            return () => new Promise<RefusedTags>((resolve, reject) => held.push({ resolve, reject }))
          if (key === 'isUnderPressure') return isHigh
          if (key === 'onPressure')
            return (told: typeof listener) => {
              listener = told
              return () => {}
            }
          const value = Reflect.get(target, key, target) as unknown
          return typeof value === 'function' ? value.bind(target) : value
        },
      }),
  }
}

const publishMany = (to: RawClient, count: number) => {
  for (let id = 1; id <= count; id++) to.publish(plainTopic.telemetry, `{"n":${id}}`, { messageId: id })
}

/** Waits until the platform has read everything that it will read for now: a ping of another client is answered. */
async function settle(): Promise<void> {
  const other = await RawClient.login(test.port, await test.createMachine())
  for (let round = 0; round < 20; round++) {
    other.sendBytes([0xc0, 0])
    await other.next('pingresp')
  }
  other.destroy()
}

/** Resolves after many turns of the event loop, so that every socket without a pause has been read. */
async function polls(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await setImmediate()
}

it('a connection with too many unanswered messages is read no further, and goes on when they are', async () => {
  const store = heldStore()
  test = await startTestGateway({ wrapTelemetry: store.wrap })
  client = await RawClient.login(test.port, await test.createMachine())
  publishMany(client, gatewayLimits.inflightMax + 500)
  await expect.poll(() => store.held.length).toBe(gatewayLimits.inflightMax)
  await settle()
  expect(store.held).toHaveLength(gatewayLimits.inflightMax)
  for (const { resolve } of store.held.splice(0)) resolve([])
  await expect.poll(() => store.held.length).toBe(500)
  for (const { resolve } of store.held.splice(0)) resolve([])
  await expect.poll(() => client?.packets.length).toBe(gatewayLimits.inflightMax + 500)
})

it('while the store is under pressure no connection is read', async () => {
  const store = heldStore()
  test = await startTestGateway({ wrapTelemetry: store.wrap })
  client = await RawClient.login(test.port, await test.createMachine())
  store.setPressure(true)
  publishMany(client, 10)
  await polls()
  expect(store.held).toHaveLength(0)
  store.setPressure(false)
  await expect.poll(() => store.held.length).toBe(10)
  for (const { resolve } of store.held) resolve([])
})

it('a message that could not be stored is not acknowledged', async () => {
  const store = heldStore()
  test = await startTestGateway({ wrapTelemetry: store.wrap })
  client = await RawClient.login(test.port, await test.createMachine(), { version: 5 })
  publishMany(client, 2)
  await expect.poll(() => store.held.length).toBe(2)
  for (const { reject } of store.held) reject(new TelemetryBusy())
  expect((await client.next('disconnect')).reasonCode).toBe(0x89)
  await client.closed()
  expect(client.packets).toEqual([])
})
