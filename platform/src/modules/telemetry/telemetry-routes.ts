import { telemetry as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import type { Telemetry } from './telemetry.ts'
import { presentLatest } from './telemetry-views.ts'

export function telemetryRoutes(telemetry: Telemetry): Binding[] {
  return [
    bind(contract.listTags, ({ machineId }, { lang }) => telemetry.listTags(machineId, lang)),

    bind(contract.listLatest, async ({ machineId, tags }) =>
      (await telemetry.listLatest(machineId, tags)).map(presentLatest),
    ),

    bind(contract.getHistory, ({ tagIds, interval, ...request }, { lang }) =>
      telemetry.history({ ...request, tagIds: [...new Set(tagIds)], intervalMs: interval, lang }),
    ),
  ]
}
