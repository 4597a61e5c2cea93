import { retention as contract } from '@busbar/contract'
import { bind } from '../../kernel/http/bind.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { getRetention, setRetention } from './retention-service.ts'

/** The settings of how long samples are kept; telemetry's job deletes by them. */
export function createRetentionModule({ db, config }: Kernel): Module {
  const deps = { db, rawDaysMax: config.RETENTION_RAW_DAYS_MAX }
  return {
    name: 'retention',
    roles: ['api'],
    routes: [
      bind(contract.getRetention, ({ eid }, { user, now }) => getRetention(deps, user.userId, eid, now)),
      bind(contract.setRetention, async (wish, context) => {
        await setRetention(deps, context, wish)
        return {}
      }),
    ],
  }
}
