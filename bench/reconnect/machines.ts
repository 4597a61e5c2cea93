import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { plainTopic } from '@busbar/link'
import { generate } from 'mqtt-packet'
import { codeOf, machineSecret } from '../ingest/messages.ts'
import { connectPacket } from '../src/raw-machine.ts'
import { serve } from '../src/rpc.ts'

/** Attempts under way at the same time, of all machines. */
const attemptsMax = 400
/** Machines use this many addresses of this computer, like as many sites. */
const sites = 200
const retryMs = 200
const connackType = 2
const pubackType = 4
const headerBits = 4

export interface FleetOrder {
  readonly port: number
  readonly machines: number
}

export interface Reconnected {
  /** From the first connection that was accepted to the last CONNACK. */
  readonly ms: number
  /** Attempts after that first one that failed or were refused. */
  readonly failed: number
}

/** The acknowledged messages of one machine: their times. */
export type Acknowledged = readonly (readonly number[])[]

let port = 0
let machines: Machine[] = []
let firstAt: number | undefined
let failed = 0

/** A machine that always reconnects, with one message in flight, which it repeats until it is acknowledged. */
class Machine {
  readonly acknowledged: number[] = []
  readonly #connect: Buffer
  readonly #address: string
  #socket: Socket | undefined
  #sentAt: number | undefined
  #packetId = 0
  isIn = false

  constructor(number: number) {
    this.#connect = connectPacket(codeOf(number), machineSecret)
    this.#address = `127.1.${number % sites}.1`
  }

  /** One attempt; resolves to whether it was accepted. */
  dial(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: this.#address, noDelay: true })
      this.#socket = socket
      socket.once('connect', () => {
        firstAt ??= performance.now()
        socket.write(this.#connect)
      })
      socket.on('data', (bytes: Buffer) => {
        const type = (bytes[0] ?? 0) >> headerBits
        if (type === connackType && bytes[3] === 0) {
          this.isIn = true
          if (this.#sentAt !== undefined) this.#write(this.#sentAt)
          resolve(true)
        } else if (type === pubackType) this.#take()
      })
      socket.on('error', () => {})
      socket.once('close', () => {
        this.isIn = false
        resolve(false)
      })
    })
  }

  /** Sends the next message if none is in flight. */
  send(at: number): void {
    if (!this.isIn || this.#sentAt !== undefined) return
    this.#sentAt = at
    this.#packetId = (this.#packetId % 60_000) + 1
    this.#write(at)
  }

  get isSettled(): boolean {
    return this.#sentAt === undefined
  }

  leave(): void {
    this.#socket?.destroy()
  }

  #take(): void {
    if (this.#sentAt !== undefined) this.acknowledged.push(this.#sentAt)
    this.#sentAt = undefined
  }

  #write(at: number): void {
    const payload = JSON.stringify({ ts: at, values: { n: at % 1_000_000 } })
    this.#socket?.write(
      generate({
        cmd: 'publish',
        topic: plainTopic.telemetry,
        payload,
        qos: 1,
        messageId: this.#packetId,
        dup: false,
        retain: false,
      }),
    )
  }
}

/** Connects every machine that is not connected, some at a time. */
async function dialAll(): Promise<void> {
  const waiting = machines.filter(({ isIn }) => !isIn)
  const dialNext = async () => {
    for (let machine = waiting.pop(); machine; machine = waiting.pop()) {
      if (await machine.dial()) continue
      if (firstAt !== undefined) failed++
      waiting.unshift(machine)
      await sleep(retryMs)
    }
  }
  await Promise.all(Array.from({ length: attemptsMax }, dialNext))
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5)
}

serve({
  async open(order: FleetOrder) {
    port = order.port
    machines = Array.from({ length: order.machines }, (_, number) => new Machine(number))
    await dialAll()
  },

  /** All connections are gone; dials until all are back. The server may not be there yet. */
  async comeBack(): Promise<Reconnected> {
    await until(() => machines.every(({ isIn }) => !isIn))
    firstAt = undefined
    failed = 0
    await dialAll()
    return { ms: performance.now() - (firstAt ?? Number.NaN), failed }
  },

  /** The machines come to another port from here on. */
  moveTo(order: { port: number }) {
    port = order.port
  },

  /** Each machine sends one message; the answer does not wait for its acknowledgement. */
  send() {
    const at = Date.now()
    for (const machine of machines) machine.send(at)
  },

  async settle(): Promise<Acknowledged> {
    await until(() => machines.every(({ isSettled }) => isSettled))
    return machines.map(({ acknowledged }) => acknowledged)
  },

  close() {
    for (const machine of machines) machine.leave()
    machines = []
  },
})
