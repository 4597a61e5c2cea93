import { copyIn } from '@busbar/platform/kernel/database/copy.ts'
import { type Database, withClient } from '@busbar/platform/kernel/database/database.ts'
import { SampleEncoder, sampleColumns } from '../src/sample-encoder.ts'

interface Message {
  readonly ts: number
  readonly values: Readonly<Record<string, number | boolean>>
}

/** Parses messages and writes their rows by binary COPY: the minimum of work to get them into the table. */
export class CopyWriter {
  readonly #db: Database
  readonly #encoder = new SampleEncoder()
  /** Tag ids by machine and name; made up, as no table of tags is kept here. */
  readonly #tags = new Map<string, number>()

  constructor(db: Database) {
    this.#db = db
  }

  get rows(): number {
    return this.#encoder.rows
  }

  add(machine: string, payload: Buffer): void {
    const { ts, values } = JSON.parse(payload.toString()) as Message
    const receivedAt = Date.now()
    for (const name in values) {
      const key = `${machine}/${name}`
      let tagId = this.#tags.get(key)
      if (tagId === undefined) {
        tagId = this.#tags.size + 1
        this.#tags.set(key, tagId)
      }
      const value = values[name] as number | boolean
      this.#encoder.add(
        tagId,
        typeof value === 'number' ? 'float64' : 'bool',
        ts,
        receivedAt,
        192,
        false,
        value,
      )
    }
  }

  async commit(): Promise<void> {
    if (this.#encoder.rows === 0) return
    const bytes = this.#encoder.finish()
    const text = `copy samples (${sampleColumns}) from stdin (format binary)`
    await withClient(this.#db, (client) => copyIn(client, text, [bytes]))
    this.#encoder.reset()
  }
}
