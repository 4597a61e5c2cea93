import { createRequire } from 'node:module'
import type { ServerTCP } from 'modbus-serial'
import { createFaultSchedule, type ToldFault } from './fault-schedule.ts'
import type { ModbusArea, RegisterSpec, RegisterValue } from './modbus-registers.ts'
import { type PasteuriserState, startPasteuriser, stepPasteuriser } from './pasteuriser.ts'
import {
  energyOf,
  packsOf,
  pasteuriserPlant,
  pasteuriserSeed,
  phaseNumbers,
  recipe,
  returnBelowK,
} from './profiles/pasteuriser-plant.ts'
import { createRandom, seedOf } from './random.ts'
import { createRegisterBank } from './register-bank.ts'

/**
 * The pasteuriser's registers. Addresses count from 0; 32-bit values are CDAB (low word first); ×10 means one decimal
 * place. Addresses 0 to 199 of every area can be read, unused ones are 0; anything beyond is exception 2. Set-points
 * out of range are exception 3, any other write exception 2.
 *
 * | area | address | type | what |
 * |---|---|---|---|
 * | holding | 0 | int16 ×10 | hold temperature, °C |
 * | holding | 1 | int16 ×10 | inlet temperature, °C |
 * | holding | 2 | int16 ×10 | outlet temperature, °C |
 * | holding | 3 | uint16 | phase: 0 idle, 1 heating, 2 running, 3 diverting |
 * | holding | 10 | float32 CDAB | flow, l/h |
 * | holding | 12 | float32 CDAB | hot-water temperature, °C |
 * | holding | 14 | float32 CDAB | pressure, bar |
 * | holding | 20 | int32 CDAB | pasteurised volume, l |
 * | holding | 22 | int32 CDAB | run time, s |
 * | holding | 24 | uint32 CDAB | energy, kWh times the power of ten in 26 |
 * | holding | 26 | int16 | exponent of the energy |
 * | holding | 30..37 | string, 16 bytes | batch |
 * | holding | 40..47 | string, 16 bytes of GBK | recipe |
 * | holding | 48 | bcd16 | packs filled; begins anew after 9,999 |
 * | holding | 50 | int16 ×10 | return temperature, °C |
 * | holding | 100 | int16 ×10, writable | hold set-point, 65 to 90 °C |
 * | holding | 101 | int16 ×10, writable | outlet set-point, 2 to 8 °C |
 * | holding | 102 | float32 CDAB, writable | flow set-point, 1,000 to 7,000 l/h |
 * | input | 0 | uint16 ×10 | steam valve, % |
 * | input | 1 | uint16 ×10 | product pump, Hz |
 * | coil | 0 | bit, writable | plant on |
 * | coil | 1 | bit | divert valve open |
 * | discrete | 0 | bit | alarm: hold temperature low |
 * | discrete | 1 | bit | product pump runs |
 */
