import { plainTopic } from '@busbar/link'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { RawClient } from '../../test-support/gateway/raw-client.ts'
import { startTestGateway, type TestGateway } from '../../test-support/gateway/test-gateway.ts'
import { gatewayLimits } from './limits.ts'
import { TurnQueue } from './mqtt/turn-queue.ts'

let test: TestGateway

beforeAll(async () => {
  test = await startTestGateway()
})

afterAll(() => test.stop())

const pingRequest = [0xc0, 0]
const flood = 200_000

it('a flood of PINGREQ does not delay the PUBACK of others', async () => {
  const flooder = await RawClient.login(test.port, await test.createMachine())
  const other = await RawClient.login(test.port, await test.createMachine())
  let answered = 0
  flooder.socket.removeAllListeners('data')
  const allAnswered = new Promise<void>((resolve) =>
    flooder.socket.on('data', (bytes: Buffer) => {
      answered += bytes.length / pingRequest.length
      if (answered === flood) resolve()
    }),
  )
  const begun = new Promise((resolve) => flooder.socket.once('data', resolve))
  flooder.sendBytes(Buffer.alloc(flood * pingRequest.length, Buffer.from(pingRequest)))
  await begun
  other.publish(plainTopic.telemetry, '{"n":1}')
  await other.next('puback')
  // The order counts: acknowledged while most of the flood waits.
  expect(answered).toBeLessThan(flood / 2)
  await allAnswered
  flooder.destroy()
  other.destroy()
})

it('a flood of WebSocket pings takes its turns and is answered by few pongs', async () => {
  const ws = new WebSocket(test.webSocketUrl, 'mqtt')
  await new Promise((resolve) => ws.once('open', resolve))
  const pings = 10_000
  let pongs = 0
  const last = new Promise<void>((resolve) =>
    ws.on('pong', (data) => {
      pongs++
      if (data.toString() === String(pings)) resolve()
    }),
  )
  for (let ping = 1; ping <= pings; ping++) ws.ping(String(ping))
  await last
  expect(pongs).toBeLessThan(pings / gatewayLimits.turnPacketsMax)
  ws.terminate()
})

it('packets of one connection keep their order over many turns, up to a DISCONNECT just before its end', async () => {
  const machine = await test.createMachine()
  const client = await RawClient.login(test.port, machine)
  const count = gatewayLimits.turnPacketsMax * 5
  for (let n = 1; n <= count; n++) client.publish(plainTopic.telemetry, `{"n":${n}}`, { messageId: n })
  const acknowledged: (number | undefined)[] = []
  for (let n = 1; n <= count; n++) acknowledged.push((await client.next('puback')).messageId)
  expect(acknowledged).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  const willed = await RawClient.login(test.port, machine, {
    connect: {
      will: { topic: plainTopic.telemetry, payload: Buffer.from('{"willed":1}'), qos: 0, retain: false },
    },
  })
  const last = `{"last":${count}}`
  for (let n = 0; n < count; n++) willed.publish(plainTopic.telemetry, last, { qos: 0 })
  willed.send({ cmd: 'disconnect' } as never)
  willed.socket.end()
  await willed.closed()
  await expect.poll(() => test.gateway.stats().connections).toBe(0)
  await test.telemetry.settled()
  const tags = (await test.samples(machine.machineId)).map(({ tag }) => tag)
  expect(tags).toContain('last')
  expect(tags).not.toContain('willed')
  client.destroy()
})

it('waiting work has its turn before later work, and a stretch ends although some wait', async () => {
  let now = 0
  const took: string[] = []
  const queue = new TurnQueue(() => now)
  const taker = (name: string, turns: number) => ({
    takeTurn() {
      took.push(name)
      now += 3
      return --turns > 0
    },
  })
  const one = taker('one', 3)
  queue.add(one)
  queue.add(taker('two', 2))
  queue.add(taker('three', 1))
  queue.add(one)
  while (took.length < 6) {
    const before = took.length
    await new Promise(setImmediate)
    expect(took.length - before).toBeLessThanOrEqual(2)
  }
  expect(took).toEqual(['one', 'two', 'three', 'one', 'two', 'one'])
})
