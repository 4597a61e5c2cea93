import { platformAlarms } from '@busbar/contract'
import type { DuringFollower } from '../../kernel/facts/follower.ts'
import { insertRuleOfEnterprise, type RuleBody } from './rules-store.ts'

/** Longer than a restart of the device or its router, shorter than a shift. */
const awayMinutes = 10

const awayRule: RuleBody = {
  condition: { kind: 'away', minutes: awayMinutes },
  level: 'major',
  onDelay: 0,
  offDelay: 0,
  text: platformAlarms.away.text,
  instruction: null,
  activeHours: null,
}

/** Gives a machine that comes to an enterprise a rule on absence, unless that is switched off (rules/alarms.md: rules). */
export const newDeviceFollower: DuringFollower<'machine.ownerChanged'> = {
  mode: 'during',
  name: 'alarmRules.newDevice',
  kinds: ['machine.ownerChanged'],
  async follow(trx, facts) {
    for (const { machineId, to, at } of facts)
      if (to && 'enterpriseId' in to)
        await insertRuleOfEnterprise(trx, to.enterpriseId, machineId, awayRule, new Date(at))
  },
}
