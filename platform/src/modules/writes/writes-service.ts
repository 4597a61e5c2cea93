import type { telemetry as contract, Lang } from '@busbar/contract'
import type { EdgeLink, Unwritable, ValuesWatch } from '../../edge-link/edge-link.ts'
import { NotReachable } from '../../edge-link/not-reachable.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { withTransaction } from '../../kernel/database/database.ts'
import { isRetryable } from '../../kernel/database/database-fault.ts'
import { every } from '../../kernel/every.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { RateLimiter } from '../../kernel/http/rate-limiter.ts'
import { createLogOnce, type LogOnce } from '../../kernel/log-once.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { AccessPort } from '../access/index.ts'
import { presentValue, type Telemetry } from '../telemetry/index.ts'
import type { ControlPort } from '../visits/index.ts'
import { isWritten, type WrittenValue } from './is-written.ts'
import { type OpenWrite, OpenWrites, type WriteOutcome } from './open-writes.ts'
import { createPageWrites } from './page-writes.ts'
import { parseWrite } from './parse-write.ts'
import { publishWrite } from './publish-write.ts'
import { outOfRange, tooManyForFloat32 } from './write-failures.ts'
import { createWrite, type Db, endWrite, takeOverWrites } from './writes-store.ts'

/** Limit of one person to one machine (rules/visits.md: writes). */
const writesPerMinuteMax = 60
const sweepMs = 250
/** An outcome that could not be stored is tried again after this. */
const retryMs = 1_000
/** Limit of machines' reports of writes at their pages that wait for a database that is away; more are dropped. */
const keepingMax = 10_000

export interface WritesDeps {
  readonly db: Db
  readonly bus: Bus
  readonly facts: Pick<Facts, 'record'>
  readonly logger: Logger
  readonly access: Pick<AccessPort, 'list' | 'on'>
  readonly control: ControlPort
  readonly telemetry: Pick<Telemetry, 'listWireTags'>
  readonly link: Pick<EdgeLink, 'prepareWrite' | 'latest' | 'watch'>
  /** This process among those on one database. */
  readonly nodeId: string
  now(): number
}

/** A request to write a tag's value. */
export interface WriteRequest {
  readonly userId: number
  readonly machineId: number
  readonly tagId: number
  readonly value: boolean | number | string
  readonly note: string
  /** Refused unless the machine has this value now. */
  readonly expected?: boolean | number | string
  /** Of the writer, for the tag's name in a refusal. */
  readonly lang: Lang
  /** The name under which writes are counted, where it is not the person's. */
  readonly countedAs?: string
  /** Told the end of a write that was sent, unless this process ends before. */
  readonly ended?: (end: EndedWrite) => void
}

/** The end of a write. */
export interface EndedWrite {
  readonly state: WriteOutcome['state']
  /** The machine's value afterwards; null where it is not known. */
  readonly kept: contract.TagValue
  /** Why it failed; empty otherwise. */
  readonly reason: string
}

/** Writes to machines, from the request to the result. */
export class WritesService {
  readonly #deps: WritesDeps
  readonly #open = new OpenWrites()
  /** Those who are told the end of a write, by its command. */
  readonly #told = new Map<number, (end: EndedWrite) => void>()
  readonly #pageWrites: ReturnType<typeof createPageWrites>
  readonly #limiter = new RateLimiter({ max: writesPerMinuteMax, windowMs: 60_000 })
  readonly #subscriptions: (() => void)[] = []
  /** For machines with open writes: a value may be the answer. */
  readonly #watches = new Map<number, Promise<ValuesWatch>>()
  #timer: NodeJS.Timeout | undefined
  /** Outcomes that are not stored yet, in their order, and when each may be tried (performance.now). */
  readonly #unstored = new Map<WriteOutcome, number>()
  readonly #log: LogOnce
  #storing: Promise<void> | undefined
  #keeping: Promise<void> = Promise.resolve()
  #keepingCount = 0
  readonly #stopped = new AbortController()

  constructor(deps: WritesDeps) {
    this.#deps = deps
    this.#log = createLogOnce(deps.logger)
    this.#pageWrites = createPageWrites(deps)
  }

