import type { Kernel } from '../kernel.ts'
import { gauge } from '../metrics/index.ts'
import type { Module } from '../module.ts'
import { rightsFollower } from './follow-facts.ts'
import { removeOldRightChanges } from './right-changes.ts'

/** Runs the kernel's watch of changes of rights. */
export function createRightsModule({ db, rights }: Pick<Kernel, 'db' | 'rights'>): Module {
  return {
    name: 'rights',
    roles: ['api', 'edge', 'realtime', 'visits'],
    follows: [rightsFollower],
    health: [{ name: 'database', isWell: () => rights.isFresh() }],
    jobs: [{ name: 'rights.removeOld', everyS: 300, run: () => removeOldRightChanges(db) }],
    start: () => rights.start(),
    stop: () => rights.stop(),
    metrics: () => [
      gauge(
        'busbar_rights_read_age_seconds',
        'How long this process ran since changes of rights were read; from 5 s on what is open is cut',
        rights.unreadMs / 1_000,
      ),
    ],
    figures: () => ({ rightsAgeMs: rights.unreadMs }),
  }
}
