import type { Kernel } from '../kernel.ts'
import { counter, gauge } from '../metrics/index.ts'
import type { Module } from '../module.ts'
import { removeOldNodes } from './nodes-store.ts'

/** Shows other processes that this one lives, from before its first work until all of it is written. */
export function createNodesModule({
  db,
  node,
  peers,
  certificate,
  logger,
  onReplaced,
}: Pick<Kernel, 'db' | 'node' | 'peers' | 'certificate' | 'logger' | 'onReplaced'>): Module {
  let isStarted = false
  const isRevoked = () =>
    certificate !== undefined &&
    peers?.directory.isRevoked(certificate.nodeId, certificate.validFrom) === true
  const unsubscribe = peers?.directory.onRead(() => {
    if (!isRevoked() || !isStarted) return
    logger.error({ nodeId: node.id }, 'node.revoked')
    peers.directory.stop()
    onReplaced?.()
  })
  return {
    name: 'nodes',
    roles: ['api', 'edge', 'realtime', 'visits', 'jobs'],
    jobs: [{ name: 'nodes.removeOld', everyS: 3_600, run: () => removeOldNodes(db) }],
    async start() {
      await node.start()
      await peers?.directory.refresh()
      if (isRevoked()) {
        await node.stop()
        throw new Error(
          `The certificate of node ${node.id} was revoked. Make it a new one: busbar node certificates`,
        )
      }
      isStarted = true
      peers?.directory.start()
      certificate?.start()
    },
    // Modules open in reverse, so that this is the last one.
    async open() {
      await node.open()
      return {}
    },
    async stop() {
      unsubscribe?.()
      certificate?.stop()
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
        gauge(
          'busbar_node_certificate_expires_seconds',
          'When this node’s certificate for other nodes expires, epoch seconds; none without one',
          certificate ? [{ value: certificate.expiresAt.getTime() / 1_000 }] : [],
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
