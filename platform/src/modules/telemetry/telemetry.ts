import { randomUUID } from 'node:crypto'
import { type telemetry as contract, type Lang, limits, type TagSettings } from '@busbar/contract'
import { sql } from 'kysely'
import type { Bus, TagValueEvent } from '../../kernel/bus/bus.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { SamplePools } from '../../kernel/database/pools.ts'
import { every } from '../../kernel/every.ts'
import type { ClockJob } from '../../kernel/jobs/index.ts'
import type { Logger } from '../../kernel/logger.ts'
import { type Distributed, Histogram } from '../../kernel/metrics/index.ts'
import { onlyNodeId } from '../../kernel/nodes/nodes.ts'
import { commitsStopMsMax, endsWithin } from '../../kernel/stop-budget.ts'
import { notifyKeysOnce } from '../access/index.ts'
import type { AlarmFacts } from '../alarms/index.ts'
import type { AppendReport } from './append-report.ts'
import { type BatchEffects, BatchHalves } from './batch-halves.ts'
import { addSamples, BatchWriter, blameOf, isBatchKnown } from './batch-writer.ts'
import { type CommitBatch, type CommitOutcome, groupCommitLimits, type RefusedTags } from './commit-batch.ts'
import { CommitLanes } from './commit-lanes.ts'
import { finishFormerLatest } from './former-latest.ts'
import { type History, type HistoryRequest, readHistory } from './history.ts'
import type { BucketRow, HistoryRow } from './history-rows.ts'
import { type BucketTag, type HistoryQuery, listBuckets, listRawPoints } from './history-store.ts'
import { listTagIdentities } from './history-tags-store.ts'
import { isKept, judgeTime } from './judge-sample.ts'
import {
  hasCurrentTag,
  type KeyTagRow,
  listKeyTags,
  type WantedKeyTag,
  withNewest,
} from './key-tags-store.ts'
import { LateSpans } from './late-spans.ts'
import { LatestFlush } from './latest-flush.ts'
import { NewestInLogs, newestAmong } from './newest-in-logs.ts'
import { countPastSamples, listPastSamples, type PastSample, type TagVersion } from './past-samples-store.ts'
import { type BatchPlan, planBatch } from './plan-batch.ts'
import { type SampleWatcher, WatchedSamples } from './sample-watch.ts'
import { Sparks } from './sparks.ts'
import { readStatistics, type StatisticsRequest, type TagStatistics } from './statistics.ts'
import type { Counters } from './store/counter-rise.ts'
import type { DamagedSpan } from './store/damaged-chunks.ts'
import type { LogReader } from './store/log-partitions.ts'
import type { SampleSink } from './store/log-row.ts'
import { Retention } from './store/retention.ts'
import type { SampleLengths } from './store/sample-lengths.ts'
import type { ReadOptions, Taking, TimeSpan, TypedTag } from './store/sample-reads.ts'
import { SampleStore } from './store/sample-store.ts'
import { SampleWrites, type SampleWritesOptions } from './store/sample-writes.ts'
import { listTagNames, type TagName } from './tag-names-store.ts'
import { everOwned, machinesPerQueryMax, TagRegistry } from './tag-registry.ts'
import { listSeries, type TagSeries } from './tag-series.ts'
import {
  type NewTagSettings,
  readTagSettings,
  replaceTagSettings,
  settingsKey,
  withResets,
} from './tag-settings-store.ts'
import type { MachineTags, TagState } from './tag-state.ts'
import { presentTag } from './telemetry-views.ts'
import { commitAttributes } from './told-attributes.ts'
import { type UplinkRecord, uplinkLimits } from './uplink-record.ts'

const maintenanceS = 3_600
const logMaintenanceS = 60
/** Nodes that are gone are noticed as often. */
const latestTakeOverS = 5
/** Names of tags a message shows. */
const namesToldMax = 5

export interface TelemetryOptions extends SampleWritesOptions {
  readonly db: Database
  /** Pools for commits of machines' data, for histories, and for lists; `db` where missing. */
  readonly commits?: Database
  readonly history?: Database
  readonly lists?: Database
  /** Those of the database of the samples; the ones above if missing. */
  readonly samples?: SamplePools
  /** Retention of samples; the same for all machines if missing. */
  readonly lengths?: SampleLengths
  readonly bus: Bus
  readonly logger: Logger
  readonly now: () => number
  /** Gets changes of alarms in the transaction in which they are written, and is woken after it. */
  readonly facts?: AlarmFacts & { wake(): void }
  /** Whether other processes take samples in as well. */
  readonly isShared?: boolean
}

