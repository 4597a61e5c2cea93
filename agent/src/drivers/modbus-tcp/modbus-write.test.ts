import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { findFreePort } from '../../../../testkit/src/free-port.ts'
import { buildTag } from '../../testing/builders.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import type { ModbusDevice } from '../../testing/modbus-device.ts'
import { startModbusDevice } from '../../testing/modbus-device.ts'
import type { Driver } from '../driver.ts'
import { ControllerAway } from '../driver.ts'
import { parseModbusAddress } from './address.ts'
import type { ModbusTag } from './modbus-connection.ts'
import { openModbusDriver } from './modbus-protocol.ts'
import { openTcpTransport } from './tcp-transport.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function tag(address: string, fields: Partial<ModbusTag> = {}): ModbusTag {
  const place = parseModbusAddress(address)
  if (place === null) throw new Error(address)
  const isBit = place.area === 'coil' || place.bit !== null
  return {
    ...buildTag({ name: address, type: isBit ? 'bool' : 'uint16', readOnly: false }),
    address: place,
    wordOrder: 'ABCD',
    stringBytes: 0,
    ...fields,
  }
}

function driverFor(port: number, tags: ModbusTag[], timeoutMs = 15_000): Driver {
  const driver = openModbusDriver(
    {
      name: 'test',
      closeAfterPoll: false,
      blockRegistersMax: 125,
      blockBitsMax: 2_000,
      gapRegistersMax: 8,
      gapBitsMax: 64,
      tags,
    },
    () =>
      openTcpTransport({
        ...{ host: '127.0.0.1', port, unit: 1, timeoutMs, pauseMs: 0 },
        ...{ transactionIds: 'check', protocolIds: 'check', unitIds: 'check' },
      }),
    { clock: new ManualClock(), log: () => undefined },
  )
  cleanups.push(() => driver.close())
  return driver
}

async function setUp(tags: ModbusTag[]): Promise<{ device: ModbusDevice; driver: Driver }> {
  const device = await startModbusDevice()
  cleanups.push(() => device.close())
  for (let address = 0; address < 40; address++) device.memory.holding.set(address, 0)
  device.memory.coil.set(5, 0)
  return { device, driver: driverFor(device.port, tags) }
}

test.each([
  ['int16', {}, -2, [0xfffe]],
  ['uint16', {}, 65_535, [0xffff]],
  ['int16', { factor: 0.1 }, 21.5, [215]],
  ['uint16', { factor: -0.5, offset: 100 }, 90, [20]],
  ['int32', {}, -2, [0xffff, 0xfffe]],
  ['uint32', { wordOrder: 'CDAB' }, 0x1234_5678, [0x5678, 0x1234]],
  ['float32', {}, 1.5, [0x3fc0, 0x0000]],
  ['float32', { wordOrder: 'BADC' }, 1.5, [0xc03f, 0x0000]],
  ['float64', { wordOrder: 'DCBA' }, 1.5, [0x0000, 0x0000, 0x0000, 0xf83f]],
  ['int64', {}, -(2n ** 63n), [0x8000, 0, 0, 0]],
  ['uint64', { wordOrder: 'CDAB' }, 2n ** 64n - 2n, [0xfffe, 0xffff, 0xffff, 0xffff]],
  ['string', { stringBytes: 5 }, 'né', [0x6ec3, 0xa900, 0x0000]],
] as const)(
  'a %s with %o is written as its registers and read back the same',
  async (type, fields, value, registers) => {
    const { device, driver } = await setUp([tag('holding:10', { type, ...fields })])
    for (const register of [10, 11, 12, 13]) device.memory.holding.set(register, 0xaaaa)
    await driver.write(0, value)
    expect(registers.map((_, index) => device.memory.holding.get(10 + index))).toEqual([...registers])
    expect((await driver.read(0)).value).toBe(value)
  },
)

test('coils are written one by one, and bits of a register leave the others as they are', async () => {
  const { device, driver } = await setUp([
    tag('coil:5'),
    tag('holding:3.2'),
    tag('holding:4.2', { wordOrder: 'BADC' }),
  ])
  device.memory.holding.set(3, 0b1010)
  device.memory.holding.set(4, 0xffff)
  await driver.write(0, true)
  await driver.write(1, true)
  await driver.write(2, false)
  expect([device.memory.coil.get(5), device.memory.holding.get(3), device.memory.holding.get(4)]).toEqual([
    1, 0b1110, 0xfbff,
  ])
  expect((await driver.poll()).map(({ value }) => value)).toEqual([true, true, false])
})

test('a function that a device does not support is replaced by another one, and remembered', async () => {
  const { device, driver } = await setUp([tag('coil:5'), tag('holding:1'), tag('holding:3.0')])
  device.unknownFunctions = new Set([5, 6])
  for (let round = 0; round < 2; round++) {
    await driver.write(0, true)
    await driver.write(1, 7 + round)
    await driver.write(2, true)
  }
  expect([device.memory.coil.get(5), device.memory.holding.get(1), device.memory.holding.get(3)]).toEqual([
    1, 8, 1,
  ])
  expect(device.refusedFunctions).toEqual([5, 6])
})

test('a refusal is explained, and the connection stays', async () => {
  const { device, driver } = await setUp([tag('holding:90'), tag('holding:1')])
  await expect(driver.write(0, 1)).rejects.toThrow('illegal data address (Modbus exception 2)')
  await driver.write(1, 5)
  expect(device.memory.holding.get(1)).toBe(5)
})

test('a text that is too long is not cut but refused, before anything is sent', async () => {
  const { device, driver } = await setUp([tag('holding:1', { type: 'string', stringBytes: 4 })])
  await expect(driver.write(0, 'abcde')).rejects.toThrow('does not fit 4 bytes')
  expect(device.memory.holding.get(1)).toBe(0)
})

test('without a connection the write is not tried; without an answer it is reported as possibly done', async () => {
  const away = driverFor(await findFreePort(), [tag('holding:1')])
  await expect(away.write(0, 1)).rejects.toBeInstanceOf(ControllerAway)
  const device = await startModbusDevice()
  cleanups.push(() => device.close())
  device.silent = true
  const driver = driverFor(device.port, [tag('holding:1')], 500)
  await expect(driver.write(0, 1)).rejects.toThrow('did not answer')
})

test('a device with mask write changes one bit in one request', async () => {
  const bodies: Buffer[] = []
  const server = createServer((socket) => {
    socket.on('data', (request: Buffer) => {
      bodies.push(request.subarray(7))
      // The answer to FC 22 repeats the request (6.16).
      socket.write(request)
    })
    socket.on('error', () => undefined)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(async () => void server.close())
  const { port } = server.address() as AddressInfo
  const driver = driverFor(port, [tag('holding:3.2')])
  await driver.write(0, true)
  await driver.write(0, false)
  expect(bodies.map((body) => body.toString('hex'))).toEqual(['160003fffb0004', '160003fffb0000'])
  await driver.close()
})
