import type { Kernel } from '../kernel.ts'
import type { Module } from '../module.ts'
import { removeOldNodes } from './nodes-store.ts'

/** Shows other processes that this one lives, from before its first work until all of it is written. */
export function createNodesModule({ db, node }: Pick<Kernel, 'db' | 'node'>): Module {
  return {
    name: 'nodes',
    roles: ['api', 'edge', 'realtime', 'visits', 'jobs'],
    jobs: [{ name: 'nodes.removeOld', everyS: 3_600, run: () => removeOldNodes(db) }],
    start: () => node.start(),
    stop: () => node.stop(),
  }
}
