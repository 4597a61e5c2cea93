import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { every } from '../../kernel/every.ts'
import { createLogOnce, type LogOnce } from '../../kernel/log-once.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { AlarmEvent, AlarmFacts } from '../alarms/index.ts'
import {
  listReceivedSamples,
  listTagVersions,
  type SampleWatcher,
  shownOf,
  shownWords,
  type Telemetry,
  type Watch,
  type WatchedSample,
} from '../telemetry/index.ts'
import { DueQueue } from './due-queue.ts'
import {
  type Claim,
  type ClaimedRule,
  claimRules,
  findPosition,
  type LoadedRule,
  loadRules,
  type Position,
  type RuleWrite,
  writeOutcomes,
} from './engine-store.ts'
import type { Outcome } from './evaluate-rule.ts'
import { keyOfTag } from './rule-condition.ts'
import { fillTexts } from './rule-text.ts'
import { alarmKeyOf } from './rules-service.ts'
import { RunningRule } from './running-rule.ts'
import { tagsOf } from './try-rule.ts'

/** Interval at which delays and silence are checked. */
const tickMs = 200
/** Shortest interval at which states without an alarm are written; writing takes at most this share of the time. */
const flushMsMin = 5_000
const flushShareMax = 0.1
/** Alarms of a transaction, as in the lane of machines' own alarms. */
const alarmsPerWriteMax = 64
const statesPerWriteMax = 500
/** The replay includes samples taken up to this time before they were received: clocks may be off. */
const clockSkewMs = 10 * 60_000
/** Received before the position and committed after it was read. */
const slackMs = 1_000
const retryPauseMs = 500
/** Interval of the search for rules whose node is gone. */
const adoptMs = 10_000
/** A new rule is left to the node that holds its machine so long. */
const unclaimedMs = 30_000

export interface EngineDeps {
  readonly db: Database
  /** The database of the samples; `db` where missing. */
  readonly samplesDb?: Database
  readonly telemetry: Pick<
    Telemetry,
    'watch' | 'rewatch' | 'oldestWaitingAt' | 'findTag' | 'listLatest' | 'listLatestOfEach'
  >
  readonly facts: AlarmFacts & { wake(): void }
  readonly logger: Logger
  readonly nodeId: string
  /** Set where other nodes evaluate rules as well. */
  readonly others?:
    | {
        /** Whether this node holds a machine now. */
        isHere(machineId: number): boolean
        /** The nodes that are living, this one included. */
        listLiving(): Promise<readonly string[]>
      }
    | undefined
  now(): number
}

/** The rules on one variable of a machine. */
class TagRules implements Watch {
  readonly key: string
  /** Each with the places of this variable in its condition. */
  readonly rules: { readonly rule: RunningRule; readonly places: readonly number[] }[] = []

  constructor(key: string) {
    this.key = key
  }
}

interface MachineRules {
  readonly byTag: Map<string, TagRules>
  readonly rules: Map<number, RunningRule>
}

/** A sample for a rule that another node evaluated until now. */
interface LaterSample {
  readonly places: readonly number[]
  readonly sample: WatchedSample['sample']
  readonly isHeard: boolean
}

/**
 * Evaluates rules, and writes their alarms. Only one node evaluates a rule: the one in its row, which is that of the
 * machine's last connection. A node takes rules over when their machine connects, or when their node is gone; the
 * former one cannot write them any more, and notices that when it tries.
 */
