import { hasOutsideAddress } from '../../config.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { counter, gauge } from '../../kernel/metrics/index.ts'
import type { Module } from '../../kernel/module.ts'
import type { BrandsModule } from '../brands/index.ts'
import { FetchGate } from './fetch-gate.ts'
import { TileArchives } from './tile-archives.ts'
import { TileCache } from './tile-cache.ts'
import { TileServer } from './tile-server.ts'
import { tilesRoutes } from './tiles-routes.ts'

interface Deps {
  readonly brands: Pick<BrandsModule, 'directory'>
  /** The folder of tiles that are kept. */
  readonly dir: string
}

/** Maps of the deployment's own (rules/places.md: maps of the deployment). */
export function createTilesModule(kernel: Kernel, { brands, dir }: Deps): Module {
  const { db, config, logger, secrets, outgoingCalls, now } = kernel
  const cache = new TileCache({ dir, bytesMax: config.TILE_CACHE_MB_MAX * 1024 ** 2, logger, now })
  const archives = new TileArchives(config.TILES_DIR)
  const gate = new FetchGate()
  const server = new TileServer({ db, logger, secrets, outgoingCalls, cache, archives, gate, now })
  return {
    name: 'tiles',
    roles: ['api'],
    start: () => cache.start(),
    async stop() {
      gate.stop()
      await cache.stop()
    },
    routes: tilesRoutes({
      ...{ db, secrets, outgoingCalls, archives, server },
      brands: brands.directory,
      isPublic: hasOutsideAddress(config),
    }),
    metrics: () => [
      counter(
        'busbar_tiles_total',
        'Tiles of maps: kept on disk, fetched, of own files, missing there, failed, or of a source that rests',
        [...server.outcomes].map(([outcome, value]) => ({ labels: { outcome }, value })),
      ),
      gauge('busbar_tile_cache_bytes', 'Tiles that this process keeps on disk', cache.bytes),
    ],
  }
}
