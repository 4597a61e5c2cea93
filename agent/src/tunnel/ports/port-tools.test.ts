import type { ClientHttp2Session } from 'node:http2'
import { createServer, type Server, type Socket } from 'node:net'
import type { UnderstoodPortKind } from '@busbar/link'
import modbusSerial from 'modbus-serial'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startAgent } from '../../agent.ts'
import { systemClock } from '../../clock.ts'
import { parseConfigWithDrivers } from '../../config/parse-config.ts'
import { startModbusDevice } from '../../testing/modbus-device.ts'
import { startSnap7 } from '../../testing/plc/snap7.ts'
import { listen, openPair, PortProgram, visitHeaders } from '../../testing/port-program.ts'
import { TestBroker } from '../../testing/test-broker.ts'
import { startTunnelPlatform, type TunnelPlatform } from '../../testing/tunnel-platform.ts'
import { startAgentTunnel } from '../agent-tunnel.ts'

const ModbusRTU = modbusSerial.default
const waitMs = 15_000

let platform: TunnelPlatform
let session: ClientHttp2Session
let agent: { stop(): void } | undefined
let tools: Server | undefined
const sockets: Socket[] = []
let programs: PortProgram[]

beforeEach(async () => {
  platform = await startTunnelPlatform()
  programs = []
})

afterEach(async () => {
  agent?.stop()
  tools?.close()
  agent = undefined
  tools = undefined
  for (const socket of sockets.splice(0)) socket.destroy()
  await platform.close()
})

/** The line breaks, and the program goes on over another. */
async function breakLine(): Promise<void> {
  const program = programs[0] as PortProgram
  program.cut()
  expect((await program.join(session))[':status']).toBe(200)
}

/** A local port of a program, in a visit to one port of a machine. */
async function openPort(kind: UnderstoodPortKind, port: number, mode: 'ro' | 'rw'): Promise<number> {
  const opened = platform.nextSession()
  const plc = {
    name: 'plc',
    host: '127.0.0.1',
    port,
    kind,
    note: '',
    look: 'visitors',
    connections: 4,
  } as const
  agent = startAgentTunnel(
    {
      cloud: { url: '', code: '1', secret: 's', outboxSamplesMax: 0, tunnel: platform.url },
      ...{ targets: [], ports: [plc] },
    },
    {
      ...{ page: () => undefined, clock: systemClock, log: () => undefined, random: () => 0 },
      tagAt: ({ name }, unit, place) => ({ group: name, name: `${unit} ${place}` }),
    },
  )
  session = await opened
  tools = createServer({ allowHalfOpen: true, noDelay: true }, (tool) => {
    sockets.push(tool)
    tool.on('error', () => undefined)
    const program = new PortProgram('plc', visitHeaders('7', mode), tool)
    programs.push(program)
    // A test may break it before it is there.
    program.join(session).catch(() => undefined)
  })
  return await listen(tools)
}

test('a Modbus master keeps reading beside writes that are refused, and its line breaks meanwhile', async () => {
  const device = await startModbusDevice()
  for (let at = 0; at < 10; at++) device.memory.holding.set(at, 100 + at)
  const master = new ModbusRTU()
  await master.connectTCP('127.0.0.1', { port: await openPort('modbus', device.port, 'ro') })
  master.setID(1)
  master.setTimeout(waitMs)
  for (let round = 0; round < 10; round++) {
    const refused = master.writeRegister(3, 7)
    // Both are under way at once.
    const read = master.readHoldingRegisters(0, 10)
    await breakLine()
    await expect(refused).rejects.toMatchObject({ modbusCode: 1 })
    expect((await read).data).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108, 109])
  }
  await expect(master.writeCoils(0, [true])).rejects.toMatchObject({ modbusCode: 1 })
  await expect(master.writeRegisters(0, [1, 2])).rejects.toMatchObject({ modbusCode: 1 })
  await expect(master.maskWriteRegister(0, 1, 2)).rejects.toMatchObject({ modbusCode: 1 })
  expect(device.memory.holding.get(3)).toBe(103)
  // At the end the counts are told.
  programs[0]?.send({ kind: 'over' })
  await expect.poll(() => programs[0]?.over, { timeout: waitMs }).toEqual({ kind: 'over' })
  expect(programs[0]?.counts).toEqual({ reads: 10, writes: 0, refused: 13 })
  master.close(() => undefined)
  await device.close()
})

test('a write through a port has the name of the variable that the agent reads there', async () => {
  const device = await startModbusDevice()
  const broker = await TestBroker.start()
  for (let at = 0; at < 4; at++) device.memory.holding.set(at, 0)
  const opened = platform.nextSession()
  const config = await parseConfigWithDrivers(`
cloud: { url: "${broker.url}", tunnel: "${platform.url}", code: "1000000000000000001", secret: s }
tcp: [{ name: plc, address: "127.0.0.1:${device.port}", kind: modbus }]
connections:
  - driver: modbus-tcp
    host: 127.0.0.1
    port: ${device.port}
    tags: [{ group: mould, name: temperature, address: "holding:1", type: float32, readOnly: false }]
`)
  const folders = { config: '', driverState: '', remote: '' }
  const whole = await startAgent(
    { ...config, cloud: { ...config.cloud, secret: 's' }, folders },
    { clock: systemClock, log: () => undefined, random: Math.random },
  )
  session = await opened
  const [tool, side] = await openPair()
  sockets.push(tool, side)
  const program = new PortProgram('plc', visitHeaders('7'), side)
  expect((await program.join(session))[':status']).toBe(200)
  tool.write(Buffer.from('00010000000d011000000003060005' + '41200000', 'hex'))
  await expect
    .poll(() => program.writes.flat().map(({ place, tag }) => [place, tag]), { timeout: waitMs })
    .toEqual([
      ['holding:0', null],
      ['holding:1', { group: 'mould', name: 'temperature' }],
      ['holding:2', { group: 'mould', name: 'temperature' }],
    ])
  await whole.stop()
  await broker.close()
  await device.close()
})

