import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { counter, gauge, queueLength } from '../../kernel/metrics/index.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessDoor } from '../access/index.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import { alarmRulesRoutes } from './alarm-rules-routes.ts'
import { RuleEngine } from './rule-engine.ts'
import { deleteRulesOf, findMachineOfRule } from './rules-store.ts'

export interface AlarmRulesModule extends Module {
  readonly engine: RuleEngine
  findMachineOfRule(ruleId: number): Promise<number | undefined>
}

/** Rules that raise alarms from the values of machines. */
export function createAlarmRulesModule(
  { db, pools, facts, logger, node, now }: Kernel,
  { telemetry, access }: { telemetry: TelemetryModule; access: AccessDoor },
): AlarmRulesModule {
  const { store } = telemetry
  const samplesDb = pools.samples.calls
  const engine = new RuleEngine({ db, samplesDb, telemetry: store, facts, logger, nodeId: node.id, now })
  return {
    name: 'alarm-rules',
    roles: ['api', 'edge'],
    engine,
    findMachineOfRule: (id) => findMachineOfRule(db, id),
    routes: alarmRulesRoutes({
      db,
      history: pools.history,
      telemetry: store,
      facts,
      access,
      now,
      listTags: (machineId) => store.listWireTags(machineId, 'cn'),
    }),
    machineOf: { rule: (id) => findMachineOfRule(db, id) },
    follows: [
      onNextOwner('alarmRules.ownerChanged', (trx, { machineId }) => deleteRulesOf(trx, machineId)),
      {
        mode: 'live',
        name: 'alarmRules.evaluated',
        kinds: ['alarmRules.changed', 'machine.ownerChanged'],
        follow(changes) {
          // Other followers do not wait for it.
          void engine.reload(changes.flatMap(({ machineId }) => machineId ?? []))
        },
      },
    ],
    start: () => engine.start(),
    stop: () => engine.stop(),
    metrics() {
      const { rules, waiting, written, dropped } = engine.stats()
      return [
        gauge('busbar_alarm_rules', 'Rules that are evaluated', rules),
        counter('busbar_alarm_rule_outcomes_total', 'Alarms that rules raised or cleared', written),
        counter(
          'busbar_alarm_rule_outcomes_dropped_total',
          'Those left out because too many waited',
          dropped,
        ),
        queueLength('rule_outcomes', waiting),
      ]
    },
  }
}
