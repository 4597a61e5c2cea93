import type { EdgeLink } from '../../edge-link/edge-link.ts'
import { collectFigures } from '../../kernel/figures.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { BrandsModule } from '../brands/index.ts'
import { factsRoutes } from './facts-routes.ts'
import { jobsRoutes } from './jobs-routes.ts'
import { operatorRoutes } from './operator-routes.ts'
import { subjectsRoutes } from './subjects-routes.ts'

interface Deps {
  readonly brands: BrandsModule
  readonly link: EdgeLink
  /** The modules whose figures an operator reads. */
  readonly measured: readonly Module[]
}

/** The back office. */
export function createOperatorModule(kernel: Kernel, { brands, link, measured }: Deps): Module {
  const { config, db, pools, facts, jobs, now } = kernel
  return {
    name: 'operator',
    roles: ['api'],
    routes: [
      ...jobsRoutes({ db, lists: pools.lists, jobs }),
      ...factsRoutes({ db, facts }),
      ...subjectsRoutes({ lists: pools.lists, link, valuesMax: config.MACHINE_VALUES_PER_SECOND }),
      ...operatorRoutes({
        db,
        lists: pools.lists,
        brands: brands.directory,
        figures: () => collectFigures(measured),
        link,
        startedAt: now(),
      }),
    ],
  }
}
