/** Rules that raise alarms from the values of machines, and the engine that evaluates them. */
export { type AlarmRulesModule, createAlarmRulesModule } from './alarm-rules-module.ts'
export type { StoredCondition } from './rule-condition.ts'
export { createRuleEngineModule } from './rule-engine-module.ts'
