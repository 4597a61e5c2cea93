import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { steadyNowMs } from '../src/clock.ts'
import { openRawMachine, openSocket } from '../src/raw-machine.ts'
import { serve } from '../src/rpc.ts'
import type { Acknowledged } from '../webhooks/acknowledged.ts'
import { percentile } from './cpu.ts'
import { codeOf, machineSecret, PublishTemplate } from './messages.ts'

const connectsAtOnce = 200
const pubackBytes = 4
/** An open load is sent in slices of this length. */
const sliceMs = 2

interface OpenInput {
  readonly port: number
  readonly connections: number
  /** `v1/devices/me/telemetry`, or a topic of each machine's own for a broker. */
  readonly topic: 'own' | 'perMachine'
  /** In each message; three where it is left out. */
  readonly values?: 1 | 3
  /** Whether to log in at all, or to be a bare socket. */
  readonly mqtt?: boolean
  /** The number of the first machine; 0 where it is left out. */
  readonly first?: number
}

/** One sending machine: counts acknowledgements by their bytes, the only affordable way at this rate. */
class Sender {
  readonly code: string
  readonly socket: Socket
  readonly #template: PublishTemplate
  #packetId = 0
  #nextAt: number
  #ackedBytes = 0
  sent = 0
  acked = 0
  /** When each unacknowledged message was sent, and the time that it told; only for latency. */
  unacked: { readonly sentAt: number; readonly time: number }[] | undefined
  onAck: ((count: number) => void) | undefined

  constructor(code: string, socket: Socket, topic: string, values: 1 | 3) {
    this.code = code
    this.socket = socket
    this.#template = new PublishTemplate(topic, values)
    this.#nextAt = Date.now()
    socket.on('data', (bytes: Buffer) => {
      this.#ackedBytes += bytes.length
      const count = Math.floor(this.#ackedBytes / pubackBytes) - this.acked
      this.acked += count
      if (count > 0) this.onAck?.(count)
    })
  }

  send(count: number): void {
    const size = this.#template.bytes.length
    const block = Buffer.allocUnsafe(size * count)
    // A load that lasts must not fall behind the clock: times five minutes off are not believed.
    this.#nextAt = Math.max(this.#nextAt, Date.now())
    for (let index = 0; index < count; index++) {
      this.#packetId = (this.#packetId % 65_535) + 1
      // Each message of a machine has a different time.
      const time = this.#nextAt++
      this.#template.write(block, index * size, this.#packetId, time)
      this.unacked?.push({ sentAt: performance.now(), time })
    }
    this.sent += count
    this.socket.write(block)
  }
}

let senders: Sender[] = []

async function openOne(input: OpenInput, number: number): Promise<Sender> {
  const code = codeOf(number)
  const socket =
    input.mqtt === false
      ? await openSocket(input.port)
      : await openRawMachine(input.port, code, machineSecret)
  const topic = input.topic === 'own' ? 'v1/devices/me/telemetry' : `machines/${code}/telemetry`
  return new Sender(code, socket, topic, input.values ?? 3)
}

serve({
  async open(input: OpenInput) {
    senders = []
    for (let from = 0; from < input.connections; from += connectsAtOnce) {
      const count = Math.min(connectsAtOnce, input.connections - from)
      senders.push(
        ...(await Promise.all(
          Array.from({ length: count }, (_, index) => openOne(input, (input.first ?? 0) + from + index)),
        )),
      )
    }
  },

  /** Every sender keeps `window` messages in flight until `messages` are acknowledged in all. */
  async sendClosed(input: { messages: number; window: number }) {
    const each = Math.floor(input.messages / senders.length)
    const startedAt = performance.now()
    await Promise.all(
      senders.map(
        (sender) =>
          new Promise<void>((resolve) => {
            const goal = sender.sent + each
            sender.onAck = (count) => {
              if (sender.acked >= goal) return resolve()
              const next = Math.min(count, goal - sender.sent)
              if (next > 0) sender.send(next)
            }
            sender.send(Math.min(input.window, each))
          }),
      ),
    )
    return { messages: each * senders.length, ms: performance.now() - startedAt }
  },

  /**
   * A steady rate for a while, whatever the answers; returns the time that each acknowledgement took, that of all
   * together, and the longest time in which none of them came; `isTold`: each of them as well.
   */
  async sendOpen(input: { messagesPerSecond: number; ms: number; isTold?: boolean }) {
    const took: number[] = []
    const acknowledged: Acknowledged[] = []
    let ackedAt = performance.now()
    let longestPauseMs = 0
    for (const sender of senders) {
      sender.unacked = []
      sender.onAck = (count) => {
        const now = performance.now()
        longestPauseMs = Math.max(longestPauseMs, now - ackedAt)
        ackedAt = now
        const at = steadyNowMs()
        for (const { sentAt, time } of sender.unacked?.splice(0, count) ?? []) {
          took.push(now - sentAt)
          if (input.isTold) acknowledged.push([sender.code, time, at])
        }
      }
    }
    const before = senders.reduce((sum, sender) => sum + sender.sent, 0)
    const startedAt = performance.now()
    let due = 0
    let next = 0
    for (let elapsed = 0; elapsed < input.ms; elapsed = performance.now() - startedAt) {
      const goal = (input.messagesPerSecond * elapsed) / 1000
      for (; due < goal; due++) {
        senders[next]?.send(1)
        next = (next + 1) % senders.length
      }
      await sleep(sliceMs)
    }
    while (senders.some(({ unacked = [] }) => unacked.length > 0)) await sleep(sliceMs)
    for (const sender of senders) sender.unacked = undefined
    const sent = senders.reduce((sum, sender) => sum + sender.sent, 0) - before
    const ms = performance.now() - startedAt
    return { sent, ms, p50: percentile(took, 50), p99: percentile(took, 99), longestPauseMs, acknowledged }
  },

  close() {
    for (const { socket } of senders) socket.destroy()
    senders = []
  },
})
