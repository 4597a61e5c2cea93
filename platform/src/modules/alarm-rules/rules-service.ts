import { isDeepStrictEqual } from 'node:util'
import { alarmLimits, type alarmRules as contract, platformAlarms } from '@busbar/contract'
import type pg from 'pg'
import { type Database, withClient } from '../../kernel/database/database.ts'
import type { Facts } from '../../kernel/facts/facts.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type AlarmEvent, writeAlarms } from '../alarms/index.ts'
import { byName, fitCondition, type KnownTag, type TagFault } from './rule-tags.ts'
import * as store from './rules-store.ts'

export interface RulesDeps {
  readonly db: Database
  readonly facts: Pick<Facts, 'recordAll' | 'wake'>
  now(): number
  /** The variables of a machine, as it names them. */
  listTags(machineId: number): Promise<readonly KnownTag[]>
}

/** The key of a rule's alarm; that of absence is one of the platform's (rules/alarms.md: alarms of the platform). */
export const alarmKeyOf = ({ id, condition }: Pick<store.Rule, 'id' | 'condition'>): string =>
  condition.kind === 'away' ? platformAlarms.away.key : `rule.${id}`

/** A rule that was not created, by its place in the request. */
export interface RefusedRule {
  readonly place: number
  readonly reason: contract.RuleRefusal
}

/** The error of a rule that does not fit its machine. */
export function failureOf(reason: contract.RuleRefusal): Failure {
  if (reason === 'full') return new Failure('RULES_FULL')
  return new Failure(reason === 'tagType' ? 'RULE_TAG_TYPE' : 'RULE_TAG_UNKNOWN')
}

/** Adds rules to a machine, each that fits it and is not there. Without `skipsKnown` an equal one is added as well. */
export async function addRules(
  deps: RulesDeps,
  machineId: number,
  bodies: readonly (store.RuleBody | TagFault)[],
  options: { readonly skipsKnown: boolean },
): Promise<{ ids: number[]; refused: RefusedRule[] }> {
  const tags = byName(await deps.listTags(machineId))
  return changeRules(deps, machineId, async (client, at) => {
    const rules = await store.readRules(client, machineId)
    const known = new Set(rules.map(textOf))
    let count = rules.length
    const ids: number[] = []
    const refused: RefusedRule[] = []
    for (const [place, wished] of bodies.entries()) {
      const body = typeof wished === 'string' ? wished : fitBody(wished, tags)
      if (typeof body === 'string') refused.push({ place, reason: body })
      else if (options.skipsKnown && known.has(textOf(body))) refused.push({ place, reason: 'exists' })
      else if (count >= alarmLimits.alarmRulesPerMachine) refused.push({ place, reason: 'full' })
      else {
        ids.push(await store.insertRule(client, machineId, body, new Date(at)))
        known.add(textOf(body))
        count++
      }
    }
    return { ids, refused }
  })
}

/** Two equal rules have the same text. */
const textOf = (rule: store.RuleBody): string =>
  JSON.stringify(bodyOf(rule), (_, value) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )

function fitBody(body: store.RuleBody, tags: ReadonlyMap<string, KnownTag>): store.RuleBody | TagFault {
  const condition = fitCondition(body.condition, tags)
  return typeof condition === 'string' ? condition : { ...body, condition }
}

/** Changes a rule. If the evaluated fields change, its alarm ends, and the present values may raise it anew. */
export async function editRule(
  deps: RulesDeps,
  machineId: number,
  id: number,
  body: store.RuleBody,
): Promise<void> {
  await changeRules(deps, machineId, async (client, at) => {
    const before = (await store.readRules(client, machineId)).find((rule) => rule.id === id)
    if (!before) throw new Failure('404')
    const isAnother = !isDeepStrictEqual(termsOf(before), termsOf(body))
    await store.updateRule(client, id, body, isAnother, new Date(at))
    if (isAnother) await endAlarm(deps, client, before, { at, note: 'ruleChanged' })
  })
}

/** Removes a rule; its alarm ends. */
export async function removeRule(deps: RulesDeps, machineId: number, id: number): Promise<void> {
  await changeRules(deps, machineId, async (client, at) => {
    const before = (await store.readRules(client, machineId)).find((rule) => rule.id === id)
    if (!before) throw new Failure('404')
    await endAlarm(deps, client, before, { at, note: 'ruleRemoved' })
    await store.deleteRule(client, id)
  })
}

const termsOf = ({ condition, onDelay, offDelay, activeHours }: store.RuleBody) => ({
  condition,
  onDelay,
  offDelay,
  activeHours,
})

/** The contents of a rule, without its place. */
export const bodyOf = (rule: store.RuleBody): store.RuleBody => ({
  ...termsOf(rule),
  level: rule.level,
  text: rule.text,
  instruction: rule.instruction,
})

async function endAlarm(
  deps: RulesDeps,
  client: pg.ClientBase,
  rule: store.Rule,
  { at, note }: Required<Pick<AlarmEvent, 'at' | 'note'>>,
): Promise<void> {
  const event: AlarmEvent = {
    machineId: rule.machineId,
    ruleId: rule.id,
    key: alarmKeyOf(rule),
    level: rule.level,
    text: rule.text,
    state: 'cleared',
    isRepeat: false,
    late: false,
    at,
    receivedAt: at,
    note,
    standing: undefined,
  }
  await writeAlarms(client, [event], deps.facts)
}

/**
 * Changes rules of a machine in one transaction under the lock of its row, and notifies the nodes that evaluate them.
 */
async function changeRules<Answer>(
  deps: RulesDeps,
  machineId: number,
  change: (client: pg.ClientBase, at: number) => Promise<Answer>,
): Promise<Answer> {
  const answer = await inTransaction(deps.db, async (client) => {
    if (!(await store.lockMachine(client, machineId))) throw new Failure('404')
    const at = deps.now()
    const changed = await change(client, at)
    await deps.facts.recordAll(client, [{ kind: 'alarmRules.changed', machineId, at }])
    return changed
  })
  deps.facts.wake()
  return answer
}

/** Keeps rules of a machine as a template of its owner for its type. */
export async function saveTemplate(
  deps: RulesDeps,
  machineId: number,
  name: string,
  ids: readonly number[],
): Promise<number> {
  return inTransaction(deps.db, async (client) => {
    const scope = await store.lockMachine(client, machineId)
    const rules = (await store.readRules(client, machineId)).filter(({ id }) => ids.includes(id)).map(bodyOf)
    // A machine without an owner has nobody who could have a rule.
    if (!scope || (scope.userId ?? scope.enterpriseId) === null || rules.length === 0)
      throw new Failure('404')
    const at = new Date(deps.now())
    const id = await store.saveTemplate(
      client,
      scope,
      { name, rules, at },
      alarmLimits.alarmRuleTemplatesPerType,
    )
    if (id === undefined) throw new Failure('RULE_TEMPLATES_FULL')
    return id
  })
}

async function inTransaction<Answer>(
  db: Database,
  work: (client: pg.ClientBase) => Promise<Answer>,
): Promise<Answer> {
  return withClient(db, async (client) => {
    await client.query('begin')
    try {
      const answer = await work(client)
      await client.query('commit')
      return answer
    } catch (error) {
      await client.query('rollback').catch(() => undefined)
      throw error
    }
  })
}
