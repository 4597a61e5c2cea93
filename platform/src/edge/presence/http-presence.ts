import { httpSilenceMsMax } from './http-silence.ts'
import type { Online, Presence } from './presence.ts'

/** The machines that are online by HTTP ingest alone. */
export class HttpPresence {
  readonly #presence: Presence
  readonly #ticks: () => number
  /** `heardAt` uses the monotonic clock, because a step of the system clock must not count as silence. */
  readonly #online = new Map<number, { readonly online: Online; heardAt: number }>()

  constructor(presence: Presence, ticks: () => number) {
    this.#presence = presence
    this.#ticks = ticks
  }

  /** Something came; a machine that is connected as well stays online by its connection. */
  seen(machineId: number, address: string, now: number): void {
    let heard = this.#online.get(machineId)
    if (!heard || !this.#presence.isOnline(machineId)) {
      if (this.#presence.isOnline(machineId)) return
      heard = { online: this.#presence.begin(machineId, 'http', address), heardAt: 0 }
      this.#online.set(machineId, heard)
    }
    heard.heardAt = this.#ticks()
    heard.online.lastSeenAt = now
  }

  /** Lets those go that were silent for too long. */
  sweep(): void {
    for (const [machineId, { online, heardAt }] of this.#online) {
      if (this.#ticks() - heardAt <= httpSilenceMsMax) continue
      this.#online.delete(machineId)
      this.#presence.end(machineId, online)
    }
  }
}
