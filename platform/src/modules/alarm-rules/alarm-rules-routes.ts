import { alarmRules as contract, csvFormOf } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type AccessPort, maySet } from '../access/index.ts'
import { formatRules, readRules } from './rule-csv.ts'
import { byName, type KnownTag, presentCondition, readBody } from './rule-tags.ts'
import * as service from './rules-service.ts'
import * as store from './rules-store.ts'
import { type TrialSources, tryRule } from './try-rule.ts'

export interface RoutesDeps extends service.RulesDeps {
  readonly access: Pick<AccessPort, 'list'>
  /** The pool of histories. */
  readonly history: service.RulesDeps['db']
  readonly telemetry: TrialSources['telemetry']
}

/** The calls for rules that raise alarms. */
export function alarmRulesRoutes(deps: RoutesDeps): Binding[] {
  const { db } = deps

  const bodyOf = async (machineId: number, fields: contract.AlarmRuleFields) => {
    const body = readBody(fields, await deps.listTags(machineId))
    if (typeof body === 'string') throw service.failureOf(body)
    return body
  }
  const requireMachine = async (id: number) => {
    const machineId = await store.findMachineOfRule(db, id)
    if (machineId === undefined) throw new Failure('404')
    return machineId
  }
  const requireTemplate = async (machineId: number, id: number) => {
    const template = (await store.listTemplates(db, machineId)).find((one) => one.id === id)
    if (!template) throw new Failure('404')
    return template
  }
  const findRules = async (machineId: number, ids: readonly number[]) =>
    (await store.listRules(db, machineId)).filter(({ id }) => ids.includes(id))

  return [
    bind(contract.listAlarmRules, async ({ machineId }) => {
      const tags = byName(await deps.listTags(machineId))
      return (await store.listRules(db, machineId)).map((rule) => present(rule, tags))
    }),

    bind(contract.createAlarmRule, async ({ machineId, ...fields }) => {
      const body = await bodyOf(machineId, fields)
      const { ids, refused } = await service.addRules(deps, machineId, [body], { skipsKnown: false })
      const [id] = ids
      if (id === undefined) throw service.failureOf(refused[0]?.reason ?? 'full')
      return { id }
    }),

    bind(contract.updateAlarmRule, async ({ id, ...fields }) => {
      const machineId = await requireMachine(id)
      await service.editRule(deps, machineId, id, await bodyOf(machineId, fields))
      return {}
    }),

    bind(contract.deleteAlarmRule, async ({ id }) => {
      await service.removeRule(deps, await requireMachine(id), id)
      return {}
    }),

    bind(contract.tryAlarmRule, async ({ machineId, ...fields }, { now }) => {
      const body = await bodyOf(machineId, fields)
      return tryRule(
        { db: deps.history, telemetry: deps.telemetry },
        { machineId, zone: await store.findZone(db, machineId) },
        body,
        now,
      )
    }),

    bind(contract.copyAlarmRules, async ({ machineId, ids, machineIds }, { user, now }) => {
      const rules = await findRules(machineId, ids)
      const targets = [...new Set(machineIds)].filter((id) => id !== machineId)
      const access = await deps.access.list(user.userId, targets, now)
      let created = 0
      const refused: { machineId: number; id: number | null; reason: contract.RuleRefusal }[] = []
      for (const target of targets) {
        if (!maySet(access.get(target), 'alarm')) {
          refused.push({ machineId: target, id: null, reason: 'noRight' })
          continue
        }
        const done = await service.addRules(deps, target, rules.map(service.bodyOf), { skipsKnown: true })
        created += done.ids.length
        for (const { place, reason } of done.refused)
          refused.push({ machineId: target, id: rules[place]?.id ?? null, reason })
      }
      return { created, refused }
    }),

    bind(contract.listAlarmRuleTemplates, async ({ machineId }) =>
      (await store.listTemplates(db, machineId)).map(({ id, name, machineType, rules, updatedAt }) => ({
        id,
        name,
        machineType,
        rules: rules.length,
        updatedAt: updatedAt.getTime(),
      })),
    ),

    bind(contract.saveAlarmRuleTemplate, async ({ machineId, name, ids }) => ({
      id: await service.saveTemplate(deps, machineId, name, ids),
    })),

    bind(contract.applyAlarmRuleTemplate, async ({ id, machineId }) => {
      const { rules } = await requireTemplate(machineId, id)
      const done = await service.addRules(deps, machineId, rules, { skipsKnown: true })
      return { created: done.ids.length, refused: done.refused }
    }),

    bind(contract.deleteAlarmRuleTemplate, async ({ id, machineId }) => {
      await requireTemplate(machineId, id)
      await store.deleteTemplate(db, id)
      return {}
    }),

    bind(contract.exportAlarmRules, async ({ machineId, ...wish }) => ({
      csv: formatRules(await store.listRules(db, machineId), csvFormOf(wish)),
    })),

    bind(contract.importAlarmRules, async ({ machineId, csv }) => {
      const lines = await readRules(csv, await deps.listTags(machineId))
      if (!lines) throw new Failure('RULE_FILE_UNREADABLE')
      const good = lines.flatMap((one) => ('body' in one ? [one] : []))
      const bodies = good.map(({ body }) => body)
      const done = await service.addRules(deps, machineId, bodies, { skipsKnown: true })
      const refused = [
        ...lines.flatMap((one) => ('body' in one ? [] : [one])),
        ...done.refused.map(({ place, reason }) => ({ line: good[place]?.line ?? 0, reason, column: '' })),
      ]
      return { created: done.ids.length, refused: refused.sort((a, b) => a.line - b.line) }
    }),
  ]
}

function present(rule: store.ShownRule, tags: ReadonlyMap<string, KnownTag>): contract.AlarmRule {
  const { id, machineId, condition, level, onDelay, offDelay, text, instruction, activeHours } = rule
  return {
    id,
    machineId,
    ...presentCondition(condition, tags),
    tag: 'tag' in condition ? condition.tag.name : null,
    level,
    onDelay,
    offDelay,
    text,
    ...(instruction !== null && { instruction }),
    ...(activeHours !== null && { activeHours }),
    isActive: rule.isActive,
    raisedAt: rule.raisedAt?.getTime() ?? null,
    updatedAt: rule.updatedAt.getTime(),
  }
}
