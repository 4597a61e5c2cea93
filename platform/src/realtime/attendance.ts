/** Called when a visit's bar appears on a screen, or disappears from the last one. */
export type AttendanceListener = (userId: number, visitId: number, isAttended: boolean) => void

/** Visits one page may attend at a time. */
const visitsPerPageMax = 20

const keyOf = (userId: number, visitId: number) => `${userId}:${visitId}`

/**
 * The visits whose bar is on a screen: a page reports this for the visits of its signed-in person, and for no others.
 */
export class Attendance {
  /** Pages by user and visit. */
  readonly #pages = new Map<string, Set<object>>()
  readonly #visits = new Map<object, Map<string, number>>()
  readonly #listeners = new Set<AttendanceListener>()

  /** Answers the function that ends the subscription. */
  onChange(listener: AttendanceListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  isAttended(userId: number, visitId: number): boolean {
    return this.#pages.has(keyOf(userId, visitId))
  }

  attend(page: object, userId: number, visitId: number): void {
    const key = keyOf(userId, visitId)
    const visits = this.#visits.get(page) ?? new Map<string, number>()
    if (visits.has(key) || visits.size >= visitsPerPageMax) return
    this.#visits.set(page, visits.set(key, visitId))
    const pages = this.#pages.get(key)
    if (pages) pages.add(page)
    else {
      this.#pages.set(key, new Set([page]))
      this.#tell(userId, visitId, true)
    }
  }

  unattend(page: object, userId: number, visitId: number): void {
    const key = keyOf(userId, visitId)
    if (!this.#visits.get(page)?.delete(key)) return
    if (this.#visits.get(page)?.size === 0) this.#visits.delete(page)
    const pages = this.#pages.get(key)
    pages?.delete(page)
    if (pages?.size !== 0) return
    this.#pages.delete(key)
    this.#tell(userId, visitId, false)
  }

  /** The page is gone, and with it every bar on it. */
  leave(page: object, userId: number): void {
    for (const visitId of [...(this.#visits.get(page)?.values() ?? [])]) this.unattend(page, userId, visitId)
  }

  #tell(userId: number, visitId: number, isAttended: boolean): void {
    for (const listener of this.#listeners) listener(userId, visitId, isAttended)
  }
}
