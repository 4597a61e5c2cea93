import { alarmRules as contract, csvFormOf, type Lang, operator } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type AccessPort, maySet } from '../access/index.ts'
import type { Telemetry } from '../telemetry/index.ts'
import { formatRules, readRules } from './rule-csv.ts'
import { byName, type KnownTag, namesIn, presentCondition, readBody } from './rule-tags.ts'
import * as service from './rules-service.ts'
import * as store from './rules-store.ts'
import { listSpaceRules, type SpaceRule } from './space-rules-store.ts'
import { type TrialSources, tryRule } from './try-rule.ts'

export interface RoutesDeps extends service.RulesDeps {
  readonly access: Pick<AccessPort, 'list' | 'listAlarmMachines'>
  /** The pool of histories. */
  readonly history: service.RulesDeps['db']
  readonly telemetry: TrialSources['telemetry'] & Pick<Telemetry, 'listNamedTags'>
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

    bind(contract.listAllAlarmRules, async (input, { user, lang, now }) => {
      const { eid, page, pageSize } = input
      const listed = await deps.access.listAlarmMachines(user.userId, { eid }, now)
      const scope = { userId: user.userId, eid, machines: listed }
      const { rules, total } = await listSpaceRules(db, scope, input)
      const countMax = operator.rowsCountedMax
      return {
        list: await presentOfSpace(deps, rules, { userId: user.userId, lang, now }),
        ...{ total: Math.min(total, countMax), isCut: total > countMax, page, pageSize },
      }
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

/** Rules of several machines, with what a reader needs to say them. */
async function presentOfSpace(
  { access, telemetry }: Pick<RoutesDeps, 'access' | 'telemetry'>,
  rules: readonly SpaceRule[],
  { userId, lang, now }: { readonly userId: number; readonly lang: Lang; readonly now: number },
): Promise<contract.AlarmRuleOfSpace[]> {
  const wireNames = rules.flatMap(({ machineId, condition }) =>
    namesIn(condition).map(({ group, name }) => ({ machineId, group, tag: name })),
  )
  const [rights, tags] = await Promise.all([
    access.list(userId, [...new Set(rules.map(({ machineId }) => machineId))], now),
    telemetry.listNamedTags(wireNames, lang),
  ])
  const keyOf = (machineId: number, group: string, name: string) => `${machineId}\n${group}\n${name}`
  const found = new Map(tags.map(({ machineId, ...tag }) => [keyOf(machineId, tag.wireGroup, tag.tag), tag]))
  return rules.map((rule) => {
    const own = namesIn(rule.condition).flatMap(
      ({ group, name }) => found.get(keyOf(rule.machineId, group, name)) ?? [],
    )
    return {
      ...present(rule, byName(own.map((tag) => ({ ...tag, group: tag.wireGroup })))),
      machineCode: rule.machineCode,
      machineName: rule.machineName,
      tags: own,
      mayEdit: maySet(rights.get(rule.machineId), 'alarm'),
    }
  })
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
