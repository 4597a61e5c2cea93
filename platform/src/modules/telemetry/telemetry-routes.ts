import { telemetry as contract } from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import { NotReachable } from '../../edge-link/not-reachable.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import type { Telemetry } from './telemetry.ts'
import { presentLatest } from './telemetry-views.ts'

/** Tags, their current and past values, and the latest messages of machines. */
export function telemetryRoutes(
  telemetry: Pick<Telemetry, 'listTags' | 'history' | 'statistics'>,
  link: Pick<EdgeLink, 'latest' | 'rawMessages' | 'peekHere'>,
): Binding[] {
  return [
    bind(contract.listTags, async ({ machineId }, { lang }) => {
      const tags = await telemetry.listTags(machineId, lang)
      if (link.peekHere([machineId])[0] === 1) return tags
      // Memory has the times of values that came to this process.
      const newest = await link.latest(machineId).catch((error) => {
        if (error instanceof NotReachable) return []
        throw error
      })
      const lastAt = new Map(newest.map(({ tagId, time }) => [tagId, time]))
      return tags.map((tag) => ({ ...tag, lastAt: lastAt.get(tag.tagId) ?? tag.lastAt }))
    }),

    bind(contract.listLatest, async ({ machineId, tags }) =>
      (await link.latest(machineId, tags)).map(presentLatest),
    ),

    bind(contract.listRawMessages, ({ machineId, limit }) => link.rawMessages(machineId, limit)),

    bind(contract.getHistory, ({ tagIds, interval, ...request }, { lang, signal }) =>
      telemetry.history({ ...request, tagIds: [...new Set(tagIds)], intervalMs: interval, lang, signal }),
    ),

    bind(contract.getStatistics, ({ tagIds, ...span }, { signal }) =>
      telemetry.statistics({ ...span, tagIds: [...new Set(tagIds)], signal }),
    ),
  ]
}