export class RuleEngine implements SampleWatcher {
  readonly #deps: EngineDeps
  readonly #log: LogOnce
  readonly #machines = new Map<number, MachineRules>()
  readonly #rules = new Map<number, RunningRule>()
  /** Rules by their next due time; an entry that its rule no longer refers to is ignored. */
  readonly #due = new DueQueue<RunningRule>()
  /** Rules with waiting outcomes, the oldest first. */
  readonly #waiting = new Set<RunningRule>()
  /** Rules with an unwritten state. */
  #dirty = new Set<RunningRule>()
  /** Rules that were taken over and are catching up, with the samples that came meanwhile. */
  readonly #catchingUp = new Map<RunningRule, LaterSample[]>()
  /**
   * Rules that were claimed and are not taken over to the end: the answer to their commit may be lost, or the database
   * away before their samples were read.
   */
  readonly #claimed = new Map<number, ClaimedRule>()
  /** Machines that came and may have rules at another node. */
  readonly #arrived = new Set<number>()
  #adopting: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #reloading: Promise<void> = Promise.resolve()
  #ticks: NodeJS.Timeout | undefined
  #flush: NodeJS.Timeout | undefined
  #isStopped = false
  #written = 0

  constructor(deps: EngineDeps) {
    this.#deps = deps
    this.#log = createLogOnce(deps.logger)
    deps.telemetry.watch(this)
  }