  /** Takes over the open writes of a former process, and follows machines' messages. */
  async start(): Promise<void> {
    const { bus, db, nodeId } = this.#deps
    this.#subscriptions.push(
      bus.subscribe('rpcAnswers', (event) => this.#end(this.#open.answerCame(event))),
      bus.subscribe('readBacks', (event, origin) => {
        for (const readBack of event.readBacks) {
          if (!readBack.page) this.#end(this.#open.readBackCame(event.machineId, readBack))
        }
        // Writes on the machine's own page are kept by the process that holds the machine.
        if (origin === 'here') this.#keepPageWrites(event)
      }),
    )
    for (const write of await takeOverWrites(db, nodeId, true)) void this.#add(write)
    const sweep = () => {
      this.#end(this.#open.expire(this.#deps.now()))
      this.#endWatches()
    }
    this.#timer = every(sweepMs, sweep, this.#deps.logger)
  }

  /** Takes over the open writes of nodes that died since. */
  async takeOver(): Promise<void> {
    const { db, nodeId } = this.#deps
    for (const write of await takeOverWrites(db, nodeId, false)) void this.#add(write)
  }

  /** Writes on their way to machines, and outcomes not stored yet. */
  stats(): { open: number; unstored: number } {
    return { open: this.#open.count, unstored: this.#unstored.size }
  }

  /** Stores the known outcomes; the next process takes over the open writes. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    for (const unsubscribe of this.#subscriptions.splice(0)) unsubscribe()
    this.#stopped.abort()
    for (const watch of this.#watches.values()) watch.then(({ end }) => end()).catch(() => undefined)
    await this.#storing
    await this.#keeping
    this.#log.stop()
  }

  /** Sends a value to a machine; answers the command's id. The result is pushed to the writer and the keys. */
  async write(request: WriteRequest): Promise<number> {
    const { db, access, control, telemetry, link, nodeId, now } = this.#deps
    const { userId, machineId, tagId, lang } = request
    const askedAt = now()
    if (!this.#limiter.take(`${request.countedAs ?? userId}:${machineId}`, askedAt)) {
      throw new Failure('429', { data: { retryIn: this.#limiter.retryInS(askedAt) } })
    }
    const mine = (await access.list(userId, [machineId], askedAt)).get(machineId)
    if (!mine || mine.readOnly) throw new Failure('READ_ONLY')
    const tags = await telemetry.listWireTags(machineId, lang)
    const found = tags.find((candidate) => candidate.tagId === tagId)
    if (!found) throw new Failure('404')
    const tag = asWritten(found)
    if (tag.readOnly) throw new Failure('TAG_READ_ONLY')
    const value = parseWrite(tag, request.value)
    const [latest] = await link.latest(machineId, [tagId])
    if (request.expected !== undefined && !isNow(tag, request.expected, latest?.value ?? null))
      throw new Failure('CHANGED_SINCE')
    const wanted = { group: tag.group, tag: tag.tag, value, isOpened: tag.openable === true }
    const prepared = await link.prepareWrite(machineId, wanted, userId)
    if (prepared === 'range') throw outOfRange(tag, value)
    if (prepared === 'digits') throw tooManyForFloat32(tag, value)
    if (typeof prepared === 'string') throw failureOf(prepared)
    const commandId = await withTransaction(db, async (trx) => {
      await control.takeForWrite(trx, machineId, userId, askedAt)
      const at = new Date(askedAt)
      const from = latest?.value ?? null
      const row = { machineId, tagId, userId, visitId: null, source: 'console', at, from, to: value } as const
      return createWrite(trx, { ...row, note: request.note, nodeId })
    })
    control.announce(machineId)
    const { group, tag: name, type, scale } = tag
    const write: OpenWrite = {
      commandId,
      machineId,
      tagId,
      group,
      tag: name,
      type,
      scale,
      value,
      userId,
      sentAt: now(),
    }
    // Before it is sent, so that no answer comes too early.
    if (request.ended) this.#told.set(commandId, request.ended)
    await this.#add(write)
    const isSent = await prepared.send(commandId).catch((error) => {
      // The machine may have got it: its next message decides, or the time-out.
      if (error instanceof NotReachable) return true
      throw error
    })
    if (isSent) return commandId
    this.#open.remove(write)
    this.#told.delete(commandId)
    const failure = failureOf('offline')
    const at = now()
    const reason = failure.code
    await withTransaction(db, async (trx) => {
      await endWrite(trx, commandId, { state: 'failed', kept: null, reason, at: new Date(at) })
      const ended = { machineId, writeId: commandId, tagId, userId, source: 'console', reason, at } as const
      await this.#deps.facts.record(trx, { kind: 'write.failed', ...ended })
    })
    throw failure
  }

  /** Resolves when values of the machine are received; for one that cannot be watched, the read-back decides. */
  async #add(write: OpenWrite): Promise<void> {
    const { machineId } = write
    this.#open.add(write)
    const watch =
      this.#watches.get(machineId) ??
      this.#deps.link.watch(machineId, (values) => this.#end(this.#open.valuesCame({ machineId, values })))
    this.#watches.set(machineId, watch)
    await watch.catch(() => {
      if (this.#watches.get(machineId) === watch) this.#watches.delete(machineId)
    })
  }

  #endWatches(): void {
    for (const [machineId, watch] of this.#watches) {
      if (this.#open.has(machineId)) continue
      this.#watches.delete(machineId)
      watch.then(({ end }) => end()).catch(() => undefined)
    }
  }

  #end(outcomes: readonly WriteOutcome[]): void {
    for (const outcome of outcomes) this.#unstored.set(outcome, 0)
    if (this.#unstored.size > 0)
      this.#storing ??= this.#storeAll().finally(() => {
        this.#storing = undefined
      })
  }

  /**
   * Stores the outcomes that are due. Two writes to a tag end in the order they were made, so an outcome that cannot be
   * stored delays later ones of its tag, and no others. The sweep tries it again; after the end of a process the next
   * one does.
   */
  async #storeAll(): Promise<void> {
    const delayed = new Set<number>()
    for (const [outcome, dueAt] of this.#unstored) {
      const { commandId, tagId } = outcome.write
      if (delayed.has(tagId)) continue
      if (dueAt > performance.now()) {
        delayed.add(tagId)
        continue
      }
      try {
        await this.#store(outcome)
        this.#unstored.delete(outcome)
        this.#tell(outcome)
      } catch (error) {
        delayed.add(tagId)
        this.#log.warn({ err: error, commandId }, 'write.storeFailed')
        this.#unstored.set(outcome, performance.now() + retryMs)
        // Without the database the others would only wait as long in vain.
        if (isRetryable(error)) return
      }
    }
  }

  #tell({ write: { commandId }, state, kept, reason }: WriteOutcome): void {
    const ended = this.#told.get(commandId)
    this.#told.delete(commandId)
    ended?.({ state, kept: presentValue(kept?.value ?? null), reason })
  }

