import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../kernel/database/database.ts'
import { createLogOnce, type LogOnce } from '../../kernel/log-once.ts'
import type { Logger } from '../../kernel/logger.ts'
import type { AlarmEvent, AlarmFacts } from '../alarms/index.ts'
import { shownOf, shownWords, type Telemetry } from '../telemetry/index.ts'
import { type RuleWrite, writeOutcomes } from './engine-store.ts'
import type { Outcome } from './evaluate-rule.ts'
import { fillTexts } from './rule-text.ts'
import { alarmKeyOf } from './rules-service.ts'
import type { RunningRule } from './running-rule.ts'

/** Alarms of a transaction, as in the lane of machines' own alarms. */
const alarmsPerWriteMax = 64
const statesPerWriteMax = 500
const retryPauseMs = 500

export interface RuleWriterDeps {
  readonly db: Database
  readonly telemetry: Pick<Telemetry, 'findTag'>
  readonly facts: AlarmFacts & { wake(): void }
  readonly logger: Logger
  readonly nodeId: string
  now(): number
}

/** Writes the alarms and the states of rules: alarms at once, states without one when it is asked. */
export class RuleWriter {
  readonly #deps: RuleWriterDeps
  readonly #log: LogOnce
  readonly #onElsewhere: (ids: ReadonlySet<number>) => void
  /** Rules with waiting outcomes, the oldest first. */
  readonly #waiting = new Set<RunningRule>()
  /** Rules with an unwritten state. */
  readonly #dirty = new Set<RunningRule>()
  #writing: Promise<void> | undefined
  #isStopped = false
  #written = 0

  /** `onElsewhere`: other nodes evaluate these rules. */
  constructor(deps: RuleWriterDeps, onElsewhere: (ids: ReadonlySet<number>) => void) {
    this.#deps = deps
    this.#log = createLogOnce(deps.logger)
    this.#onElsewhere = onElsewhere
  }

  /** Rules whose alarms wait. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Alarms that were raised or cleared. */
  get written(): number {
    return this.#written
  }

  /** Remembers a rule that has something to be written. */
  note(rule: RunningRule): void {
    if (rule.isForgotten || !rule.isDirty) return
    if (rule.outcomes.length > 0) this.#waiting.add(rule)
    else this.#dirty.add(rule)
  }

  /** Nothing more is written of a rule. */
  forget(rule: RunningRule): void {
    rule.isForgotten = true
    this.#waiting.delete(rule)
    this.#dirty.delete(rule)
  }

  /** Begins to write alarms; those that come meanwhile are written next. */
  write(): void {
    if (this.#waiting.size === 0 || this.#writing || this.#isStopped) return
    this.#begin(this.#writeAlarms())
  }

  /** Resolves when no alarm waits. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  /** Waits for the alarms that are being written. Only `writeAll` writes after it. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.settled()
    this.#log.stop()
  }

  /** Writes everything that is not written when it begins; answers what `look` sees then. */
  async writeAll<Seen>(look: () => Seen): Promise<Seen> {
    while (this.#writing) await this.#writing
    const seen = look()
    const rules = new Set([...this.#waiting, ...this.#dirty])
    const written = this.#writeRules(rules)
    this.#begin(written.catch(() => undefined))
    await written
    return seen
  }

  /** Notes that everything which was received before an instant is in the states. */
  async writePosition(receivedAt: number): Promise<void> {
    const { db, facts, nodeId, now } = this.#deps
    await writeOutcomes(db, [], {
      ...{ facts, nodeId, at: new Date(now()) },
      position: { receivedAt: new Date(receivedAt) },
    })
  }

  #begin(work: Promise<void>): void {
    this.#writing = work.finally(() => {
      this.#writing = undefined
      this.write()
    })
  }

  async #writeAlarms(): Promise<void> {
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

  async #writeRules(rules: Set<RunningRule>): Promise<void> {
    while (rules.size > 0) await this.#writeSome(takeSome(rules))
  }

  async #writeSome(rules: readonly RunningRule[]): Promise<void> {
    const { db, facts, nodeId, now } = this.#deps
    const taken = rules
      .filter(({ isForgotten }) => !isForgotten)
      .map((rule) => {
        this.#waiting.delete(rule)
        this.#dirty.delete(rule)
        const { outcomes, state, offsetMs } = rule
        const { revision, isActive, raisedAt } = state
        rule.outcomes = []
        return {
          rule,
          outcomes,
          revision,
          isActive,
          raisedAt,
          state: JSON.stringify({ rule: state, offsetMs }),
        }
      })
    let elsewhere: ReadonlySet<number>
    try {
      const writes: RuleWrite[] = []
      for (const { rule, outcomes, state, isActive, raisedAt } of taken) {
        const { id, machineId, version } = rule.row
        const events: AlarmEvent[] = []
        for (const outcome of outcomes) events.push(await this.#eventOf(rule, outcome))
        writes.push({ ruleId: id, machineId, version, state, isActive, raisedAt, events })
      }
      elsewhere = await writeOutcomes(db, writes, { facts, at: new Date(now()), nodeId })
    } catch (error) {
      for (const { rule, outcomes } of taken) {
        rule.outcomes = [...outcomes, ...rule.outcomes]
        this.note(rule)
      }
      throw error
    }
    let written = 0
    for (const { rule, outcomes, revision } of taken) {
      rule.writtenRevision = revision
      written += outcomes.length
    }
    this.#written += written
    if (elsewhere.size > 0) this.#onElsewhere(elsewhere)
    if (written > 0) facts.wake()
  }

  async #eventOf({ row }: RunningRule, outcome: Outcome): Promise<AlarmEvent> {
    const { telemetry, now } = this.#deps
    const [group = '', name = ''] = outcome.tag.split('\n')
    const tag = outcome.tag ? await telemetry.findTag(row.machineId, group, name) : undefined
    const { value, limit } = outcome
    const shown = tag && shownOf(tag)
    return {
      machineId: row.machineId,
      ruleId: row.id,
      tagId: tag?.id,
      value,
      // Minutes of absence are in the text, and no limit of a variable.
      limit: tag ? limit : null,
      instruction: row.instruction === null ? undefined : { '': row.instruction },
      key: alarmKeyOf(row),
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
