import type { Sample } from '../tag.ts'
import { SampleFifo } from './sample-fifo.ts'

/** Samples that travel in one message. */
export interface Batch {
  samples: Sample[]
  /** Late samples fill history and do not move the newest value (`is_historical`). */
  isHistorical: boolean
}

/**
 * What is not yet acknowledged. Live samples go before the backlog of an outage; a batch stays here until its PUBACK,
 * and what was under way when the line broke becomes backlog. Bounded: the oldest backlog is dropped first.
 *
 * It is memory only: what is in it when the agent ends is lost, and the agent says how much that was.
 */
export class Outbox {
  readonly #samplesMax: number
  #live = new SampleFifo()
  readonly #backlog = new SampleFifo()
  #underWay = new Set<Batch>()
  #underWaySamples = 0
  #droppedSamples = 0

  constructor(samplesMax: number) {
    this.#samplesMax = samplesMax
  }

  get length(): number {
    return this.#live.length + this.#backlog.length + this.#underWaySamples
  }

  get batchesUnderWay(): number {
    return this.#underWay.size
  }

  /** Samples dropped since the last call, for the log. */
  takeDroppedCount(): number {
    const count = this.#droppedSamples
    this.#droppedSamples = 0
    return count
  }

  add(samples: readonly Sample[], isHistorical: boolean): void {
    const line = isHistorical ? this.#backlog : this.#live
    line.push(samples)
    this.#trim()
  }

  /** The next batch to send, or null. It counts as under way until `acknowledge` or `interrupt`. */
  takeBatch(samplesMax: number): Batch | null {
    const isHistorical = this.#live.length === 0
    const samples = (isHistorical ? this.#backlog : this.#live).take(samplesMax)
    if (samples.length === 0) return null
    const batch = { samples, isHistorical }
    this.#underWay.add(batch)
    this.#underWaySamples += samples.length
    return batch
  }

  acknowledge(batch: Batch): void {
    if (this.#underWay.delete(batch)) this.#underWaySamples -= batch.samples.length
  }

  /** The line broke: everything that was live or under way is late from now on. */
  interrupt(): void {
    for (const batch of this.#underWay) this.#backlog.push(batch.samples)
    this.#backlog.push(this.#live.take(this.#live.length))
    this.#live = new SampleFifo()
    this.#underWay = new Set()
    this.#underWaySamples = 0
    this.#trim()
  }

  #trim(): void {
    const excess = this.length - this.#samplesMax
    if (excess <= 0) return
    let dropped = this.#backlog.take(excess).length
    dropped += this.#live.take(excess - dropped).length
    this.#droppedSamples += dropped
  }
}