  async #store({ write, state, kept, reason }: WriteOutcome): Promise<void> {
    const { db, facts, now } = this.#deps
    const { commandId, machineId, tagId, userId } = write
    const at = now()
    await withTransaction(db, async (trx) => {
      const end = { state, kept: kept?.value ?? null, reason, at: new Date(at) }
      if (!(await endWrite(trx, commandId, end))) return
      const result = { commandId, machineId, tagId, state, kept, reason }
      await publishWrite(this.#deps, trx, result, { writerId: userId, at })
      const told = { machineId, writeId: commandId, tagId, source: 'console', reason, at } as const
      await facts.record(trx, { kind: `write.${state}`, ...told, ...(userId === null ? {} : { userId }) })
    })
  }

  #keepPageWrites(event: Parameters<ReturnType<typeof createPageWrites>['keepAll']>[0]): void {
    if (!event.readBacks.some((readBack) => readBack.page)) return
    const { machineId } = event
    if (this.#keepingCount >= keepingMax) {
      this.#log.warn({ machineId, waiting: keepingMax }, 'machineWrite.dropped')
      return
    }
    this.#keepingCount++
    this.#keeping = this.#keeping
      .then(() => this.#pageWrites.keepAll(event, this.#stopped.signal))
      .catch((error) => this.#deps.logger.warn({ err: error, machineId }, 'machineWrite.storeFailed'))
      .finally(() => {
        this.#keepingCount--
      })
  }
}

/** A tag as its machine takes it: the digits and texts that people see may differ from the machine's own. */
function asWritten(tag: contract.Tag): contract.Tag {
  const { own } = tag
  return own ? { ...tag, scale: own.scale, enum: own.enum ?? tag.enum } : tag
}

/** Whether the machine has a value, given as the API answers it. */
function isNow(tag: contract.Tag, value: boolean | number | string, latest: WrittenValue | null): boolean {
  const typed = tag.type === 'int64' ? BigInt(value) : value
  return isWritten(tag, typed, latest)
}

function failureOf(why: Exclude<Unwritable, 'range' | 'digits'>): Failure {
  return new Failure(why === 'offline' ? 'MACHINE_OFFLINE' : 'WRITE_UNSUPPORTED')
}
