import { alarmLimits } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import {
  gapsOf,
  listConnectedSpans,
  listTagVersions,
  type NamedTag,
  type Telemetry,
} from '../telemetry/index.ts'
import { comeBack, goAway, type Outcome, passTime, startRule, takeSample } from './evaluate-rule.ts'
import {
  compileRule,
  keyOfTag,
  type RuleTerms,
  type StoredCondition,
  type TagName,
} from './rule-condition.ts'

const dayMs = 24 * 3_600_000

/** The sources of a rule's variables and their samples. */
export interface TrialSources {
  readonly db: Database
  readonly telemetry: Pick<Telemetry, 'countPastSamples' | 'listPastSamples'>
}

/** The alarms that a rule would have raised. */
export interface Trial {
  readonly count: number
  /** Raised and cleared, the latest; null: it would stand. */
  readonly spans: [number, number | null][]
  /** The part of the time that was judged, by its first sample. */
  readonly from: number
  readonly to: number
  readonly samples: number
}

/**
 * Evaluates a rule over the last 30 days, a day at a time, on the samples that a chart of them draws: a machine that
 * sends its past in one piece has late ones only. With more samples than one call may read, it goes back only as many
 * whole days as allowed. The time before the first sample is left out of the answer, since nothing is known of it.
 */
export async function tryRule(
  { db, telemetry }: TrialSources,
  machine: { readonly machineId: number; readonly zone: string },
  terms: RuleTerms,
  to: number,
): Promise<Trial> {
  const { machineId, zone } = machine
  if (terms.condition.kind === 'away') return tryAway(db, machine, terms, to)
  const named: NamedTag[] = tagsOf(terms.condition).map((tag) => ({ machineId, ...tag }))
  const versions = await listTagVersions(db, named)
  let from = to
  let room = alarmLimits.alarmRuleTrySamplesMax
  while (from > to - alarmLimits.alarmRuleTryDays * dayMs && room > 0) {
    room -= await telemetry.countPastSamples(versions, { from: from - dayMs, to: from }, room)
    if (room > 0 || from === to) from -= dayMs
  }
  const rule = compileRule(terms, zone)
  const state = startRule(rule, from)
  const told: Outcome[] = []
  let judged = 0
  let firstAt: number | undefined
  const keys = new Map(versions.map((version) => [version.id, keyOfTag(version)]))
  for (let day = from; day < to; day += dayMs) {
    const samples = await telemetry.listPastSamples(versions, { from: day, to: day + dayMs })
    // The latest ones: the only day of a trial may have more than it may read.
    const read = samples.slice(-alarmLimits.alarmRuleTrySamplesMax)
    judged += read.length
    firstAt ??= read[0]?.at
    for (const { tagId, at, value } of read)
      takeSample(rule, state, { tag: keys.get(tagId) ?? '', time: at, value }, told)
    // A day of samples takes a while: others have their turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
  passTime(rule, state, to, told)
  // The silence before a first sample is judged as well.
  const begin = Math.min(firstAt ?? to, told[0]?.at ?? to)
  return trialOf(told, { from: Math.max(from, begin), to, samples: judged })
}

/** The same of a rule on absence, from the machine's connections; without any there is nothing to try. */
async function tryAway(
  db: Database,
  { machineId, zone }: { readonly machineId: number; readonly zone: string },
  terms: RuleTerms,
  to: number,
): Promise<Trial> {
  const range = { from: to - alarmLimits.alarmRuleTryDays * dayMs, to, now: to }
  const known = (await listConnectedSpans(db, [machineId], range)).get(machineId)
  const from = Math.min(to, Math.max(range.from, known?.knownFrom ?? to))
  const rule = compileRule(terms, zone)
  const state = startRule(rule, from)
  const told: Outcome[] = []
  for (const [goneAt, backAt] of gapsOf(known, range)) {
    passTime(rule, state, goneAt, told)
    goAway(rule, state, goneAt)
    if (backAt < to) comeBack(rule, state, backAt, told)
  }
  passTime(rule, state, to, told)
  // The last connection counts also where it ended before.
  return trialOf(told, { from, to, samples: known ? Math.max(known.spans.length, 1) : 0 })
}

function trialOf(told: readonly Outcome[], judged: Pick<Trial, 'from' | 'to' | 'samples'>): Trial {
  const spans: [number, number | null][] = []
  for (const { state, at } of told) {
    const last = spans.at(-1)
    if (state === 'raised') spans.push([at, null])
    else if (last) last[1] = at
  }
  return { count: spans.length, spans: spans.slice(-alarmLimits.alarmRuleTrySpansMax), ...judged }
}

/** The variables of a condition, in its order. */
export function tagsOf(condition: StoredCondition): TagName[] {
  if ('rules' in condition) return condition.rules.flatMap(tagsOf)
  return 'tag' in condition ? [condition.tag] : []
}
