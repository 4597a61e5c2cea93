import { Quality } from '@busbar/link'
import { afterEach, expect, test } from 'vitest'
import { findFreePort } from '../../../../testkit/src/free-port.ts'
import type { LogFields } from '../../log.ts'
import { buildTag } from '../../testing/builders.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import type { ModbusDevice } from '../../testing/modbus-device.ts'
import { startModbusDevice } from '../../testing/modbus-device.ts'
import type { Driver } from '../driver.ts'
import { refusedRetryMs } from '../polled/tag-memory.ts'
import { parseModbusAddress } from './address.ts'
import type { ModbusConnection, ModbusTag } from './modbus-connection.ts'
import { openModbusDriver } from './modbus-protocol.ts'
import type { ModbusTcpOptions } from './tcp-transport.ts'
import { openTcpTransport } from './tcp-transport.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function tag(address: string, fields: Partial<ModbusTag> = {}): ModbusTag {
  const place = parseModbusAddress(address)
  if (place === null) throw new Error(address)
  const isBit = place.area === 'coil' || place.area === 'discrete' || place.bit !== null
  return {
    ...buildTag({ name: address, type: isBit ? 'bool' : 'uint16' }),
    address: place,
    wordOrder: 'ABCD',
    stringBytes: 0,
    ...fields,
  }
}

type TestConnection = ModbusConnection & ModbusTcpOptions

interface Setup {
  device: ModbusDevice
  driver: Driver
  clock: ManualClock
  events: string[]
}

function driverFor(port: number, tags: ModbusTag[], fields: Partial<TestConnection> = {}) {
  const clock = new ManualClock()
  const events: string[] = []
  const log = (_level: string, event: string, about?: LogFields) =>
    void events.push(about?.tags === undefined ? event : `${event} ${about.tags}`)
  const connection: TestConnection = {
    name: 'test',
    host: '127.0.0.1',
    port,
    unit: 1,
    timeoutMs: 15_000,
    pauseMs: 0,
    closeAfterPoll: false,
    transactionIds: 'check',
    protocolIds: 'check',
    unitIds: 'check',
    blockRegistersMax: 125,
    blockBitsMax: 2_000,
    gapRegistersMax: 8,
    gapBitsMax: 64,
    tags,
    ...fields,
  }
  const driver = openModbusDriver(connection, () => openTcpTransport(connection), { clock, log })
  cleanups.push(() => driver.close())
  return { driver, clock, events }
}

async function setUp(tags: ModbusTag[], fields: Partial<TestConnection> = {}): Promise<Setup> {
  const device = await startModbusDevice()
  cleanups.push(() => device.close())
  return { device, ...driverFor(device.port, tags, fields) }
}

const values = async (driver: Driver) => (await driver.poll()).map((reading) => reading.value)

function fill(
  device: ModbusDevice,
  area: keyof ModbusDevice['memory'],
  start: number,
  registers: number[],
): void {
  registers.forEach((register, index) => {
    device.memory[area].set(start + index, register)
  })
}

test('reads all four areas, types, bits, strings and scaled values', async () => {
  const { device, driver } = await setUp([
    tag('holding:100', { type: 'int16', factor: 0.1 }),
    tag('holding:101', { type: 'uint32', wordOrder: 'CDAB' }),
    tag('holding:103', { type: 'int64' }),
    tag('holding:107.3'),
    tag('holding:108', { type: 'string', stringBytes: 5 }),
    tag('input:3', { type: 'float32' }),
    tag('coil:5'),
    tag('coil:6'),
    tag('discrete:7'),
  ])
  fill(
    device,
    'holding',
    100,
    [0xff85, 0x0001, 0x0002, 0xffff, 0xffff, 0xffff, 0xfff6, 0b1000, 0x4142, 0x4344, 0x4500],
  )
  fill(device, 'input', 3, [0x41ac, 0x0000])
  fill(device, 'coil', 5, [1, 0])
  fill(device, 'discrete', 7, [1])
  const readings = await driver.poll()
  expect(readings.map((reading) => reading.value)).toEqual([
    -12.3,
    131073,
    -10n,
    true,
    'ABCDE',
    21.5,
    true,
    false,
    true,
  ])
  expect(readings.every((reading) => reading.quality === Quality.good)).toBe(true)
  expect(device.requests).toEqual(['holding:100+11', 'input:3+2'])
})

test('one wrong tag is bad, its neighbours stay good, and it does not cost requests at every poll', async () => {
  const tags = [0, 1, 2, 3].map((address) => tag(`holding:${address}`))
  const { device, driver, clock, events } = await setUp(tags)
  fill(device, 'holding', 0, [10, 11])
  fill(device, 'holding', 3, [13])
  expect(await values(driver)).toEqual([10, 11, null, 13])
  expect((await driver.poll())[2]?.quality).toBe(Quality.bad)
  expect(events).toEqual(['controller.tagsRefused holding:2'])

  device.requests.length = 0
  expect(await values(driver)).toEqual([10, 11, null, 13])
  // Register 2 is a gap now, which this device refuses: learnt once, at the poll before.
  expect(device.requests).toEqual(['holding:0+2', 'holding:3+1'])

  fill(device, 'holding', 2, [12])
  clock.advance(refusedRetryMs)
  expect(await values(driver)).toEqual([10, 11, 12, 13])
  expect(events).toEqual(['controller.tagsRefused holding:2', 'controller.tagsReadable'])
})