export interface TelemetryStats {
  /** Records whose commit is awaited. */
  readonly waiting: number
  /** Time that records have waited without any commit, in ms. */
  readonly stalledMs: number
  /** Samples committed. */
  readonly samples: number
  /** Chunks that were found damaged since the start. */
  readonly damagedChunks: number
  /** Chunks that were decoded for readers. */
  readonly decodedChunks: number
  readonly commitSeconds: Distributed
}

/** Newest values in the memory of the process that holds the machine; other parts ask by the edge link. */
export interface LatestValues {
  /** Newest values with the quality of now; tags without a value are left out. */
  listLatest(machineId: number, tagIds?: readonly number[]): Promise<TagValueEvent[]>
  /** The same of every tag of several machines, with one query. */
  listLatestOfEach(machineIds: readonly number[]): Promise<Map<number, TagValueEvent[]>>
  /** The stored values of machines that no process holds: they are stale, and read anew each time. */
  listStored(machineIds: readonly number[]): Promise<Map<number, TagValueEvent[]>>
  /**
   * A tag's newest value where memory has the machine as its present owner may see it; nothing is read for it. The store
   * is up to a second behind. `ownedSince` is that of the machine's row.
   */
  peekLatest(machineId: number, tagId: number, ownedSince: Date | null): TagValueEvent | undefined
}

/** Takes in, stores and answers the samples of machines. The layout of the store is hidden behind it. */
/** A tag by the names its machine gives it. */
export interface WireName {
  readonly machineId: number
  readonly group: string
  readonly tag: string
}

/** A tag as people read it, and as its machine names its group. */
export type FoundTag = contract.Tag & { readonly machineId: number }

