import { once } from 'node:events'
import modbusSerial from 'modbus-serial'
import { findFreePort } from '../../../testkit/src/free-port.ts'

type Area = 'holding' | 'input' | 'coil' | 'discrete'

/** A real Modbus TCP server whose registers and faults a test sets. */
export interface ModbusDevice {
  port: number
  /** Registers, and bits as 0 and 1; absent ones answer with exception 2. */
  memory: Record<Area, Map<number, number>>
  /** Answers every request of registers with this exception, for cases that `memory` cannot express. */
  exceptionCode: number | null
  /** Refuses every write with this one. */
  writeExceptionCode: number | null
  /** Answers nothing any more. */
  silent: boolean
  /** Longest request of registers answered. */
  registersMax: number
  /** Function codes of writes that it does not support, of 5, 6, 15 and 16; it never supports 22. */
  unknownFunctions: ReadonlySet<number>
  /** Writes refused for that, in order. */
  refusedFunctions: number[]
  /** Changes the value that a write to a register leaves, for devices that keep another one. */
  keep: (address: number, register: number) => number
  /** Requests of registers since the start, as `holding:100+3`. */
  requests: string[]
  dropConnections(): void
  /** The connections of now: the same ones as long as no other was opened. */
  connections(): readonly unknown[]
  close(): Promise<void>
}

/** Listens on `port`, or on a free one. */
export async function startModbusDevice(port?: number): Promise<ModbusDevice> {
  const device: ModbusDevice = {
    port: port ?? (await findFreePort()),
    memory: { holding: new Map(), input: new Map(), coil: new Map(), discrete: new Map() },
    exceptionCode: null,
    writeExceptionCode: null,
    silent: false,
    registersMax: 125,
    unknownFunctions: new Set(),
    refusedFunctions: [],
    keep: (_address, register) => register,
    requests: [],
    dropConnections: () => {
      for (const socket of server.socks.keys()) socket.destroy()
    },
    connections: () => [...server.socks.keys()],
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }

  const refuse = (modbusErrorCode: number): never => {
    throw { modbusErrorCode }
  }
  const one = (area: Area, address: number): number => device.memory[area].get(address) ?? refuse(2)
  const never = new Promise<never>(() => undefined)
  const many = (area: Area, start: number, count: number): number[] => {
    device.requests.push(`${area}:${start}+${count}`)
    if (device.exceptionCode !== null) refuse(device.exceptionCode)
    if (count > device.registersMax) refuse(3)
    return Array.from({ length: count }, (_, index) => one(area, start + index))
  }
  const maybeNever = (value: number): number | Promise<never> => (device.silent ? never : value)
  const answerOne = (area: Area, address: number) => maybeNever(many(area, address, 1)[0] as number)

  const change = (
    functionCode: number,
    area: Area,
    start: number,
    values: number[],
  ): undefined | Promise<never> => {
    if (device.silent) return never
    if (device.unknownFunctions.has(functionCode)) {
      device.refusedFunctions.push(functionCode)
      refuse(1)
    }
    if (device.writeExceptionCode !== null) refuse(device.writeExceptionCode)
    for (let index = 0; index < values.length; index++) one(area, start + index)
    values.forEach((value, index) => {
      const kept = area === 'holding' ? device.keep(start + index, value) : value
      device.memory[area].set(start + index, kept)
    })
    return undefined
  }

  const server = new modbusSerial.ServerTCP(
    {
      getHoldingRegister: (address: number) => answerOne('holding', address),
      getInputRegister: (address: number) => answerOne('input', address),
      getMultipleHoldingRegisters: (start: number, count: number) =>
        many('holding', start, count).map(maybeNever),
      getMultipleInputRegisters: (start: number, count: number) =>
        many('input', start, count).map(maybeNever),
      getCoil: (address: number) => (device.silent ? never : one('coil', address) === 1),
      getDiscreteInput: (address: number) => (device.silent ? never : one('discrete', address) === 1),
      setRegister: (address: number, value: number) => change(6, 'holding', address, [value]),
      setRegisterArray: (address: number, values: number[]) => change(16, 'holding', address, values),
      setCoil: (address: number, value: boolean) => change(5, 'coil', address, [value ? 1 : 0]),
      setCoilArray: (address: number, values: boolean[]) => change(15, 'coil', address, values.map(Number)),
    } as ConstructorParameters<typeof modbusSerial.ServerTCP>[0],
    { host: '127.0.0.1', port: device.port },
  )
  server.on('socketError', () => undefined)
  await once(server, 'initialized')
  return device
}
