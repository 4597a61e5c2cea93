import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '../../../testkit/src/free-port.ts'
import { systemClock } from '../clock.ts'
import { parseConfigWithDrivers } from '../config/parse-config.ts'
import { startModbusDevice } from '../testing/modbus-device.ts'
import { startOpcUaServer, testNamespace } from '../testing/opcua-server.ts'
import { startSnap7 } from '../testing/plc/snap7.ts'
import type { DriverKind } from './driver-kind.ts'

/** One try of the connection of these lines. */
async function probe(driver: string, fields: string, tag: string) {
  const { connections, kinds } = await parseConfigWithDrivers(`
cloud: { url: "mqtt://127.0.0.1:1", code: "1000000000000000001", secret: s }
connections: [{ name: plc, driver: ${driver}, timeoutMs: 2000, ${fields}, tags: [{ name: one, ${tag} }] }]
`)
  const [connection] = connections
  const { probe: tryOnce } = kinds.get(driver) as DriverKind
  if (connection === undefined || tryOnce === undefined) throw new Error('there is nothing to try')
  return tryOnce(connection, {
    clock: systemClock,
    log: () => undefined,
    random: Math.random,
    configFolder: tmpdir(),
    stateFolder: join(tmpdir(), `busbar-probes-${process.pid}`),
  })
}

test('Modbus: another unit, and silence, are told apart', async () => {
  const answersAs = (unit: number) =>
    createServer((socket) =>
      socket.on('data', (bytes: Buffer) => {
        if (bytes[6] === unit)
          socket.write(Buffer.from([bytes[0] ?? 0, bytes[1] ?? 0, 0, 0, 0, 5, unit, 3, 2, 0, 7]))
      }),
    )
  const server = answersAs(1)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const tryUnit = (unit: number) =>
    probe('modbus-tcp', `host: 127.0.0.1, port: ${port}, unit: ${unit}`, 'address: "holding:0"')
  expect(await tryUnit(1)).toMatchObject({ code: 'ok' })
  expect(await tryUnit(7)).toMatchObject({ code: 'wrongUnit' })
  server.close()
  const silent = await startModbusDevice()
  silent.memory.holding.set(0, 7)
  silent.silent = true
  expect(
    await probe('modbus-tcp', `host: 127.0.0.1, port: ${silent.port}`, 'address: "holding:0"'),
  ).toMatchObject({ code: 'timeout' })
  await silent.close()
})

test('S7: a block that is missing, a port of something else, and nothing', async () => {
  const server = await startSnap7({ blocks: { 10: 64 } })
  const tryBlock = (port: number, block: number) =>
    probe('s7', `host: 127.0.0.1, port: ${port}, slot: 2`, `address: "DB${block},REAL0"`)
  expect(await tryBlock(server.port, 10)).toMatchObject({ code: 'ok', connectMs: expect.any(Number) })
  expect(await tryBlock(server.port, 11)).toMatchObject({ code: 'readRefused' })
  await server.stop()
  const modbus = await startModbusDevice()
  expect((await tryBlock(modbus.port, 10)).code).not.toBe('ok')
  await modbus.close()
  const web = createServer((socket) =>
    socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  )
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  expect(await tryBlock((web.address() as { port: number }).port, 10)).toMatchObject({
    code: 'notThisProtocol',
  })
  web.close()
  expect(await tryBlock(await findFreePort(), 10)).toMatchObject({ code: 'refused', helloMs: null })
})

test('S7: a controller that closes the connection at its first words has another slot', async () => {
  const closes = createServer((socket) => socket.on('data', () => socket.end()))
  await new Promise<void>((resolve) => closes.listen(0, '127.0.0.1', resolve))
  const { port } = closes.address() as { port: number }
  expect(await probe('s7', `host: 127.0.0.1, port: ${port}, slot: 5`, 'address: MW10')).toMatchObject({
    code: 'wrongSlot',
  })
  closes.close()
})

test('OPC UA: a wrong password, a missing node, and security or users that are not offered', async () => {
  const variables = { Level: ['Double', 1.5] } satisfies Record<string, ['Double', number]>
  const tryAs = (url: string, more: string, node = 'Level') =>
    probe('opcua', `url: "${url}", ${more}`, `nodeId: "nsu=${testNamespace};s=${node}"`)
  const signed = (password: string) =>
    `security: SignAndEncrypt, trust: first, user: { name: me, password: ${password} }`
  const server = await startOpcUaServer({ users: { me: 'word' }, variables })
  expect(await tryAs(server.url, signed('word'))).toMatchObject({ code: 'ok', readMs: expect.any(Number) })
  expect(await tryAs(server.url, signed('other'))).toMatchObject({ code: 'wrongUser' })
  expect(await tryAs(server.url, signed('word'), 'Missing')).toMatchObject({ code: 'readRefused' })
  await server.close()
  const plain = await startOpcUaServer({ onlyPlain: true, variables })
  expect(await tryAs(plain.url, 'security: none')).toMatchObject({ code: 'ok' })
  expect(await tryAs(plain.url, signed('word'))).toMatchObject({ code: 'certificate' })
  expect(
    await tryAs(plain.url, 'security: none, user: { name: me, password: word, plain: true }'),
  ).toMatchObject({ code: 'wrongUser' })
  await plain.close()
})