export const registerMap = {
  holdTemp: { area: 'holding', address: 0, type: 'int16', factor: 10 },
  inletTemp: { area: 'holding', address: 1, type: 'int16', factor: 10 },
  outletTemp: { area: 'holding', address: 2, type: 'int16', factor: 10 },
  phase: { area: 'holding', address: 3, type: 'uint16' },
  flow: { area: 'holding', address: 10, type: 'float32' },
  hotWaterTemp: { area: 'holding', address: 12, type: 'float32' },
  pressure: { area: 'holding', address: 14, type: 'float32' },
  totalVolume: { area: 'holding', address: 20, type: 'int32' },
  runTime: { area: 'holding', address: 22, type: 'int32' },
  energy: { area: 'holding', address: 24, type: 'uint32', factor: 10 },
  energyExponent: { area: 'holding', address: 26, type: 'int16' },
  batch: { area: 'holding', address: 30, type: 'string', registers: 8 },
  recipe: { area: 'holding', address: 40, type: 'string', registers: 8, textEncoding: 'gbk' },
  packs: { area: 'holding', address: 48, type: 'bcd16' },
  returnTemp: { area: 'holding', address: 50, type: 'int16', factor: 10 },
  holdTempSetPoint: { area: 'holding', address: 100, type: 'int16', factor: 10, writable: true },
  outletTempSetPoint: { area: 'holding', address: 101, type: 'int16', factor: 10, writable: true },
  flowSetPoint: { area: 'holding', address: 102, type: 'float32', writable: true },
  steamValve: { area: 'input', address: 0, type: 'uint16', factor: 10 },
  productPump: { area: 'input', address: 1, type: 'uint16', factor: 10 },
  plantOn: { area: 'coil', address: 0, type: 'bool', writable: true },
  diverting: { area: 'coil', address: 1, type: 'bool' },
  lowTempAlarm: { area: 'discrete', address: 0, type: 'bool' },
  pumpRuns: { area: 'discrete', address: 1, type: 'bool' },
} as const satisfies Record<string, RegisterSpec>

export type RegisterName = keyof typeof registerMap

// Imports only the server: the package's main entry also loads the serial ports, 10 MB of native code that is
// not needed here.
const Server: typeof ServerTCP = createRequire(import.meta.url)('modbus-serial/servers/servertcp.js')

const setPoints = [
  { spec: registerMap.holdTempSetPoint, min: 65, max: 90 },
  { spec: registerMap.outletTempSetPoint, min: 2, max: 8 },
  { spec: registerMap.flowSetPoint, min: 1_000, max: 7_000 },
  { spec: registerMap.plantOn, min: 0, max: 1 },
]

const modbusStepMs = 500

export interface ModbusMachineOptions {
  host: string
  port: number
  /** Epoch milliseconds; the real clock by default. */
  now?: () => number
  /** The initial state of the process; its ordinary start by default. */
  state?: PasteuriserState | undefined
  told?: readonly ToldFault[] | undefined
  /** The machine's code, if the process is to have its faults. */
  code?: string | undefined
  /** False: the process stands still, and registers change by `set` and by masters only. */
  moves?: boolean
}

/** A pasteuriser's PLC behind a real Modbus TCP server. Answers every unit id. */
export interface ModbusMachine {
  readonly port: number
  /**
   * Puts a value (in process units, see `registerMap`) at the register that begins at `address`, and keeps the
   * process from changing it. Throws for an address where no register begins.
   */
  set(area: ModbusArea, address: number, value: RegisterValue): void
  /** The current value of the register that begins at `address`. */
  get(area: ModbusArea, address: number): RegisterValue
  /** The current state of the process. */
  state(): PasteuriserState
  /** Releases all registers to the process. */
  release(): void
  /** From now on every request that touches the address is answered with this exception code; 0 ends that. */
  fail(area: ModbusArea, address: number, exceptionCode: number): void
  /** Cuts all connections and frees the port. */
  close(): Promise<void>
}

