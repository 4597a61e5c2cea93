import modbusSerial from 'modbus-serial'
import { openSocket } from '../open-socket.ts'
import type { ModbusArea } from './address.ts'
import type { ModbusTransport, ModbusWrite } from './transport.ts'
import { ModbusException } from './transport.ts'

type ModbusClient = InstanceType<typeof modbusSerial.default>

export interface ModbusTcpOptions {
  host: string
  port: number
  unit: number
  /** For the connection and for each answer. */
  timeoutMs: number
}

/** Connects; rejects if the connection is not open within `timeoutMs`. */
export async function openTcpTransport(options: ModbusTcpOptions): Promise<ModbusTransport> {
  // The socket is ours and not the library's: its own connect leaves the socket behind when it times out.
  const socket = await openSocket(options)
  const client = new modbusSerial.default()
  let open = true
  let abandon: ((reason: Error) => void) | null = null
  socket.once('close', () => {
    open = false
    // The library keeps a request waiting for its timeout although no answer can come any more.
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
