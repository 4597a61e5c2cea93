import { type AnswerOf, alarmRules, type Lang } from '@busbar/contract'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'

export type AlarmRule = alarmRules.AlarmRule
export type RuleTemplate = alarmRules.AlarmRuleTemplate
export type RuleTrial = AnswerOf<typeof alarmRules.tryAlarmRule>

/** The key with which all queries of a machine's rules begin. */
export const rulesKey = (machineId: number) => ['machines', machineId, 'rules'] as const

/** The key with which all queries of the rules of all devices begin. */
export const allRulesKey = ['alarmRules'] as const

/** The alarm of a rule is raised and cleared without a change to the rule. */
export const rulesRefreshMs = 10_000

/** The rules of a machine. */
export function rulesQuery(machineId: number, lang: Lang) {
  return queryOptions({
    // Names of variables come in the caller's language.
    queryKey: [...rulesKey(machineId), 'list', lang],
    queryFn: ({ signal }) => call(alarmRules.listAlarmRules, { machineId }, { signal, noNotice: true }),
    refetchInterval: rulesRefreshMs,
  })
}

/** The templates for the type of a machine. */
export function ruleTemplatesQuery(machineId: number) {
  return queryOptions({
    queryKey: [...rulesKey(machineId), 'templates'],
    queryFn: ({ signal }) =>
      call(alarmRules.listAlarmRuleTemplates, { machineId }, { signal, noNotice: true }),
  })
}
