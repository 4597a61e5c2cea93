import { expect, test } from 'vitest'
import { findFreePort } from '../../../../testkit/src/free-port.ts'
import { type FaultLine, startFaultLine } from '../../testing/plc/fault-line.ts'
import { type Pymodbus, startPymodbus } from '../../testing/plc/pymodbus.ts'
import { readRequest, writeRequest } from '../modbus-tcp/pdu.ts'
import type { ModbusTransport } from '../modbus-tcp/transport.ts'
import { ModbusException } from '../modbus-tcp/transport.ts'
import kind from './driver-file.ts'
import { crc16, encodeFrame, findAnswer } from './rtu-frame.ts'
import { openRtuTransport } from './rtu-transport.ts'

/** The examples of the protocol's documents, and a checksum that is known. */
test('frames are those of the protocol', () => {
  expect(crc16(Buffer.from('123456789'))).toBe(0x4b37)
  expect(encodeFrame(17, readRequest('holding', 107, 3).pdu).toString('hex')).toBe('1103006b00037687')
  expect(writeRequest({ function: 16, address: 1, registers: [10, 258] }).pdu.toString('hex')).toBe(
    '100001000204000a0102',
  )
  expect(writeRequest({ function: 5, address: 172, on: true }).pdu.toString('hex')).toBe('0500acff00')
  expect(writeRequest({ function: 15, address: 19, on: true }).pdu.toString('hex')).toBe('0f001300010101')
  expect(writeRequest({ function: 22, address: 4, and: 0xf2, or: 0x25 }).pdu.toString('hex')).toBe(
    '16000400f20025',
  )
})

test('an answer is found behind noise and another unit’s late answer; a wrong checksum is ignored', () => {
  const request = readRequest('holding', 0, 1)
  const answer = Buffer.from([3, 2, 0x12, 0x34])
  const frame = encodeFrame(7, answer)
  const late = encodeFrame(6, Buffer.from([3, 2, 0xff, 0xff]))
  expect(findAnswer(Buffer.concat([Buffer.from([0, 7]), late, frame]), 7, request)).toEqual(answer)
  expect(findAnswer(frame.subarray(0, -1), 7, request)).toBeNull()
  const broken = Buffer.from(frame)
  broken[3] = 0x13
  expect(findAnswer(broken, 7, request)).toBeNull()
  const write = writeRequest({ function: 6, address: 20, register: 5 })
  expect(
    findAnswer(encodeFrame(7, writeRequest({ function: 6, address: 19, register: 5 }).pdu), 7, write),
  ).toBeNull()
  expect(findAnswer(encodeFrame(7, write.pdu), 7, write)).toEqual(write.pdu)
  const longer = encodeFrame(7, Buffer.from([3, 4, 1, 2, 3, 4]))
  expect(() => findAnswer(longer, 7, request)).toThrow('an answer of 6 bytes where 4 were asked for')
})

/** Three units on one line, of which those in `slow` answer late or never. */
async function withLine(
  work: (server: Pymodbus, line: FaultLine, where: { host: string; port: number }) => Promise<void>,
) {
  const server = await startPymodbus(3)
  const line = await startFaultLine(server.rtuPort)
  try {
    await work(server, line, { host: '127.0.0.1', port: line.port })
  } finally {
    await line.close()
    await server.stop()
  }
}

test('units of one line share it, one question at a time, and each gets its own answer', () =>
  withLine(async (server, line, where) => {
    const units = [1, 2, 3]
    for (const unit of units) await server.set('holding', 0, [unit * 100], unit)
    const ways = await Promise.all(
      units.map((unit) => openRtuTransport({ line: where, unit, timeoutMs: 15_000, pauseMs: 0 })),
    )
    const before = line.questions
    let answered = 0
    let mostOpen = 0
    line.alter = (answer) => {
      mostOpen = Math.max(mostOpen, line.questions - before - answered)
      answered++
      return answer
    }
    const read = async (way: ModbusTransport) => Array.from(await way.read('holding', 0, 1))[0]
    const rounds = await Promise.all(Array.from({ length: 10 }, () => Promise.all(ways.map(read))))
    expect(rounds).toEqual(Array(10).fill([100, 200, 300]))
    expect([answered, mostOpen]).toEqual([30, 1])
    for (const way of ways) way.close()
  }))

