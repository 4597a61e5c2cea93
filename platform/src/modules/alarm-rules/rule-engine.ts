import { setTimeout as sleep } from 'node:timers/promises'
import type { TagValueEvent } from '../../kernel/bus/bus.ts'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { every } from '../../kernel/every.ts'
import { createLogOnce, type LogOnce } from '../../kernel/log-once.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { AlarmFacts } from '../alarms/index.ts'
import {
  listLastConnections,
  listReceivedSamples,
  listTagVersions,
  type SampleWatcher,
  type Telemetry,
  type Watch,
  type WatchedSample,
} from '../telemetry/index.ts'
import { type Backlog, Backlogs } from './backlogs.ts'
import { DueQueue } from './due-queue.ts'
import {
  type Claim,
  type ClaimedRule,
  type LoadedRule,
  loadRules,
  type Position,
  type Taken,
  takeRules,
} from './engine-store.ts'
import { keyOfTag } from './rule-condition.ts'
import { RuleWriter } from './rule-writer.ts'
import { RunningRule } from './running-rule.ts'
import { tagsOf } from './try-rule.ts'

/** Interval at which delays and silence are checked. */
const tickMs = 200
/** Shortest interval at which states without an alarm are written; writing takes at most this share of the time. */
const flushMsMin = 5_000
const flushShareMax = 0.1
/** The replay includes samples taken up to this time before they were received: clocks may be off. */
const clockSkewMs = 10 * 60_000
/** Clocks of nodes differ, and a connection is known to others a little after its first samples. */
const slackMs = 1_000
const retryPauseMs = 500
/** Interval of the search for rules whose node is gone. */
const adoptMs = 10_000
/** A new rule is left to the node that holds its machine so long. */
const unclaimedMs = 30_000
/** No node leaves a new rule alone for longer, unless its position stands still as long. */
const newRuleMsMax = 10 * 60_000
/**
 * So long the position of a node that ended is kept for rules that others hold: its last samples may be of machines that
 * went on to them, or went offline.
 */
const keptMs = 30_000
/** A node whose position is older is not well, or ended. */
const behindMs = 20_000
/** Machines that come are looked after for at most this share of the time, and after this pause at the latest. */
const arrivedShareMax = 0.1
const arrivedPauseMsMax = 1_000

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