  stats(): { rules: number; waiting: number; written: number; dropped: number } {
    let dropped = 0
    for (const rule of this.#rules.values()) dropped += rule.dropped
    return { rules: this.#rules.size, waiting: this.#waiting.size, written: this.#written, dropped }
  }

  /** Loads the rules of this node, and evaluates the samples received since they were evaluated last. */
  async start(): Promise<void> {
    const { db, telemetry, nodeId, now, others } = this.#deps
    const startedAt = now()
    const claimed = await claimRules(db, nodeId, others ? await this.#findLeft() : 'all')
    for (const row of await loadRules(db, nodeId)) this.#add(new RunningRule(row, startedAt))
    const ofOthers = await this.#replayClaimed(claimed, startedAt)
    const position = await findPosition(db, nodeId)
    const own = [...this.#rules.values()].filter((rule) => !ofOthers.has(rule))
    if (position) await this.#replay(own, position, startedAt)
    for (const rule of this.#rules.values()) {
      rule.resume(startedAt)
      this.#note(rule)
      this.#schedule(rule)
    }
    for (const machineId of this.#machines.keys()) telemetry.rewatch(machineId)
    // A process that is killed before its first flush must find a position, too.
    await this.#writeAll()
    this.#ticks = every(tickMs, () => this.#tick(), this.#deps.logger)
    this.#scheduleFlush(flushMsMin)
    if (!others) return
    this.#adopting = every(adoptMs, () => this.#enqueue(() => this.#adopt()), this.#deps.logger)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#ticks)
    clearInterval(this.#adopting)
    clearTimeout(this.#flush)
    await this.#reloading
    await this.#writing
    await this.#writeAll().catch((err) => this.#deps.logger.warn({ err }, 'alarmRule.writeFailed'))
    this.#log.stop()
  }

  /** Resolves when nothing waits to be read or written. */
  async settled(): Promise<void> {
    await this.#reloading
    while (this.#writing) await this.#writing
  }

  find(machineId: number, group: string, name: string): Watch | undefined {
    return this.#machines.get(machineId)?.byTag.get(keyOfTag({ group, name }))
  }

  take(samples: readonly WatchedSample[]): void {
    for (const { watch, sample, isHeard } of samples) {
      for (const { rule, places } of (watch as TagRules).rules) {
        const later = this.#catchingUp.get(rule)
        if (later) {
          later.push({ places, sample, isHeard })
          continue
        }
        rule.take(places, sample, isHeard)
        if (rule.isDirty) this.#note(rule)
        this.#schedule(rule)
      }
    }
    this.#write()
  }

  lose(machineId: number, group: string | undefined): void {
    for (const { key, rules } of this.#machines.get(machineId)?.byTag.values() ?? []) {
      if (group !== undefined && !key.startsWith(`${group}\n`) && !key.startsWith(`${group}/`)) continue
      for (const { rule } of rules) {
        rule.lose()
        this.#note(rule)
      }
    }
  }

  /** Reads the rules of machines anew; a rule in which nothing else is evaluated goes on. */
  reload(machineIds: Iterable<number>): Promise<void> {
    for (const machineId of new Set(machineIds)) void this.#enqueue(() => this.#reloadSurely(machineId))
    return this.#reloading
  }

  /** Where the database is away, it is tried again: nobody tells a second time that the rules changed. */
  async #reloadSurely(machineId: number): Promise<void> {
    try {
      await this.#reload(machineId)
    } catch (error) {
      if (this.#isStopped) return
      await sleep(retryPauseMs)
      void this.reload([machineId])
      throw error
    }
  }

  /** The machine connected to this node: another one may have evaluated its rules. */
  arrive(machineId: number): void {
    if (!this.#deps.others) return
    this.#arrived.add(machineId)
    if (this.#arrived.size === 1) void this.#enqueue(() => this.#takeArrived())
  }

  /** This node counted as dead: others may have taken rules of machines that are here. */
  reclaim(): void {
    const { others } = this.#deps
    for (const machineId of this.#machines.keys()) if (others?.isHere(machineId)) this.arrive(machineId)
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#reloading = this.#reloading
      .then(work)
      .catch((err) => this.#log.error({ err }, 'alarmRule.reloadFailed'))
    return this.#reloading
  }

  async #reload(machineId: number): Promise<void> {
    const { db, nodeId, others } = this.#deps
    if (!others || others.isHere(machineId) || this.#machines.has(machineId))
      await claimRules(db, nodeId, { machineIds: [machineId], isNew: true })
    const fresh = this.#replace(machineId, await loadRules(db, nodeId, [machineId]), new Set())
    await this.#begin(machineId, fresh)
  }

  /** Applies the newest values to new rules, as if they had come now. */
  async #begin(machineId: number, fresh: readonly RunningRule[]): Promise<void> {
    const { telemetry, now } = this.#deps
    if (fresh.length === 0) return
    const latest = new Map((await telemetry.listLatest(machineId)).map((value) => [value.tagId, value]))
    for (const rule of fresh) {
      for (const tag of tagsOf(rule.row.condition)) {
        const id = (await telemetry.findTag(machineId, tag.group, tag.name))?.id
        const value = id === undefined ? undefined : latest.get(id)
        if (value && (value.quality === 'good' || value.quality === 'uncertain'))
          rule.begin(keyOfTag(tag), value, now() + afterEditMs(rule.row))
      }
      this.#note(rule)
      this.#schedule(rule)
    }
    this.#write()
  }

  /** Evaluates these rules of a machine from now on; answers the new ones. Those of `claimed` begin anew. */
  #replace(
    machineId: number,
    rows: readonly LoadedRule[],
    claimed: ReadonlySet<number>,
  ): readonly RunningRule[] {
    const { telemetry, now } = this.#deps
    const before = this.#machines.get(machineId)?.rules ?? new Map<number, RunningRule>()
    this.#machines.delete(machineId)
    for (const rule of before.values()) {
      this.#rules.delete(rule.row.id)
      this.#waiting.delete(rule)
      this.#dirty.delete(rule)
      this.#catchingUp.delete(rule)
    }
    const fresh: RunningRule[] = []
    for (const row of rows) {
      const known = before.get(row.id)
      if (known && known.row.version === row.version && !claimed.has(row.id)) {
        known.row = row
        this.#add(known)
      } else {
        const rule = new RunningRule(row, now())
        this.#add(rule)
        fresh.push(rule)
      }
    }
    telemetry.rewatch(machineId)
    return fresh
  }

  async #takeArrived(): Promise<void> {
    const machineIds = [...this.#arrived]
    this.#arrived.clear()
    try {
      await this.#takeOver({ machineIds })
    } catch (error) {
      if (this.#isStopped) return
      await sleep(retryPauseMs)
      for (const machineId of machineIds) this.arrive(machineId)
      throw error
    }
  }

  /** Takes over the rules of nodes that are gone: the silence of a machine can raise an alarm, too. */
  async #adopt(): Promise<void> {
    await this.#takeOver(await this.#findLeft())
  }

  /** The rules that no living node evaluates. */
  async #findLeft(): Promise<Claim> {
    const { others, now } = this.#deps
    return {
      livingNodes: (await others?.listLiving()) ?? [],
      madeBefore: new Date(now() - unclaimedMs),
    }
  }

  /**
   * Evaluates the samples that the former nodes of rules had not, then those that came here meanwhile. After a failure
   * the rules wait, and the next call goes on with them.
   */
  async #takeOver(claim: Claim): Promise<void> {
    const { db, nodeId, now } = this.#deps
    await withTransaction(db, async (trx) => {
      for (const rule of await claimRules(trx, nodeId, claim)) this.#claimed.set(rule.id, rule)
    })
    const claimed = [...this.#claimed.values()]
    if (claimed.length === 0) return
    const startedAt = now()
    const machineIds = [...new Set(claimed.map(({ machineId }) => machineId))]
    const rows = Map.groupBy(await loadRules(db, nodeId, machineIds), ({ machineId }) => machineId)
    const ids = new Set(claimed.map(({ id }) => id))
    const fresh = machineIds.flatMap((id) => this.#replace(id, rows.get(id) ?? [], ids))
    for (const rule of fresh) this.#catchingUp.set(rule, [])
    await this.#replayClaimed(claimed, startedAt)
    for (const { id } of claimed) this.#claimed.delete(id)
    for (const rule of fresh) {
      rule.resume(startedAt)
      const later = this.#catchingUp.get(rule) ?? []
      this.#catchingUp.delete(rule)
      for (const { places, sample, isHeard } of later) rule.take(places, sample, isHeard)
      this.#note(rule)
      this.#schedule(rule)
    }
    this.#write()
  }

  /** Evaluates the samples that the former nodes of rules had not; answers these rules. */
  async #replayClaimed(claimed: readonly ClaimedRule[], now: number): Promise<ReadonlySet<RunningRule>> {
    const taken = new Set<RunningRule>()
    for (const [former, ofNode] of Map.groupBy(claimed, (rule) => rule.former)) {
      if (former === null) continue
      const rules = ofNode.flatMap(({ id }) => this.#rules.get(id) ?? [])
      for (const rule of rules) taken.add(rule)
      const position = ofNode[0]?.position
      if (position) await this.#replay(rules, position, now)
    }
    return taken
  }

  /** Another node evaluates these rules. */
  #drop(ids: ReadonlySet<number>): void {
    const machineIds = new Set([...ids].flatMap((id) => this.#rules.get(id)?.row.machineId ?? []))
    for (const machineId of machineIds) {
      const rules = this.#machines.get(machineId)?.rules ?? new Map<number, RunningRule>()
      const kept = [...rules.values()].filter(({ row }) => !ids.has(row.id))
      this.#replace(
        machineId,
        kept.map(({ row }) => row),
        new Set(),
      )
      // The other one counted this node as dead for a moment.
      if (this.#deps.others?.isHere(machineId)) this.arrive(machineId)
    }
  }

  #add(rule: RunningRule): void {
    const { id, machineId } = rule.row
    const machine: MachineRules = this.#machines.get(machineId) ?? { byTag: new Map(), rules: new Map() }
    this.#machines.set(machineId, machine)
    machine.rules.set(id, rule)
    this.#rules.set(id, rule)
    for (const [key, places] of rule.compiled.leavesOf) {
      const ofTag = machine.byTag.get(key) ?? new TagRules(key)
      machine.byTag.set(key, ofTag)
      ofTag.rules.push({ rule, places })
    }
    this.#note(rule)
    this.#schedule(rule)
  }

  /** Schedules the evaluation of a rule when it is due, unless one is scheduled earlier. */
  #schedule(rule: RunningRule): void {
    const { dueAt } = rule
    if (dueAt >= rule.queuedAt) return
    rule.queuedAt = dueAt
    this.#due.add(dueAt, rule)
  }

  #note(rule: RunningRule): void {
    if (!rule.isDirty) return
    if (rule.outcomes.length > 0) this.#waiting.add(rule)
    else this.#dirty.add(rule)
  }

  /** Repeats in the same order the samples that were stored before a node ended and may not have been evaluated. */
  async #replay(
    rules: readonly RunningRule[],
    { receivedAt, writtenAt }: Position,
    now: number,
  ): Promise<void> {
    const { db, samplesDb = db } = this.#deps
    const receivedFrom = receivedAt.getTime()
    const wanted = new Set(rules)
    const named = rules.flatMap(({ row }) =>
      tagsOf(row.condition).map((tag) => ({ machineId: row.machineId, ...tag })),
    )
    const versions = await listTagVersions(db, named)
    const byId = new Map(versions.map((version) => [version.id, version]))
    const taken = { from: receivedFrom - clockSkewMs, to: now + clockSkewMs }
    let aliveAt = writtenAt.getTime()
    const received = await listReceivedSamples(
      samplesDb,
      versions,
      receivedFrom - slackMs,
      taken,
      this.#deps.logger,
    )
    for (const sample of received) {
      const version = byId.get(sample.tagId)
      const watch = version && this.find(version.machineId, version.group, version.name)
      if (!watch) continue
      aliveAt = Math.max(aliveAt, sample.receivedAt)
      const { tagId, value, at: time, receivedAt } = sample
      for (const { rule, places } of (watch as TagRules).rules) {
        if (wanted.has(rule)) rule.take(places, { tagId, value, time, receivedAt, quality: 'good' }, false)
      }
    }
    for (const rule of rules) rule.pass(aliveAt)
  }

  #tick(): void {
    const now = this.#deps.now()
    for (let next = this.#due.take(now); next; next = this.#due.take(now)) {
      const { at, item: rule } = next
      if (at !== rule.queuedAt || this.#rules.get(rule.row.id) !== rule) continue
      rule.queuedAt = Number.POSITIVE_INFINITY
      if (this.#catchingUp.has(rule)) continue
      rule.pass(now)
      if (rule.isDirty) this.#note(rule)
      // Values that came since have moved its time on.
      this.#schedule(rule)
    }
    this.#write()
  }

  /** Begins to write outcomes; those that come meanwhile are written next. */
  #write(): void {
    if (this.#waiting.size === 0 || this.#writing || this.#isStopped) return
    this.#writing = this.#run().finally(() => {
      this.#writing = undefined
      this.#write()
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.size > 0) {
      try {
        await this.#writeSome(takeSome(this.#waiting))
      } catch (err) {
        this.#log.error({ err }, 'alarmRule.writeFailed')
        if (this.#isStopped) return
        await sleep(retryPauseMs)
      }
    }
  }

  #scheduleFlush(ms: number): void {
    if (this.#isStopped) return
    this.#flush = setTimeout(async () => {
      const startedAt = performance.now()
      while (this.#writing) await this.#writing
      this.#writing = this.#writeAll()
        .catch((err) => this.#log.error({ err }, 'alarmRule.writeFailed'))
        .finally(() => {
          this.#writing = undefined
          this.#write()
        })
      await this.#writing
      this.#scheduleFlush(Math.max(flushMsMin, (performance.now() - startedAt) / flushShareMax))
    }, ms)
    this.#flush.unref()
  }

  /** Writes everything that is not written, and with the last of it the position of this node. */
  async #writeAll(): Promise<void> {
    const { telemetry, now } = this.#deps
    const receivedAt = new Date(Math.min(now(), telemetry.oldestWaitingAt ?? Number.POSITIVE_INFINITY))
    const dirty = new Set([...this.#waiting, ...this.#dirty])
    while (dirty.size > 0) await this.#writeSome(takeSome(dirty))
    await this.#writeSome([], { receivedAt })
  }

  async #writeSome(rules: readonly RunningRule[], position?: { readonly receivedAt: Date }): Promise<void> {
    const { db, facts, nodeId, now } = this.#deps
    const taken = rules.map((rule) => {
      this.#waiting.delete(rule)
      this.#dirty.delete(rule)
      const { outcomes, state, offsetMs } = rule
      rule.outcomes = []
      const text = JSON.stringify({ rule: state, offsetMs })
      return {
        rule,
        outcomes,
        revision: state.revision,
        text,
        isActive: state.isActive,
        raisedAt: state.raisedAt,
      }
    })
    let elsewhere: ReadonlySet<number>
    try {
      const writes: RuleWrite[] = []
      for (const { rule, outcomes, text, isActive, raisedAt } of taken) {
        const { id, machineId, version } = rule.row
        const events: AlarmEvent[] = []
        for (const outcome of outcomes) events.push(await this.#eventOf(rule, outcome))
        writes.push({ ruleId: id, machineId, version, state: text, isActive, raisedAt, events })
      }
      elsewhere = await writeOutcomes(db, writes, { facts, at: new Date(now()), nodeId, position })
    } catch (error) {
      for (const { rule, outcomes } of taken) {
        rule.outcomes = [...outcomes, ...rule.outcomes]
        if (this.#rules.get(rule.row.id) !== rule) continue
        if (rule.outcomes.length > 0) this.#waiting.add(rule)
        else this.#dirty.add(rule)
      }
      throw error
    }
    let written = 0
    for (const { rule, outcomes, revision } of taken) {
      rule.writtenRevision = revision
      written += outcomes.length
    }
    this.#written += written
    if (elsewhere.size > 0) this.#drop(elsewhere)
    if (written > 0) facts.wake()
  }

  async #eventOf({ row }: RunningRule, outcome: Outcome): Promise<AlarmEvent> {
    const { telemetry, now } = this.#deps
    const [group = '', name = ''] = outcome.tag.split('\n')
    const tag = await telemetry.findTag(row.machineId, group, name)
    const { value, limit } = outcome
    const shown = tag && shownOf(tag)
    return {
      machineId: row.machineId,
      ruleId: row.id,
      tagId: tag?.id,
      value,
      limit,
      instruction: row.instruction === null ? undefined : { '': row.instruction },
      key: alarmKeyOf(row.id),
      level: row.level,
      text: fillTexts(row.text, {
        value,
        limit,
        unit: shown?.unit ?? '',
        scale: shown?.scale ?? null,
        label: shown?.label ?? {},
        words: tag ? { cn: shownWords(tag, 'cn'), en: shownWords(tag, 'en') } : {},
        tag: name,
      }),
      state: outcome.state,
      // A repeated raising must not count up.
      isRepeat: true,
      late: false,
      at: Math.trunc(outcome.at),
      receivedAt: now(),
      standing: undefined,
    }
  }
}

/**
 * An edit ends the alarm that the newest value may have raised at this very millisecond. A raising of that instant
 * would count as the same one, repeated.
 */
const afterEditMs = ({ version }: LoadedRule): number => (version > 1 ? 1 : 0)

/** The next rules of one transaction: as many as have 64 alarms, or states for one statement. */
function takeSome(rules: Set<RunningRule>): RunningRule[] {
  const some: RunningRule[] = []
  let alarms = 0
  for (const rule of rules) {
    if (some.length > 0 && alarms + rule.outcomes.length > alarmsPerWriteMax) break
    if (some.length >= statesPerWriteMax) break
    alarms += rule.outcomes.length
    rules.delete(rule)
    some.push(rule)
  }
  return some
}
