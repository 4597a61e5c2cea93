import { onNextOwner } from '../../../kernel/facts/next-owner.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { Module } from '../../../kernel/module.ts'
import type { AccessPort } from '../../access/index.ts'
import { sitesRoutes } from './sites-routes.ts'
import { removeMarksOf, removeOldViewers, viewedMs } from './sites-store.ts'

interface Deps {
  readonly access: AccessPort
}

/** Sites: a place of machines under one roof, with plans on which they stand (rules/places.md: sites). */
export function createSitesModule({ db, now }: Kernel, { access }: Deps): Module {
  return {
    name: 'sites',
    roles: ['api'],
    routes: sitesRoutes({ db, access }),
    follows: [onNextOwner('sites.ownerChanged', (trx, { machineId }) => removeMarksOf(trx, machineId))],
    jobs: [
      {
        name: 'sites.removeOld',
        everyS: 3_600,
        run: () => removeOldViewers(db, new Date(now() - viewedMs)),
      },
    ],
  }
}