test('a unit that is away costs its timeout, and the others of its line go on between its questions', () =>
  withLine(async (server, _line, where) => {
    await server.set('holding', 0, [7], 1)
    // Unit 9 is on no line.
    const [there, away] = await Promise.all(
      [1, 9].map((unit) =>
        openRtuTransport({ line: where, unit, timeoutMs: unit === 9 ? 150 : 15_000, pauseMs: 0 }),
      ),
    )
    if (!there || !away) throw new Error('no way')
    const order: string[] = []
    const ask = (way: typeof there, name: string) =>
      way.read('holding', 0, 1).then(
        () => void order.push(name),
        () => void order.push(`${name} failed`),
      )
    // Each asks again as soon as it has its answer, as polls do.
    const chain = async (way: typeof there, name: string) => {
      for (let round = 0; round < 3; round++) await ask(way, name)
    }
    await Promise.all([chain(away, 'away'), chain(there, 'there')])
    const untilLast = order.slice(0, order.lastIndexOf('there')).join(', ')
    expect(untilLast).toMatch(/^away failed, there/)
    expect(untilLast).not.toContain('away failed, away failed')
    there.close()
    away.close()
  }))

test('a late answer of one unit is not taken for that of the next, and exceptions name themselves', () =>
  withLine(async (server, line, where) => {
    await server.set('holding', 0, [111], 1)
    await server.set('holding', 0, [222], 2)
    const open = (unit: number, timeoutMs: number) =>
      openRtuTransport({ line: where, unit, timeoutMs, pauseMs: 0 })
    const [first, second] = [await open(1, 1_000), await open(2, 15_000)]
    await first.read('holding', 0, 1)
    line.delayMs = 1_120
    const tooLate = first.read('holding', 0, 1).catch(() => 'no answer')
    expect(await tooLate).toBe('no answer')
    // The first unit's answer comes while the second is asked.
    line.delayMs = 100
    expect(Array.from(await second.read('holding', 0, 1))).toEqual([222])
    await expect(second.read('holding', 20_000, 1)).rejects.toBeInstanceOf(ModbusException)
    first.close()
    second.close()
  }))

test('a late answer is never taken for another register of its unit, by no connection', () =>
  withLine(async (server, line, where) => {
    await server.set('holding', 0, [111, 222])
    const open = (timeoutMs: number) => openRtuTransport({ line: where, unit: 1, timeoutMs, pauseMs: 0 })
    const [first, second] = [await open(1_000), await open(15_000)]
    line.delayMs = 1_040
    await expect(first.read('holding', 0, 1)).rejects.toThrow('no answer')
    first.close()
    expect(Array.from(await second.read('holding', 1, 1))).toEqual([222])
    second.close()
  }))

test('one line has one kind of settings; an explorer reads all areas of a unit', () =>
  withLine(async (server, _line, where) => {
    await server.set('input', 3, [5, 6])
    await server.set('discrete', 8, [1, 0, 1])
    const explorer = kind.explore?.(
      { driver: 'modbus-rtu', name: 'line', pollIntervalMs: 1_000, ...reading, line: where, unit: 1 },
      deps,
    )
    expect(await explorer?.readRegisters?.('input', 3, 2)).toEqual([5, 6])
    expect(await explorer?.readRegisters?.('discrete', 8, 3)).toEqual([1, 0, 1])
    await expect(explorer?.readRegisters?.('input', 20_000, 1)).rejects.toThrow('illegal data address')
    await explorer?.close()

    const serial = { serialPort: '/dev/null', baudRate: 9_600, parity: 'none', stopBits: 1 } as const
    const way = openRtuTransport({ line: serial, unit: 1, timeoutMs: 100, pauseMs: 0 })
    const other = openRtuTransport({
      line: { ...serial, baudRate: 19_200 },
      unit: 2,
      timeoutMs: 100,
      pauseMs: 0,
    })
    await expect(other).rejects.toThrow('/dev/null is used with other settings by another connection')
    await expect(way).rejects.toThrow(/stty|ioctl/)
    const port = await findFreePort()
    const nowhere = openRtuTransport({
      line: { host: '127.0.0.1', port },
      unit: 1,
      timeoutMs: 100,
      pauseMs: 0,
    })
    await expect(nowhere).rejects.toThrow('ECONNREFUSED')
  }))

const reading = {
  timeoutMs: 15_000,
  pauseMs: 0,
  closeAfterPoll: false,
  wordOrder: 'ABCD',
  gapRegistersMax: 8,
  gapBitsMax: 64,
  blockRegistersMax: 125,
  blockBitsMax: 2_000,
} as const

const deps = {
  clock: { now: () => 0, monotonic: () => 0, uptime: () => 0, after: () => () => undefined },
  log: () => undefined,
  random: () => 0.5,
  configFolder: '.',
  stateFolder: '.',
}
