import { once } from 'node:events'
import { type AddressInfo, connect, createServer as createRelay, type Socket } from 'node:net'
import { createServer, connect as secureConnect } from 'node:tls'
import { generate } from 'mqtt-packet'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '../../test-support/gateway/test-gateway.ts'
import { deviceCertificate, deviceKey } from '../../test-support/tunnels/device-certificate.ts'
import { ConfigError, readConfig } from '../config.ts'

const proxy = '127.0.7.1'
const client = '203.0.113.9'
const header = Buffer.from(`PROXY TCP4 ${client} 192.0.2.2 40000 1883\r\n`)
const local = Buffer.from('0d0a0d0a000d0a515549540a20000000', 'hex')

let test: TestGateway

beforeEach(async () => {
  test = await startTestGateway({ isProxy: (address) => address === proxy })
})

afterEach(() => test.stop())

async function openFrom(localAddress: string, port = test.port): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

async function createConnect() {
  const { code, secret, machineId } = await test.createMachine()
  const packet = generate({
    ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, clientId: code, keepalive: 60 },
    ...{ username: code, password: Buffer.from(secret) },
  })
  return { packet, machineId }
}

const welcome = Buffer.from([0x20, 2, 0, 0])

/** The address under which the machine is known to be connected. */
const addressOf = (machineId: number) =>
  expect.poll(async () => {
    await test.gateway.presence.flush()
    const row = await test.database.db
      .selectFrom('machine_connections')
      .select('address')
      .where('machine_id', '=', machineId)
      .executeTakeFirst()
    return row?.address
  })

it('a proxy’s machine has the address that the header names, however the bytes are cut', async () => {
  const { packet, machineId } = await createConnect()
  const socket = await openFrom(proxy)
  for (const byte of Buffer.concat([header, packet])) {
    socket.write(Buffer.from([byte]))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect((await once(socket, 'data'))[0]).toEqual(welcome)
  await addressOf(machineId).toBe(client)
  expect(test.gateway.stats().newcomers).toBe(0)
  socket.destroy()
})

it('the header comes before TLS', async () => {
  const server = createServer({ cert: deviceCertificate, key: deviceKey })
  const port = await test.gateway.startTls(server, { host: '127.0.0.1', port: 0 })
  const { packet, machineId } = await createConnect()
  // A relay that sends both in one packet, as proxies do.
  const relay = createRelay((incoming) => {
    incoming.once('data', async (hello: Buffer) => {
      const socket = await openFrom(proxy, port)
      socket.write(Buffer.concat([header, hello]))
      incoming.pipe(socket).pipe(incoming)
    })
  }).listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const relayPort = (relay.address() as AddressInfo).port
  const secure = secureConnect({ port: relayPort, host: '127.0.0.1', rejectUnauthorized: false })
  await once(secure, 'secureConnect')
  secure.write(packet)
  expect((await once(secure, 'data'))[0]).toEqual(welcome)
  await addressOf(machineId).toBe(client)
  secure.destroy()
  await expect.poll(() => test.gateway.stats().connections).toBe(0)
  relay.close()
})

it('the proxy speaks for itself by LOCAL, and its health check may close without a word', async () => {
  const { packet, machineId } = await createConnect()
  const socket = await openFrom(proxy)
  socket.write(Buffer.concat([local, packet]))
  expect((await once(socket, 'data'))[0]).toEqual(welcome)
  await addressOf(machineId).toBe(proxy)
  socket.destroy()
  const check = await openFrom(proxy)
  check.end()
  await once(check.resume(), 'close')
  expect(test.logged.filter(({ message }) => message === 'proxyHeader.refused')).toEqual([])
})

it('a proxy’s connection without a header is refused, and so is anybody else’s with one', async () => {
  const { packet } = await createConnect()
  for (const [from, bytes] of [
    [proxy, packet],
    ['127.0.7.2', Buffer.concat([header, packet])],
  ] as const) {
    const socket = await openFrom(from)
    const said: Buffer[] = []
    socket.on('data', (part: Buffer) => said.push(part)).write(bytes)
    await once(socket, 'close')
    expect(Buffer.concat(said)).not.toEqual(welcome)
  }
  const told = test.logged.filter(({ message }) => message === 'proxyHeader.refused')
  expect(told.map(({ fields }) => fields)).toEqual([{ address: proxy, reason: 'there is no header' }])
  const direct = await openFrom('127.0.7.2')
  direct.write(packet)
  expect((await once(direct, 'data'))[0]).toEqual(welcome)
  direct.destroy()
})

it('200 strangers of one address behind a proxy leave room for the others behind it', async () => {
  const strangers: Socket[] = []
  for (let opened = 0; opened < 200; opened++) {
    const socket = await openFrom(proxy)
    socket.write(header)
    strangers.push(socket)
  }
  await expect.poll(() => test.gateway.stats().newcomers).toBe(200)
  const { packet } = await createConnect()
  const socket = await openFrom(proxy)
  socket.write(Buffer.concat([Buffer.from('PROXY TCP4 203.0.113.10 192.0.2.2 1 2\r\n'), packet]))
  expect((await once(socket, 'data'))[0]).toEqual(welcome)
  for (const each of [...strangers, socket]) each.destroy()
})

it('a stop does not wait for headers that never come', async () => {
  const socket = await openFrom(proxy)
  const closed = once(socket.resume(), 'close')
  await test.gateway.stop()
  await closed
})

it('the setting needs proxies to believe', () => {
  expect(() => readConfig({ MQTT_PROXY_PROTOCOL: '1' })).toThrow(ConfigError)
})
