import type { Socket } from 'node:net'
import { generate } from 'mqtt-packet'
import { codeOf, machineSecret } from '../ingest/messages.ts'
import { openRawMachine } from '../src/raw-machine.ts'
import { serve } from '../src/rpc.ts'

const connectsAtOnce = 200
const pubackBytes = 4

/** The machines that raise alarms, all of them at once. */
export interface StormOrder {
  readonly port: number
  /** The number of the first. */
  readonly from: number
  readonly count: number
}

/** From the moment at which all of them published to their acknowledgements. */
export interface StormResult {
  readonly p50: number
  readonly p99: number
  readonly lastMs: number
}

let sockets: Socket[] = []
let acknowledgedAt: number[] = []
let allAcknowledged = () => {}

async function openOne(port: number, number: number): Promise<Socket> {
  const socket = await openRawMachine(port, codeOf(number), machineSecret)
  socket.on('data', (bytes: Buffer) => {
    const now = performance.now()
    for (let count = bytes.length / pubackBytes; count >= 1; count--) acknowledgedAt.push(now)
    if (acknowledgedAt.length >= sockets.length) allAcknowledged()
  })
  return socket
}

serve({
  async open({ port, from, count }: StormOrder) {
    for (let place = 0; place < count; place += connectsAtOnce) {
      const some = Array.from({ length: Math.min(connectsAtOnce, count - place) }, (_, index) =>
        openOne(port, from + place + index),
      )
      sockets.push(...(await Promise.all(some)))
    }
  },

  /** Every machine raises one alarm; resolves when each is acknowledged. */
  async raise({ key }: { key: string }): Promise<StormResult> {
    acknowledgedAt = []
    const text = { en: 'Mains voltage lost', cn: '市电断电' }
    const message = generate({
      cmd: 'publish',
      topic: 'v1/devices/me/alarms',
      payload: JSON.stringify({ id: key, level: 'critical', text, state: 'raised' }),
      qos: 1,
      messageId: 1,
      dup: false,
      retain: false,
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    allAcknowledged = resolve
    const startedAt = performance.now()
    for (const socket of sockets) socket.write(message)
    await promise
    const took = acknowledgedAt.map((at) => at - startedAt).sort((a, b) => a - b)
    const at = (part: number) => took[Math.ceil(part * took.length) - 1] ?? Number.NaN
    return { p50: at(0.5), p99: at(0.99), lastMs: at(1) }
  },

  close() {
    for (const socket of sockets) socket.destroy()
    sockets = []
  },
})
