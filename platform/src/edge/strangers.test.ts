import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createServer, connect as secureConnect } from 'node:tls'
import { plainTopic } from '@busbar/link'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { RawClient } from '../../test-support/gateway/raw-client.ts'
import { startTestGateway, type TestGateway } from '../../test-support/gateway/test-gateway.ts'
import { deviceCertificate, deviceKey } from '../../test-support/tunnels/device-certificate.ts'
import { silentLogger } from '../kernel/logger.ts'
import { gatewayLimits } from './limits.ts'
import { Newcomers } from './mqtt/newcomers.ts'
import { UnfinishedPackets } from './mqtt/unfinished-packets.ts'

let test: TestGateway
let ticks: number

beforeEach(async () => {
  ticks = 0
  test = await startTestGateway({ ticks: () => ticks })
})

afterEach(() => test.stop())

const stranger = '127.0.7.7'

async function openStrangers(port: number, count: number): Promise<Socket[]> {
  const open = async () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: stranger })
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  const sockets: Socket[] = []
  for (let opened = 0; opened < count; opened++) sockets.push(await open())
  return sockets
}

it('connections that never sign in do not keep machines out, and one address has 200 of them', async () => {
  const { newcomersPerAddressMax } = gatewayLimits
  const waiting = await openStrangers(test.port, newcomersPerAddressMax)
  await expect.poll(() => test.gateway.stats().newcomers).toBe(newcomersPerAddressMax)
  const refused = await openStrangers(test.port, 3)
  for (const socket of refused) if (!socket.closed) await once(socket.resume(), 'close')
  expect(test.gateway.stats().refusedConnections).toBe(3)
  expect(test.logged.filter(({ message }) => message === 'connections.refused')).toHaveLength(1)
  const machine = await RawClient.login(test.port, await test.createMachine())
  machine.publish(plainTopic.telemetry, '{"n":1}')
  await machine.next('puback')
  for (const socket of waiting) socket.destroy()
  await expect.poll(() => test.gateway.stats().newcomers).toBe(0)
  const again = await RawClient.login(test.port, await test.createMachine(), { localAddress: stranger })
  expect(test.gateway.stats().newcomers).toBe(0)
  again.destroy()
  machine.destroy()
})

it('strangers are counted before the TLS handshake', async () => {
  const server = createServer({ cert: deviceCertificate, key: deviceKey })
  const port = await test.gateway.startTls(server, { host: '127.0.0.1', port: 0 })
  const silent = await openStrangers(port, 2)
  await expect.poll(() => test.gateway.stats().newcomers).toBe(2)
  const secure = secureConnect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(secure, 'secureConnect')
  await expect.poll(() => test.gateway.stats().connections).toBe(1)
  expect(test.gateway.stats().newcomers).toBe(3)
  const places = gatewayLimits.newcomersPerAddressMax - silent.length
  const waiting = await openStrangers(port, places)
  const [refused] = await openStrangers(port, 1)
  if (refused && !refused.closed) await once(refused.resume(), 'close')
  expect(test.gateway.stats().refusedConnections).toBe(1)
  for (const socket of [...silent, ...waiting, secure]) socket.destroy()
  await expect.poll(() => test.gateway.stats().newcomers).toBe(0)
})

it('all addresses together have a limit too, and IPv6 counts by /64', () => {
  const newcomers = new Newcomers({ max: 4, perAddressMax: 2 }, silentLogger, () => 0)
  const first = newcomers.enter('2001:db8::1')
  expect(newcomers.enter('2001:db8::2')).toBeDefined()
  expect(newcomers.enter('2001:db8::3')).toBeUndefined()
  expect(newcomers.enter('10.0.0.1')).toBeDefined()
  expect(newcomers.enter('10.0.0.2')).toBeDefined()
  expect(newcomers.enter('10.0.0.3')).toBeUndefined()
  first?.leave()
  first?.leave()
  expect(newcomers.count).toBe(3)
  expect(newcomers.enter('10.0.0.3')).toBeDefined()
})

it('an incomplete packet ends its connection in time, also with keep-alive 0', async () => {
  const slow = await RawClient.login(test.port, await test.createMachine())
  const fast = await RawClient.login(test.port, await test.createMachine())
  const begin = Buffer.from([0x30, 0x80, 0x80, 0x40])
  slow.sendBytes(begin)
  fast.sendBytes(begin)
  const unfinished = () => test.gateway.stats().unfinishedBytes
  await expect.poll(unfinished).toBe(2 * begin.length)
  fast.sendBytes(Buffer.alloc(40_000))
  await expect.poll(unfinished).toBe(2 * begin.length + 40_000)
  ticks += 31_000
  await slow.closed()
  expect(fast.isClosed).toBe(false)
  expect(unfinished()).toBe(begin.length + 40_000)
  ticks += 31_000
  await fast.closed()
  expect(unfinished()).toBe(0)
  expect(test.gateway.stats().endedUnfinished).toBe(2)
})

it('unfinished packets have a limit together, and the one that rested longest goes', () => {
  const ended: string[] = []
  const packets = new UnfinishedPackets(100, () => 0)
  const connection = (name: string) => ({ endUnfinished: () => ended.push(name) })
  const one = connection('one')
  const two = connection('two')
  packets.note(one, 40, true)
  packets.note(two, 40, true)
  packets.note(one, 50, false)
  packets.note(two, 40, false)
  packets.note(connection('three'), 20, true)
  expect(ended).toEqual(['two'])
  packets.note(one, 0, true)
  expect(packets.bytes).toBe(20)
})

it('the time in which the platform itself does not read is not counted', () => {
  let now = 0
  const ended: string[] = []
  const packets = new UnfinishedPackets(100, () => now)
  const held = { endUnfinished: (why: string) => ended.push(why) }
  packets.note(held, 10, true)
  packets.hold(held)
  now = 60_000
  packets.sweep()
  expect(ended).toEqual([])
  packets.note(held, 10, false)
  now += 30_001
  packets.sweep()
  expect(ended).toEqual(['a packet came too slowly'])
})
