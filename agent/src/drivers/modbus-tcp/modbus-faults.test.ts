import { expect, onTestFinished, test, vi } from 'vitest'
import { buildTag } from '../../testing/builders.ts'
import type { FaultyModbusDevice } from '../../testing/faulty-modbus-device.ts'
import { startFaultyModbusDevice } from '../../testing/faulty-modbus-device.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { refusedRetryMs } from '../polled/tag-memory.ts'
import { modbusTcpKind } from './modbus-kind.ts'

/** Of a driver that waits for an answer in vain; others have as long as a busy machine needs. */
const silentMs = 400

type Options = Omit<Parameters<typeof modbusTcpKind.open>[0], 'tags'>

/** A device, and a driver of its holding registers with these addresses. */
async function open(addresses: readonly number[], fields: Partial<Options> = {}) {
  const device = await startFaultyModbusDevice()
  const clock = new ManualClock()
  const lines: string[] = []
  const driver = modbusTcpKind.open(
    {
      ...{ driver: 'modbus-tcp', name: 'press', pollIntervalMs: 1_000, host: '127.0.0.1', unit: 1 },
      ...{ port: device.port, timeoutMs: 15_000, pauseMs: 0, closeAfterPoll: false },
      ...{ transactionIds: 'check', protocolIds: 'check', unitIds: 'check' },
      ...{ wordOrder: 'ABCD', gapRegistersMax: 8, gapBitsMax: 64 },
      ...{ blockRegistersMax: 125, blockBitsMax: 2_000 },
      ...fields,
      tags: addresses.map((address) => ({
        ...buildTag({ name: String(address), type: 'uint16', readOnly: false }),
        address: { area: 'holding', address, bit: null },
        wordOrder: 'ABCD',
        stringBytes: 0,
      })),
    },
    {
      clock,
      log: (_level, event, about) =>
        void lines.push([event, about?.tags, about?.reason].filter(Boolean).join(' ')),
      random: () => 0.5,
      configFolder: '.',
      stateFolder: '.',
    },
  )
  onTestFinished(async () => {
    await driver.close()
    await device.close()
  })
  const values = async () => (await driver.poll()).map(({ value }) => value)
  return { device, driver, clock, lines, values }
}

const failFor =
  (address: number, fault: number | 'silent'): FaultyModbusDevice['fault'] =>
  ({ start, count }) =>
    start <= address && address < start + count ? fault : null

test.each([
  [
    'does not answer for one register',
    'silent' as const,
    `not answered, and others are (no answer within ${silentMs} ms)`,
  ],
  [
    'is a gateway that answers 0x0B for one register',
    0x0b,
    'not answered, and others are (the device behind the gateway does not answer (Modbus exception 11))',
  ],
])(
  'a device that %s: the others are read, and it is named, left out, and found again',
  async (_title, fault, reason) => {
    const { device, clock, lines, values } = await open([100, 200, 305], { timeoutMs: silentMs })
    device.fault = failFor(305, fault)
    for (let round = 0; round < 3; round++) expect(await values()).toEqual([100, 200, null])
    expect(lines).toEqual([`controller.tagsRefused 305 ${reason}`])
    device.requests.length = 0
    expect(await values()).toEqual([100, 200, null])
    expect(device.requests).toEqual(['100+1', '200+1'])
    device.fault = () => null
    clock.advance(refusedRetryMs)
    expect(await values()).toEqual([100, 200, 305])
    expect(lines.slice(1)).toEqual(['controller.tagsReadable'])
  },
)

test.each([300, 305])(
  'a silent register %i in the middle of a block costs the others three polls at most',
  async (silent) => {
    const addresses = Array.from({ length: 10 }, (_, index) => 300 + index)
    const { device, clock, lines, values } = await open(addresses, { timeoutMs: silentMs })
    device.fault = failFor(silent, 'silent')
    for (let round = 0; round < 4; round++) {
      await values()
      // As long as nothing is known, the device may be away.
      clock.advance(4_000)
    }
    expect(await values()).toEqual(addresses.map((address) => (address === silent ? null : address)))
    expect(lines.filter((line) => line.includes('tagsRefused'))).toEqual([
      `controller.tagsRefused ${silent} not answered, and others are (no answer within ${silentMs} ms)`,
    ])
  },
)

test('only if all registers stay silent is the device away, and back all are read at once', async () => {
  const { device, clock, lines, values } = await open([100, 101, 200, 300], { timeoutMs: silentMs })
  expect(await values()).toEqual([100, 101, 200, 300])
  device.fault = () => 'silent'
  for (let round = 0; round < 3; round++) {
    expect(await values()).toEqual([null, null, null, null])
    clock.advance(30_000)
  }
  device.fault = () => null
  expect(await values()).toEqual([100, 101, 200, 300])
  expect(lines).toEqual([`controller.away no answer within ${silentMs} ms`, 'controller.back'])
})

