import { plainTopic } from '@busbar/link'
import { afterEach, expect, it } from 'vitest'
import { RawClient } from '../../test-support/gateway/raw-client.ts'
import { startTestGateway, type TestGateway } from '../../test-support/gateway/test-gateway.ts'
import type { Telemetry } from '../modules/telemetry/index.ts'

let test: TestGateway
const clients: RawClient[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await test.stop()
})

/** A store whose room for alarms the test sets. */
function roomStore() {
  let room = 0
  let listener = () => {}
  return {
    open() {
      room = 100
      listener()
    },
    wrap: (telemetry: Telemetry): Telemetry =>
      new Proxy(telemetry, {
        get(target, key) {
          if (key === 'alarmRoom') return room
          if (key === 'onAlarmRoom')
            return (told: () => void) => {
              listener = told
              return () => {}
            }
          const value = Reflect.get(target, key, target) as unknown
          return typeof value === 'function' ? value.bind(target) : value
        },
      }),
  }
}

const raised = '{"id":"E1","level":"major","text":"Mains voltage lost","state":"raised"}'

async function login(machine: { code: string; secret: string }): Promise<RawClient> {
  const client = await RawClient.login(test.port, machine)
  clients.push(client)
  return client
}

const countAlarms = async () => (await test.database.db.selectFrom('alarms').select('id').execute()).length

it('an alarm waits for room together with later messages of its machine, and delays no other', async () => {
  const store = roomStore()
  test = await startTestGateway({ wrapTelemetry: store.wrap })
  const [storming, other] = [await test.createMachine(), await test.createMachine()]
  const [first, second] = [await login(storming), await login(other)]
  first.publish(plainTopic.telemetry, '{"n":1}', { messageId: 1 })
  first.publish(plainTopic.alarms, raised, { messageId: 2 })
  first.publish(plainTopic.telemetry, '{"n":2}', { messageId: 3 })
  expect((await first.next('puback')).messageId).toBe(1)
  second.publish(plainTopic.telemetry, '{"n":1}', { messageId: 7 })
  expect((await second.next('puback')).messageId).toBe(7)
  expect(first.packets).toEqual([])
  expect(await countAlarms()).toBe(0)
  store.open()
  expect((await first.next('puback')).messageId).toBe(2)
  expect((await first.next('puback')).messageId).toBe(3)
  expect(await countAlarms()).toBe(1)
})

it('an alarm that waits for room is stored though its connection ends', async () => {
  const store = roomStore()
  test = await startTestGateway({ wrapTelemetry: store.wrap })
  const client = await login(await test.createMachine())
  client.publish(plainTopic.telemetry, '{"n":1}', { messageId: 1 })
  client.publish(plainTopic.alarms, raised, { qos: 0 })
  await client.next('puback')
  client.socket.end()
  await client.closed()
  store.open()
  await expect.poll(countAlarms, { timeout: 10_000 }).toBe(1)
})

it('a machine whose alarm waits for room is not silent', async () => {
  const store = roomStore()
  let aheadMs = 0
  test = await startTestGateway({ wrapTelemetry: store.wrap, ticks: () => performance.now() + aheadMs })
  const open = async () => {
    const client = await RawClient.login(test.port, await test.createMachine(), {
      connect: { keepalive: 60 },
    })
    clients.push(client)
    return client
  }
  const [waiting, silent] = [await open(), await open()]
  waiting.publish(plainTopic.alarms, raised, { messageId: 1 })
  silent.publish(plainTopic.telemetry, '{"n":1}', { messageId: 1 })
  await silent.next('puback')
  aheadMs = 600_000
  await silent.closed()
  store.open()
  expect((await waiting.next('puback')).messageId).toBe(1)
})

it('no alarm comes by HTTP ingest, where nothing waits for room', async () => {
  test = await startTestGateway()
  const { code, secret } = await test.createMachine()
  const authorization = `Basic ${Buffer.from(`${code}:${secret}`).toString('base64')}`
  for (const body of [raised, `[${raised}]`])
    await test.gateway.ingestHttp(authorization, async () => Buffer.from(body), '127.0.0.9')
  expect(await countAlarms()).toBe(0)
})
