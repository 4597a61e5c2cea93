import type { Kernel } from '../kernel.ts'
import { counter, gauge } from '../metrics/index.ts'
import type { Module } from '../module.ts'
import { removeOldNodes } from './nodes-store.ts'

/** Shows other processes that this one lives, from before its first work until all of it is written. */
export function createNodesModule({ db, node, peers }: Pick<Kernel, 'db' | 'node' | 'peers'>): Module {
  return {
    name: 'nodes',
    roles: ['api', 'edge', 'realtime', 'visits', 'jobs'],
    jobs: [{ name: 'nodes.removeOld', everyS: 3_600, run: () => removeOldNodes(db) }],
    async start() {
      await node.start()
      peers?.directory.start()
    },
    // Modules open in reverse, so that this is the last one.
    async open() {
      await node.open()
      return {}
    },
    async stop() {
      peers?.directory.stop()
      peers?.permits.stop()
      await node.stop()
    },
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
        counter(
          'busbar_permits_refused_total',
          'Writes and streams that another node did not permit',
          Object.entries(peers?.permits.refused ?? {}).map(([reason, value]) => ({
            labels: { reason },
            value,
          })),
        ),
      ]
    },
  }
}
