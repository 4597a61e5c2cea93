import modbusSerial from 'modbus-serial'
import { afterEach, expect, test } from 'vitest'
import { findFreePort } from '../../testkit/src/free-port.ts'
import { type ModbusMachine, registerMap, startModbusMachine } from './modbus-machine.ts'
import { decodeRegisters, encodeRegisters, type RegisterSpec, registerCount } from './modbus-registers.ts'
import { type PasteuriserState, startPasteuriser, stepPasteuriser } from './pasteuriser.ts'
import { createRandom } from './random.ts'

// A CommonJS package that says `export default`: the class is one step further than its types think.
const ModbusRTU = modbusSerial.default
type Master = InstanceType<typeof ModbusRTU>

const opened: { close(): unknown }[] = []

async function start(moves: boolean): Promise<{ machine: ModbusMachine; master: Master }> {
  const machine = await startModbusMachine({ host: '127.0.0.1', port: await findFreePort(), moves })
  const master = new ModbusRTU()
  opened.push(machine, { close: () => master.close(() => {}) })
  await master.connectTCP('127.0.0.1', { port: machine.port })
  master.setID(1)
  return { machine, master }
}

afterEach(async () => {
  for (const thing of opened.splice(0).reverse()) await thing.close()
})

async function readHolding(master: Master, spec: RegisterSpec) {
  const { data } = await master.readHoldingRegisters(spec.address, registerCount(spec))
  return decodeRegisters(spec, data)
}

test('a master reads every type', async () => {
  const { machine, master } = await start(false)
  machine.set('holding', registerMap.holdTemp.address, 73.4)
  machine.set('holding', registerMap.inletTemp.address, -3.2)
  machine.set('holding', registerMap.totalVolume.address, -70_000)
  machine.set('holding', registerMap.flow.address, 4_321.5)
  machine.set('holding', registerMap.batch.address, 'YOG-7')
  machine.set('coil', registerMap.diverting.address, true)
  machine.set('discrete', registerMap.lowTempAlarm.address, true)
  expect(await readHolding(master, registerMap.holdTemp)).toBe(73.4)
  expect(await readHolding(master, registerMap.inletTemp)).toBe(-3.2)
  expect(await readHolding(master, registerMap.totalVolume)).toBe(-70_000)
  expect(await readHolding(master, registerMap.flow)).toBe(4_321.5)
  expect(await readHolding(master, registerMap.batch)).toBe('YOG-7')
  expect((await master.readCoils(0, 2)).data.slice(0, 2)).toEqual([true, true])
  expect((await master.readDiscreteInputs(0, 2)).data.slice(0, 2)).toEqual([true, true])
  expect((await master.readInputRegisters(0, 2)).data).toEqual([460, 360])
  // CDAB on the wire, whatever our own decoder thinks: 4321.5 is 0x45870C00.
  expect((await master.readHoldingRegisters(10, 2)).data).toEqual([0x0c00, 0x4587])
})

test('set-points are honoured, anything else is refused with the right exception', async () => {
  const { machine, master } = await start(true)
  await master.writeRegisters(
    registerMap.flowSetPoint.address,
    encodeRegisters(registerMap.flowSetPoint, 6_000),
  )
  await master.writeRegister(registerMap.holdTempSetPoint.address, 765)
  expect(machine.get('holding', registerMap.holdTempSetPoint.address)).toBe(76.5)
  const flow = registerMap.flow
  await expect
    .poll(() => readHolding(master, flow), { timeout: 20_000, interval: 200 })
    .toBeGreaterThan(5_300)

  await expect(master.writeRegister(registerMap.holdTempSetPoint.address, 990)).rejects.toMatchObject({
    modbusCode: 3,
  })
  await expect(master.writeRegister(registerMap.holdTemp.address, 10)).rejects.toMatchObject({
    modbusCode: 2,
  })
  await expect(master.writeCoil(registerMap.diverting.address, true)).rejects.toMatchObject({ modbusCode: 2 })
  await expect(master.readHoldingRegisters(199, 2)).rejects.toMatchObject({ modbusCode: 2 })
  await master.writeCoil(registerMap.plantOn.address, false)
  await expect.poll(() => machine.get('holding', 3)).toBe(0)
})

test('an address can be made to fail and be mended', async () => {
  const { machine, master } = await start(false)
  machine.fail('holding', 12, 4)
  await expect(master.readHoldingRegisters(10, 6)).rejects.toMatchObject({ modbusCode: 4 })
  expect((await master.readHoldingRegisters(0, 4)).data).toHaveLength(4)
  machine.fail('holding', 12, 0)
  expect((await master.readHoldingRegisters(10, 6)).data).toHaveLength(6)
  machine.fail('coil', 1, 6)
  await expect(master.readCoils(0, 2)).rejects.toMatchObject({ modbusCode: 6 })
})

test('a closed machine is gone for its master', async () => {
  const { machine, master } = await start(false)
  const { port } = machine
  const cut = new Promise((resolve) => master.on('close', () => resolve('cut')))
  await machine.close()
  expect(await cut).toBe('cut')
  await expect(new ModbusRTU().connectTCP('127.0.0.1', { port })).rejects.toThrow()
})

test('the pasteuriser keeps its temperature, diverts when steam fails, and recovers', () => {
  const random = createRandom(7)
  let state: PasteuriserState = startPasteuriser()
  const run = (minutes: number, steam: number) => {
    let divertedSteps = 0
    for (let step = 0; step < minutes * 120; step += 1) {
      state = stepPasteuriser(state, 500, random, () => steam)
      if (state.diverting) divertedSteps += 1
    }
    return divertedSteps
  }
  expect(run(60, 0)).toBe(0)
  expect(Math.abs(state.holdC - state.holdSetC)).toBeLessThan(1)
  run(10, 1)
  expect(state.diverting).toBe(true)
  run(10, 0)
  expect(state.diverting).toBe(false)
  for (const [holdSetC, flowSetLH] of [
    [66, 7_000],
    [88, 2_000],
    [88, 7_000],
  ] as const) {
    state = { ...state, holdSetC, flowSetLH }
    run(20, 0)
    expect(state.diverting, `${holdSetC} °C at ${flowSetLH} l/h`).toBe(false)
  }
})
