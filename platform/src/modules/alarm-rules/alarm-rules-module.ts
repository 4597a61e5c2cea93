import { onNextOwner } from '../../kernel/facts/next-owner.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { AccessPort } from '../access/index.ts'
import type { TelemetryModule } from '../telemetry/index.ts'
import { alarmRulesRoutes } from './alarm-rules-routes.ts'
import { newDeviceFollower } from './new-device.ts'
import { deleteRulesOf, findMachineOfRule } from './rules-store.ts'

export interface AlarmRulesModule extends Module {
  findMachineOfRule(ruleId: number): Promise<number | undefined>
}

/** Rules that raise alarms from the values of machines. */
export function createAlarmRulesModule(
  { db, pools, facts, now }: Kernel,
  { telemetry: { store }, access }: { telemetry: TelemetryModule; access: AccessPort },
): AlarmRulesModule {
  return {
    name: 'alarm-rules',
    roles: ['api', 'edge', 'jobs'],
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
    // In this order: the rules of the former owner go before the next one's come.
    follows: [
      onNextOwner('alarmRules.ownerChanged', (trx, { machineId }) => deleteRulesOf(trx, machineId)),
      newDeviceFollower,
    ],
  }
}
