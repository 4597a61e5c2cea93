import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '../src/rpc.ts'

/* A controller and the tools that use it. A tool's first byte says which work a connection is for. */

export interface AskOrder {
  readonly port: number
  readonly count: number
}

export interface TransferOrder {
  readonly port: number
  /** Of all streams together. */
  readonly bytes: number
  readonly streams: number
  readonly way: 'down' | 'up'
}

/** MBAP, and function 3 of one register (Modbus Messaging on TCP/IP, 3.1.3): 12 bytes, answered by 11. */
const request = Buffer.from([0, 1, 0, 0, 0, 6, 1, 3, 0, 0, 0, 1])
const answer = Buffer.from([0, 1, 0, 0, 0, 5, 1, 3, 2, 0, 42])
/** A request of Modbus begins with a transaction's number, below these. */
const work = { down: 0xd0, up: 0xd1 } as const
const headBytes = 9
const triesMax = 100
const retryMs = 100
const piece = Buffer.alloc(64 * 1024, 0x55)

serve({
  async listen(): Promise<number> {
    const server = createServer({ noDelay: true }, serveTool)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  },

  /** The time of each request, in ms, one after the other over one connection. */
  async ask({ port, count }: AskOrder): Promise<number[]> {
    const socket = await open(port)
    const took: number[] = []
    for (let asked = 0; asked < count; asked++) {
      const startedAt = performance.now()
      socket.write(request)
      await readBytes(socket, answer.length)
      took.push(performance.now() - startedAt)
    }
    socket.destroy()
    return took
  },

  /** The time until all bytes of all streams have come, in ms; the connections are open before. */
  async transfer({ port, bytes, streams, way }: TransferOrder): Promise<number> {
    const each = Math.floor(bytes / streams)
    const sockets = await Promise.all(Array.from({ length: streams }, () => open(port)))
    const startedAt = performance.now()
    await Promise.all(
      sockets.map(async (socket) => {
        const head = Buffer.alloc(headBytes)
        head[0] = work[way]
        head.writeBigUInt64BE(BigInt(each), 1)
        socket.write(head)
        if (way === 'up') await sendBytes(socket, each)
        await readBytes(socket, way === 'up' ? answer.length : each)
      }),
    )
    const ms = performance.now() - startedAt
    for (const socket of sockets) socket.destroy()
    return ms
  },
})

function serveTool(socket: Socket): void {
  let left: Buffer = Buffer.alloc(0)
  let toSink = 0
  socket.on('error', () => undefined)
  socket.on('data', (bytes: Buffer) => {
    if (toSink > 0) {
      toSink -= bytes.length
      if (toSink <= 0) socket.write(answer)
      return
    }
    left = left.length === 0 ? bytes : Buffer.concat([left, bytes])
    for (;;) {
      const [first] = left
      if (first === work.down || first === work.up) {
        if (left.length < headBytes) return
        const count = Number(left.readBigUInt64BE(1))
        const rest = left.length - headBytes
        left = Buffer.alloc(0)
        if (first === work.down) void sendBytes(socket, count)
        else toSink = count - rest
        return
      }
      if (left.length < request.length) return
      left = left.subarray(request.length)
      socket.write(answer)
    }
  })
}

/** A connection over which the controller has answered: those of the time before may not be free yet. */
async function open(port: number): Promise<Socket> {
  for (let tries = 1; ; tries++) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    // Its close follows.
    socket.on('error', () => undefined)
    try {
      socket.write(request)
      await readBytes(socket, answer.length)
      return socket
    } catch (error) {
      if (tries === triesMax) throw error
      await sleep(retryMs)
    }
  }
}

async function sendBytes(socket: Socket, count: number): Promise<void> {
  for (let left = count; left > 0; left -= piece.length) {
    const isFull = !socket.write(left < piece.length ? piece.subarray(0, left) : piece)
    if (isFull) await once(socket, 'drain')
  }
}

/** @throws where the connection ends before */
function readBytes(socket: Socket, count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = count
    const read = (bytes: Buffer) => {
      left -= bytes.length
      if (left <= 0) finish()
    }
    const end = () => finish(new Error(`the connection ended, ${left} of ${count} bytes missing`))
    const finish = (error?: Error) => {
      socket.off('data', read).off('close', end)
      if (error) reject(error)
      else resolve()
    }
    socket.on('data', read).once('close', end)
  })
}
