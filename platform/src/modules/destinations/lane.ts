import { setTimeout as sleep } from 'node:timers/promises'
import { zstdCompressSync } from 'node:zlib'
import { projectLimits } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { ProjectStreams, ReadLimits, StreamHead, StreamRow } from '../project-stream/index.ts'
import type { Links, Quota } from '../projects/index.ts'
import { type Batch, bodyBytesMax, cutBatch } from './batch.ts'
import { extendDelivery, insertDeadLetter, insertDelivery, type NewDelivery } from './deliveries-store.ts'
import { noteFailing, noteGap, noteWell, switchOff } from './destination-states.ts'
import {
  type HeldLane,
  type LaneChange,
  type LaneSettings,
  type LaneState,
  listExistingLinks,
  listZones,
  moveLane,
} from './lanes-store.ts'
import { distanceMs, judge, slowDown, speedUp, type Verdict } from './retry-rules.ts'
import type { Attempt, Transport } from './transport.ts'
import type { OpenTransport } from './transports.ts'

/** The parts that the lanes of a process share. */
export interface LaneDeps {
  readonly db: Database
  readonly streams: Pick<ProjectStreams, 'read'>
  readonly links: Pick<Links, 'stateOf' | 'isTrusted'>
  readonly quota: Quota
  readonly openTransport: OpenTransport
  readonly facts: Pick<Facts, 'record'>
  readonly logger: Pick<Logger, 'warn'>
  /** The lane is other than this process knows, or another one has it. */
  lost(lane: Lane): void
  sent(attempt: Attempt, batch: Batch): void
  now(): number
}

/** A request with its answer. */
interface Answered {
  readonly settings: LaneSettings
  readonly batch: Batch
  readonly attempt: Attempt
}

/** Another process has the lane, it is gone, or it is elsewhere than this process knows. */
class LaneLost extends Error {
  override name = 'LaneLost'
}

/** A request was taken back: a machine in it left the project, or the destination was turned off. */
class Withdrawn extends Error {
  override name = 'Withdrawn'
}

/** A lane without rows looks for them so often, beside being woken. */
const idleMs = 1_000
const quotaMs = 2_000
const errorMs = 1_000
const blindMs = 100
/** Deliveries that succeed within this time of one another are one row of the log. */
const loggedTogetherMs = 10_000
/** A lane that finds no rows of its own among these goes past them. */
const aheadRowsMax = 10_000

/**
 * Sends the rows of a part of a destination's machines, one request after another. The place in the stream moves in the
 * transaction that counts and logs a request, after the receiver has accepted it: a process that dies sends the same
 * request again, with the same id (rules/projects.md: destinations).
 */
export class Lane {
  readonly held: HeldLane
  readonly projectId: number
  readonly #deps: LaneDeps
  #state: LaneState
  #settings: LaneSettings | undefined
  #transport: Transport | undefined
  #head: StreamHead | undefined
  #ahead: StreamRow[] = []
  readonly #zones = new Map<number, string>()
  /** Machines that left the project: their ids never come back. */
  readonly #gone = new Set<number>()
  #paceMs = 0
  #beganAt = Number.NEGATIVE_INFINITY
  /** Whether the last request had no room for the next row. */
  #wasFull = false
  #logged: { readonly id: number; readonly at: number } | undefined
  /** A request that was answered: until that is written it is not sent again, whatever the database does. */
  #answered: Answered | undefined
  #sending: { readonly batch: Batch; readonly withdraw: AbortController } | undefined
  #isStopped = false
  readonly #stopping = new AbortController()
  #isWoken = false
  #wake: (() => void) | undefined
  readonly #running: Promise<void>

  constructor(held: HeldLane, projectId: number, state: LaneState, deps: LaneDeps) {
    this.held = held
    this.projectId = projectId
    this.#state = state
    this.#deps = deps
    this.#running = this.#run()
  }

