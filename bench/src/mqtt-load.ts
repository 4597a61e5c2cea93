import { connect, type Socket } from 'node:net'
import mqtt from 'mqtt-packet'
import { connectPacket } from './raw-machine.ts'

/* Sends plain JSON publishes over many connections, in a separate process: the parent sends address and rate,
   the process answers with its results. Packets are written by hand, so that one core exceeds every requested
   rate. */

/** The order of the parent. */
export interface LoadOrder {
  readonly port: number
  readonly machines: readonly { readonly code: string; readonly secret: string }[]
}

export interface LoadRun {
  readonly messagesPerSecond: number
  readonly durationMs: number
}

/** The result of a run. */
export interface LoadResult {
  readonly published: number
  readonly acknowledged: number
  readonly elapsedMs: number
  /** Delay of the latest publish against the plan. */
  readonly latenessMaxMs: number
}

export type LoadMessage =
  | { readonly type: 'connected' }
  | { readonly type: 'done'; readonly result: LoadResult }

const tickMs = 1
/** Time allowed for the last acknowledgements. */
const drainMs = 5_000

const sockets: Socket[] = []
let acknowledged = 0

async function open(order: LoadOrder): Promise<void> {
  // A few at a time: a listener's backlog is finite.
  const waiting = [...order.machines]
  const openNext = async () => {
    for (let machine = waiting.pop(); machine; machine = waiting.pop()) {
      sockets.push(await openOne(order.port, machine.code, machine.secret))
    }
  }
  await Promise.all(Array.from({ length: 16 }, openNext))
}

function openOne(port: number, code: string, secret: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    const parser = mqtt.parser()
    parser.on('packet', (packet) => {
      if (packet.cmd === 'puback') acknowledged++
      else if (packet.cmd === 'connack' && packet.returnCode === 0) resolve(socket)
      else if (packet.cmd === 'connack') reject(new Error(`${code} was refused: ${packet.returnCode}`))
    })
    socket.on('data', (data: Buffer) => parser.parse(data))
    socket.once('error', reject)
    socket.write(connectPacket(code, secret, 120))
  })
}

/** Publishes at an even pace, the machines in turn. The value is the instant of writing, in epoch milliseconds. */
function run({ messagesPerSecond, durationMs }: LoadRun): Promise<LoadResult> {
  const planned = Math.floor((messagesPerSecond * durationMs) / 1000)
  const beganAt = performance.now()
  acknowledged = 0
  let published = 0
  let latenessMaxMs = 0
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      const elapsedMs = performance.now() - beganAt
      const due = Math.min(planned, Math.floor((elapsedMs * messagesPerSecond) / 1000))
      for (; published < due; published++) {
        latenessMaxMs = Math.max(latenessMaxMs, elapsedMs - (published * 1000) / messagesPerSecond)
        publish(published)
      }
      if (published < planned) return
      clearInterval(timer)
      const elapsed = performance.now() - beganAt
      const drainUntil = performance.now() + drainMs
      const drain = setInterval(() => {
        if (acknowledged < published && performance.now() < drainUntil) return
        clearInterval(drain)
        resolve({ published, acknowledged, elapsedMs: elapsed, latenessMaxMs })
      }, 10)
    }, tickMs)
  })
}

function publish(place: number): void {
  const at = performance.timeOrigin + performance.now()
  sockets[place % sockets.length]?.write(
    mqtt.generate({
      cmd: 'publish',
      topic: 'v1/devices/me/telemetry',
      payload: `{"sentAt":${at}}`,
      qos: 1,
      messageId: (place % 65_535) + 1,
      retain: false,
      dup: false,
    }),
  )
}

process.on('message', (message: { open?: LoadOrder; run?: LoadRun }) => {
  if (message.open) {
    void open(message.open).then(
      () => process.send?.({ type: 'connected' } satisfies LoadMessage),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  if (message.run) {
    void run(message.run).then((result) => process.send?.({ type: 'done', result } satisfies LoadMessage))
  }
})
process.on('disconnect', () => process.exit(0))
