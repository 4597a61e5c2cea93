import { sql } from 'kysely'
import type { Kernel } from '../kernel.ts'
import { gauge, Measured } from '../metrics/index.ts'
import type { Module } from '../module.ts'
import { type Database, poolStats } from './database.ts'
import { areSamplesApart, listPools } from './pools.ts'

/** The metrics of the connection pools and of their servers; the process that made them closes them. */
export function createDatabaseModule({ pools, logger }: Pick<Kernel, 'pools' | 'logger'>): Module {
  const databases = [
    { database: 'main', db: pools.calls },
    ...(areSamplesApart(pools) ? [{ database: 'samples', db: pools.samples.calls }] : []),
  ]
  const servers = new Measured(
    databases.map(({ database }) => ({ database, open: 0, max: 0 })),
    () =>
      Promise.all(databases.map(async ({ database, db }) => ({ database, ...(await countConnections(db)) }))),
    logger,
  )
  return {
    name: 'database',
    roles: ['api', 'edge', 'realtime', 'visits', 'jobs'],
    start: () => servers.start(),
    stop: () => servers.stop(),
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
        gauge(
          'busbar_database_server_connections',
          'Connections of all programs to the server of a database',
          servers.value.map(({ database, open }) => ({ labels: { database }, value: open })),
        ),
        gauge(
          'busbar_database_server_connections_max',
          'Connections that the server gives to programs that are not its administrators',
          servers.value.map(({ database, max }) => ({ labels: { database }, value: max })),
        ),
      ]
    },
  }
}

async function countConnections(db: Database): Promise<{ open: number; max: number }> {
  const { rows } = await sql<{ open: number; max: number }>`
    select sum(numbackends)::int as open,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max
    from pg_stat_database`.execute(db)
  return rows[0] ?? { open: 0, max: 0 }
}