  /** Where it is in the stream. */
  get ackedNo(): number {
    return this.#state.ackedNo
  }

  /** The rows in memory that it has not sent. */
  get waiting(): number {
    return this.#ahead.length
  }

  configure(settings: LaneSettings): void {
    this.#settings = settings
  }

  /** Told again and again; wakes the lane where the stream has rows that it does not know. */
  noteHead(head: StreamHead): void {
    const isNew = head.nextNo !== this.#head?.nextNo || head.epoch !== this.#head.epoch
    this.#head = head
    if (isNew) this.wake()
  }

  /** The stream has rows up to this number. */
  noteRows(nextNo: number): void {
    if (this.#head && nextNo > this.#head.nextNo) this.noteHead({ ...this.#head, nextNo })
  }

  /** These links ended: a request with their rows is taken back while the receiver does not have it. */
  noteEnded(linkIds: ReadonlySet<number>): void {
    const { batch, withdraw } = this.#sending ?? {}
    if (batch?.rows.some(({ linkId }) => linkId !== null && linkIds.has(linkId)))
      withdraw?.abort(new Withdrawn())
    this.#transport?.forget?.(linkIds)
    this.wake()
  }

  wake(): void {
    this.#isWoken = true
    this.#wake?.()
  }

  /** Begins nothing more; `isNow`: takes back the request that is on its way. */
  async stop({ isNow = false } = {}): Promise<void> {
    this.#isStopped = true
    this.#stopping.abort()
    if (isNow) this.#sending?.withdraw.abort(new Withdrawn())
    this.wake()
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      this.#isWoken = false
      const waitMs = await this.#turnSafely()
      if (waitMs > 0 && !this.#isStopped) await this.#sleep(Math.min(waitMs, idleMs))
    }
    this.#transport?.close()
  }

  async #turnSafely(): Promise<number> {
    try {
      return await this.#turn()
    } catch (error) {
      if (error instanceof Withdrawn) return 0
      if (error instanceof LaneLost) {
        this.#isStopped = true
        this.#deps.lost(this)
        return 0
      }
      const { destinationId, lane } = this.held
      this.#deps.logger.warn({ err: error, destinationId, lane }, 'destination.laneFailed')
      this.#ahead = []
      // Rows that come meanwhile do not have it try sooner.
      await sleep(errorMs, undefined, { ref: false, signal: this.#stopping.signal }).catch(() => undefined)
      return 0
    }
  }

  /** Sends what is due; answers after how many milliseconds to look again. */
  async #turn(): Promise<number> {
    const { links, openTransport, now } = this.#deps
    if (this.#answered) {
      await this.#conclude(this.#answered)
      return 0
    }
    const [settings, head] = [this.#settings, this.#head]
    if (!settings || !head) return idleMs
    const early = Math.max(
      (this.#state.nextTryAt?.getTime() ?? 0) - now(),
      this.#beganAt + distanceMs({ wasFull: this.#wasFull, paceMs: this.#paceMs }) - performance.now(),
    )
    if (early > 0) return early
    if (!links.isTrusted()) return blindMs
    if (head.epoch !== this.#state.epoch) await this.#enter(head)
    const waitMs = await this.#sendRows(settings, head)
    if (waitMs === 0 || !links.isTrusted()) return waitMs
    this.#transport ??= openTransport(settings.type, 'stream')
    if (!this.#transport.isDue?.(settings)) return waitMs
    await this.#send(settings, noRows(this.#state.ackedNo))
    return 0
  }

  /** Sends the next request, if there is one; answers as `#turn` does. */
  async #sendRows(settings: LaneSettings, head: StreamHead): Promise<number> {
    const { links, quota, db } = this.#deps
    if (this.#state.ackedNo + 1 >= head.nextNo) return idleMs
    const left = (await quota.listLeft(db, [settings.projectId])).get(settings.projectId) ?? 0
    const batch = await this.#gather(settings, left)
    // Rows of machines that may be sent later are not left out.
    if (!batch || !links.isTrusted()) return blindMs
    if (batch.rows.length > 0) await this.#send(settings, batch)
    else if (batch.isQuotaOver) return quotaMs
    else if (batch.toNo > this.#state.ackedNo) await this.#pass(batch)
    else return idleMs
    return 0
  }

  /** Another numbering: the stream was restored, and what it has again is sent again. */
  async #enter({ epoch, nextNo }: StreamHead): Promise<void> {
    const ackedNo = Math.min(this.#state.ackedNo, nextNo - 1)
    this.#ahead = []
    const { batchToNo } = this.#state
    await this.#move({
      ackedNo,
      epoch,
      batchToNo: batchToNo !== null && batchToNo < nextNo ? batchToNo : null,
    })
  }

  /** The next request; undefined while it is not known which machines may be in it. */
  async #gather(settings: LaneSettings, left: number): Promise<Batch | undefined> {
    const { streams, links } = this.#deps
    const isActive = (linkId: number) => links.stateOf(linkId) === 'active'
    const choice = { ...settings, lane: this.held.lane, isActive }
    for (;;) {
      await this.#readZones(settings)
      if (await this.#isAnyUndecided()) return undefined
      const zoneOf = (machineId: number | null) => this.#zones.get(machineId ?? 0) ?? 'UTC'
      const batch = cutBatch(this.#ahead, { settings, state: this.#state, choice, left, zoneOf })
      const last = this.#ahead.at(-1)?.no ?? this.#state.ackedNo
      if (batch.isFull || this.#ahead.length >= aheadRowsMax || last + 1 >= (this.#head?.nextNo ?? 0))
        return batch
      const more = await streams.read(settings.projectId, last, aheadLimits(settings))
      if (more.length === 0) return batch
      this.#ahead.push(...more)
    }
  }

  /** Whether the rows ahead have machines that wait with their project, or that this process does not know yet. */
  async #isAnyUndecided(): Promise<boolean> {
    const { links, db } = this.#deps
    const linkIds = new Set<number>()
    for (const { linkId } of this.#ahead) if (linkId !== null) linkIds.add(linkId)
    const unknown = [...linkIds].filter((id) => !this.#gone.has(id) && links.stateOf(id) === 'unknown')
    const fresh = unknown.length === 0 ? [] : await listExistingLinks(db, unknown)
    for (const id of unknown) if (!fresh.includes(id)) this.#gone.add(id)
    return fresh.length > 0 || [...linkIds].some((id) => links.stateOf(id) === 'paused')
  }

  /** The flat form writes times on the clocks of machines. */
  async #readZones({ format }: LaneSettings): Promise<void> {
    if (format !== 'flat') return
    const unknown = new Set(this.#ahead.flatMap(({ machineId }) => machineId ?? []))
    for (const known of this.#zones.keys()) unknown.delete(known)
    if (unknown.size === 0) return
    for (const [id, zone] of await listZones(this.#deps.db, [...unknown])) this.#zones.set(id, zone)
  }

  /** Goes past rows that are not for this lane; unless there is more to write, that is written with the lease. */
  async #pass(batch: Batch): Promise<void> {
    if (this.#state.batchToNo === null) this.#note({ ackedNo: batch.toNo, ackedTime: new Date(batch.toTime) })
    else await this.#move(acceptedBy(batch))
  }

  async #send(settings: LaneSettings, batch: Batch): Promise<void> {
    const { openTransport, now } = this.#deps
    // Before the first try, so that a request which is tried again after the end of this process is the same.
    if (batch.rows.length > 0 && batch.toNo !== this.#state.batchToNo)
      await this.#move({
        ackedNo: this.#state.ackedNo,
        ackedTime: this.#state.ackedTime,
        batchToNo: batch.toNo,
      })
    const withdraw = new AbortController()
    this.#sending = { batch, withdraw }
    this.#beganAt = performance.now()
    this.#wasFull = batch.isFull
    try {
      this.#transport ??= openTransport(settings.type, 'stream')
      const attempt = await this.#transport.send(settings, {
        id: this.#webhookId(batch),
        rows: batch.rows.map(({ text, linkId }, n) => ({ text, linkId, sent: batch.texts[n] ?? '' })),
        now: now(),
        signal: withdraw.signal,
      })
      this.#deps.sent(attempt, batch)
      this.#answered = { settings, batch, attempt }
      await this.#conclude(this.#answered)
    } finally {
      this.#sending = undefined
    }
  }

  #webhookId({ toNo }: Batch): string {
    const { destinationId, lane } = this.held
    const { epoch, ackedNo } = this.#state
    return [destinationId, lane, (epoch ?? '').slice(0, 8), ackedNo + 1, toNo].join('-')
  }

  async #conclude({ settings, batch, attempt }: Answered): Promise<void> {
    const at = this.#deps.now()
    const { tries, refusals, failingSince } = this.#state
    const isEmpty = batch.rows.length === 0
    const verdict = judge(
      // A refused birth is tried again: there are no rows to set aside.
      isEmpty && attempt.end.means === 'refused' ? { ...attempt.end, means: undefined } : attempt.end,
      { tries: tries + 1, refusals, failingSince: failingSince?.getTime() },
      at,
      Math.random(),
    )
    const { fault } = attempt.end
    if (verdict.kind === 'accepted' && isEmpty) await this.#noteWell(settings, at)
    else if (verdict.kind === 'accepted') await this.#accept(settings, batch, attempt, at)
    else if (verdict.kind === 'dead') await this.#bury(settings, batch, attempt, at)
    else await this.#fail(settings, batch, attempt, verdict, at)
    this.#answered = undefined
    if (verdict.kind === 'retry' && verdict.isSlower) this.#paceMs = slowDown(this.#paceMs)
    if (verdict.kind === 'accepted') this.#paceMs = speedUp(this.#paceMs)
    if (fault !== null) this.#ahead = []
    if (verdict.kind === 'switchOff') this.#settings = undefined
  }

  async #accept(settings: LaneSettings, batch: Batch, attempt: Attempt, at: number): Promise<void> {
    const { quota, facts } = this.#deps
    const wasFailing = this.#state.failingSince !== null
    const logged =
      this.#logged && at - this.#logged.at < loggedTogetherMs && !wasFailing ? this.#logged : undefined
    const delivery = this.#deliveryOf(settings, batch, attempt, at, 'ok')
    const change = { ...acceptedBy(batch), status: attempt.end.status, lastOkAt: new Date(at) }
    const id = await this.#leave(change, async (trx) => {
      if (batch.counted > 0) await quota.take(trx, settings.projectId, batch.counted)
      if (batch.gap) await noteGap(trx, settings.destinationId, batch.gap)
      if (wasFailing) await noteWell(trx, facts, settings, at)
      if (!logged) return insertDelivery(trx, delivery)
      await extendDelivery(trx, logged.id, delivery)
      return logged.id
    })
    this.#logged = { id, at: logged?.at ?? at }
    const next = this.#ahead.findIndex(({ no }) => no > batch.toNo)
    this.#ahead = next < 0 ? [] : this.#ahead.slice(next)
  }

  /** The receiver took births or deaths: it fails no longer. */
  async #noteWell(settings: LaneSettings, at: number): Promise<void> {
    if (this.#state.failingSince === null) return
    const well = { tries: 0, refusals: 0, nextTryAt: null, failingSince: null, fault: null, status: null }
    await this.#commit(well, (trx) => noteWell(trx, this.#deps.facts, settings, at))
  }

  async #bury(settings: LaneSettings, batch: Batch, attempt: Attempt, at: number): Promise<void> {
    const change = { ...acceptedBy(batch), status: attempt.end.status, fault: attempt.end.fault }
    const letter = {
      webhookId: this.#webhookId(batch),
      request: attempt.showRequest(),
      rows: zstdCompressSync(JSON.stringify(batch.rows)),
    }
    await this.#leave(change, async (trx) => {
      const id = await insertDelivery(trx, this.#deliveryOf(settings, batch, attempt, at, 'dead'))
      await insertDeadLetter(trx, id, letter)
    })
  }

  async #fail(
    settings: LaneSettings,
    batch: Batch,
    attempt: Attempt,
    verdict: Extract<Verdict, { kind: 'retry' | 'switchOff' }>,
    at: number,
  ): Promise<void> {
    const { facts } = this.#deps
    const { tries, refusals, failingSince } = this.#state
    const isRetry = verdict.kind === 'retry'
    const change = {
      tries: tries + 1,
      refusals: refusals + (isRetry && verdict.isRefusal ? 1 : 0),
      failingSince: failingSince ?? new Date(at),
      nextTryAt: isRetry ? new Date(at + verdict.waitMs) : null,
      ...attempt.end,
    }
    await this.#commit(change, async (trx) => {
      await insertDelivery(trx, this.#deliveryOf(settings, batch, attempt, at, 'failed'))
      if (!isRetry) await switchOff(trx, facts, settings, { reason: verdict.reason, at })
      else if (verdict.isTold) await noteFailing(trx, facts, settings, { ...attempt.end, at })
    })
  }

  #deliveryOf(
    { destinationId }: LaneSettings,
    { rows }: Batch,
    attempt: Attempt,
    at: number,
    state: NewDelivery['state'],
  ): NewDelivery {
    const { end, ms, bytes } = attempt
    return {
      ...{ destinationId, at: new Date(at), state, rows: rows.length, bytes, ms },
      status: end.status,
      attempts: this.#state.tries + 1,
      fault: end.fault ?? attempt.cut ?? null,
      answer: state === 'ok' ? '' : attempt.showAnswer(),
    }
  }

  /** Moves the lane behind a request. It is there already where only the word of the commit was lost. */
  #leave<T>(change: LaneChange, work: (trx: Database) => Promise<T>): Promise<T> {
    return this.#commit(change, work, this.#state.ackedNo)
  }

  /** Moves the lane, and does `work` in the same transaction; `fromNo`: only from there. */
  async #commit<T>(change: LaneChange, work: (trx: Database) => Promise<T>, fromNo?: number): Promise<T> {
    const answer = await withTransaction(this.#deps.db, async (trx) => {
      if (!(await moveLane(trx, this.held, change, fromNo))) throw new LaneLost()
      return work(trx)
    })
    this.#note(change)
    return answer
  }

  #move(change: LaneChange): Promise<void> {
    return this.#commit(change, async () => undefined)
  }

  #note(change: Partial<LaneState>): void {
    this.#state = { ...this.#state, ...change }
  }

  #sleep(ms: number): Promise<void> {
    if (this.#isWoken) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      this.#wake = () => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve()
      }
    })
  }
}

/** Rows that are read ahead at once: a body for each lane, whose rows are among them, and one more. */
function aheadLimits({ lanes }: LaneSettings): ReadLimits {
  return { maxRows: projectLimits.requestRows * (lanes + 1), maxBytes: bodyBytesMax * (lanes + 1) }
}

/** A request without rows, which moves nothing. */
const noRows = (toNo: number): Batch => ({
  ...{ toNo, toTime: 0, rows: [], texts: [], counted: 0 },
  ...{ gap: undefined, isFull: false, isQuotaOver: false },
})

/** A lane behind a batch, ready for the next one. */
function acceptedBy({ toNo, toTime }: Batch) {
  return {
    ...{ ackedNo: toNo, ackedTime: new Date(toTime), batchToNo: null, tries: 0, refusals: 0 },
    ...{ nextTryAt: null, failingSince: null, fault: null },
  }
}
