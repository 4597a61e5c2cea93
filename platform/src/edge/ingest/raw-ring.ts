import type { telemetry as contract } from '@busbar/contract'

/** Bytes of payload kept of one message, and of one machine's last messages together. */
const headBytesMax = 1_024
const slabBytes = 8 * 1_024
const messagesMax = 20
const topicCharactersMax = 256
const detailCharactersMax = 200
/** Machines at once: about 10 kB each, 32 MB together. */
const machinesMax = 3_000
/** When there is no room, machines silent for this long lose their places, in ms. */
const silentMsMin = 3_600_000
const sweepMs = 60_000

/** A kept message; the object is used again for a later one, so that ingest creates no garbage. */
interface Slot {
  at: number
  topic: string
  bytes: number
  adapter: contract.Adapter | null
  verdict: contract.RawVerdict
  detail: string
  /** Where its head begins, counted over all bytes ever written; gone when the slab came around. */
  position: number
  headBytes: number
}

interface MachineRing {
  readonly slab: Buffer
  readonly slots: Slot[]
  next: number
  written: number
  usedAt: number
}

/**
 * The last understood messages of machines, in memory only: the raw view shows them beside the refused ones. When there
 * is no room, a machine is kept once somebody opens its view.
 */
export class RawRing {
  readonly #machines = new Map<number, MachineRing>()
  #sweptAt = 0

  add(
    machineId: number,
    at: number,
    topic: string,
    payload: Buffer,
    adapter: contract.Adapter | null,
    verdict: contract.RawVerdict,
    detail: string,
  ): void {
    const ring = this.#machines.get(machineId) ?? this.#open(machineId, at)
    if (!ring) return
    ring.usedAt = at
    let slot = ring.slots[ring.next]
    if (!slot) {
      slot = { at, topic, bytes: 0, adapter, verdict, detail, position: 0, headBytes: 0 }
      ring.slots.push(slot)
    }
    ring.next = (ring.next + 1) % messagesMax
    const headBytes = Math.min(payload.length, headBytesMax)
    const offset = ring.written % slabBytes
    if (offset + headBytes > slabBytes) ring.written += slabBytes - offset
    payload.copy(ring.slab, ring.written % slabBytes, 0, headBytes)
    slot.position = ring.written
    slot.headBytes = headBytes
    ring.written += headBytes
    slot.at = at
    slot.topic = topic.length > topicCharactersMax ? copyOf(topic, topicCharactersMax) : topic
    slot.bytes = payload.length
    slot.adapter = adapter
    slot.verdict = verdict
    slot.detail = detail.length > detailCharactersMax ? copyOf(detail, detailCharactersMax) : detail
  }

  /**
   * The kept messages of a machine, newest first; from here on the machine is kept, even if others lose their places.
   */
  list(machineId: number, now: number): contract.RawMessage[] {
    const ring = this.#machines.get(machineId) ?? this.#openAnyway(machineId, now)
    // The last one opened is the last one dropped.
    this.#machines.delete(machineId)
    this.#machines.set(machineId, ring)
    const count = ring.slots.length
    const messages: contract.RawMessage[] = []
    for (let age = 1; age <= count; age++) {
      const slot = ring.slots[(ring.next - age + messagesMax * 2) % messagesMax]
      if (!slot || slot.position < ring.written - slabBytes) break
      const { position, headBytes, ...message } = slot
      const start = position % slabBytes
      messages.push({ ...message, head: ring.slab.toString('base64', start, start + headBytes) })
    }
    return messages
  }

  #open(machineId: number, now: number): MachineRing | undefined {
    if (this.#machines.size >= machinesMax) this.#sweep(now)
    if (this.#machines.size >= machinesMax) return undefined
    const ring = { slab: Buffer.allocUnsafeSlow(slabBytes), slots: [], next: 0, written: 0, usedAt: now }
    this.#machines.set(machineId, ring)
    return ring
  }

  #openAnyway(machineId: number, now: number): MachineRing {
    for (;;) {
      const ring = this.#open(machineId, now)
      if (ring) return ring
      for (const oldest of this.#machines.keys()) {
        this.#machines.delete(oldest)
        break
      }
    }
  }

  #sweep(now: number): void {
    if (Math.abs(now - this.#sweptAt) < sweepMs) return
    this.#sweptAt = now
    for (const [machineId, ring] of this.#machines) {
      if (now - ring.usedAt > silentMsMin) this.#machines.delete(machineId)
    }
  }
}

/** The beginning of a text in memory of its own: a slice would keep all of it in memory. */
function copyOf(text: string, characters: number): string {
  return Buffer.from(text.slice(0, characters)).toString()
}
