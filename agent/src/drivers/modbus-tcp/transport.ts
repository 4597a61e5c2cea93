import { connect, type Socket } from 'node:net'
import modbusSerial from 'modbus-serial'
import type { ModbusArea } from './address.ts'

type ModbusClient = InstanceType<typeof modbusSerial.default>

/** Words for the exceptions of the protocol (section 7). */
const exceptionTexts: Record<number, string> = {
  1: 'illegal function',
  2: 'illegal data address',
  3: 'illegal data value',
  4: 'device failure',
  5: 'accepted, not done yet',
  6: 'device busy',
  8: 'memory parity error',
  10: 'gateway path unavailable',
  11: 'the device behind the gateway does not answer',
}

/** The device answered, and the answer is no (Modbus Application Protocol 1.1b3, section 7). */
export class ModbusException extends Error {
  readonly exceptionCode: number

  constructor(exceptionCode: number) {
    super(`${exceptionTexts[exceptionCode] ?? 'refused'} (Modbus exception ${exceptionCode})`)
    this.name = 'ModbusException'
    this.exceptionCode = exceptionCode
  }
}

export interface ModbusTransportOptions {
  host: string
  port: number
  unit: number
  /** For the connection and for each answer. */
  timeoutMs: number
}

/** An open connection to one Modbus TCP device. One request at a time. */
export interface ModbusTransport {
  /** False as soon as the other side is gone. */
  isOpen(): boolean
  /**
   * `count` registers (or bits as 0 and 1) from `start`. Rejects with `ModbusException` when the device refuses, with
   * any other error when the connection can no longer be trusted.
   */
  read(area: ModbusArea, start: number, count: number): Promise<ArrayLike<number>>
  /** One request that changes something; rejects as `read` does. */
  write(request: ModbusWrite): Promise<void>
  close(): void
}

/** The requests that change something, by their function code in the protocol. */
export type ModbusWrite =
  | { function: 5 | 15; address: number; on: boolean }
  | { function: 6; address: number; register: number }
  | { function: 16; address: number; registers: number[] }
  /** The register becomes (it and `and`) or (`or` and not `and`). */
  | { function: 22; address: number; and: number; or: number }

/** Connects; rejects when there is nobody within `timeoutMs`. */
export async function openModbusTransport(options: ModbusTransportOptions): Promise<ModbusTransport> {
  // The socket is ours and not the library's: its own connect leaves the socket behind when it times out.
  const socket = await openSocket(options)
  const client = new modbusSerial.default()
  let open = true
  let abandon: ((reason: Error) => void) | null = null
  socket.once('close', () => {
    open = false
    // The library lets a request wait for its timeout although nobody can answer any more.
    abandon?.(new Error('connection closed'))
  })
  client.on('error', () => socket.destroy())
  client.setID(options.unit)
  client.setTimeout(options.timeoutMs)
  await client.linkTCP(socket, { port: options.port })

  function ask<T>(question: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      abandon = reject
      question.then(resolve, (error: unknown) => {
        const code = modbusCode(error)
        reject(code === null ? error : new ModbusException(code))
      })
    })
  }

  return {
    isOpen: () => open,
    read: (area, start, count) => ask(request(client, area, start, count)),
    write: (change) => ask(requestWrite(client, change)),
    close() {
      open = false
      client.destroy(() => undefined)
      socket.destroy()
    },
  }
}

function openSocket(options: ModbusTransportOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: options.host, port: options.port, noDelay: true })
    const fail = (error: Error): void => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(() => fail(new Error('no answer to the connection')), options.timeoutMs)
    socket.once('error', fail)
    socket.once('connect', () => {
      clearTimeout(timer)
      socket.off('error', fail)
      // An error is followed by close, which is what counts; without a listener it would end the process.
      socket.on('error', () => undefined)
      resolve(socket)
    })
  })
}

async function request(
  client: ModbusClient,
  area: ModbusArea,
  start: number,
  count: number,
): Promise<ArrayLike<number>> {
  switch (area) {
    case 'holding':
      return (await client.readHoldingRegisters(start, count)).data
    case 'input':
      return (await client.readInputRegisters(start, count)).data
    case 'coil':
      return (await client.readCoils(start, count)).data.map(Number)
    case 'discrete':
      return (await client.readDiscreteInputs(start, count)).data.map(Number)
  }
}

async function requestWrite(client: ModbusClient, change: ModbusWrite): Promise<void> {
  switch (change.function) {
    case 5:
      await client.writeCoil(change.address, change.on)
      return
    case 6:
      await client.writeRegister(change.address, change.register)
      return
    case 15:
      await client.writeCoils(change.address, [change.on])
      return
    case 16:
      await client.writeRegisters(change.address, change.registers)
      return
    case 22:
      await client.maskWriteRegister(change.address, change.and, change.or)
  }
}

function modbusCode(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('modbusCode' in error)) return null
  return typeof error.modbusCode === 'number' ? error.modbusCode : null
}
