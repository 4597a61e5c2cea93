import { setImmediate } from 'node:timers/promises'
import { gatewayLimits } from '../../src/edge/limits.ts'
import type { MachineLogin } from '../../src/edge/login/login.ts'
import { AlarmTurns } from '../../src/edge/mqtt/alarm-turns.ts'
import { MqttConnection } from '../../src/edge/mqtt/connection.ts'
import type { ConnectionHost, LoginRefusal } from '../../src/edge/mqtt/connection-host.ts'
import { reason } from '../../src/edge/mqtt/reasons.ts'
import { TurnQueue } from '../../src/edge/mqtt/turn-queue.ts'
import { UnfinishedPackets } from '../../src/edge/mqtt/unfinished-packets.ts'
import { Histogram } from '../../src/kernel/metrics/index.ts'

/** The code of the one machine that may log in, with any secret. */
export const bareCode = '1234567890123456789'

/** A login, the turns before and behind it, and the store: a turn of the event loop each. */
const settledTurns = 5

/** A connection without sockets and database: bytes in, bytes out. */
export interface BareConnection {
  /** The bytes written by the platform. */
  readonly written: Buffer[]
  /** Messages taken. */
  readonly published: number
  /** The platform ended its side. */
  readonly isEnded: boolean
  /** Number of calls to the gateway that it is over. */
  readonly goneCount: number
  /** Delivers bytes as a socket does: none while reading is paused. */
  deliver(bytes: Buffer): Promise<void>
  /** Resolves when the delivered packets have been read and stored. */
  settle(): Promise<void>
  /** So much time passes in silence. */
  pass(ms: number): void
  /** The client's side goes. */
  close(): void
}

/** The result of storing a message: at once, a turn later, or an error. */
export type Storing = 'nothing' | 'stored' | 'failed'

export function openBareConnection(storing: () => Storing): BareConnection {
  let ticks = 0
  let isPaused = false
  const state = { written: [] as Buffer[], published: 0, isEnded: false, goneCount: 0 }
  const store = () => {
    state.published++
    const how = storing()
    if (how === 'nothing') return undefined
    return new Promise<void>((resolve, reject) => {
      globalThis.setImmediate(() => (how === 'stored' ? resolve() : reject(new Error('not stored'))))
    })
  }
  const turns = new TurnQueue(() => 0)
  const host: ConnectionHost<MqttConnection> = {
    acknowledgeSeconds: new Histogram(),
    turns,
    alarmTurns: new AlarmTurns(turns, () => 1),
    unfinished: new UnfinishedPackets(gatewayLimits.unfinishedBytesMax, () => ticks),
    login: async ({ code }): Promise<MachineLogin | LoginRefusal> =>
      code === bareCode
        ? {
            machineId: 1,
            code,
            adapter: null,
            timeZone: 'Asia/Shanghai',
            textEncoding: 'utf8' as const,
            otherTopics: false,
          }
        : { refused: reason.badUserNameOrPassword },
    openProject: async () => ({ refused: reason.serverBusy }),
    opened: () => ({
      publish: store,
      isReading: false,
      waitMs: () => 0,
      takeHeld: () => {},
      movedOn: () => {},
      ended: () => {},
    }),
    gone: () => {
      state.goneCount++
    },
    isUnderPressure: () => false,
    stateTopic: 'spBv1.0/STATE/busbar',
    statePayload: () => Buffer.from('{"online":true}'),
    ticks: () => ticks,
    log: () => {},
    refused: () => {},
  }
  const connection = new MqttConnection(host, '127.0.0.1', false)
  connection.attach({
    write: (bytes) => state.written.push(bytes),
    pong: () => {},
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
    },
    end: () => {
      state.isEnded = true
    },
    destroy: () => {
      state.isEnded = true
    },
    waitingBytes: 0,
  })
  return Object.assign(state, {
    async deliver(bytes: Buffer) {
      while (isPaused && !state.isEnded) await setImmediate()
      connection.received(bytes)
      await setImmediate()
    },
    async settle() {
      for (let turn = 0; turn < settledTurns; turn++) await setImmediate()
    },
    pass(ms: number) {
      ticks += ms
      connection.checkSilence()
    },
    close: () => connection.closed(),
  })
}
