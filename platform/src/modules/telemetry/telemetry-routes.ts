import { telemetry as contract } from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import type { Telemetry } from './telemetry.ts'
import { presentLatest } from './telemetry-views.ts'

/** Tags, what they are now and were before, and what machines sent lately. */
export function telemetryRoutes(
  telemetry: Pick<Telemetry, 'listTags' | 'history' | 'statistics'>,
  link: Pick<EdgeLink, 'latest' | 'rawMessages'>,
): Binding[] {
  return [
    bind(contract.listTags, ({ machineId }, { lang }) => telemetry.listTags(machineId, lang)),

    bind(contract.listLatest, async ({ machineId, tags }) =>
      (await link.latest(machineId, tags)).map(presentLatest),
    ),

    bind(contract.listRawMessages, ({ machineId, limit }) => link.rawMessages(machineId, limit)),

    bind(contract.getHistory, ({ tagIds, interval, ...request }, { lang }) =>
      telemetry.history({ ...request, tagIds: [...new Set(tagIds)], intervalMs: interval, lang }),
    ),

    bind(contract.getStatistics, ({ tagIds, ...span }) =>
      telemetry.statistics({ ...span, tagIds: [...new Set(tagIds)] }),
    ),
  ]
}
