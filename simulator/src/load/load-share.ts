import { LoadMachine } from './load-machine.ts'
import { type LoadShare, sourceAddressOf } from './load-plan.ts'
import { type LoadCounts, LoadStats } from './load-stats.ts'

const tickMs = 10
const keepAliveMs = 5_000
/** After a pause of the whole process missed messages are dropped: the load must not contain bursts. */
const catchUpMsMax = 1_000

/** A running share of a load. */
export interface RunningShare {
  /** The counts since the last call. */
  take(): LoadCounts
  /** Disconnects every line in order. */
  stop(): void
}

/** Connects its machines one after another and lets each publish in turn, evenly over time. */
export function startLoadShare(share: LoadShare): RunningShare {
  const stats = new LoadStats()
  const machines = share.machines.map((identity, place) => {
    const index = share.first + place
    const localAddress = sourceAddressOf(share.host, index)
    return new LoadMachine(identity, index % 10 < share.jsonOfTen, {
      host: share.host,
      port: share.port,
      localAddress,
      stats,
    })
  })
  const startedAt = performance.now()
  let opened = 0
  let spoken = 0
  let spokeAt = startedAt

  function openDue(now: number): void {
    const due = Math.min(machines.length, Math.ceil(((now - startedAt) / 1000) * share.connectPerS))
    for (; opened < due; opened += 1) machines[opened]?.line.open()
  }

  /** Each machine's turn comes once in its period; the turns of all fill it evenly. */
  function speakDue(now: number): void {
    const sinceMs = Math.min(now - spokeAt, catchUpMsMax)
    spokeAt = now
    turnsDue += (sinceMs / 1000) * share.ratePerS * machines.length
    const at = Date.now()
    for (; turnsDue >= 1; turnsDue -= 1) {
      const place = spoken % machines.length
      spoken += 1
      // Machines that have not connected yet do not count as skipped.
      const machine = place < opened ? machines[place] : undefined
      if (machine && !machine.speak(at) && machine.line.wasOpen) stats.skipped += 1
    }
  }

  let turnsDue = 0
  const ticking = setInterval(() => {
    const now = performance.now()
    openDue(now)
    speakDue(now)
  }, tickMs)
  const keeping = setInterval(() => {
    const now = performance.now()
    for (const machine of machines) machine.line.keepAlive(now)
  }, keepAliveMs)
  return {
    take: () => stats.take(),
    stop() {
      clearInterval(ticking)
      clearInterval(keeping)
      for (const machine of machines) machine.line.close()
    },
  }
}
