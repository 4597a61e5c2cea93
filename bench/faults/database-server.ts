import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { PostgresConnection } from '@busbar/platform/kernel/database/connection.ts'
import { clusterDirOf } from '@busbar/platform/kernel/database/postgres-cluster.ts'
import { listProcessesIn, signal } from '@busbar/platform/kernel/database/postgres-leftovers.ts'
import {
  findPostgresServer,
  type PostgresServer,
  startPostgresServer,
} from '@busbar/platform/kernel/database/postgres-server.ts'

/** The platform's PostgreSQL, with full control over its processes. */
export interface DatabaseServer {
  /** For the platform's `DATABASE_URL`; undefined: it brings its own. */
  readonly url: string | undefined
  find(): Promise<PostgresConnection | undefined>
  postmaster(): Promise<number | undefined>
  /** A process that serves a connection. */
  backend(): Promise<number | undefined>
  /** The postmaster and all its processes. */
  processes(): Promise<number[]>
  /** Ends it, and prevents a start until the returned function is called. */
  takeAway(): Promise<() => Promise<void>>
  stop(): Promise<void>
}

/** The server that a platform on this data folder runs as its child. */
export function embeddedServer(dataDir: string): DatabaseServer {
  const control = join(clusterDirOf(dataDir), 'global/pg_control')
  return {
    ...processesOf(dataDir),
    url: undefined,
    find: () => findPostgresServer(dataDir),
    async takeAway() {
      // Without this file a postmaster ends immediately, however often the platform starts one.
      await rename(control, `${control}.away`)
      for (const pid of await listProcessesIn(clusterDirOf(dataDir))) signal(pid, 'SIGKILL')
      return () => rename(`${control}.away`, control)
    },
    stop: async () => {},
  }
}

/** A server of the operator's, run by this process and kept running; `DATABASE_URL` names it. */
export async function startExternalServer(dataDir: string): Promise<DatabaseServer> {
  let server: PostgresServer = await startPostgresServer({ dataDir })
  return {
    ...processesOf(dataDir),
    url: server.url,
    find: async () => server.connection,
    async takeAway() {
      await server.stop()
      return async () => {
        server = await startPostgresServer({ dataDir })
      }
    },
    stop: () => server.stop(),
  }
}

function processesOf(dataDir: string): Pick<DatabaseServer, 'postmaster' | 'backend' | 'processes'> {
  const clusterDir = clusterDirOf(dataDir)
  return {
    async postmaster() {
      const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '')
      const pid = Number(text.split('\n')[0])
      return pid > 1 && (await listProcessesIn(clusterDir)).includes(pid) ? pid : undefined
    },
    async backend() {
      for (const pid of await listProcessesIn(clusterDir)) {
        const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
        if (title.includes('[local]')) return pid
      }
      return undefined
    },
    processes: () => listProcessesIn(clusterDir),
  }
}
