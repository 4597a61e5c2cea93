import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import type { BrandsModule } from '../brands/index.ts'
import { createOutgoing, type Outgoing } from './outgoing.ts'

export interface OutgoingModule extends Module {
  readonly outgoing: Outgoing
}

/** SMS and e-mail. */
export function createOutgoingModule(
  { db, jobs, config, now }: Kernel,
  { brands }: { readonly brands: BrandsModule },
): OutgoingModule {
  const brandOf = (id: number) => brands.directory.get(id)
  const outgoing = createOutgoing({ db, jobs, config, now, brandOf })
  return {
    name: 'outgoing',
    roles: ['api', 'jobs'],
    outgoing,
    jobs: outgoing.jobs,
    stop: () => outgoing.close(),
  }
}
