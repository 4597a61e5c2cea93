import { alarmLimits } from '@busbar/contract'
import type { Database } from '../../kernel/database/database.ts'
import { listTagVersions, type NamedTag, type Telemetry } from '../telemetry/index.ts'
import { type Outcome, passTime, startRule, takeSample } from './evaluate-rule.ts'
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
  const spans: [number, number | null][] = []
  for (const { state: kind, at } of told) {
    const last = spans.at(-1)
    if (kind === 'raised') spans.push([at, null])
    else if (last) last[1] = at
  }
  // The silence before a first sample is judged as well.
  const begin = Math.min(firstAt ?? to, told[0]?.at ?? to)
  return {
    count: spans.length,
    spans: spans.slice(-alarmLimits.alarmRuleTrySpansMax),
    from: Math.max(from, begin),
    to,
    samples: judged,
  }
}

/** The variables of a condition, in its order. */
export function tagsOf(condition: StoredCondition): TagName[] {
  return 'rules' in condition ? condition.rules.flatMap(tagsOf) : [condition.tag]
}