/** A rule that waits for samples which were stored before those that come now. */
interface CatchUp {
  /** When the first of them was received; Infinity: it is not known yet. */
  receivedFrom: number
  /** Time has passed for the rule until then. */
  aliveAt: number
  readonly later: LaterSample[]
}

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
  readonly #writer: RuleWriter
  readonly #machines = new Map<number, MachineRules>()
  readonly #rules = new Map<number, RunningRule>()
  /** Rules by their next due time; an entry that its rule no longer refers to is ignored. */
  readonly #due = new DueQueue<RunningRule>()
  readonly #catchingUp = new Map<RunningRule, CatchUp>()
  /** These keep this node's position back. */
  readonly #backlogs = new Backlogs()
  /** The position as it was written last. */
  #receivedAt = Number.POSITIVE_INFINITY
  /**
   * Rules that were claimed and are not taken over to the end: the answer to their commit may be lost, or the database
   * away before their samples were read.
   */
  readonly #claimed = new Map<number, ClaimedRule>()
  /** Machines that came: samples of theirs may be at other nodes, and their rules too. */
  #arrived = new Map<number, Backlog>()
  /** Of these, those that another node holds by what the database says. */
  readonly #elsewhere = new Map<number, Backlog>()
  /** When they are looked after next, by the process's clock. */
  #arrivedNextAt = 0
  /** Those of take-overs that are not complete. */
  #taking: Backlog[] = []
  /** Machines whose rules about their connection look at it. */
  #noticed = new Set<number>()
  /** Machines whose rules changed. */
  #changed = new Set<number>()
  #adopting: NodeJS.Timeout | undefined
  #reloading: Promise<void> = Promise.resolve()
  #ticks: NodeJS.Timeout | undefined
  #flush: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(deps: EngineDeps) {
    this.#deps = deps
    this.#log = createLogOnce(deps.logger)
    this.#writer = new RuleWriter(deps, (ids) => this.#drop(ids))
    deps.telemetry.watch(this)
  }

  stats(): { rules: number; waiting: number; written: number; dropped: number } {
    let dropped = 0
    for (const rule of this.#rules.values()) dropped += rule.dropped
    const { waiting, written } = this.#writer
    return { rules: this.#rules.size, waiting, written, dropped }
  }

  /** Takes the rules of this node's former process over, and those that no node evaluates. */
  async start(): Promise<void> {
    const { others, logger } = this.#deps
    await this.#takeOver(others ? await this.#findLeft() : 'all', { isStart: true })
    // A process that is killed before its first flush must find a position, too.
    await this.#writeAll()
    this.#ticks = every(tickMs, () => this.#tick(), logger)
    this.#scheduleFlush(flushMsMin)
    if (!others) return
    this.#adopting = every(adoptMs, () => this.#enqueue(() => this.#adopt()), logger)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#ticks)
    clearInterval(this.#adopting)
    clearTimeout(this.#flush)
    await this.#reloading
    await this.#writer.stop()
    await this.#writeAll().catch((err) => this.#deps.logger.warn({ err }, 'alarmRule.writeFailed'))
    this.#log.stop()
  }

  /** Resolves when nothing waits to be read or written. */
  async settled(): Promise<void> {
    await this.#reloading
    await this.#writer.settled()
  }

  find(machineId: number, group: string, name: string): Watch | undefined {
    return this.#machines.get(machineId)?.byTag.get(keyOfTag({ group, name }))
  }

  take(samples: readonly WatchedSample[]): void {
    for (const { watch, sample, isHeard } of samples) {
      for (const { rule, places } of (watch as TagRules).rules) {
        const catchUp = this.#catchingUp.get(rule)
        if (catchUp) {
          catchUp.later.push({ places, sample, isHeard })
          continue
        }
        rule.take(places, sample, isHeard, this.#writer.waiting)
        this.#writer.note(rule)
        this.#schedule(rule)
      }
    }
    this.#writer.write()
  }

  lose(machineId: number, group: string | undefined): void {
    for (const { key, rules } of this.#machines.get(machineId)?.byTag.values() ?? []) {
      if (group !== undefined && !key.startsWith(`${group}\n`) && !key.startsWith(`${group}/`)) continue
      for (const { rule } of rules) {
        rule.lose()
        this.#writer.note(rule)
      }
    }
  }

  /** Reads the rules of machines anew; a rule in which nothing else is evaluated goes on. */
  reload(machineIds: Iterable<number>): Promise<void> {
    for (const machineId of machineIds) this.#changed.add(machineId)
    return this.#enqueue(() => this.#reloadChanged())
  }

  /** Where the database is away, it is tried again: nobody tells a second time that the rules changed. */
  async #reloadChanged(): Promise<void> {
    const { others } = this.#deps
    const changed = [...this.#changed]
    this.#changed = new Set()
    if (changed.length === 0) return
    const here = changed.filter((id) => !others || others.isHere(id) || this.#machines.has(id))
    try {
      await this.#takeOver({ machineIds: here, isNew: true }, { changed })
    } catch (error) {
      if (this.#isStopped) return
      await sleep(retryPauseMs)
      void this.reload(changed)
      throw error
    }
  }

  /** Machines came or went, or were away for long enough: rules about that look at their connections. */
  notice(machineIds: Iterable<number>): void {
    for (const machineId of machineIds)
      if (this.#presenceRulesOf(machineId).length > 0) this.#noticed.add(machineId)
    if (this.#noticed.size > 0) void this.#enqueue(() => this.#seeNoticed())
  }

  #presenceRulesOf(machineId: number): RunningRule[] {
    const rules = this.#machines.get(machineId)?.rules.values() ?? []
    return [...rules].filter(({ compiled }) => compiled.watchesPresence)
  }

  /** The stored connections decide: a machine that went may have come to another node. */
  async #seeNoticed(): Promise<void> {
    const noticed = [...this.#noticed]
    this.#noticed = new Set()
    // Those that catch up look when they are taken over.
    const rules = noticed
      .flatMap((machineId) => this.#presenceRulesOf(machineId))
      .filter((rule) => !this.#catchingUp.has(rule))
    try {
      await this.#seePresence(rules)
    } catch (error) {
      for (const machineId of noticed) this.#noticed.add(machineId)
      if (this.#isStopped) return
      await sleep(retryPauseMs)
      this.notice([])
      throw error
    }
    for (const rule of rules) {
      rule.pass(this.#deps.now())
      this.#writer.note(rule)
      this.#schedule(rule)
    }
    this.#writer.write()
  }

  async #seePresence(rules: readonly RunningRule[]): Promise<void> {
    if (rules.length === 0) return
    const { db, now } = this.#deps
    const ofMachines = Map.groupBy(rules, ({ row }) => row.machineId)
    for (const last of await listLastConnections(db, [...ofMachines.keys()]))
      for (const rule of ofMachines.get(last.machineId) ?? []) rule.see(last, now())
  }

  /**
   * The machine connected to this node. Its rules may be another's, and samples of it at others may not be evaluated,
   * even where its rules are this node's: one that ended had it for a moment. `from`: since then samples may be here.
   */
  arrive(machineId: number, from = this.#deps.now() - slackMs): void {
    if (!this.#deps.others) return
    for (const rule of this.#machines.get(machineId)?.rules.values() ?? []) this.#pause(rule)
    this.#expect(machineId, this.#backlogs.open(from))
    void this.#enqueue(() => this.#takeArrived())
  }

  /** This node counted as dead: others may have taken rules of machines that are here. */
  reclaim(): void {
    const { others } = this.#deps
    for (const machineId of this.#machines.keys())
      if (others?.isHere(machineId)) this.arrive(machineId, this.#receivedAt)
  }

  /** Of two backlogs of a machine the earlier one counts. */
  #expect(machineId: number, backlog: Backlog): void {
    const backlogs = [backlog, this.#arrived.get(machineId), this.#elsewhere.get(machineId)]
    const [first, ...rest] = backlogs.filter((one) => one !== undefined).toSorted((a, b) => a.from - b.from)
    this.#elsewhere.delete(machineId)
    if (first) this.#arrived.set(machineId, first)
    for (const other of rest) if (other !== first) this.#backlogs.end(other)
  }

  /** Take-overs and changes of the position follow one another. */
  #between(work: () => Promise<void>): Promise<void> {
    const done = this.#reloading.then(work)
    this.#reloading = done.catch(() => undefined)
    return done
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    return this.#between(work).catch((err) => this.#log.error({ err }, 'alarmRule.reloadFailed'))
  }

  /** Evaluates these rules of a machine from now on; answers the new ones. Those of `claimed` begin anew. */
  #replace(
    machineId: number,
    rows: readonly LoadedRule[],
    claimed: { has(id: number): boolean },
  ): readonly RunningRule[] {
    const { telemetry, now } = this.#deps
    const before = this.#machines.get(machineId)?.rules ?? new Map<number, RunningRule>()
    this.#machines.delete(machineId)
    for (const rule of before.values()) {
      this.#rules.delete(rule.row.id)
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
    for (const rule of before.values()) {
      if (this.#rules.get(rule.row.id) === rule) continue
      this.#catchingUp.delete(rule)
      this.#writer.forget(rule)
    }
    telemetry.rewatch(machineId)
    return fresh
  }

  #pause(rule: RunningRule): CatchUp {
    const catchUp = this.#catchingUp.get(rule) ?? {
      receivedFrom: Number.POSITIVE_INFINITY,
      aliveAt: Number.NEGATIVE_INFINITY,
      later: [],
    }
    this.#catchingUp.set(rule, catchUp)
    return catchUp
  }

  async #takeArrived(): Promise<void> {
    if (this.#arrived.size === 0) return
    const pauseMs = this.#arrivedNextAt - performance.now()
    if (pauseMs > 0) await sleep(pauseMs)
    const begunAt = performance.now()
    const arrived = this.#arrived
    this.#arrived = new Map()
    try {
      const elsewhere = await this.#takeOver({ machineIds: [...arrived.keys()] })
      for (const [machineId, backlog] of arrived) {
        if (!elsewhere.has(machineId)) this.#backlogs.end(backlog)
        else if (this.#arrived.has(machineId)) this.#expect(machineId, backlog)
        else this.#elsewhere.set(machineId, backlog)
      }
    } catch (error) {
      for (const [machineId, backlog] of arrived) this.#expect(machineId, backlog)
      if (this.#isStopped) return
      await sleep(retryPauseMs)
      void this.#enqueue(() => this.#takeArrived())
      throw error
    } finally {
      const endedAt = performance.now()
      this.#arrivedNextAt = endedAt + Math.min((endedAt - begunAt) / arrivedShareMax, arrivedPauseMsMax)
    }
  }

  /** Takes over the rules of nodes that are gone: the silence of a machine can raise an alarm, too. */
  async #adopt(): Promise<void> {
    const { others, now } = this.#deps
    for (const [machineId, backlog] of this.#elsewhere) {
      if (others?.isHere(machineId) || backlog.from > now() - keptMs) this.#expect(machineId, backlog)
      else {
        // The node that it went to has repeated these samples.
        this.#elsewhere.delete(machineId)
        this.#backlogs.end(backlog)
      }
    }
    await this.#takeArrived()
    await this.#takeOver(await this.#findLeft(), { looksAway: true })
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
   * Takes rules over, and reads those of `changed` machines anew. Rules that are taken, new, or of machines that came,
   * get the stored samples that nobody evaluated for them, then those that came here meanwhile. After a failure they
   * wait, and the next call goes on with them. Answers the machines whose rules another node keeps.
   */
  async #takeOver(
    claim: Claim,
    { isStart = false, looksAway = false, changed = [] as readonly number[] } = {},
  ): Promise<ReadonlySet<number>> {
    const { db, nodeId, now } = this.#deps
    const startedAt = now()
    const taken = await withTransaction(db, async (trx) => {
      const found = await takeRules(trx, nodeId, claim, isStart)
      // Before the commit, whose answer may be lost.
      for (const rule of found.rules) this.#claimed.set(rule.id, rule)
      this.#keepBack(found, isStart)
      return found
    })
    const claimed = [...this.#claimed.values()]
    const machineIds = new Set([...claimed.map(({ machineId }) => machineId), ...changed])
    if (machineIds.size > 0) await this.#load([...machineIds], taken.positions, startedAt)
    this.#prepareHeld(taken.positions, looksAway)
    const rules = [...this.#catchingUp.keys()]
    await this.#seePresence(rules.filter(({ compiled }) => compiled.watchesPresence))
    await this.#replay(rules, startedAt)
    const fresh = isStart ? [] : rules.filter(({ row }) => !row.state)
    const latest = await this.#listLatest(fresh)
    for (const rule of rules) {
      const later = this.#catchingUp.get(rule)?.later
      // Another node took it meanwhile.
      if (!later) continue
      this.#catchingUp.delete(rule)
      if (isStart || (rule.row.state && this.#claimed.has(rule.row.id))) rule.resume(startedAt)
      for (const { places, sample, isHeard } of later) rule.take(places, sample, isHeard, rules.length)
      for (const [tag, value] of latest.get(rule) ?? []) rule.begin(tag, value, now() + afterEditMs(rule.row))
      this.#writer.note(rule)
      this.#schedule(rule)
    }
    for (const { id } of claimed) this.#claimed.delete(id)
    for (const backlog of this.#taking.splice(0)) this.#backlogs.end(backlog)
    this.#writer.write()
    return taken.elsewhere
  }

  /** Keeps the position back behind what is taken over. */
  #keepBack({ rules, positions, hasGone }: Taken, isStart: boolean): void {
    const { nodeId, others, now } = this.#deps
    if (positions.length === 0 || (rules.length === 0 && !hasGone)) return
    const isOfEnded = hasGone || (isStart && positions.some((position) => position.nodeId === nodeId))
    const keptUntil = others && isOfEnded ? now() + keptMs : undefined
    this.#taking.push(this.#backlogs.open(firstOf(positions), keptUntil))
  }

  /** Loads rules of machines; those that are new here wait for the stored samples that nobody evaluated for them. */
  async #load(machineIds: readonly number[], positions: readonly Position[], now: number): Promise<void> {
    const rows = await loadRules(this.#deps.db, this.#deps.nodeId, machineIds)
    const ofMachines = Map.groupBy(rows, ({ machineId }) => machineId)
    const aliveAt = new Map(positions.map(({ nodeId, writtenAt }) => [nodeId, writtenAt.getTime()]))
    const first = firstOf(positions)
    for (const rule of machineIds.flatMap((id) =>
      this.#replace(id, ofMachines.get(id) ?? [], this.#claimed),
    )) {
      const catchUp = this.#pause(rule)
      const { id, state, changedAt } = rule.row
      if (state) {
        catchUp.receivedFrom = first - slackMs
        if (Number.isFinite(first)) rule.follow(catchUp.receivedFrom)
      } else catchUp.receivedFrom = Math.max(changedAt.getTime() + 1, Math.min(first, now - newRuleMsMax))
      catchUp.aliveAt = aliveAt.get(this.#claimed.get(id)?.former ?? '') ?? Number.NEGATIVE_INFINITY
    }
  }

  /**
   * Rules of machines that came wait for what other nodes stored before. Rules of machines that are away may have such
   * samples, too, where another node ended: `looksAway` looks for one.
   */
  #prepareHeld(positions: readonly Position[], looksAway: boolean): void {
    const { nodeId, others, now } = this.#deps
    if (!positions.some((position) => position.nodeId !== nodeId)) return
    const first = firstOf(positions)
    if (looksAway && first < now() - behindMs) {
      for (const rule of this.#rules.values()) if (!others?.isHere(rule.row.machineId)) this.#pause(rule)
    }
    for (const catchUp of this.#catchingUp.values())
      if (catchUp.receivedFrom === Number.POSITIVE_INFINITY) catchUp.receivedFrom = first - slackMs
  }

  /** The newest values of variables of which rules had no sample: a new rule evaluates them as if they came now. */
  async #listLatest(
    rules: readonly RunningRule[],
  ): Promise<ReadonlyMap<RunningRule, readonly [tag: string, value: TagValueEvent][]>> {
    const { telemetry, others } = this.#deps
    const found = new Map<RunningRule, [string, TagValueEvent][]>()
    for (const [machineId, ofMachine] of Map.groupBy(rules, ({ row }) => row.machineId)) {
      if (others && !others.isHere(machineId)) continue
      const latest = new Map((await telemetry.listLatest(machineId)).map((value) => [value.tagId, value]))
      for (const rule of ofMachine) {
        for (const tag of tagsOf(rule.row.condition)) {
          const id = (await telemetry.findTag(machineId, tag.group, tag.name))?.id
          const value = id === undefined ? undefined : latest.get(id)
          if (value?.quality !== 'good' && value?.quality !== 'uncertain') continue
          found.set(rule, [...(found.get(rule) ?? []), [keyOfTag(tag), value]])
        }
      }
    }
    return found
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
      // The other one counted this node as dead for a moment. Samples since its position may be in no state.
      if (this.#deps.others?.isHere(machineId)) this.arrive(machineId, this.#receivedAt)
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
    this.#writer.note(rule)
    this.#schedule(rule)
  }

  /** Schedules the evaluation of a rule when it is due, unless one is scheduled earlier. */
  #schedule(rule: RunningRule): void {
    const { dueAt } = rule
    if (dueAt >= rule.queuedAt) return
    rule.queuedAt = dueAt
    this.#due.add(dueAt, rule)
  }

  /** Repeats in the same order the samples that were stored and may not have been evaluated. */
  async #replay(rules: readonly RunningRule[], now: number): Promise<void> {
    const { db, samplesDb = db, logger } = this.#deps
    const wanted = rules.filter((rule) => Number.isFinite(this.#catchingUp.get(rule)?.receivedFrom))
    if (wanted.length === 0) return
    const named = wanted.flatMap(({ row }) =>
      tagsOf(row.condition).map((tag) => ({ machineId: row.machineId, ...tag })),
    )
    const versions = await listTagVersions(db, named)
    const byId = new Map(versions.map((version) => [version.id, version]))
    const receivedFrom = leastOf(wanted, (rule) => this.#catchingUp.get(rule)?.receivedFrom)
    const taken = { from: receivedFrom - clockSkewMs, to: now + clockSkewMs }
    for (const sample of await listReceivedSamples(samplesDb, versions, receivedFrom, taken, logger)) {
      const version = byId.get(sample.tagId)
      const watch = version && this.find(version.machineId, version.group, version.name)
      const { tagId, value, at: time, receivedAt } = sample
      for (const { rule, places } of (watch as TagRules | undefined)?.rules ?? []) {
        const catchUp = this.#catchingUp.get(rule)
        if (!catchUp || receivedAt < catchUp.receivedFrom) continue
        rule.take(places, { tagId, value, time, receivedAt, quality: 'good' }, false, wanted.length)
        catchUp.aliveAt = Math.max(catchUp.aliveAt, receivedAt)
      }
    }
    for (const rule of wanted) rule.pass(this.#catchingUp.get(rule)?.aliveAt ?? Number.NEGATIVE_INFINITY)
  }

  #tick(): void {
    const now = this.#deps.now()
    const away: number[] = []
    for (let next = this.#due.take(now); next; next = this.#due.take(now)) {
      const { at, item: rule } = next
      if (at !== rule.queuedAt || this.#rules.get(rule.row.id) !== rule) continue
      rule.queuedAt = Number.POSITIVE_INFINITY
      if (this.#catchingUp.has(rule)) continue
      if (rule.compiled.watchesPresence) {
        away.push(rule.row.machineId)
        continue
      }
      rule.pass(now)
      this.#writer.note(rule)
      // Values that came since have moved its time on.
      this.#schedule(rule)
    }
    this.notice(away)
    this.#writer.write()
  }

  #scheduleFlush(ms: number): void {
    if (this.#isStopped) return
    this.#flush = setTimeout(async () => {
      const startedAt = performance.now()
      await this.#writeAll().catch((err) => this.#log.error({ err }, 'alarmRule.writeFailed'))
      this.#scheduleFlush(Math.max(flushMsMin, (performance.now() - startedAt) / flushShareMax))
    }, ms)
    this.#flush.unref()
  }

  /** Writes all states, then the position: between take-overs, which set it back. */
  async #writeAll(): Promise<void> {
    const { telemetry, now } = this.#deps
    const { ended, receivedAt } = await this.#writer.writeAll(() => ({
      ended: this.#backlogs.listEnded(now()),
      receivedAt: Math.min(now(), telemetry.oldestWaitingAt ?? Number.POSITIVE_INFINITY),
    }))
    this.#backlogs.remove(ended)
    await this.#between(async () => {
      const first = Math.min(receivedAt, this.#backlogs.from)
      await this.#writer.writePosition(first)
      this.#receivedAt = first
    })
  }
}

/**
 * An edit ends the alarm that the newest value may have raised at this very millisecond. A raising of that instant
 * would count as the same one, repeated.
 */
const afterEditMs = ({ version }: LoadedRule): number => (version > 1 ? 1 : 0)

/** Infinity without a position. */
const firstOf = (positions: readonly Position[]): number =>
  leastOf(positions, ({ receivedAt }) => receivedAt.getTime())

function leastOf<Item>(items: readonly Item[], of: (item: Item) => number | undefined): number {
  let least = Number.POSITIVE_INFINITY
  for (const item of items) least = Math.min(least, of(item) ?? least)
  return least
}
