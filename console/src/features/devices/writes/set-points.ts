import { timing } from '@busbar/contract'
import { useCallback, useSyncExternalStore } from 'react'
import { writeTag } from '../../../entities/visit/visit-queries.ts'
import { push } from '../../../shared/api/live.ts'
import type { WriteEvent } from '../../../shared/api/push-messages.ts'
import type { SetPointValue } from './set-point-value.ts'

/** The progress of the last write to a tag, as far as this tab knows. */
export type WriteProgress =
  /** `value` was requested; the machine has not answered yet. */
  | { readonly kind: 'sending'; readonly value: SetPointValue }
  | { readonly kind: 'confirmed'; readonly value: SetPointValue }
  /** The machine kept another value, or refused in its own words. */
  | { readonly kind: 'failed'; readonly kept: WriteEvent['kept']; readonly reason: string }
  | { readonly kind: 'timedOut' }
  /** Even the platform did not report the result. */
  | { readonly kind: 'noReply' }
  /** The platform refused it. */
  | { readonly kind: 'refused'; readonly value: SetPointValue; readonly error: Error }

/** The platform gives a machine 10 s; after this time no result will come. */
const noReplyMs = timing.writeTimeoutMs + 5_000
/** A confirmation is read in a moment; an error stays until the next write. */
const confirmedShownMs = 5_000
/** Results that came before the answer to their write, which names it. */
const earlyResultsMax = 32

export interface SetPointPort {
  write(machineId: number, tagId: number, value: SetPointValue): Promise<{ commandId: number }>
  onResult(listener: (event: WriteEvent) => void): () => void
  /** Says that the result of a write is awaited, until the given function is called. */
  follow(machineId: number, commandId: number): () => void
}

interface Pending {
  readonly tagId: number
  readonly value: SetPointValue
  /** The wait for the result has ended. */
  readonly unfollow: () => void
}

/** Writes set-points and follows each until the machine has answered, one tag at a time. */
export class SetPoints {
  readonly #port: SetPointPort
  readonly #progress = new Map<number, WriteProgress>()
  readonly #listeners = new Map<number, Set<() => void>>()
  readonly #pending = new Map<number, Pending>()
  readonly #early = new Map<number, WriteEvent>()
  readonly #timers = new Map<number, ReturnType<typeof setTimeout>>()

  constructor(port: SetPointPort) {
    this.#port = port
    port.onResult((event) => this.#receive(event))
  }

  get(tagId: number): WriteProgress | undefined {
    return this.#progress.get(tagId)
  }

  subscribe(tagId: number, listener: () => void): () => void {
    const listeners = this.#listeners.get(tagId) ?? new Set()
    this.#listeners.set(tagId, listeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(tagId) === listeners) this.#listeners.delete(tagId)
    }
  }

  /** Resolves once the platform took or refused it; true: taken. */
  async write(machineId: number, tagId: number, value: SetPointValue): Promise<boolean> {
    const own: WriteProgress = { kind: 'sending', value }
    for (const [commandId, older] of this.#pending) if (older.tagId === tagId) this.#forget(commandId)
    this.#show(tagId, own)
    try {
      const { commandId } = await this.#port.write(machineId, tagId, value)
      // A newer write replaced it, so its result does not matter.
      if (this.#progress.get(tagId) !== own) return true
      const unfollow = this.#port.follow(machineId, commandId)
      this.#pending.set(commandId, { tagId, value, unfollow })
      const early = this.#early.get(commandId)
      if (early) this.#receive(early)
      else this.#later(tagId, noReplyMs, () => this.#giveUp(commandId, tagId))
      return true
    } catch (error) {
      if (!(error instanceof Error)) throw error
      if (this.#progress.get(tagId) === own) this.#show(tagId, { kind: 'refused', value, error })
      return false
    }
  }

  /** Drops the status of a tag's last write, for example when its editor is closed. */
  clear(tagId: number): void {
    if (this.#progress.get(tagId)?.kind !== 'sending') this.#show(tagId, undefined)
  }

  #receive(event: WriteEvent): void {
    const pending = this.#pending.get(event.commandId)
    if (!pending) {
      this.#early.set(event.commandId, event)
      const [oldest] = this.#early.keys()
      if (this.#early.size > earlyResultsMax && oldest !== undefined) this.#early.delete(oldest)
      return
    }
    this.#early.delete(event.commandId)
    this.#forget(event.commandId)
    const { tagId, value } = pending
    const known = this.#progress.get(tagId)
    if (known && known.kind !== 'sending' && known.kind !== 'noReply') return
    switch (event.state) {
      case 'confirmed':
        this.#show(tagId, { kind: 'confirmed', value })
        this.#later(tagId, confirmedShownMs, () => this.#show(tagId, undefined))
        break
      case 'failed':
        this.#show(tagId, { kind: 'failed', kept: event.kept, reason: event.reason })
        break
      case 'timedOut':
        this.#show(tagId, { kind: 'timedOut' })
    }
  }

  #giveUp(commandId: number, tagId: number): void {
    const pending = this.#pending.get(commandId)
    if (!pending) return
    pending.unfollow()
    this.#show(tagId, { kind: 'noReply' })
  }

  #forget(commandId: number): void {
    this.#pending.get(commandId)?.unfollow()
    this.#pending.delete(commandId)
  }

  #show(tagId: number, progress: WriteProgress | undefined): void {
    clearTimeout(this.#timers.get(tagId))
    this.#timers.delete(tagId)
    if (progress) this.#progress.set(tagId, progress)
    else this.#progress.delete(tagId)
    for (const listener of this.#listeners.get(tagId) ?? []) listener()
  }

  #later(tagId: number, waitMs: number, run: () => void): void {
    this.#timers.set(tagId, setTimeout(run, waitMs))
  }
}

/** The writes of this tab. */
export const setPoints = new SetPoints({
  write: writeTag,
  onResult: (listener) => push.on('writeResult', listener),
  follow: (machineId, commandId) => push.followWrite(machineId, commandId),
})

export function useWriteProgress(tagId: number): WriteProgress | undefined {
  const subscribe = useCallback((listener: () => void) => setPoints.subscribe(tagId, listener), [tagId])
  return useSyncExternalStore(subscribe, () => setPoints.get(tagId))
}
