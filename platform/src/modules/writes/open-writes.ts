import { timing } from '@busbar/contract'
import type { BusEvents, ReadBack, TagValueEvent } from '../../kernel/bus/bus.ts'
import { isWritten, type WrittenTag, type WrittenValue } from './is-written.ts'

/** A write that was sent and of which nothing is known yet. */
export interface OpenWrite extends WrittenTag {
  readonly commandId: number
  readonly machineId: number
  readonly tagId: number
  readonly group: string
  readonly tag: string
  readonly value: WrittenValue
  /** Null once the account is gone. */
  readonly userId: number | null
  readonly sentAt: number
}

/** The result of a write. */
export interface WriteOutcome {
  readonly write: OpenWrite
  readonly state: 'confirmed' | 'failed' | 'timedOut'
  /** The machine's present value, where it is known. */
  readonly kept: TagValueEvent | undefined
  /** Why it failed, in the machine's words; empty otherwise. */
  readonly reason: string
}

interface Waiting extends OpenWrite {
  /** The newest value that came since it was sent. */
  kept: TagValueEvent | undefined
}

/**
 * Writes on their way, oldest first. Three things decide them: a value read back at once, either way; any
 * other value only when it is the one written, because a sample may have been under way before the write; an error the
 * machine names; or the time-out. Pure: time comes in (rules/visits.md: read-back).
 */
export class OpenWrites {
  readonly #byMachine = new Map<number, Waiting[]>()
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Whether a write to a machine is open. */
  has(machineId: number): boolean {
    return this.#byMachine.has(machineId)
  }

  add(write: OpenWrite): void {
    const writes = this.#byMachine.get(write.machineId) ?? []
    this.#byMachine.set(write.machineId, writes)
    writes.push({ ...write, kept: undefined })
    this.#count++
  }

  /** Drops a write that was not sent after all. */
  remove(write: OpenWrite): void {
    this.#take(write.machineId, (waiting) => waiting.commandId === write.commandId)
  }

  /** New latest values of a machine: late samples never are among them. */
  valuesCame({ machineId, values }: BusEvents['values']): WriteOutcome[] {
    const writes = this.#byMachine.get(machineId)
    if (!writes) return []
    const readings = new Map(values.filter(isReading).map((value) => [value.tagId, value]))
    return this.#take(machineId, (waiting) => {
      const value = readings.get(waiting.tagId)
      if (!value || value.receivedAt < waiting.sentAt) return false
      waiting.kept = value
      return isWritten(waiting, waiting.value, value.value)
    }).map((write) => ({ write, state: 'confirmed', kept: write.kept, reason: '' }))
  }

  /** A value the machine read back for one of the platform's writes ends the oldest it can be meant for. */
  readBackCame(machineId: number, readBack: ReadBack): WriteOutcome[] {
    const oldest = this.#byMachine.get(machineId)?.find((waiting) => isMeant(waiting, readBack))
    // Accepted without a refusal, but not read back: a later value may still decide.
    if (!oldest || (readBack.error === '' && readBack.value === null)) return []
    this.#take(machineId, (waiting) => waiting === oldest)
    const kept = keptOf(oldest, readBack) ?? oldest.kept
    const isDone = readBack.error === '' && isWritten(oldest, oldest.value, readBack.value)
    return [{ write: oldest, state: isDone ? 'confirmed' : 'failed', kept, reason: readBack.error }]
  }

  /**
   * A machine's answer to `rpc/request/{n}`: only an error decides, because the next value shows the machine's real
   * one.
   */
  answerCame({ machineId, request, error }: BusEvents['rpcAnswers']): WriteOutcome[] {
    if (error === null) return []
    return this.#take(machineId, (waiting) => waiting.commandId === request).map((write) => ({
      write,
      state: 'failed',
      kept: write.kept,
      reason: error,
    }))
  }

  /** The writes whose time is up: failed if another value came, else unknown. */
  expire(now: number): WriteOutcome[] {
    const outcomes: WriteOutcome[] = []
    for (const machineId of [...this.#byMachine.keys()]) {
      for (const write of this.#take(machineId, ({ sentAt }) => now - sentAt >= timing.writeTimeoutMs)) {
        outcomes.push({ write, state: write.kept ? 'failed' : 'timedOut', kept: write.kept, reason: '' })
      }
    }
    return outcomes
  }

  #take(machineId: number, isTaken: (waiting: Waiting) => boolean): Waiting[] {
    const writes = this.#byMachine.get(machineId)
    if (!writes) return []
    const { taken = [], left = [] } = Object.groupBy(writes, (write) => (isTaken(write) ? 'taken' : 'left'))
    if (left.length > 0) this.#byMachine.set(machineId, left)
    else this.#byMachine.delete(machineId)
    this.#count -= taken.length
    return taken
  }
}

/** Whether a value was read from the machine, rather than published again because it went away. */
function isReading({ value, quality }: TagValueEvent): boolean {
  return value !== null && (quality === 'good' || quality === 'uncertain')
}

/** A read-back that names the written value settles that write only, so a late one is not taken for another's. */
function isMeant(write: OpenWrite, { group, tag, wished }: ReadBack): boolean {
  if (write.group !== group || write.tag !== tag) return false
  return wished === null || isWritten({ type: write.type, scale: null }, write.value, wished)
}

function keptOf({ tagId }: OpenWrite, { value, at }: ReadBack): TagValueEvent | undefined {
  return value === null ? undefined : { tagId, value, quality: 'good', time: at, receivedAt: at }
}
