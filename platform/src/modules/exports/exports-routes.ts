import { exports as contract, exportLimits, type InputOf, type Lang } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import type { ExportWish } from './export-wish.ts'
import * as service from './exports-service.ts'
import { listExports, type StoredExport } from './exports-store.ts'

/** The calls for exports. */
export function exportsRoutes(deps: service.ExportsDeps): Binding[] {
  return [
    bind(contract.previewExport, (input, { user, lang }) => service.preview(deps, user, wishOf(input, lang))),

    bind(contract.createExport, async (input, context) => ({
      jobId: await service.add(deps, context, wishOf(input, context.lang)),
    })),

    bind(contract.listExports, async (_, { user }) =>
      (await listExports(deps.db, user.userId, exportLimits.exportsListed)).map(present),
    ),

    bind(contract.getExport, async ({ jobId }, { user }) => {
      const one = await service.findOwn(deps, user, jobId)
      const lost = await service.listLost(deps, one)
      const isThere = one.state === 'ready' && lost.length === 0
      return { ...present(one), lost, url: isThere ? service.fileAddressOf(one.id) : null }
    }),

    bind(contract.deleteExport, async ({ jobId }, { user }) => {
      await service.cancelOrRemove(deps, user, jobId)
      return {}
    }),

    bind(contract.downloadExport, ({ jobId }, context) => service.download(deps, context, jobId)),
  ]
}

const wishOf = (input: InputOf<typeof contract.createExport>, lang: Lang): ExportWish => ({
  ...input,
  tagIds: [...new Set(input.tagIds)],
  lang,
})

function present({ id, wish, createdAt, endedAt, expiresAt, ...one }: StoredExport): contract.ExportRow {
  return {
    jobId: id,
    name: one.name,
    state: one.state,
    progress: one.progress,
    machines: wish.machines.map(({ name }) => name),
    tags: wish.tagIds.length,
    from: wish.from,
    to: wish.to,
    format: wish.format,
    layout: wish.layout,
    timezone: wish.timezone,
    interval: wish.interval ?? null,
    agg: wish.interval === undefined ? null : wish.agg,
    rows: one.rows,
    bytes: one.state === 'ready' ? one.bytes : null,
    reason: one.reason,
    damaged: one.damaged > 0,
    createdAt: createdAt.getTime(),
    endedAt: endedAt?.getTime() ?? null,
    expiresAt: one.state === 'ready' ? (expiresAt?.getTime() ?? null) : null,
  }
}
