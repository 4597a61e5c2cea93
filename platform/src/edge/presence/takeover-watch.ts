import { platformAlarms } from '@busbar/contract'
import type { AlarmRecord } from '../../modules/telemetry/index.ts'

/**
 * Take-overs that go back and forth between addresses within this time are two who use one secret (rules/telemetry.md:
 * two users of one secret).
 */
const windowMs = 10 * 60_000
const turnsMin = 3
const machinesMax = 10_000

interface Turns {
  address: string
  count: number
  at: number
  isRaised: boolean
}

/**
 * Notices when two parties use one machine's secret: the connection changes between addresses again and again. A machine
 * that moved once, or reconnects from the same place, does not count.
 */
export class TakeoverWatch {
  readonly #turns = new Map<number, Turns>()

  /** A take-over by a connection from `address`. Answers the alarm to raise, if it is time. */
  takenOver(machineId: number, from: string, address: string, now: number): AlarmRecord | undefined {
    if (from === address) return undefined
    const before = this.#turns.get(machineId)
    const isInTurn = before !== undefined && now - before.at <= windowMs && before.address !== address
    const turns = {
      address,
      count: isInTurn ? before.count + 1 : 1,
      at: now,
      isRaised: before?.isRaised ?? false,
    }
    if (this.#turns.size < machinesMax || before) this.#turns.set(machineId, turns)
    if (turns.isRaised || turns.count < turnsMin) return undefined
    turns.isRaised = true
    return alarmOf('raised')
  }

  /** Machines whose connection has been quiet again, with the alarm that clears theirs where one was raised. */
  sweep(now: number): { machineId: number; alarm: AlarmRecord }[] {
    const cleared: { machineId: number; alarm: AlarmRecord }[] = []
    for (const [machineId, turns] of this.#turns) {
      if (now - turns.at <= windowMs) continue
      this.#turns.delete(machineId)
      if (turns.isRaised) cleared.push({ machineId, alarm: alarmOf('cleared') })
    }
    return cleared
  }
}

function alarmOf(state: AlarmRecord['state']): AlarmRecord {
  return {
    kind: 'alarm',
    ...platformAlarms.takeover,
    level: 'major',
    state,
    isRepeat: false,
    time: undefined,
    late: false,
  }
}
