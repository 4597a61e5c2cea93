import { tiles as contract, type FileAnswer, type InputOf, operator } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { auditAct } from '../audit/index.ts'
import type { BrandDirectory } from '../brands/index.ts'
import type { TileArchives } from './tile-archives.ts'
import type { TileServer } from './tile-server.ts'
import { checkSource, createSource, removeSource, updateSource } from './tiles-service.ts'
import { findSource, listSources, type StoredTileSource } from './tiles-store.ts'

interface Deps extends Pick<Kernel, 'db' | 'secrets' | 'outgoingCalls'> {
  readonly archives: TileArchives
  readonly server: TileServer
  readonly brands: Pick<BrandDirectory, 'list'>
  /** Whether people reach this deployment from outside. */
  readonly isPublic: boolean
}

/** The maps that people choose from, and the operators' calls for them. */
export function tilesRoutes(deps: Deps): Binding[] {
  const { db, archives, server } = deps

  async function answerTile(
    { id, z, x, y }: InputOf<typeof contract.getTile>,
    userId: number,
    brandId?: number,
  ): Promise<FileAnswer> {
    for (const [field, at] of [
      ['x', x],
      ['y', y],
    ] as const)
      if (at >= 2 ** z) throw new Failure('400', { field })
    const source = await findSource(db, id)
    if (!source || (brandId !== undefined && source.brandId !== brandId)) throw new Failure('404')
    if (z < source.minZoom || z > source.maxZoom) throw new Failure('404')
    return server.answer(source, { z, x, y }, userId)
  }

  return [
    bind(contract.listSources, async (_, { brand }) => {
      const sources = await listSources(db, brand.id)
      return sources.map(({ id, name, system, minZoom, maxZoom, attribution, reviewNumber, version }) => ({
        ...{ id, name, system, minZoom, maxZoom, attribution, reviewNumber, version },
      }))
    }),

    bind(contract.getTile, (input, { user, brand }) => answerTile(input, user.userId, brand.id)),

    bind(operator.getTilePreview, (input, { user }) => answerTile(input, user.userId)),

    bind(operator.listTileSources, async ({ page, pageSize, search }) => {
      const all = await listSources(db)
      const wished = search?.toLowerCase() ?? ''
      const found = all.filter(({ name, url }) =>
        [name.cn, name.en, url].some((text) => text.toLowerCase().includes(wished)),
      )
      return {
        list: found.slice((page - 1) * pageSize, page * pageSize).map(presentSource),
        total: found.length,
        page,
        pageSize,
        unreviewed: deps.isPublic ? listUnreviewed(deps.brands, all) : [],
        files: await archives.list(),
      }
    }),

    bind(operator.createTileSource, async (fields, context) => {
      const checked = await checkSource(deps, fields)
      const id = await db.transaction().execute(async (trx) => {
        const made = await createSource(deps, trx, checked)
        const detail = detailOf(made, checked.body)
        await auditAct(trx, context, { action: 'tileSource.create', target: fields.name.en, detail })
        return made
      })
      return { id }
    }),

    bind(operator.updateTileSource, async ({ id, ...fields }, context) => {
      if (!(await findSource(db, id))) throw new Failure('404')
      const checked = await checkSource(deps, fields)
      await db.transaction().execute(async (trx) => {
        await updateSource(deps, trx, id, checked)
        const detail = detailOf(id, checked.body)
        await auditAct(trx, context, { action: 'tileSource.update', target: fields.name.en, detail })
      })
      return {}
    }),

    bind(operator.removeTileSource, async ({ id }, context) => {
      await db.transaction().execute(async (trx) => {
        const { name, brandId } = await removeSource(trx, id)
        await auditAct(trx, context, {
          action: 'tileSource.remove',
          target: name.en,
          detail: { id, brandId },
        })
      })
      return {}
    }),
  ]
}

/** The address has the place of the key, and not the key. */
const detailOf = (
  id: number,
  { brandId, kind, url, reviewNumber }: Pick<StoredTileSource, 'brandId' | 'kind' | 'url' | 'reviewNumber'>,
) => ({ id, brandId, kind, url, reviewNumber })

function presentSource({ keySealed, failedAt, ...source }: StoredTileSource): operator.TileSourceRow {
  return { ...source, hasKey: keySealed !== null, failedAt: failedAt?.getTime() ?? null }
}

/** The brands with an ICP number, which a site of mainland China has, whose people see no reviewed map. */
function listUnreviewed(brands: Pick<BrandDirectory, 'list'>, sources: readonly StoredTileSource[]) {
  const reviewed = new Set(
    sources.flatMap(({ brandId, reviewNumber }) => (reviewNumber === '' ? [] : brandId)),
  )
  return brands
    .list()
    .filter(({ id, icp, archivedAt }) => icp !== '' && archivedAt === null && !reviewed.has(id))
    .map(({ platformName }) => platformName)
}
