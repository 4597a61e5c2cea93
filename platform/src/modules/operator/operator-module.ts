import type { GatewayModule } from '../../gateway/gateway-module.ts'
import { collectFigures } from '../../kernel/figures.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { BrandsModule } from '../brands/index.ts'
import { operatorRoutes } from './operator-routes.ts'

interface Deps {
  readonly brands: BrandsModule
  readonly gateway: GatewayModule
  /** The modules whose figures an operator reads. */
  readonly measured: readonly Module[]
}

/** The back office. */
export function createOperatorModule(kernel: Kernel, { brands, gateway, measured }: Deps): Module {
  const { db, pools, now } = kernel
  return {
    name: 'operator',
    roles: ['api'],
    routes: operatorRoutes({
      db,
      lists: pools.lists,
      brands: brands.directory,
      figures: () => collectFigures(measured),
      isOnline: (id) => gateway.gateway.presence.isOnline(id),
      startedAt: now(),
    }),
  }
}
