import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { BrandsModule } from '../brands/index.ts'
import type { OutgoingModule } from '../outgoing/index.ts'
import { scadaRoutes } from './scada-routes.ts'

interface Deps {
  readonly brands: BrandsModule
  readonly outgoing: OutgoingModule
}

/** Requests to register a SCADA computer. */
export function createScadaModule({ db }: Kernel, { brands, outgoing }: Deps): Module {
  const routes = scadaRoutes({ db, brands: brands.directory, outgoing: outgoing.outgoing })
  return { name: 'scada', roles: ['api'], routes }
}
