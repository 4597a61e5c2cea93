import { once } from 'node:events'
import type { Server, Socket } from 'node:net'
import { createServer } from 'node:net'

/** A request as the device sees it. */
export interface SeenRequest {
  transaction: number
  functionCode: number
  start: number
  count: number
}

/** A Modbus TCP device with the habits of real ones; register N holds N. */
export interface FaultyModbusDevice {
  port: number
  /** The exception for a request; `silent` gives no answer; null is a regular answer. */
  fault: (request: SeenRequest) => number | 'silent' | null
  /** Closes the connection after each answer. */
  isOneShot: boolean
  /** Added to the transaction id of answers. */
  transactionOffset: number
  /** The protocol id of answers; 0 is Modbus. */
  protocolId: number
  /** The unit id of answers; null is that of the request. */
  unitId: number | null
  /** Takes one connection and closes others at once. */
  takesOne: boolean
  /** Connections of now that get no more answers, as a gateway has that forgot them. */
  forget(): void
  /** Requests so far, as `100+3`, and their time, as `performance.now()` has it. */
  requests: string[]
  requestedAt: number[]
  connections: number
  /** Connections of now. */
  readonly open: number
  close(): Promise<void>
}

const headBytes = 7

export async function startFaultyModbusDevice(): Promise<FaultyModbusDevice> {
  const sockets = new Set<Socket>()
  const forgotten = new WeakSet<Socket>()
  const server: Server = createServer((socket) => {
    if (device.takesOne && sockets.size > 0) return void socket.destroy()
    sockets.add(socket)
    device.connections++
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    let received: Buffer = Buffer.alloc(0)
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes])
      while (received.length >= 6 && received.length >= 6 + received.readUInt16BE(4)) {
        const end = 6 + received.readUInt16BE(4)
        answer(socket, received.subarray(0, end))
        received = received.subarray(end)
      }
    })
  })

  function answer(socket: Socket, frame: Buffer): void {
    const [transaction, functionCode] = [frame.readUInt16BE(0), frame.readUInt8(headBytes)]
    const [start, count] = [frame.readUInt16BE(headBytes + 1), frame.readUInt16BE(headBytes + 3)]
    device.requests.push(`${start}+${count}`)
    device.requestedAt.push(performance.now())
    if (forgotten.has(socket)) return
    const fault = device.fault({ transaction, functionCode, start, count })
    if (fault === 'silent') return
    const pdu =
      fault !== null
        ? Buffer.of(functionCode | 0x80, fault)
        : functionCode === 6
          ? frame.subarray(headBytes)
          : registers(functionCode, start, count)
    const head = Buffer.alloc(headBytes)
    head.writeUInt16BE((transaction + device.transactionOffset) & 0xffff, 0)
    head.writeUInt16BE(device.protocolId, 2)
    head.writeUInt16BE(pdu.length + 1, 4)
    head.writeUInt8(device.unitId ?? frame.readUInt8(6), 6)
    const whole = Buffer.concat([head, pdu])
    if (device.isOneShot) socket.end(whole)
    else socket.write(whole)
  }

  const device: FaultyModbusDevice = {
    port: 0,
    fault: () => null,
    isOneShot: false,
    transactionOffset: 0,
    protocolId: 0,
    unitId: null,
    takesOne: false,
    forget() {
      for (const socket of sockets) forgotten.add(socket)
    },
    requests: [],
    requestedAt: [],
    connections: 0,
    get open() {
      return sockets.size
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  device.port = typeof address === 'object' && address !== null ? address.port : 0
  return device
}

function registers(functionCode: number, start: number, count: number): Buffer {
  const pdu = Buffer.alloc(2 + 2 * count)
  pdu.writeUInt8(functionCode, 0)
  pdu.writeUInt8(2 * count, 1)
  for (let index = 0; index < count; index++) pdu.writeUInt16BE(start + index, 2 + 2 * index)
  return pdu
}