export interface Telemetry extends LatestValues {
  readonly jobs: readonly ClockJob[]
  /** How long the oldest hour of samples that has to be folded has been closed. */
  foldBacklogMs(): Promise<number>
  /** Prepares the store: newest values after a crash, partitions. */
  start(): Promise<void>
  /** Resolves when nothing waits for its commit, and all events of it are published. */
  settled(): Promise<void>
  /** Commits the waiting entries, writes the newest values, and ends. */
  stop(): Promise<void>
  /**
   * Stores a machine's records. Resolves after the COMMIT, with the names of tags that were refused. Throws
   * `TelemetryBusy`, `RecordsRefused`, `StoreFailed` or `TelemetryStopped`: then nothing was stored, or the first parts
   * of many records, whose values are recognised when it is sent again. `report` is filled with details.
   */
  append(machineId: number, records: readonly UplinkRecord[], report?: AppendReport): Promise<RefusedTags>
  /** Senders should pause while it is true. */
  readonly isUnderPressure: boolean
  /** True when records have waited for seconds and nothing was committed. */
  readonly isStalled: boolean
  /** Called whenever `isUnderPressure` changes. Answers the function that ends it. */
  onPressure(listener: (isHigh: boolean) => void): () => void
  /** Number of further alarms that a sender should give now; more are taken, but delay others. */
  readonly alarmRoom: number
  /** Called when there may be more room for alarms. Answers the function that ends it. */
  onAlarmRoom(listener: () => void): () => void
  /**
   * The machine, or one group of it, went away: its values read as stale until fresh ones come. `goneAt` is
   * when the group went by the machine's clock; where that clock is wrong, the time of the call.
   */
  markStale(machineId: number, group?: string, goneAt?: number): void
  /** Another node holds the machine, and has its newest values and its tags. */
  letGo(machineId: number): void
  /** Other nodes may have published events of all machines but some, which were not received. */
  letGoAllBut(isHere: (machineId: number) => boolean): void
  /** The store has newer values of the machine than memory may have. */
  catchUp(machineId: number): void
  /** The machine has another owner, who sees no tag and no value of the former one. */
  disown(machineId: number): void
  listTags(machineId: number, lang: Lang): Promise<contract.Tag[]>
  /** The current tags themselves, in the machine's order; callers must not keep or change them. */
  listTagStates(machineId: number): Promise<readonly TagState[]>
  /** The settings that the keys of a machine gave, as a transaction sees them: `of` answers those of a tag. */
  readSettings(trx: Database, machineId: number): Promise<{ of(tag: TagState): TagSettings | undefined }>
  /** Replaces the settings of a machine's tags; `describe` is due after the commit. */
  replaceSettings(
    trx: Database,
    machineId: number,
    changed: readonly NewTagSettings[],
    at: Date,
  ): Promise<void>
  /** Applies the current tag settings of a machine's keys, and publishes them. */
  describe(machineId: number): Promise<void>
  /** The same, each with its group as the machine names it on the wire, not as people read it. */
  listWireTags(machineId: number, lang: Lang): Promise<contract.Tag[]>
  /** Current tags by the names their machines give them; one that does not exist is left out. */
  listNamedTags(names: readonly WireName[], lang: Lang): Promise<FoundTag[]>
  history(request: HistoryRequest): Promise<History>
  /**
   * Statistics of tags in a span of time: least, greatest, means, times in states, rise of counters. Tags of former
   * owners and unknown ones have no samples. The caller checks the rights.
   */
  statistics(request: StatisticsRequest): Promise<TagStatistics[]>
  /** About how many samples tags have in a stretch of time, counted no further than `max`. */
  countPastSamples(versions: readonly TagVersion[], span: TimeSpan, max: number): Promise<number>
  /** The samples of tags that have a value, late ones as well, in the order of their times. */
  listPastSamples(versions: readonly TagVersion[], span: TimeSpan): Promise<PastSample[]>
  /** The variables that some tags are versions of, with all versions, in the order they were requested. */
  listSeries(tagIds: readonly number[], lang: Lang): Promise<TagSeries[]>
  /** Hands every sample of tags to their takers, one tag after the other; answers where some are damaged. */
  readSamples(tags: readonly Taking[], span: TimeSpan, options?: ReadOptions): Promise<DamagedSpan[]>
  /** The first samples of each tag in a stretch of time. */
  readFirst(
    tags: readonly TypedTag[],
    span: TimeSpan,
    count: number,
  ): Promise<ReadonlyMap<number, readonly HistoryRow[]>>
  /** See `listBuckets`. */
  readBuckets(
    tags: readonly BucketTag[],
    query: HistoryQuery,
    intervalMs: number,
    counters?: Counters,
  ): Promise<ReadonlyMap<number, readonly BucketRow[]>>
  /** The last hour of each tag in 24 buckets, oldest first. */
  sparks(tagIds: readonly number[]): Promise<Map<number, (number | null)[]>>
  /** The same without the running buckets, NaN for null; undefined if memory does not have all of them. */
  peekSparks(tagIds: readonly number[]): Float64Array | undefined
  /** Whether a tag is a current one of the machine. */
  hasTag(machineId: number, tagId: number): Promise<boolean>
  /** The tags that lists show of machines, with their values; `latest` is at most a second behind. */
  listKeyTags(wanted: readonly WantedKeyTag[]): Promise<KeyTagRow[]>
  /** Newest values that a node has not written yet, read from its log: for a node that does not answer. */
  listUnwritten(nodeId: string, tagIds: readonly number[]): Promise<TagValueEvent[]>
  /** Hands the live samples of the watcher's tags over after their commit; call it before the start. */
  watch(watcher: SampleWatcher): void
  /** Keeps the rows of all logs until `reader` has read them; call it before the start. */
  keepLogFor(reader: LogReader): void
  /** Asks the watcher anew which tags of a machine it watches. */
  rewatch(machineId: number): void
  /** Arrival of the oldest record that is not committed yet; undefined without one. */
  readonly oldestWaitingAt: number | undefined
  /** A current tag by the names its machine gives it. */
  findTag(machineId: number, group: string, name: string): Promise<TagState | undefined>
  /** The machines of tags; undefined when one of the tags does not exist. */
  machinesOfTags(tagIds: readonly number[]): Promise<number[] | undefined>
  /** The names of tags, retired ones too; unknown ones are left out. Within a transaction it is asked with `trx`. */
  listTagNames(tagIds: readonly number[], trx?: Database): Promise<ReadonlyMap<number, TagName>>
  /** Writes newest values, and the samples of memory and log as chunks; both happen by themselves. */
  flush(): Promise<void>
  /** Checks whether others counted this process as dead; then it begins another log. */
  revive(): void
  stats(): TelemetryStats
}

export function createTelemetry(options: TelemetryOptions): Telemetry {
  return new TelemetryStore(options)
}

