import type { telemetry as contract } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import { withClient } from '../../kernel/database/database.ts'
import { findOwnedSince } from '../../kernel/database/owned-since.ts'
import type { Logger } from '../../kernel/logger.ts'
import { cleanText } from '../../kernel/storable-text.ts'
import type { RecordsRefused, RefusedTags } from '../../modules/telemetry/index.ts'
import type { Uplink } from './adapters/uplink.ts'
import { RawRing } from './raw-ring.ts'

const flushMs = 500
const keptPerMachine = 100
const headBytesMax = 4_096
const detailCharactersMax = 500
const topicCharactersMax = 1_024
/** Names of refused tags a detail shows. */
const refusedShownMax = 3
/** Notes a detail shows. */
const notesShownMax = 3
/** Messages of all machines that may wait to be written. */
const waitingMax = 5_000

/** A received message, and its result. */
export interface ReceivedMessage {
  readonly machineId: number
  readonly at: number
  readonly topic: string
  readonly payload: Buffer
  readonly adapter: contract.Adapter | null
  readonly uplink: Uplink
  /** The store's result of the records; undefined if there were none. */
  readonly outcome: RefusedTags | RecordsRefused | undefined
  /** Notes on values that were stored otherwise than they were sent. */
  readonly notes?: readonly string[]
}

interface RawRow {
  readonly machineId: number
  readonly at: Date
  readonly topic: string
  readonly bytes: number
  readonly adapter: string | null
  readonly verdict: string
  readonly detail: string
  readonly head: Buffer
}

/**
 * The latest messages of machines. The last hundred messages of each machine that were refused at least in part are in
 * the database with the reason; the last accepted ones are in memory (rules/telemetry.md: raw messages).
 */
export class RawLog {
  readonly #db: Database
  readonly #logger: Logger
  readonly #taken = new RawRing()
  #waiting = new Map<number, RawRow[]>()
  #count = 0
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(db: Database, logger: Logger) {
    this.#db = db
    this.#logger = logger
  }

  /** Messages not written yet. */
  get waiting(): number {
    return this.#count
  }

  /** Keeps a message for the raw view, once its result is known. */
  keep(message: ReceivedMessage): void {
    const { machineId, at, topic, payload, adapter, uplink, outcome, notes } = message
    const detail = notes && notes.length > 0 ? addNotes(uplink.detail ?? '', notes) : (uplink.detail ?? '')
    const isTaken = uplink.verdict === undefined || uplink.verdict === 'repeated'
    const isWhole = isTaken && (outcome === undefined || isNothing(outcome))
    if (!isWhole) {
      this.#add(message, judge(uplink, detail, outcome))
      return
    }
    const verdict = uplink.verdict ?? (uplink.records.length === 0 ? 'empty' : 'stored')
    this.#taken.add(machineId, at, cleanText(topic), payload, adapter, verdict, detail)
  }

  #add(message: ReceivedMessage, { verdict, detail }: Judgement): void {
    const rows = this.#waiting.get(message.machineId) ?? []
    if (rows.length === keptPerMachine) {
      // A flood of one machine displaces only its own oldest messages.
      rows.shift()
      this.#count--
    }
    if (this.#count >= waitingMax) return
    this.#waiting.set(message.machineId, rows)
    rows.push({
      machineId: message.machineId,
      at: new Date(message.at),
      topic: textOf(message.topic, topicCharactersMax),
      bytes: message.payload.length,
      adapter: message.adapter,
      verdict,
      detail: textOf(detail, detailCharactersMax),
      // A copy: the payload would hold on to the whole block it was read into.
      head: Buffer.from(message.payload.subarray(0, headBytesMax)),
    })
    this.#count++
    this.#timer ??= setTimeout(() => void this.flush(), flushMs).unref()
  }

  /** Writes the waiting rows; resolves when they are written, or could not be. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#running = this.#running.then(() => this.#write())
    return this.#running
  }

  /** The latest messages of a machine under its present owner, newest first. */
  async list(machineId: number, limit: number, now: number): Promise<contract.RawMessage[]> {
    const since = await findOwnedSince(this.#db, machineId)
    const taken = this.#taken.list(machineId, now).filter(({ at }) => at >= since)
    await this.flush()
    const rows = await this.#db
      .selectFrom('raw_messages')
      .select(['at', 'topic', 'bytes', 'adapter', 'verdict', 'detail', 'head'])
      .where('machine_id', '=', machineId)
      .where('at', '>=', new Date(since))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    const refused = rows.map((row) => ({
      ...row,
      at: row.at.getTime(),
      adapter: row.adapter as contract.Adapter | null,
      verdict: row.verdict as contract.RawVerdict,
      head: row.head.toString('base64'),
    }))
    return [...taken, ...refused].sort((one, other) => other.at - one.at).slice(0, limit)
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
          `insert into raw_messages (machine_id, at, topic, bytes, adapter, verdict, detail, head)
           select raw.machine_id, raw.at, raw.topic, raw.bytes, raw.adapter, raw.verdict, raw.detail, raw.head
           from unnest($1::bigint[], $2::timestamptz[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[],
                       $8::bytea[]) with ordinality
             as raw (machine_id, at, topic, bytes, adapter, verdict, detail, head, place)
           join machines on machines.id = raw.machine_id
           order by place`,
          [
            rows.map((row) => row.machineId),
            rows.map((row) => row.at),
            rows.map((row) => row.topic),
            rows.map((row) => row.bytes),
            rows.map((row) => row.adapter),
            rows.map((row) => row.verdict),
            rows.map((row) => row.detail),
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
      this.#logger.warn({ err: error, messages: rows.length }, 'rawMessages.storeFailed')
    }
  }
}

interface Judgement {
  readonly verdict: contract.RawVerdict
  readonly detail: string
}

const isNothing = (outcome: RefusedTags | RecordsRefused): boolean =>
  !(outcome instanceof Error) && outcome.length === 0

/** The worse of the verdicts of adapter and store, with the texts of both. */
function judge({ verdict }: Uplink, said: string, outcome: ReceivedMessage['outcome']): Judgement {
  if (outcome instanceof Error) return { verdict: 'unstorable', detail: join(outcome.message, said) }
  if (!outcome || outcome.length === 0) return { verdict: verdict ?? 'stored', detail: said }
  const names = outcome.slice(0, refusedShownMax).join(', ')
  const detail = join(`${outcome.length} tags refused: ${names}`, said)
  return { verdict: verdict ?? 'tagsRefused', detail }
}

function addNotes(said: string, notes: readonly string[]): string {
  const detail = notes.slice(0, notesShownMax).reduce(join, said)
  return notes.length > notesShownMax ? `${detail}; and ${notes.length - notesShownMax} more` : detail
}

const join = (one: string, other: string): string => [one, other].filter((text) => text !== '').join('; ')

/** A text of limited length that PostgreSQL can hold: no NUL, no half of a character. */
function textOf(text: string, charactersMax: number): string {
  return cleanText(text).slice(0, charactersMax).toWellFormed()
}
