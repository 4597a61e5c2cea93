import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { create, toBinary } from '@bufbuild/protobuf'
import { timing } from '@busbar/contract'
import { type Client, ClientSchema } from '@busbar/contract/push'
import { openSocket } from '../src/raw-machine.ts'
import { quantile } from '../src/report.ts'
import { serve } from '../src/rpc.ts'
import { FrameReader, readNumbers } from './read-values.ts'

/* Pages' sockets without a browser, and bare connections that get the same bytes. A value is the instant it was sent. */

const opensAtOnce = 50

export interface Page {
  readonly token: string
  /** The address it comes from: there is a limit per address. */
  readonly address: string
  readonly machineIds: readonly number[]
}

/** The ages of values at arrival. */
export interface Ages {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

const nowMs = () => performance.timeOrigin + performance.now()

const sockets: Socket[] = []
let ages: number[] = []
let wake: () => void = () => undefined

function note(number: number): void {
  // Instants only: the fleet has other values.
  if (number < 1e12) return
  ages.push(nowMs() - number)
  wake()
}

/** A client's frame, masked with zeros. */
function frameOf(kind: object): Buffer {
  const message = toBinary(ClientSchema, create(ClientSchema, { kind } as unknown as Client))
  if (message.length > 125) throw new Error('a message of a page is short')
  return Buffer.concat([Buffer.from([0x82, 0x80 | message.length, 0, 0, 0, 0]), message])
}

const heartbeat = frameOf({ case: 'heartbeat', value: {} })

function listen(socket: Socket): void {
  const reader = new FrameReader((message) => readNumbers(message, note))
  socket.on('data', (chunk: Buffer) => reader.push(chunk))
  sockets.push(socket)
}

async function openPage(port: number, { token, address, machineIds }: Page): Promise<void> {
  const socket = await openSocket(port)
  socket.write(
    `GET /echo.io?sid=${token} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `X-Forwarded-For: ${address}\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )
  const answer = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
  if (!answer.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(answer.toString('latin1'))
  listen(socket)
  socket.on('close', () => {
    throw new Error('the platform closed a page')
  })
  for (const machineId of machineIds)
    socket.write(frameOf({ case: 'watch', value: { machineId: String(machineId), tagIds: [] } }))
}

/** Opens a few at a time. */
async function openAll<T>(wanted: readonly T[], open: (one: T) => Promise<void>): Promise<void> {
  const rest = [...wanted]
  const openNext = async () => {
    for (let one = rest.pop(); one !== undefined; one = rest.pop()) await open(one)
  }
  await Promise.all(Array.from({ length: opensAtOnce }, openNext))
}

setInterval(() => {
  for (const socket of sockets) socket.write(heartbeat)
}, timing.heartbeatMs)

serve({
  async open({ port, pages }: { port: number; pages: readonly Page[] }) {
    await openAll(pages, (page) => openPage(port, page))
  },

  async openBare({ port, count }: { port: number; count: number }) {
    await openAll(Array(count).fill(port), async () => listen(await openSocket(port)))
  },

  /** The values that arrived since the last call. */
  take(): Ages {
    const taken = ages
    ages = []
    return {
      count: taken.length,
      p50: quantile(taken, 0.5),
      p99: quantile(taken, 0.99),
      max: quantile(taken, 1),
    }
  },

  /** Resolves when this many values have arrived since the last `take`; false if they did not within the time. */
  async arrived({ count, withinMs }: { count: number; withinMs: number }) {
    if (ages.length >= count) return true
    return new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), withinMs)
      wake = () => {
        if (ages.length < count) return
        wake = () => undefined
        clearTimeout(timer)
        resolve(true)
      }
    })
  },
})
