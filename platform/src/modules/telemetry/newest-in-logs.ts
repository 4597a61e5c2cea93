import { sql } from 'kysely'
import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { Logger } from '../../kernel/logger.ts'
import { isLate } from '../../kernel/nodes/nodes-store.ts'
import { isKept } from './judge-sample.ts'
import { isNewest, type Newest, type NewestValues, writeNewest } from './latest-flush.ts'
import type { SampleSink, SampleValue } from './store/log-row.ts'
import { decodeOrLog, type SampleLog } from './store/sample-log.ts'
import type { LogName } from './store/tail.ts'
import { qualityOf, type TagType } from './tag-type.ts'

/** The newest live value of each tag among the samples of a log, in their order. */
class NewestSamples implements SampleSink, NewestValues {
  readonly #byTag = new Map<number, Newest>()

  add(
    tagId: number,
    _type: TagType,
    time: number,
    receivedAt: number,
    quality: number,
    late: boolean,
    value: SampleValue,
    latestStamp: number,
  ): void {
    if (late || isKept({ time, receivedAt })) return
    const latest: TagValueEvent = { tagId, value, quality: qualityOf(quality), time, receivedAt }
    if (isNewest(latest, this.#byTag.get(tagId)?.latest.time)) this.#byTag.set(tagId, { latest, latestStamp })
  }

  get(tagId: number): Newest | undefined {
    return this.#byTag.get(tagId)
  }

  all(): Newest[] {
    return [...this.#byTag.values()]
  }
}

/** The rows of another process's log that were read, so that each is read once. */
interface KnownRows {
  readonly seqs: Set<number>
  newest: NewestSamples
}

/** The machines and nodes whose values are wanted beside those of late nodes. */
interface Wanted {
  readonly machineIds?: Iterable<number>
  readonly nodeIds?: Iterable<string>
}

/** A reading that has not begun. */
interface Reading {
  readonly wanted: { readonly machineIds: Set<number>; readonly nodeIds: Set<string> }
  readonly found: Promise<readonly NewestValues[]>
}

const nameOf = ({ nodeId, incarnation }: LogName): string => `${nodeId} ${incarnation}`

/**
 * Newest values that are in the logs of processes and not in `tag_latest` yet, because their process was killed, or writes
 * them within the second.
 */
export class NewestInLogs {
  readonly #db: Database
  readonly #log: SampleLog
  readonly #nodeId: string
  readonly #logger: Pick<Logger, 'error'>
  readonly #known = new Map<string, KnownRows>()
  #reading: Promise<unknown> = Promise.resolve()
  #next: Reading | undefined

  constructor(options: { db: Database; log: SampleLog; nodeId: string; logger: Pick<Logger, 'error'> }) {
    this.#db = options.db
    this.#log = options.log
    this.#nodeId = options.nodeId
    this.#logger = options.logger
  }

  /**
   * Ends the logs of a node, but for that of the incarnation `own`, and writes the newest values that they have. Answers
   * the tags of these.
   */
  async takeOver(nodeId: string, own?: string): Promise<number[]> {
    const tagIds = new Set<number>()
    for (const span of await this.#log.takeOverLatest(nodeId, own)) {
      const newest = new NewestSamples()
      for await (const row of this.#log.read(span)) decodeOrLog(row, newest, this.#logger)
      const values = newest.all()
      await writeNewest(this.#db, values, '>')
      await this.#log.noteLatest(span, span.to)
      for (const { latest } of values) tagIds.add(latest.tagId)
    }
    await this.#log.noteAllLatest(nodeId)
    return [...tagIds]
  }

  /** The nodes with logs that are not taken over. */
  async listNodes(): Promise<string[]> {
    return [...new Set((await this.#log.listBehind()).map(({ nodeId }) => nodeId))]
  }

  /**
   * The values of nodes that are late with their heartbeat, of those that some machines were connected to, and of some
   * nodes. Asked before `tag_latest` is read: what it leaves out is written there.
   */
  read({ machineIds = [], nodeIds = [] }: Wanted): Promise<readonly NewestValues[]> {
    this.#next ??= this.#begin()
    const { wanted, found } = this.#next
    for (const id of machineIds) wanted.machineIds.add(id)
    for (const id of nodeIds) wanted.nodeIds.add(id)
    return found
  }

  /** One reading after the other, so that no row is read twice; all who ask during one share the next. */
  #begin(): Reading {
    const wanted = { machineIds: new Set<number>(), nodeIds: new Set<string>() }
    const found = this.#reading.then(() => {
      this.#next = undefined
      return this.#read([...wanted.machineIds], [...wanted.nodeIds])
    })
    this.#reading = found.catch(() => undefined)
    return { wanted, found }
  }

  async #read(machineIds: readonly number[], nodeIds: readonly string[]): Promise<readonly NewestValues[]> {
    const behind = await this.#log.listBehind()
    const names = new Set(behind.map(nameOf))
    for (const name of this.#known.keys()) if (!names.has(name)) this.#known.delete(name)
    if (behind.length === 0) return []
    const nodes = await this.#listNodesToRead(new Set(behind.map(({ nodeId }) => nodeId)), machineIds)
    for (const nodeId of nodeIds) nodes.add(nodeId)
    const found: NewestValues[] = []
    for (const log of behind.filter(({ nodeId }) => nodes.has(nodeId))) {
      const { seqs, newest } = this.#knownOf(log)
      for await (const row of this.#log.readAfter(log, log.seq, [...seqs])) {
        decodeOrLog(row, newest, this.#logger)
        seqs.add(row.seq)
      }
      found.push(newest)
    }
    return found
  }

  /** Those of one log, without rows that are written by now. */
  #knownOf({ seq: written, ...log }: LogName & { readonly seq: number }): KnownRows {
    const known = this.#known.get(nameOf(log)) ?? { seqs: new Set(), newest: new NewestSamples() }
    this.#known.set(nameOf(log), known)
    for (const seq of known.seqs) if (seq <= written) known.seqs.delete(seq)
    if (known.seqs.size === 0) known.newest = new NewestSamples()
    return known
  }

  async #listNodesToRead(nodeIds: ReadonlySet<string>, machineIds: readonly number[]): Promise<Set<string>> {
    const { rows } = await sql<{ id: string }>`
      select id from unnest(${[...nodeIds]}::text[]) as log (id) where ${isLate(sql.ref('log.id'))}
      union
      select former.node_id from unnest(${machineIds}::bigint[]) as machine (id)
      cross join lateral (
        select node_id from machine_connections
        where machine_id = machine.id and node_id <> ${this.#nodeId} order by started_at desc limit 1
      ) former`.execute(this.#db)
    return new Set(rows.map(({ id }) => id))
  }
}

/** The newest of some values of a tag, and of those that are not written yet. */
export function newestAmong(
  tagId: number,
  stored: Newest | undefined,
  others: readonly NewestValues[],
): Newest | undefined {
  let newest = stored
  for (const values of others) {
    const other = values.get(tagId)
    if (other && isNewest(other.latest, newest?.latest.time)) newest = other
  }
  return newest
}
