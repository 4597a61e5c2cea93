import type { Kernel } from '../kernel.ts'
import { gauge } from '../metrics/index.ts'
import type { Module } from '../module.ts'
import { poolStats } from './database.ts'
import { listPools } from './pools.ts'

/** The metrics of the connection pools; the process that made them closes them. */
export function createDatabaseModule({ pools }: Pick<Kernel, 'pools'>): Module {
  return {
    name: 'database',
    roles: ['api', 'edge', 'realtime', 'visits', 'jobs'],
    metrics() {
      const stats = listPools(pools).map(({ pool, db }) => ({ pool, ...poolStats(db) }))
      return [
        gauge(
          'busbar_database_connections',
          'Connections to the database',
          stats.flatMap(({ pool, open, idle }) => [
            { labels: { pool, state: 'busy' }, value: open - idle },
            { labels: { pool, state: 'idle' }, value: idle },
          ]),
        ),
        gauge(
          'busbar_database_connections_max',
          'Connections allowed (DATABASE_POOL, shared among the pools, and one of the node; those of TELEMETRY_URL come on top)',
          stats.map(({ pool, max }) => ({ labels: { pool }, value: max })),
        ),
        gauge(
          'busbar_database_waiting',
          'Queries for which there was no connection',
          stats.map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
        ),
      ]
    },
  }
}