test('a refused gap and a too long request teach the driver to ask otherwise', async () => {
  const { device, driver } = await setUp([tag('holding:0'), tag('holding:5')])
  fill(device, 'holding', 0, [1])
  fill(device, 'holding', 5, [2])
  expect(await values(driver)).toEqual([1, 2])
  device.requests.length = 0
  expect(await values(driver)).toEqual([1, 2])
  expect(device.requests).toEqual(['holding:0+1', 'holding:5+1'])

  const long = await setUp(Array.from({ length: 100 }, (_, index) => tag(`holding:${index}`)))
  long.device.registersMax = 30
  fill(
    long.device,
    'holding',
    0,
    Array.from({ length: 100 }, (_, index) => index),
  )
  const expected = Array.from({ length: 100 }, (_, index) => index)
  for (let round = 0; round < 3; round++) expect(await values(long.driver)).toEqual(expected)
  long.device.requests.length = 0
  expect(await values(long.driver)).toEqual(expected)
  expect(long.device.requests).toEqual(['holding:0+25', 'holding:25+25', 'holding:50+25', 'holding:75+25'])
})

test('a passing exception (busy) makes the poll bad and is forgotten', async () => {
  const { device, driver } = await setUp([tag('holding:0'), tag('holding:1')])
  fill(device, 'holding', 0, [1, 2])
  device.exceptionCode = 6
  expect(await values(driver)).toEqual([null, null])
  device.exceptionCode = null
  device.requests.length = 0
  expect(await values(driver)).toEqual([1, 2])
  expect(device.requests).toEqual(['holding:0+2'])
})

test('a gateway that does not reach its unit is asked for one block and one tag a poll, not for every tag', async () => {
  const { device, driver } = await setUp(Array.from({ length: 20 }, (_, index) => tag(`holding:${index}`)))
  device.exceptionCode = 0x0b
  expect(await values(driver)).toEqual(Array(20).fill(null))
  expect(device.requests).toEqual(['holding:0+20', 'holding:0+1'])
})

test('a device that stops answering: all bad after the timeout, good again after the pause', async () => {
  const { device, driver, clock, events } = await setUp([tag('holding:0'), tag('coil:0')], { timeoutMs: 500 })
  fill(device, 'holding', 0, [7])
  fill(device, 'coil', 0, [1])
  expect(await values(driver)).toEqual([7, true])
  device.silent = true
  expect(await driver.poll()).toEqual([
    { index: 0, value: null, quality: Quality.bad },
    { index: 1, value: null, quality: Quality.bad },
  ])
  device.silent = false
  expect(await values(driver)).toEqual([null, null])
  clock.advance(1_000)
  expect(await values(driver)).toEqual([7, true])
  expect(events).toEqual(['controller.away', 'controller.back'])
})

test('a connection closed between two polls is opened again without a bad value', async () => {
  const { device, driver } = await setUp([tag('holding:0')])
  fill(device, 'holding', 0, [7])
  expect(await values(driver)).toEqual([7])
  device.dropConnections()
  // Both ends are in this process: gone is when neither is left.
  while (process.getActiveResourcesInfo().includes('TCPSocketWrap')) {
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await values(driver)).toEqual([7])
})

test('a connection that breaks in the middle of a request does not wait for the timeout: it asks again over a new one', async () => {
  const { device, driver } = await setUp([tag('holding:0')], { timeoutMs: 60_000 })
  fill(device, 'holding', 0, [7])
  await driver.poll()
  device.silent = true
  const count = device.requests.length
  const poll = values(driver)
  while (device.requests.length === count) await new Promise((resolve) => setImmediate(resolve))
  device.silent = false
  device.dropConnections()
  expect(await poll).toEqual([7])
})

test('without a device values are bad immediately; retries slow down and find it when it appears', async () => {
  const port = await findFreePort()
  const { driver, clock, events } = driverFor(port, [tag('holding:0')])
  expect(await values(driver)).toEqual([null])
  clock.advance(1_000)
  expect(await values(driver)).toEqual([null])
  const device = await startModbusDevice(port)
  cleanups.push(() => device.close())
  fill(device, 'holding', 0, [7])
  clock.advance(1_999)
  expect(await values(driver)).toEqual([null])
  clock.advance(1)
  expect(await values(driver)).toEqual([7])
  expect(events).toEqual(['controller.away', 'controller.back'])
})
