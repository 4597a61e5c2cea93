import { connect, type Socket } from 'node:net'
import modbusSerial from 'modbus-serial'
import type { ModbusArea } from './address.ts'

type ModbusClient = InstanceType<typeof modbusSerial.default>

/** The device answered, and the answer is no (Modbus Application Protocol 1.1b3, section 7). */
export class ModbusException extends Error {
  readonly exceptionCode: number

  constructor(exceptionCode: number) {
    super(`Modbus exception ${exceptionCode}`)
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
  close(): void
}

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

  return {
    isOpen: () => open,
    read(area, start, count) {
      return new Promise((resolve, reject) => {
        abandon = reject
        request(client, area, start, count).then(resolve, (error: unknown) => {
          const code = modbusCode(error)
          reject(code === null ? error : new ModbusException(code))
        })
      })
    },
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

function modbusCode(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('modbusCode' in error)) return null
  return typeof error.modbusCode === 'number' ? error.modbusCode : null
}