test.each([5, 6])('exception %i asks for time: it is asked again, and never learnt', async (exception) => {
  const { device, lines, values } = await open([100, 101, 200])
  let count = 0
  device.fault = () => (count++ % 3 === 1 ? exception : null)
  for (let round = 0; round < 4; round++) expect(await values()).toEqual([100, 101, 200])
  device.fault = failFor(200, exception)
  expect(await values()).toEqual([100, 101, null])
  device.fault = () => null
  expect(await values()).toEqual([100, 101, 200])
  expect(lines).toEqual([])
})

test('exception 4 of one register makes one value bad, and is asked for alone', async () => {
  const { device, values } = await open([100, 101, 102])
  device.fault = failFor(101, 4)
  for (let round = 0; round < 2; round++) expect(await values()).toEqual([100, null, 102])
  device.requests.length = 0
  expect(await values()).toEqual([100, null, 102])
  expect(device.requests).toEqual(['100+1', '102+1', '101+1'])
})

test('a device that closes after each answer is read, and the log stays empty', async () => {
  const { device, lines, values } = await open([100, 200, 300])
  device.isOneShot = true
  for (let round = 0; round < 4; round++) expect(await values()).toEqual([100, 200, 300])
  expect(lines).toEqual([])
})

test('a gateway that forgets an idle connection is asked again over a new one, within the poll', async () => {
  const { device, driver, clock, lines, values } = await open([100, 200], { timeoutMs: silentMs })
  expect(await values()).toEqual([100, 200])
  for (let round = 0; round < 2; round++) {
    device.forget()
    clock.advance(10_000)
    expect(await values()).toEqual([100, 200])
  }
  // A write must not be sent twice: reading its tag finds out first.
  device.forget()
  clock.advance(10_000)
  device.requests.length = 0
  await driver.write(0, 7)
  expect(device.requests).toEqual(['100+1', '100+1', '100+7'])
  expect(lines).toEqual([])
})

test('a gateway that counts transaction ids itself: the log says so, and transactionIds: ignore reads it', async () => {
  const strict = await open([100], { timeoutMs: silentMs })
  strict.device.transactionOffset = 1
  expect(await strict.values()).toEqual([null])
  expect(strict.lines).toEqual([
    `controller.away no answer within ${silentMs} ms, only one with another transaction id`,
  ])
  const lenient = await open([100, 200], { transactionIds: 'ignore' })
  lenient.device.transactionOffset = 1
  expect(await lenient.values()).toEqual([100, 200])
})

test('the register view takes the turn of the polling connection: a device with one connection serves both', async () => {
  const { device, values } = await open([100])
  device.takesOne = true
  expect(await values()).toEqual([100])
  const { host, timeoutMs } = { host: '127.0.0.1', timeoutMs: 15_000 }
  const explorer = modbusTcpKind.explore?.(
    {
      ...{ driver: 'modbus-tcp', name: 'explored', pollIntervalMs: 1_000, host, unit: 1, port: device.port },
      ...{ timeoutMs, pauseMs: 0, closeAfterPoll: false, wordOrder: 'ABCD' },
      ...{ transactionIds: 'check', protocolIds: 'check', unitIds: 'check' },
      ...{ gapRegistersMax: 8, gapBitsMax: 64, blockRegistersMax: 125, blockBitsMax: 2_000 },
    },
    {
      clock: new ManualClock(),
      log: () => undefined,
      random: () => 0.5,
      configFolder: '.',
      stateFolder: '.',
    },
  )
  const both = await Promise.all([explorer?.readRegisters?.('holding', 7, 2), values()])
  expect(both).toEqual([[7, 8], [100]])
  expect(device.connections).toBe(1)
  await explorer?.close()
})

test('pauseMs is between an answer and the next request, closeAfterPoll leaves the connection to others', async () => {
  const { device, values } = await open([100, 200, 300], { pauseMs: 60, closeAfterPoll: true })
  device.takesOne = true
  for (let round = 0; round < 2; round++) {
    expect(await values()).toEqual([100, 200, 300])
    await vi.waitFor(() => expect(device.open).toBe(0), 10_000)
  }
  expect(device.connections).toBe(2)
  const [first = 0, second = 0, third = 0] = device.requestedAt
  expect(second - first).toBeGreaterThan(55)
  expect(third - second).toBeGreaterThan(55)
})

test.each([
  ['protocolIds', { protocolId: 1 }, 'an answer of protocol id 1, where Modbus has 0'],
  ['unitIds', { unitId: 255 }, 'unit 255 answered for unit 1'],
] as const)(
  'a device with wrong %s: the log says so, and the setting ignore reads it',
  async (setting, habit, reason) => {
    const strict = await open([100])
    Object.assign(strict.device, habit)
    expect(await strict.values()).toEqual([null])
    expect(strict.lines).toEqual([`controller.away ${reason}`])
    const lenient = await open([100], { [setting]: 'ignore' })
    Object.assign(lenient.device, habit)
    expect(await lenient.values()).toEqual([100])
  },
)
