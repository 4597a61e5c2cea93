import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../kernel/database/database.ts'
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
import { findPosition, type LoadedRule, loadRules, type RuleWrite, writeOutcomes } from './engine-store.ts'
import type { Outcome } from './evaluate-rule.ts'
import { keyOfTag } from './rule-condition.ts'
import { fillTexts } from './rule-text.ts'
import { alarmKeyOf } from './rules-service.ts'
import { RunningRule } from './running-rule.ts'
import { tagsOf } from './try-rule.ts'

/** How often delays and silence are looked at. */
const tickMs = 200
/** How often states without an alarm are written, at least; writing takes this part of the time at most. */
const flushMsMin = 5_000
const flushShareMax = 0.1
/** Alarms of a transaction, as in the lane of machines' own alarms. */
const alarmsPerWriteMax = 64
const statesPerWriteMax = 500
/** Samples are replayed that were taken so long before they were received: clocks may be off. */
const clockSkewMs = 10 * 60_000
/** Received before the position and committed after it was read. */
const slackMs = 1_000
const retryPauseMs = 500

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

/** Evaluates the rules of the machines that this process holds, and writes the alarms that come of it. */
export class RuleEngine implements SampleWatcher {
  readonly #deps: EngineDeps
  readonly #log: LogOnce
  readonly #machines = new Map<number, MachineRules>()
  readonly #rules = new Map<number, RunningRule>()
  /** Rules by when their time may be over; an entry that its rule does not name any more says nothing. */
  readonly #due = new DueQueue<RunningRule>()
  /** Whose outcomes wait, the oldest first. */
  readonly #waiting = new Set<RunningRule>()
  /** Whose state is not written. */
  #dirty = new Set<RunningRule>()
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

  /** Loads all rules, and evaluates what was received since the position of this node. */
  async start(): Promise<void> {
    const { db, telemetry, nodeId, now } = this.#deps
    const startedAt = now()
    for (const row of await loadRules(db)) this.#add(new RunningRule(row, startedAt))
    const position = await findPosition(db, nodeId)
    if (position) await this.#replay(position.receivedAt.getTime(), position.writtenAt.getTime(), startedAt)
    for (const rule of this.#rules.values()) {
      rule.resume(startedAt)
      this.#note(rule)
      this.#schedule(rule)
    }
    for (const machineId of this.#machines.keys()) telemetry.rewatch(machineId)
    // A process that is killed before its first flush has to find a position, too.
    await this.#writeAll()
    this.#ticks = setInterval(() => this.#tick(), tickMs)
    this.#ticks.unref()
    this.#scheduleFlush(flushMsMin)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#ticks)
    clearTimeout(this.#flush)
    await this.#reloading
    await this.#writing
    await this.#writeAll().catch((err) => this.#deps.logger.warn({ err }, 'alarmRules.writeFailed'))
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
    for (const machineId of new Set(machineIds)) {
      this.#reloading = this.#reloading
        .then(() => this.#reload(machineId))
        .catch((err) => this.#deps.logger.error({ err, machineId }, 'alarmRules.reloadFailed'))
    }
    return this.#reloading
  }

  async #reload(machineId: number): Promise<void> {
    const { db, telemetry, now } = this.#deps
    const rows = await loadRules(db, machineId)
    const before = this.#machines.get(machineId)?.rules ?? new Map<number, RunningRule>()
    this.#machines.delete(machineId)
    for (const rule of before.values()) {
      this.#rules.delete(rule.row.id)
      this.#waiting.delete(rule)
      this.#dirty.delete(rule)
    }
    const fresh: RunningRule[] = []
    for (const row of rows) {
      const known = before.get(row.id)
      if (known && known.row.version === row.version) {
        known.row = row
        this.#add(known)
      } else {
        const rule = new RunningRule(row, now())
        this.#add(rule)
        fresh.push(rule)
      }
    }
    telemetry.rewatch(machineId)
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

  /** Has a tick look at a rule when it is due, unless one does so earlier anyway. */
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

  /** What this node had stored before it ended, and may not have evaluated, comes again in the same order. */
  async #replay(receivedFrom: number, writtenAt: number, now: number): Promise<void> {
    const { db, samplesDb = db } = this.#deps
    const named = [...this.#rules.values()].flatMap(({ row }) =>
      tagsOf(row.condition).map((tag) => ({ machineId: row.machineId, ...tag })),
    )
    const versions = await listTagVersions(db, named)
    const byId = new Map(versions.map((version) => [version.id, version]))
    const taken = { from: receivedFrom - clockSkewMs, to: now + clockSkewMs }
    let aliveAt = writtenAt
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
      for (const { rule, places } of (watch as TagRules).rules)
        rule.take(places, { tagId, value, time, receivedAt, quality: 'good' }, false)
    }
    for (const rule of this.#rules.values()) rule.pass(aliveAt)
  }

  #tick(): void {
    const now = this.#deps.now()
    for (let next = this.#due.take(now); next; next = this.#due.take(now)) {
      const { at, item: rule } = next
      if (at !== rule.queuedAt || this.#rules.get(rule.row.id) !== rule) continue
      rule.queuedAt = Number.POSITIVE_INFINITY
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
        this.#log.error({ err }, 'alarmRules.writeFailed')
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
        .catch((err) => this.#log.error({ err }, 'alarmRules.writeFailed'))
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
    const { telemetry, nodeId, now } = this.#deps
    const receivedAt = new Date(Math.min(now(), telemetry.oldestWaitingAt ?? Number.POSITIVE_INFINITY))
    const dirty = new Set([...this.#waiting, ...this.#dirty])
    while (dirty.size > 0) await this.#writeSome(takeSome(dirty))
    await this.#writeSome([], { nodeId, receivedAt })
  }

  async #writeSome(
    rules: readonly RunningRule[],
    position?: { readonly nodeId: string; readonly receivedAt: Date },
  ): Promise<void> {
    const { db, facts, now } = this.#deps
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
    try {
      const writes: RuleWrite[] = []
      for (const { rule, outcomes, text, isActive, raisedAt } of taken) {
        const { id, machineId, version } = rule.row
        const events: AlarmEvent[] = []
        for (const outcome of outcomes) events.push(await this.#eventOf(rule, outcome))
        writes.push({ ruleId: id, machineId, version, state: text, isActive, raisedAt, events })
      }
      await writeOutcomes(db, writes, { facts, at: new Date(now()), position })
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
      // A raising that is told twice must not count up.
      isRepeat: true,
      late: false,
      at: Math.trunc(outcome.at),
      receivedAt: now(),
      standing: undefined,
    }
  }
}

/**
 * An edit ends the alarm that the newest value may have raised at this very millisecond. A raising of that instant would
 * count as the same one, told again.
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
