import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'mqtt-packet'
import { fleetCode, fleetSecret } from '../../e2e/src/fleet.ts'
import { steadyNowMs } from '../src/clock.ts'
import { openRawMachine } from '../src/raw-machine.ts'
import { serve } from '../src/rpc.ts'

/* Machines whose value passes the limit of a rule: each sends once a number that no other machine sends. */

const connectsAtOnce = 50
const tickMs = 1

/** The value of the n-th machine when it passes its limit. */
export const numberOf = (n: number): number => 100_000 + n

let sockets: Socket[] = []

function say(n: number, value: number): void {
  sockets[n]?.write(
    generate({
      cmd: 'publish',
      topic: 'v1/devices/me/telemetry',
      payload: `{"pressure":${value}}`,
      qos: 1,
      messageId: value === 0 ? 1 : 2,
      dup: false,
      retain: false,
    }),
  )
}

serve({
  /** Signs in machines of a fleet, from the `from`-th on, and sends a first value below every limit. */
  async open({ port, from, count }: { port: number; from: number; count: number }) {
    sockets = []
    for (let place = 0; place < count; place += connectsAtOnce) {
      const some = Array.from({ length: Math.min(connectsAtOnce, count - place) }, (_, index) =>
        openRawMachine(port, fleetCode(from + place + index), fleetSecret),
      )
      sockets.push(...(await Promise.all(some)))
      for (let n = sockets.length - some.length; n < sockets.length; n++) say(n, 0)
    }
  },

  /**
   * Lets one machine after the other pass its limit, at an even pace; returns when each did, by the steady
   * clock.
   */
  async raise({ from, count, perSecond }: { from: number; count: number; perSecond: number }) {
    const sentAt: [number: number, at: number][] = []
    const beganAt = performance.now()
    while (sentAt.length < count) {
      const due = Math.min(count, Math.floor(((performance.now() - beganAt) * perSecond) / 1_000) + 1)
      while (sentAt.length < due) {
        const n = from + sentAt.length
        sentAt.push([numberOf(n), steadyNowMs()])
        say(n, numberOf(n))
      }
      await sleep(tickMs)
    }
    return sentAt
  },

  close() {
    for (const socket of sockets) socket.destroy()
    sockets = []
  },
})
