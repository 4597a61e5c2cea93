import type pg from 'pg'
import { type Database, withClient } from '../../kernel/database/database.ts'
import { type DatabaseFault, faultOf } from '../../kernel/database/database-fault.ts'
import { type AlarmFacts, writeAlarms } from '../alarms/index.ts'
import { type BatchEffects, type BatchHalf, BatchHalves } from './batch-halves.ts'
import type { Blame } from './commit-batch.ts'
import { createLostSpans } from './lost-spans-store.ts'
import type { BatchPlan } from './plan-batch.ts'
import { LogRowEncoder, type SampleSink } from './store/log-row.ts'
import { checkAdded, LogClosed, type SampleLog } from './store/sample-log.ts'
import type { LogTicket } from './store/tail.ts'
import { qualityNumber } from './tag-type.ts'
import { beginWithOwners, createTags, updateTags } from './tags-store.ts'
import { MachinesHeld } from './told-attributes.ts'

/** A machine has another owner than it was planned for: the batch is planned anew. */
class OwnerChanged extends Error {
  override name = 'OwnerChanged'
}

/** The facts of a batch were committed by a former try, whose answer was lost: its tags have to be read first. */
class FactsKnown extends Error {
  override name = 'FactsKnown'
}

/** The machine changed hands between the two halves of a batch, and its new owner has none of these tags yet. */
class TagsLost extends Error {
  override name = 'TagsLost'
}

interface BatchWriterOptions {
  readonly db: Database
  /** The database of the samples, which may be another one. */
  readonly samplesDb: Database
  readonly log: SampleLog
  readonly facts?: (AlarmFacts & { wake(): void }) | undefined
  /** Those of every writer on these databases. */
  readonly halves?: BatchHalves
}

const noEffects: BatchEffects = { alarms: [], lost: [] }

/**
 * Writes a planned batch as one transaction; where the samples have a database of their own, as two: facts first. One
 * batch at a time: the encoder's buffers are used again.
 */
export class BatchWriter {
  readonly #db: Database
  readonly #samplesDb: Database
  readonly #log: SampleLog
  readonly #facts: (AlarmFacts & { wake(): void }) | undefined
  readonly #halves: BatchHalves
  readonly #encoder = new LogRowEncoder()

  constructor({ db, samplesDb, log, facts, halves = new BatchHalves() }: BatchWriterOptions) {
    this.#db = db
    this.#samplesDb = samplesDb
    this.#log = log
    this.#facts = facts
    this.#halves = halves
  }

