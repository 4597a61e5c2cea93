import { type Database, withClient } from './database.ts'

const everyMs = 1_000
/** A database without an answer for this time counts as away. */
const silentMsMax = 5_000

/** Finds out whether a database answers. */
export class DatabaseWatch {
  readonly #db: Database
  #timer: NodeJS.Timeout | undefined
  #answeredAt = performance.now()
  #hasFailed = false

  constructor(db: Database) {
    this.#db = db
  }

  get isWell(): boolean {
    return !this.#hasFailed && performance.now() - this.#answeredAt < silentMsMax
  }

  start(): void {
    this.#timer = setTimeout(async () => {
      try {
        await withClient(this.#db, (client) => client.query('select'))
        this.#answeredAt = performance.now()
        this.#hasFailed = false
      } catch {
        this.#hasFailed = true
      }
      if (this.#timer) this.start()
    }, everyMs)
    this.#timer.unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
