import type { Database } from '../database/database.ts'
import { withClient } from '../database/database.ts'
import type { Logger } from '../logger.ts'

const flushMs = 500
const keptPerMachine = 100
const headBytesMax = 4_096
const verdictCharactersMax = 500
const topicCharactersMax = 1_024
/** Messages of all machines that may wait to be written. */
const waitingMax = 5_000

export interface RawMessage {
  readonly machineId: number
  readonly at: number
  readonly topic: string
  readonly payload: Buffer
  readonly adapter: string | null
  /** Why it was not stored, or not all of it. */
  readonly verdict: string
}

interface RawRow {
  readonly machineId: number
  readonly at: Date
  readonly topic: string
  readonly bytes: number
  readonly adapter: string | null
  readonly verdict: string
  readonly head: Buffer
}

/** The last hundred messages of each machine that no adapter understood, with the reason. */
export class RawLog {
  readonly #db: Database
  readonly #logger: Logger
  #waiting = new Map<number, RawRow[]>()
  #count = 0
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(db: Database, logger: Logger) {
    this.#db = db
    this.#logger = logger
  }

  add(message: RawMessage): void {
    const rows = this.#waiting.get(message.machineId) ?? []
    if (rows.length === keptPerMachine) {
      // A flood of one machine pushes out its own oldest, nobody else's.
      rows.shift()
      this.#count--
    }
    if (this.#count >= waitingMax) return
    this.#waiting.set(message.machineId, rows)
    rows.push({
      machineId: message.machineId,
      at: new Date(message.at),
      topic: message.topic.replaceAll('\0', '').slice(0, topicCharactersMax),
      bytes: message.payload.length,
      adapter: message.adapter,
      verdict: message.verdict.replaceAll('\0', '').slice(0, verdictCharactersMax),
      // A copy: the payload lies in a block that is read into again.
      head: Buffer.from(message.payload.subarray(0, headBytesMax)),
    })
    this.#count++
    this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref()
  }

  /** Writes what waits; resolves when it is written, or could not be. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#running = this.#running.then(() => this.#write())
    return this.#running
  }

  async #write(): Promise<void> {
    const rows = [...this.#waiting.values()].flat()
    const machineIds = [...this.#waiting.keys()]
    this.#waiting = new Map()
    this.#count = 0
    if (rows.length === 0) return
    try {
      await withClient(this.#db, async (client) => {
        await client.query(
          `insert into raw_messages (machine_id, at, topic, bytes, adapter, verdict, head)
           select raw.* from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::int[], $5::text[], $6::text[],
                                    $7::bytea[]) as raw (machine_id, at, topic, bytes, adapter, verdict, head)
           join machines on machines.id = raw.machine_id`,
          [
            rows.map((row) => row.machineId),
            rows.map((row) => row.at),
            rows.map((row) => row.topic),
            rows.map((row) => row.bytes),
            rows.map((row) => row.adapter),
            rows.map((row) => row.verdict),
            rows.map((row) => row.head),
          ],
        )
        await client.query(
          `delete from raw_messages using unnest($1::bigint[]) as machine (id)
           where machine_id = machine.id and raw_messages.id <= (
             select id from raw_messages kept where kept.machine_id = machine.id order by id desc offset $2 limit 1)`,
          [machineIds, keptPerMachine],
        )
      })
    } catch (error) {
      this.#logger.warn({ err: error, messages: rows.length }, 'raw messages could not be kept')
    }
  }
}
