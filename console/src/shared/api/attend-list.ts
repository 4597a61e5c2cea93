/**
 * Counts the visits that a bar of this tab shows. Sent once at the end of the running task: a bar that
 * renders again does not leave and come back.
 */
export class AttendList {
  readonly #announce: (sessionId: number, attended: boolean) => void
  readonly #counts = new Map<number, number>()
  readonly #announced = new Set<number>()
  #pending = false

  constructor(announce: (sessionId: number, attended: boolean) => void) {
    this.#announce = announce
  }

  /** Attends a visit until the given function is called. */
  add(sessionId: number): () => void {
    this.#change(sessionId, 1)
    let left = false
    return () => {
      if (left) return
      left = true
      this.#change(sessionId, -1)
    }
  }

  /** Everything attended now, for a fresh connection. */
  *all(): Generator<number> {
    this.#announced.clear()
    for (const sessionId of this.#counts.keys()) {
      this.#announced.add(sessionId)
      yield sessionId
    }
  }

  #change(sessionId: number, step: number): void {
    const count = (this.#counts.get(sessionId) ?? 0) + step
    if (count > 0) this.#counts.set(sessionId, count)
    else this.#counts.delete(sessionId)
    if (this.#pending) return
    this.#pending = true
    queueMicrotask(() => this.#flush())
  }

  #flush(): void {
    this.#pending = false
    for (const sessionId of this.#counts.keys()) {
      if (this.#announced.has(sessionId)) continue
      this.#announced.add(sessionId)
      this.#announce(sessionId, true)
    }
    for (const sessionId of this.#announced) {
      if (this.#counts.has(sessionId)) continue
      this.#announced.delete(sessionId)
      this.#announce(sessionId, false)
    }
  }
}