  get #areApart(): boolean {
    return this.#db !== this.#samplesDb
  }

  /**
   * Writes the samples as the row of the log that `ticket` numbers; without one there are none. Throws `ingest_batches_pkey`'s unique violation
   * when a batch of this id was committed before. Undefined if it is unknown what the batch changed.
   */
  async write(batchId: string, plan: BatchPlan, ticket?: LogTicket): Promise<BatchEffects | undefined> {
    if (this.#areApart) return this.#writeHalves(batchId, plan, ticket)
    if (plan.isPlain && !ticket) return noEffects
    await this.#log.ready()
    return withClient(this.#db, async (client) => {
      if (plan.isPlain && ticket) {
        const bytes = this.#encode(plan)
        // Statements of one simple query are one transaction: one way there and back instead of four.
        checkAdded(await client.query(this.#log.batchStatements(batchId, ticket, plan.count, bytes)))
        return noEffects
      }
      await beginAsOwned(client, insertBatch(batchId), plan)
      const effects = await this.#writeFacts(client, plan)
      if (ticket) {
        const bytes = this.#encode(plan)
        checkAdded(await client.query(this.#log.rowStatements(ticket, plan.count, bytes)))
      }
      await client.query('commit')
      return effects
    })
  }

  /**
   * Ends a batch's id, so that a later commit under it fails; false if one had succeeded. A repeated call answers the
   * same, because a close can be distinguished from a commit.
   */
  async close(batchId: string): Promise<boolean> {
    if (!this.#areApart) return closeBatch(this.#db, batchId)
    const half = this.#halves.of(batchId)
    if (!half.hasRow) return closeBatch(this.#db, batchId)
    if (!(await closeBatch(this.#samplesDb, batchId))) return false
    // Facts that are committed stay: sent again they change nothing.
    await closeBatch(this.#db, batchId)
    this.#halves.giveUp(half)
    return true
  }

  /** Whether a batch of this id was committed; a closed one was not. */
  async isCommitted(batchId: string): Promise<boolean> {
    const isOfSamples = this.#areApart && this.#halves.of(batchId).hasRow
    return isBatchCommitted(isOfSamples ? this.#samplesDb : this.#db, batchId)
  }

  /** Writes the facts, unless a former try did, and then the samples. */
  async #writeHalves(
    batchId: string,
    plan: BatchPlan,
    ticket?: LogTicket,
  ): Promise<BatchEffects | undefined> {
    const half = this.#halves.of(batchId)
    half.hasRow = ticket !== undefined
    if (half.isWritten && plan.newTags.length > 0)
      throw new TagsLost('the tags of this batch were created for another owner')
    if (!plan.isPlain && !half.isWritten) await this.#writeFirst(batchId, plan, half)
    if (ticket) {
      await this.#log.ready()
      const bytes = this.#encode(plan)
      const statements = this.#log.batchStatements(batchId, ticket, plan.count, bytes)
      await withClient(this.#samplesDb, async (client) => checkAdded(await client.query(statements)))
    }
    half.isWhole = true
    return half.isWritten ? half.effects : noEffects
  }

  async #writeFirst(batchId: string, plan: BatchPlan, half: BatchHalf): Promise<void> {
    half.machineIds = [...plan.factsOf].map(({ machineId }) => machineId)
    try {
      half.effects = await withClient(this.#db, async (client) => {
        await beginAsOwned(client, insertBatch(batchId), plan)
        const effects = await this.#writeFacts(client, plan)
        await client.query('commit')
        return effects
      })
      half.isWritten = true
      // Alarms are published even while the samples beside them cannot be written.
      if (half.effects.alarms.length > 0) this.#facts?.wake()
    } catch (error) {
      if (!isBatchKnown(error) || !(await isBatchCommitted(this.#db, batchId))) throw error
      half.isWritten = true
      this.#facts?.wake()
      if (plan.newTags.length > 0) throw new FactsKnown('a former try created these tags', { cause: error })
    }
  }

  async #writeFacts(client: pg.ClientBase, plan: BatchPlan): Promise<BatchEffects> {
    const at = new Date(plan.samples[0]?.receivedAt ?? Date.now())
    for (const layer of plan.newTags) await createTags(client, layer, at)
    if (plan.newTags.length > 0) plan.adoptIds()
    if (plan.changedTags.size > 0) {
      await updateTags(
        client,
        Array.from(plan.changedTags, ([tag, { meta }]) => ({ id: tag.id, meta })),
      )
    }
    const alarms = await writeAlarms(client, plan.alarms, this.#facts)
    const lost = plan.lost.length > 0 ? await createLostSpans(client, plan.lost) : []
    return { alarms, lost }
  }

  #encode(plan: BatchPlan): Buffer {
    this.#encoder.reset()
    addSamples(plan, this.#encoder)
    return this.#encoder.finish()
  }
}

/** Gives the samples of a plan to `sink`, in the order of their arrival. */
export function addSamples({ count, samples, tags, lates, stamps }: BatchPlan, sink: SampleSink): void {
  for (let index = 0; index < count; index++) {
    const sample = samples[index]
    const tag = tags[index]
    if (!sample || !tag) break
    sink.add(
      tag.id,
      tag.type,
      sample.time,
      sample.receivedAt,
      qualityNumber[sample.quality],
      lates[index] === true,
      sample.value,
      stamps[index] ?? sample.time,
    )
  }
}

/**
 * Begins a transaction and locks the machines with their owners until it ends, so that values of the former owner's
 * time are not written as the next owner's. Samples need no such lock: the tags of a former owner are not shown to
 * anybody.
 */
async function beginAsOwned(client: pg.ClientBase, text: string, { factsOf }: BatchPlan): Promise<void> {
  const machines = [...factsOf]
  const since = await beginWithOwners(
    client,
    text,
    machines.map(({ machineId }) => machineId),
  )
  if (machines.some(({ machineId, ownedSince }) => (since.get(machineId) ?? 0) !== ownedSince))
    throw new OwnerChanged()
}

const insertBatch = (batchId: string): string => `insert into ingest_batches (id) values ('${batchId}')`

async function closeBatch(db: Database, batchId: string): Promise<boolean> {
  return withClient(db, async (client) => {
    // Waits for a transaction under this id that is still open somewhere.
    const { rows } = await client.query<{ is_closed: boolean }>(
      `insert into ingest_batches (id, is_closed) values ($1, true)
       on conflict (id) do update set is_closed = ingest_batches.is_closed returning is_closed`,
      [batchId],
    )
    return rows[0]?.is_closed === true
  })
}

async function isBatchCommitted(db: Database, batchId: string): Promise<boolean> {
  return withClient(db, async (client) => {
    const { rowCount } = await client.query('select from ingest_batches where id = $1 and not is_closed', [
      batchId,
    ])
    return rowCount === 1
  })
}

/** Whether an error means that a batch of this id was committed before. */
export function isBatchKnown(error: unknown): boolean {
  return errorField(error, 'code') === '23505' && errorField(error, 'constraint') === 'ingest_batches_pkey'
}

const blameOfFault: Readonly<Record<DatabaseFault, Blame>> = {
  away: 'away',
  lost: 'lost',
  locked: 'locked',
  short: 'store',
  slow: 'store',
  none: 'entry',
}

/** The cause of an error of a batch: the database, or an entry of the batch. */
export function blameOf(error: unknown): Blame {
  if (error instanceof LogClosed || error instanceof TagsLost) return 'store'
  if (error instanceof FactsKnown) return 'away'
  // Neither is the fault of an entry: a lock that was met first must not make the next owner's a reason to refuse it.
  if (error instanceof MachinesHeld || error instanceof OwnerChanged) return 'locked'
  return blameOfFault[faultOf(error)]
}

function errorField(error: unknown, field: string): string | undefined {
  if (!(error instanceof Error) || !(field in error)) return undefined
  const value = (error as unknown as Record<string, unknown>)[field]
  return typeof value === 'string' ? value : undefined
}
