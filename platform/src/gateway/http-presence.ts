import type { Online, Presence } from './presence.ts'

/** A machine that only sends by HTTP counts as gone after this silence: it has no connection that could end. */
export const httpSilenceMsMax = 5 * 60_000

/** Who is online by HTTP ingest alone. */
export class HttpPresence {
  readonly #presence: Presence
  readonly #online = new Map<number, Online>()

  constructor(presence: Presence) {
    this.#presence = presence
  }

  /** Something came; a machine that is connected as well stays online by its connection. */
  seen(machineId: number, address: string, now: number): void {
    let online = this.#online.get(machineId)
    if (!online || !this.#presence.isOnline(machineId)) {
      if (this.#presence.isOnline(machineId)) return
      online = this.#presence.begin(machineId, 'http', address)
      this.#online.set(machineId, online)
    }
    online.lastSeenAt = now
  }

  /** Lets those go that were silent for too long. */
  sweep(now: number): void {
    for (const [machineId, online] of this.#online) {
      if (now - online.lastSeenAt <= httpSilenceMsMax) continue
      this.#online.delete(machineId)
      this.#presence.end(machineId, online)
    }
  }
}
