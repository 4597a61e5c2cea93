import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PostgresConnection } from '@busbar/platform/database/connection.ts'
import { type PostgresServer, startPostgresServer } from '@busbar/platform/database/postgres-server.ts'

/** How the test processes learn where the server is. */
const variable = 'BUSBAR_TEST_POSTGRES'
const folderPrefix = 'busbar-test-'

/** Nothing here has to survive a power cut. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  checkpoint_timeout: '1h',
  // A worker of the server's own may not be ended by the one who drops a database with it inside.
  autovacuum: 'off',
}

interface Shared {
  users: number
  /** The variable's value before: a worker of a run that has a server may start one more. */
  former: string | undefined
  server: Promise<{ server: PostgresServer; dataDir: string }>
}

// Vitest loads a setup file once for each project of a run, each time as a module of its own.
const holder = globalThis as typeof globalThis & { busbarTestPostgres?: Shared | undefined }

/**
 * Starts the PostgreSQL that all tests of this process and of its children share; asked again, it is the same one.
 * Resolves to what ends it: with the last of those calls the server stops and its folder is removed.
 */
export async function startTestPostgres(): Promise<() => Promise<void>> {
  holder.busbarTestPostgres ??= { users: 0, former: process.env[variable], server: startServer() }
  const shared = holder.busbarTestPostgres
  shared.users++
  await shared.server
  return async () => {
    if (--shared.users > 0) return
    holder.busbarTestPostgres = undefined
    if (shared.former === undefined) delete process.env[variable]
    else process.env[variable] = shared.former
    const { server, dataDir } = await shared.server
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Whether this process or one that started it runs the shared server. */
export const hasTestPostgres = (): boolean => Boolean(process.env[variable])

/** Where the shared server is. @throws when there is none */
export function testPostgres(): PostgresConnection {
  const text = process.env[variable]
  if (!text) throw new Error('No PostgreSQL for tests: run under vitest, or call startTestPostgres() first.')
  return JSON.parse(text) as PostgresConnection
}

async function startServer(): Promise<{ server: PostgresServer; dataDir: string }> {
  await removeAbandoned()
  const dataDir = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  const server = await startPostgresServer({ dataDir, settings })
  process.env[variable] = JSON.stringify(server.connection)
  return { server, dataDir }
}

/** A run that was killed takes its server with it, but leaves the folder. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(/^busbar-test-(\d+)-/.exec(name)?.[1])
    if (!pid || isAlive(pid)) continue
    // Another user's is not ours to remove.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
