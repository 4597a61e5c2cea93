import type { alarmRules as contract, telemetry } from '@busbar/contract'
import { conditionOf } from '@busbar/contract/alarm-conditions'
import type { StoredCondition, TagName } from './rule-condition.ts'
import type { RuleBody } from './rules-store.ts'

/** A variable that a rule may name. */
export type KnownTag = Pick<telemetry.Tag, 'tagId' | 'group' | 'tag' | 'type'>

/** Why a condition does not fit a machine. */
export type TagFault = 'tagUnknown' | 'tagType'

/** Reads the rule of a request, with the variables by their names. */
export function readBody(fields: contract.AlarmRuleFields, tags: readonly KnownTag[]): RuleBody | TagFault {
  const condition = storeCondition(conditionOf(fields), new Map(tags.map((tag) => [tag.tagId, tag])))
  if (typeof condition === 'string') return condition
  const { level, onDelay, offDelay, text, instruction = null, activeHours = null } = fields
  return { condition, level, onDelay, offDelay, text, instruction, activeHours }
}

function storeCondition(
  condition: contract.RuleCondition,
  tags: ReadonlyMap<number, KnownTag>,
): StoredCondition | TagFault {
  if ('rules' in condition) {
    const rules: StoredCondition[] = []
    for (const rule of condition.rules) {
      const stored = storeCondition(rule, tags)
      if (typeof stored === 'string') return stored
      rules.push(stored)
    }
    return { kind: condition.kind, rules }
  }
  if (!('tagId' in condition)) return condition
  const { tagId, ...rest } = condition
  const tag = tags.get(tagId)
  if (!tag) return 'tagUnknown'
  return fit({ ...rest, tag: { group: tag.group, name: tag.tag } } as StoredCondition, tag)
}

/** The condition where the machine has all of its variables, in types that can be compared so. */
export function fitCondition(
  condition: StoredCondition,
  tags: ReadonlyMap<string, KnownTag>,
): StoredCondition | TagFault {
  if (!('rules' in condition)) {
    if (!('tag' in condition)) return condition
    const tag = tags.get(nameOf(condition.tag))
    return tag ? fit(condition, tag) : 'tagUnknown'
  }
  const rules = condition.rules.map((rule) => fitCondition(rule, tags))
  const fault = rules.find((rule) => typeof rule === 'string')
  return fault ?? { kind: condition.kind, rules: rules as StoredCondition[] }
}

/** Variables by the names of their machine. */
export const byName = (tags: readonly KnownTag[]): Map<string, KnownTag> =>
  new Map(tags.map((tag) => [nameOf({ group: tag.group, name: tag.tag }), tag]))

const nameOf = ({ group, name }: TagName) => `${group}\n${name}`

function fit(condition: StoredCondition, { type }: KnownTag): StoredCondition | TagFault {
  const isNumber = type === 'int64' || type === 'float64'
  if (condition.kind === 'threshold' || condition.kind === 'rate' || 'bit' in condition)
    return isNumber ? condition : 'tagType'
  if (!('equals' in condition)) return condition
  const { equals } = condition
  if (type === 'string') return { ...condition, equals: String(equals) }
  if (type === 'bool') return [true, false, 0, 1].includes(equals as never) ? condition : 'tagType'
  return typeof equals === 'number' ? condition : 'tagType'
}

/** The variables that a condition names, each once. */
export function namesIn(condition: StoredCondition): TagName[] {
  if (condition.kind === 'away') return []
  const all = 'rules' in condition ? condition.rules.flatMap(namesIn) : [condition.tag]
  return [...new Map(all.map((tag) => [nameOf(tag), tag])).values()]
}

/** The fields of a condition in answers; a variable that the machine no longer has gets no id. */
export function presentCondition(
  condition: StoredCondition,
  tags: ReadonlyMap<string, KnownTag>,
): PresentedCondition {
  if ('rules' in condition)
    return { kind: condition.kind, rules: condition.rules.map((rule) => presentCondition(rule, tags)) }
  if (!('tag' in condition)) return condition
  const { tag, ...rest } = condition
  return { ...rest, tagId: tags.get(nameOf(tag))?.tagId }
}

type PresentedCondition = Pick<contract.AlarmRuleFields, 'kind' | 'tagId' | 'rules'>