/** Starts the server and the process. Rejects if the port is not available. */
export async function startModbusMachine(options: ModbusMachineOptions): Promise<ModbusMachine> {
  const now = options.now ?? Date.now
  const bank = createRegisterBank(setPoints)
  const random = createRandom(seedOf(pasteuriserSeed))
  const schedules = pasteuriserPlant.faults.map((fault) => ({
    id: fault.id,
    at: createFaultSchedule(options.code ?? pasteuriserSeed, fault, options.told),
  }))
  let state = options.state ?? startPasteuriser()
  publishSetPoints()
  publish(state)

  function publishSetPoints(): void {
    bank.publish(registerMap.holdTempSetPoint, state.holdSetC)
    bank.publish(registerMap.outletTempSetPoint, state.coolSetC)
    bank.publish(registerMap.flowSetPoint, state.flowSetLH)
    bank.publish(registerMap.plantOn, state.enabled)
  }

  function publish(current: PasteuriserState): void {
    bank.publish(registerMap.holdTemp, current.holdC)
    bank.publish(registerMap.inletTemp, current.inletC)
    bank.publish(registerMap.outletTemp, current.outletC)
    bank.publish(registerMap.phase, phaseNumbers[current.phase])
    bank.publish(registerMap.flow, current.flowLH)
    bank.publish(registerMap.hotWaterTemp, current.hotWaterC)
    bank.publish(registerMap.pressure, current.pressureBar)
    bank.publish(registerMap.totalVolume, current.totalL)
    bank.publish(registerMap.runTime, current.runS)
    bank.publish(registerMap.energy, energyOf(current))
    bank.publish(registerMap.energyExponent, -1)
    bank.publish(registerMap.batch, current.batch)
    bank.publish(registerMap.recipe, recipe)
    bank.publish(registerMap.packs, packsOf(current))
    bank.publish(registerMap.returnTemp, current.holdC - returnBelowK)
    bank.publish(registerMap.steamValve, current.steamPercent)
    bank.publish(registerMap.productPump, current.productPumpHz)
    bank.publish(registerMap.diverting, current.diverting)
    bank.publish(registerMap.lowTempAlarm, current.lowTempAlarm)
    bank.publish(registerMap.pumpRuns, current.flowLH > 50)
  }

  /** Set-points live in the registers: whatever a master wrote is what the process wants. */
  function step(): void {
    const at = now()
    const wanted = {
      ...state,
      holdSetC: Number(bank.valueOf(registerMap.holdTempSetPoint)),
      coolSetC: Number(bank.valueOf(registerMap.outletTempSetPoint)),
      flowSetLH: Number(bank.valueOf(registerMap.flowSetPoint)),
      enabled: bank.valueOf(registerMap.plantOn) === true,
    }
    const severity = new Map(schedules.map((schedule) => [schedule.id, schedule.at(at)]))
    state = stepPasteuriser(wanted, modbusStepMs, random, (id) => severity.get(id) ?? 0)
    publish(state)
  }

  const server = new Server(
    {
      getHoldingRegister: (address: number) => bank.read('holding', address, 1)[0] ?? 0,
      getInputRegister: (address: number) => bank.read('input', address, 1)[0] ?? 0,
      getMultipleHoldingRegisters: (address: number, count: number) => bank.read('holding', address, count),
      getMultipleInputRegisters: (address: number, count: number) => bank.read('input', address, count),
      getCoil: (address: number) => bank.read('coil', address, 1)[0] === 1,
      getDiscreteInput: (address: number) => bank.read('discrete', address, 1)[0] === 1,
      setRegister: (address: number, value: number) => bank.write('holding', address, [value]),
      setRegisterArray: (address: number, values: number[]) => bank.write('holding', address, values),
      setCoil: (address: number, value: boolean) => bank.write('coil', address, [value ? 1 : 0]),
    },
    { host: options.host, port: options.port, unitID: 255 },
  )
  // A master that resets its connection is not an error of the device.
  server.on('socketError', () => {})
  await new Promise<void>((resolve, reject) => {
    server.once('initialized', () => resolve())
    server.once('serverError', (error) => reject(error))
  })
  const timer = options.moves === false ? undefined : setInterval(step, modbusStepMs)

  return {
    port: options.port,
    set: (area, address, value) => bank.hold(registerAt(area, address), value),
    get: (area, address) => bank.valueOf(registerAt(area, address)),
    state: () => state,
    release: () => bank.release(),
    fail: (area, address, exceptionCode) => bank.break(area, address, exceptionCode),
    close() {
      clearInterval(timer)
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function registerAt(area: ModbusArea, address: number): RegisterSpec {
  const found = Object.values(registerMap).find((spec) => spec.area === area && spec.address === address)
  if (found === undefined) throw new Error(`no register begins at ${area} ${address}`)
  return found
}