class TelemetryStore implements Telemetry {
  readonly #options: TelemetryOptions
  readonly #registry: TagRegistry
  readonly #retention: Retention
  readonly #writes: SampleWrites
  readonly #writer: BatchWriter
  readonly #alarmWriter: BatchWriter
  readonly #halves = new BatchHalves()
  readonly #latest: LatestFlush
  readonly #inLogs: NewestInLogs
  readonly #sparks: Sparks
  readonly #samples: SampleStore
  readonly #commits: CommitLanes
  readonly #pressureListeners = new Set<(isHigh: boolean) => void>()
  readonly #roomListeners = new Set<() => void>()
  #watcher: SampleWatcher | undefined
  isUnderPressure = false
  #batchNumber = 0
  #eviction: NodeJS.Timeout | undefined
  readonly #commitSeconds = new Histogram()
  #sampleCount = 0
  /** Machines whose newest values the store may have, and memory not. */
  readonly #behind = new Set<number>()
  #catchingUp: Promise<void> | undefined
  /** Messages about tag limits that are on their way; never fails. */
  #notifying: Promise<void> = Promise.resolve()

  constructor(options: TelemetryOptions) {
    const { logger, now } = options
    const db = options.commits ?? options.db
    this.#options = options
    const { history = options.db, lists = options.db } = options
    const { samples = { calls: options.db, commits: db, history, lists } } = options
    this.#writes = new SampleWrites({ ...options, samplesDb: samples.calls })
    this.#samples = new SampleStore({
      pools: { db: samples.calls, history: samples.history, lists: samples.lists },
      logger,
      tail: this.#writes.reader,
    })
    this.#sparks = new Sparks({
      db: lists,
      reads: this.#samples.lists,
      now,
      isShared: options.isShared,
      attach: (tagId, ring) => {
        const tag = this.#registry.tagById(tagId)
        if (tag) tag.ring = ring
      },
    })
    this.#registry = new TagRegistry({
      db,
      reads: options.db,
      now,
      ringOf: (tagId) => this.#sparks.ringOf(tagId),
      watchOf: (machineId, { group, name }) => this.#watcher?.find(machineId, group, name),
      unwritten: async (machineIds) => {
        const own = this.#latest.unwritten
        return [own, ...(await this.#inLogs.read({ machineIds }))]
      },
    })
    this.#retention = new Retention({
      db: options.db,
      samplesDb: samples.calls,
      batchDbs: [db, samples.commits],
      logger,
      lengths: options.lengths,
    })
    const { log } = this.#writes
    const writing = { db, samplesDb: samples.commits, log, facts: options.facts, halves: this.#halves }
    this.#writer = new BatchWriter(writing)
    this.#alarmWriter = new BatchWriter(writing)
    this.#commits = new CommitLanes({
      logger,
      createBatchId: randomUUID,
      now,
      blameOf,
      commitValues: (batch) => this.#commit(batch, this.#writer),
      commitAlarms: (batch) => this.#commit(batch, this.#alarmWriter),
      commitAttributes: (batch) =>
        commitAttributes(options.db, batch, () => options.bus.publish('toldPlaces', {})),
      close: (batchId) => this.#writer.close(batchId),
      onEnd: ({ id, ticket }) => {
        this.#halves.end(id)
        if (ticket) this.#writes.tail.end(ticket)
      },
      onPressure: (isHigh) => {
        this.isUnderPressure = isHigh
        for (const listener of this.#pressureListeners) listener(isHigh)
      },
      onAlarmRoom: () => {
        for (const listener of this.#roomListeners) listener()
      },
      onCommit: (ms) => this.#commitSeconds.observe(ms / 1_000),
    })
    this.#latest = new LatestFlush({ db, logger, log, settled: () => this.#writes.tail.settled })
    this.#inLogs = new NewestInLogs({ db: options.db, log, nodeId: options.nodeId ?? onlyNodeId, logger })
  }

  get jobs(): readonly ClockJob[] {
    return [
      this.#retention.job,
      this.#samples.folding.job,
      { name: 'telemetry.log', everyS: logMaintenanceS, atOnce: true, run: () => this.#writes.maintain() },
      { name: 'telemetry.latest', everyS: latestTakeOverS, run: () => this.#takeOverLatest() },
    ]
  }

  foldBacklogMs(): Promise<number> {
    return this.#samples.folding.backlogMs(this.#options.now())
  }

  async start(): Promise<void> {
    await this.#writes.start()
    const { db, samples, nodeId = onlyNodeId, now } = this.#options
    await finishFormerLatest(db, samples?.calls ?? db, now())
    await this.#inLogs.takeOver(nodeId, this.#writes.tail.settled.incarnation)
    this.#latest.start()
    const evict = () => this.#registry.evict((tag) => this.#latest.isDirty(tag))
    this.#eviction = every(maintenanceS * 1_000, evict, this.#options.logger)
  }

  /** Writes the newest values that nodes which are gone had in their logs alone. */
  async #takeOverLatest(): Promise<void> {
    const { db, listLivingNodes } = this.#options
    if (!listLivingNodes) return
    // In this order: a node that begins has its row among the nodes before it has a log.
    const nodes = await this.#inLogs.listNodes()
    const living = new Set(await listLivingNodes())
    for (const nodeId of nodes) {
      if (living.has(nodeId)) continue
      const tagIds = await this.#inLogs.takeOver(nodeId)
      const machines = new Set((await listTagIdentities(db, tagIds)).map(({ machineId }) => machineId))
      for (const machineId of machines) this.#options.bus.publish('latest', { machineId })
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.#eviction)
    await endsWithin(commitsStopMsMax, async () => {
      await this.#commits.stop(commitsStopMsMax)
      await this.#notifying
      await this.#writes.stop()
    })
    await this.#latest.stop()
  }

  async settled(): Promise<void> {
    await this.#commits.settled()
    await this.#notifying
  }

  append(machineId: number, records: readonly UplinkRecord[], report?: AppendReport): Promise<RefusedTags> {
    return this.#commits.append({ machineId, records, report, receivedAt: this.#options.now() })
  }

  get isStalled(): boolean {
    return this.#commits.stalledMs >= groupCommitLimits.stalledMs
  }

  onPressure(listener: (isHigh: boolean) => void): () => void {
    this.#pressureListeners.add(listener)
    return () => this.#pressureListeners.delete(listener)
  }

  get alarmRoom(): number {
    return this.#commits.alarmRoom
  }

  onAlarmRoom(listener: () => void): () => void {
    this.#roomListeners.add(listener)
    return () => this.#roomListeners.delete(listener)
  }

  keepLogFor(reader: LogReader): void {
    this.#writes.log.partitions.keepFor(reader)
  }

  watch(watcher: SampleWatcher): void {
    this.#watcher = watcher
  }

  rewatch(machineId: number): void {
    for (const tag of this.#registry.get(machineId)?.all() ?? [])
      tag.watch = this.#watcher?.find(machineId, tag.group, tag.name)
  }

  get oldestWaitingAt(): number | undefined {
    return this.#commits.oldestAt
  }

  async findTag(machineId: number, group: string, name: string): Promise<TagState | undefined> {
    await this.#registry.load([machineId])
    return this.#registry.get(machineId)?.find(group, name)
  }

  markStale(machineId: number, group?: string, goneAt?: number): void {
    const at = this.#options.now()
    this.#watcher?.lose(machineId, group)
    const shownAt = judgeTime(goneAt, false, at).at
    if (group === undefined) this.#registry.setStale(machineId, at)
    const machine = this.#registry.get(machineId)
    // A machine that is not in memory has sent no value to this process.
    if (!machine) return
    const values: TagValueEvent[] = []
    for (const tag of machine.all()) {
      if (group !== undefined) {
        if (tag.group !== group && !tag.group.startsWith(`${group}/`)) continue
        tag.staleAt = at
        tag.goneAt = shownAt
      }
      const latest = machine.latestOf(tag)
      if (latest) values.push(latest)
    }
    if (values.length > 0) this.#options.bus.publish('values', { machineId, values })
  }

  letGo(machineId: number): void {
    this.#registry.disown(machineId)
  }

  letGoAllBut(isHere: (machineId: number) => boolean): void {
    this.#registry.disownAllBut(isHere)
  }

  catchUp(machineId: number): void {
    if (!this.#registry.get(machineId)) return
    this.#behind.add(machineId)
    this.#catchingUp ??= this.#catchUpAll().finally(() => {
      this.#catchingUp = undefined
    })
  }

  /** After the loss of a node these are thousands: they are read together, because commits read from the same pool. */
  async #catchUpAll(): Promise<void> {
    const { bus, logger } = this.#options
    while (this.#behind.size > 0) {
      const machineIds = [...this.#behind].slice(0, machinesPerQueryMax)
      for (const machineId of machineIds) this.#behind.delete(machineId)
      try {
        for (const machineId of await this.#registry.refresh(machineIds)) {
          const machine = this.#registry.get(machineId)
          if (machine) bus.publish('values', { machineId, values: machine.listLatest() })
        }
      } catch (err) {
        logger.warn({ err, machines: machineIds.length }, 'newestValues.readFailed')
      }
    }
  }

  disown(machineId: number): void {
    this.#registry.disown(machineId)
    this.#options.bus.publish('tags', { machineId })
  }

  async listTags(machineId: number, lang: Lang): Promise<contract.Tag[]> {
    const machine = await this.#registry.require(machineId)
    return Array.from(machine.all(), (tag) => presentTag(tag, lang))
  }

  async listTagStates(machineId: number): Promise<readonly TagState[]> {
    return [...(await this.#registry.require(machineId)).all()]
  }

  async readSettings(
    trx: Database,
    machineId: number,
  ): Promise<{ of(tag: TagState): TagSettings | undefined }> {
    const settings = await readTagSettings(trx, machineId)
    return { of: ({ group, name }) => settings.get(settingsKey(group, name)) }
  }

  replaceSettings(
    trx: Database,
    machineId: number,
    changed: readonly NewTagSettings[],
    at: Date,
  ): Promise<void> {
    return replaceTagSettings(trx, machineId, changed, at)
  }

  async describe(machineId: number): Promise<void> {
    await this.#registry.describe(machineId)
    this.#options.bus.publish('tags', { machineId })
  }

  async listWireTags(machineId: number, lang: Lang): Promise<contract.Tag[]> {
    const machine = await this.#registry.require(machineId)
    return Array.from(machine.all(), (tag) => ({ ...presentTag(tag, lang), group: tag.group }))
  }

  async listNamedTags(names: readonly WireName[], lang: Lang): Promise<FoundTag[]> {
    const ids = [...new Set(names.map(({ machineId }) => machineId))]
    const machines = new Map((await this.#registry.requireEach(ids)).map((one) => [one.machineId, one]))
    return names.flatMap(({ machineId, group, tag }) => {
      const found = machines.get(machineId)?.find(group, tag)
      return found ? [{ ...presentTag(found, lang), machineId }] : []
    })
  }

  async listLatest(machineId: number, tagIds?: readonly number[]): Promise<TagValueEvent[]> {
    const machine = await this.#registry.require(machineId)
    return machine.listLatest(tagIds && new Set(tagIds))
  }

  async listLatestOfEach(machineIds: readonly number[]): Promise<Map<number, TagValueEvent[]>> {
    if (machineIds.length === 0) return new Map()
    const machines = await this.#registry.requireEach(machineIds)
    return new Map(machines.map((machine) => [machine.machineId, machine.listLatest()]))
  }

  async listStored(machineIds: readonly number[]): Promise<Map<number, TagValueEvent[]>> {
    return this.#registry.readStored(machineIds)
  }

  history(request: HistoryRequest): Promise<History> {
    const { db, history = db, now } = this.#options
    return readHistory(history, request, now(), limits.historyRowsMax, this.#samples.history)
  }

  statistics(request: StatisticsRequest): Promise<TagStatistics[]> {
    const { db, history = db, now } = this.#options
    return readStatistics({ db: history, reads: this.#samples.history }, request, now())
  }

  countPastSamples(versions: readonly TagVersion[], span: TimeSpan, max: number): Promise<number> {
    return countPastSamples(this.#samples.history, versions, span, max)
  }

  listSeries(tagIds: readonly number[], lang: Lang): Promise<TagSeries[]> {
    return listSeries(this.#options.db, tagIds, lang)
  }

  readSamples(tags: readonly Taking[], span: TimeSpan, options?: ReadOptions): Promise<DamagedSpan[]> {
    return this.#samples.history.read(tags, span, options)
  }

  async readFirst(tags: readonly TypedTag[], span: TimeSpan, count: number) {
    return (await listRawPoints(this.#samples.history, tags, span, count)).rows
  }

  async readBuckets(
    tags: readonly BucketTag[],
    query: HistoryQuery,
    intervalMs: number,
    counters?: Counters,
  ) {
    const counted = tags.some(({ agg }) => agg === 'delta') ? await withResets(this.#options.db, tags) : tags
    return (await listBuckets(this.#samples.history, counted, query, intervalMs, counters)).rows
  }

  listPastSamples(versions: readonly TagVersion[], span: TimeSpan): Promise<PastSample[]> {
    return listPastSamples(this.#samples.history, versions, span)
  }

  peekLatest(machineId: number, tagId: number, ownedSince: Date | null): TagValueEvent | undefined {
    const machine = this.#registry.get(machineId)
    const tag = this.#registry.tagById(tagId)
    if (!machine || !tag || machine.ownedSince !== (ownedSince?.getTime() ?? everOwned)) return undefined
    return machine.latestOf(tag)
  }

  sparks(tagIds: readonly number[]): Promise<Map<number, (number | null)[]>> {
    return this.#sparks.list(tagIds)
  }

  peekSparks(tagIds: readonly number[]): Float64Array | undefined {
    return this.#sparks.peek(tagIds)
  }

  hasTag(machineId: number, tagId: number): Promise<boolean> {
    return hasCurrentTag(this.#options.db, machineId, tagId)
  }

  async listKeyTags(wanted: readonly WantedKeyTag[]): Promise<KeyTagRow[]> {
    if (wanted.length === 0) return []
    const unwritten = await this.#inLogs.read({})
    const rows = await listKeyTags(this.#options.lists ?? this.#options.db, wanted)
    return unwritten.length === 0 ? rows : rows.map((row) => withNewest(row, unwritten))
  }

  async listUnwritten(nodeId: string, tagIds: readonly number[]): Promise<TagValueEvent[]> {
    const unwritten = await this.#inLogs.read({ nodeIds: [nodeId] })
    return tagIds.flatMap((tagId) => newestAmong(tagId, undefined, unwritten)?.latest ?? [])
  }

  listTagNames(
    tagIds: readonly number[],
    trx = this.#options.lists ?? this.#options.db,
  ): Promise<ReadonlyMap<number, TagName>> {
    return listTagNames(trx, tagIds)
  }

  async machinesOfTags(tagIds: readonly number[]): Promise<number[] | undefined> {
    const wanted = [...new Set(tagIds)]
    const found = await listTagIdentities(this.#options.db, wanted)
    return found.length === wanted.length ? [...new Set(found.map((tag) => tag.machineId))] : undefined
  }

  async flush(): Promise<void> {
    await this.#latest.flush()
    await this.#writes.flush()
  }

  revive(): void {
    this.#writes.revive()
  }

  stats(): TelemetryStats {
    return {
      waiting: this.#commits.waiting,
      stalledMs: this.#commits.stalledMs,
      samples: this.#sampleCount,
      damagedChunks: this.#samples.damaged.count,
      decodedChunks: this.#samples.history.chunksDecoded + this.#samples.lists.chunksDecoded,
      commitSeconds: this.#commitSeconds,
    }
  }

  async #commit(batch: CommitBatch, writer: BatchWriter): Promise<CommitOutcome> {
    if (!batch.ticket) await this.#writes.room()
    const machineIds = [...new Set(batch.entries.map((entry) => entry.machineId))]
    await this.#registry.load(machineIds)
    // A commit whose answer was lost, or the first of two halves, may have created tags that memory does not have.
    const stale = batch.failures > 0 ? machineIds : this.#halves.takeStale(machineIds)
    await this.#refresh(stale)
    let plan = planBatch(batch.entries, this.#registry, this.#options.now(), batch.leftOut)
    batch.leftOut = plan.unfinished
    // A reader of the log looks for every number that is missing.
    if (plan.count > 0) batch.ticket ??= this.#writes.begin()
    const { ticket } = batch
    let effects: BatchEffects | undefined
    let add = (sink: SampleSink) => addSamples(plan, sink)
    try {
      effects = await writer.write(batch.id, plan, ticket)
    } catch (error) {
      if (!isBatchKnown(error) || !(await writer.isCommitted(batch.id))) throw error
      await this.#refresh(machineIds)
      // The try that was committed may have planned other times of arrival.
      if (ticket) add = await this.#writes.find(ticket)
      plan = planBatch(batch.entries, this.#registry, this.#options.now(), batch.leftOut)
    }
    if (ticket) this.#writes.fill(ticket, add)
    this.#apply(plan, effects)
    for (const place of plan.unfinished) {
      const entry = batch.entries[place]
      if (!entry?.parts) continue
      entry.parts.advance(plan.refused.get(place))
      if (entry.parts.facts) entry.report?.keepPart()
    }
    return plan
  }

  /** Reads tags anew, and publishes those that memory did not have. */
  async #refresh(machineIds: readonly number[]): Promise<void> {
    const changed = await this.#registry.refresh(machineIds)
    for (const machineId of changed) this.#options.bus.publish('tags', { machineId })
  }

  /** Brings memory up to date with a committed batch, and publishes it. */
  #apply(plan: BatchPlan, effects: BatchEffects | undefined): void {
    const { bus, now } = this.#options
    const redefined = new Set<MachineTags>()
    for (const { machine, tag } of plan.newTags.flat()) {
      redefined.add(machine)
      if (tag.id !== 0) this.#registry.add(machine, tag)
    }
    for (const [tag, { machine, meta }] of plan.changedTags) {
      redefined.add(machine)
      tag.meta = meta
    }
    const late = new LateSpans()
    const moved = this.#moveLatest(plan, late)
    for (const span of effects?.lost ?? plan.lost) late.add(span.machineId, span.from, span.to)
    this.#sampleCount += plan.count

    for (const { machineId } of redefined) bus.publish('tags', { machineId })
    for (const [machine, tags] of moved) {
      const { machineId } = machine
      // Committed for a former owner.
      if (this.#registry.get(machineId) !== machine) continue
      bus.publish('values', { machineId, values: tags.map(({ latest }) => latest as TagValueEvent) })
    }
    for (const event of late.all()) bus.publish('late', event)
    // When the answer to the commit was lost it is not known whether any changed.
    if ((effects ?? plan).alarms.length > 0) this.#options.facts?.wake()
    for (const machine of plan.overLimit.keys()) machine.isLimitTold = true
    for (const machine of plan.unsteady.keys()) machine.isUnsteadyTold = true
    for (const machine of plan.impossible.keys()) machine.timesToldAt = now()
    // Acknowledgements do not wait for messages.
    for (const [machine, refused] of plan.overLimit)
      this.#notifyKeys(machine, 'tagLimit', { max: limits.tagsPerMachine, refused }, () => {
        machine.isLimitTold = false
      })
    for (const [machine, tags] of plan.unsteady)
      this.#notifyKeys(machine, 'tagTypes', { tags }, () => {
        machine.isUnsteadyTold = false
      })
    for (const [machine, refused] of plan.impossible)
      this.#notifyKeys(machine, 'impossibleTimes', { refused }, () => {
        machine.timesToldAt = Number.NEGATIVE_INFINITY
      })
  }

  /** Notifies the keys of variables once a day, and shows some of their names; after a failure the next one tries again. */
  #notifyKeys(
    { machineId, ownedSince }: MachineTags,
    type: 'tagLimit' | 'tagTypes' | 'impossibleTimes',
    params: { readonly max?: number } & Partial<Record<'refused' | 'tags', readonly string[]>>,
    onFailure: () => void,
  ): void {
    const { db, bus, logger, now } = this.#options
    const shown = JSON.stringify(params, (_, value) =>
      Array.isArray(value) ? value.slice(0, namesToldMax) : value,
    )
    const notice = {
      ...{ machineId, type, ownedSince, now: now(), notAgainWithinMs: uplinkLimits.refusalNoticeMs },
      params: sql`${shown}::jsonb`,
    }
    this.#notifying = this.#notifying.then(() =>
      notifyKeysOnce({ db, bus }, notice).then(undefined, (err) => {
        onFailure()
        logger.warn({ err, machineId, type }, 'tagNotice.storeFailed')
      }),
    )
  }

  /** `latest` moves only forward, and never by a late sample. */
  #moveLatest(plan: BatchPlan, late: LateSpans): Map<MachineTags, TagState[]> {
    const moved = new Map<MachineTags, TagState[]>()
    const batch = ++this.#batchNumber
    const watched = new WatchedSamples()
    let machine: MachineTags | undefined
    let ofMachine: TagState[] = []
    for (let index = 0; index < plan.count; index++) {
      const sample = plan.samples[index]
      const tag = plan.tags[index]
      const owner = plan.machines[index]
      if (!sample || !tag || !owner || tag.id === 0) continue
      const counts = sample.quality === 'good' || sample.quality === 'uncertain'
      if (tag.ring && counts && sample.value !== null && typeof sample.value !== 'string') {
        tag.ring.add(sample.time, Number(sample.value))
      }
      const isKeptOne = isKept(sample)
      if (plan.lates[index] || isKeptOne) late.add(owner.machineId, sample.time, sample.time)
      if (plan.lates[index]) continue
      if (tag.watch && counts) watched.add(tag.watch, owner, sample)
      if (isKeptOne) continue
      if (!owner.take(tag, sample, plan.stamps[index] ?? sample.time) || tag.movedIn === batch) continue
      tag.movedIn = batch
      this.#latest.add(tag)
      if (owner !== machine) {
        machine = owner
        ofMachine = moved.get(owner) ?? []
        moved.set(owner, ofMachine)
      }
      ofMachine.push(tag)
    }
    for (const { machine, tag, receivedAt } of plan.heard) {
      if (tag.watch && tag.latest) watched.hear(tag.watch, machine, { ...tag.latest, receivedAt })
      if (!machine.hear(tag, receivedAt) || tag.movedIn === batch) continue
      tag.movedIn = batch
      this.#latest.add(tag)
      const tags = moved.get(machine) ?? []
      moved.set(machine, tags)
      tags.push(tag)
    }
    // The rules of the next owner do not evaluate a former owner's samples.
    if (watched.count > 0)
      this.#watcher?.take(watched.ofMachines((one) => this.#registry.get(one.machineId) === one))
    return moved
  }
}