/** The newest of each place that was told over the present line: place, from, to. */
const told = (): Record<string, unknown> =>
  Object.fromEntries((programs[0]?.writes ?? []).flat().map(({ place, from, to }) => [place, [from, to]]))

test('in a visit that may change, a Modbus master writes, and both are counted', async () => {
  const device = await startModbusDevice()
  device.memory.holding.set(3, 1)
  const master = new ModbusRTU()
  await master.connectTCP('127.0.0.1', { port: await openPort('modbus', device.port, 'rw') })
  master.setID(1)
  master.setTimeout(waitMs)
  await master.writeRegister(3, 7)
  expect((await master.readHoldingRegisters(3, 1)).data).toEqual([7])
  // Without waiting for the end: told each second while it changes.
  await expect
    .poll(() => programs[0]?.counts, { timeout: waitMs })
    .toEqual({ reads: 1, writes: 1, refused: 0 })
  master.close(() => undefined)
  await device.close()
})

test('writes of a Modbus master are told with the value before, also over another line', async () => {
  const device = await startModbusDevice()
  for (let at = 0; at < 10; at++) {
    device.memory.holding.set(at, 100 + at)
    device.memory.coil.set(at, at % 2)
  }
  const master = new ModbusRTU()
  await master.connectTCP('127.0.0.1', { port: await openPort('modbus', device.port, 'rw') })
  master.setID(1)
  master.setTimeout(waitMs)
  await master.readHoldingRegisters(0, 5)
  await master.readCoils(0, 4)
  await master.writeRegister(3, 7)
  await master.writeRegister(3, 8)
  await master.writeRegisters(4, [1, 2])
  await master.writeCoils(2, [true, true])
  await expect(master.writeRegister(99, 1)).rejects.toMatchObject({ modbusCode: 2 })
  const all = {
    'holding:3': ['103', '8'],
    'holding:4': ['104', '1'],
    // Not read before.
    'holding:5': [null, '2'],
    'coil:2': ['0', '1'],
    'coil:3': ['1', '1'],
  }
  await expect.poll(told, { timeout: waitMs }).toEqual(all)
  expect(programs[0]?.writes.flat()[0]).toMatchObject({
    unit: 1,
    tag: { group: 'plc', name: '1 holding:3' },
  })
  await breakLine()
  await expect.poll(told, { timeout: waitMs }).toEqual(all)
  master.close(() => undefined)
  await device.close()
})

test('an S7 client keeps reading beside what is refused, and its line breaks meanwhile', async () => {
  const controller = await startSnap7({ blocks: { 1: 64 } })
  await controller.set('DB', 1, 0, Buffer.from('0102030405060708', 'hex'))
  const tool = await controller.connectTool(await openPort('s7', controller.port, 'ro'))
  const before = await controller.get('DB', 1, 0, 64)
  // As snap7 numbers them: this controller does not have the function.
  const notThere = 0x01400000
  for (let round = 0; round < 5; round++) {
    const read = tool.get('DB', 1, 0, 64)
    await breakLine()
    expect(await read).toEqual(before)
    expect(await tool.set(1, 0, Buffer.from('ffff', 'hex'))).toBe(notThere)
  }
  for (const what of ['stop', 'start', 'set-clock', 'password', 'clear', 'delete', 'upload'])
    expect(await tool.act(what), what).not.toBe(0)
  for (const what of ['clock', 'blocks', 'data-blocks', 'state', 'lists'])
    expect(await tool.act(what), what).toBe(0)
  expect(await tool.get('DB', 1, 0, 64)).toEqual(before)
  expect(await controller.get('DB', 1, 0, 64)).toEqual(before)
  programs[0]?.send({ kind: 'over' })
  await expect.poll(() => programs[0]?.counts?.refused, { timeout: waitMs }).toBe(12)
  await controller.stop()
})

test('in a visit that may change, an S7 client writes, and both are counted', async () => {
  const controller = await startSnap7({ blocks: { 1: 8 } })
  const tool = await controller.connectTool(await openPort('s7', controller.port, 'rw'))
  expect(await tool.set(1, 0, Buffer.from('ffff', 'hex'))).toBe(0)
  expect(await tool.get('DB', 1, 0, 2)).toEqual(Buffer.from('ffff', 'hex'))
  await expect
    .poll(() => programs[0]?.counts, { timeout: waitMs })
    .toEqual({ reads: 1, writes: 1, refused: 0 })
  await controller.stop()
})

test('writes of an S7 client are told with the bytes before', async () => {
  const controller = await startSnap7({ blocks: { 1: 16 } })
  await controller.set('DB', 1, 0, Buffer.from('00000000411c0000', 'hex'))
  const tool = await controller.connectTool(await openPort('s7', controller.port, 'rw'))
  await tool.get('DB', 1, 0, 8)
  expect(await tool.set(1, 4, Buffer.from('41200000', 'hex'))).toBe(0)
  expect(await tool.set(1, 12, Buffer.from('010203', 'hex'))).toBe(0)
  // Beyond the end of the block.
  expect(await tool.set(1, 100, Buffer.from('01', 'hex'))).not.toBe(0)
  await expect.poll(told, { timeout: waitMs }).toEqual({
    'DB1.DBD4': ['411c0000', '41200000'],
    'DB1.DBB12': [null, '01'],
    'DB1.DBB13': [null, '02'],
    'DB1.DBB14': [null, '03'],
  })
  await controller.stop()
})
