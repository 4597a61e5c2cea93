import type { Kernel } from '../kernel.ts'
import { gauge } from '../metrics/index.ts'
import type { Module } from '../module.ts'
import { removeOldNodes } from './nodes-store.ts'

/** Shows other processes that this one lives, from before its first work until all of it is written. */
export function createNodesModule({ db, node }: Pick<Kernel, 'db' | 'node'>): Module {
  return {
    name: 'nodes',
    roles: ['api', 'edge', 'realtime', 'visits', 'jobs'],
    jobs: [{ name: 'nodes.removeOld', everyS: 3_600, run: () => removeOldNodes(db) }],
    start: () => node.start(),
    // Modules open in reverse, so that this is the last one.
    async open() {
      await node.open()
      return {}
    },
    stop: () => node.stop(),
    metrics() {
      const { living, leaving, lost, unread } = node.counts
      return [
        gauge('busbar_nodes', 'Processes of this platform; lost: silent since less than an hour', [
          { labels: { state: 'working' }, value: living - leaving },
          { labels: { state: 'leaving' }, value: leaving },
          { labels: { state: 'lost' }, value: lost },
        ]),
        gauge(
          'busbar_nodes_unread',
          'Processes whose messages this one cannot read, because their versions are too far apart',
          unread.length,
        ),
      ]
    },
  }
}
