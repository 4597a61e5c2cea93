import { mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PostgresConnection } from '@busbar/platform/kernel/database/connection.ts'
import { type PostgresServer, startPostgresServer } from '@busbar/platform/kernel/database/postgres-server.ts'
import pg from 'pg'

/** Passes the server's address to the test processes. */
const variable = 'BUSBAR_TEST_POSTGRES'
const folderPrefix = 'busbar-test-'

/**
 * Each database is some thousand small files. A disk takes up to a second to make and remove them, more with each that
 * was removed just before; memory takes 50 ms.
 */
const memoryFolder = '/dev/shm'
/** Room for the databases that live at once, their log and the programs. Docker gives 64 MB, which is too little. */
const memoryBytesMin = 4 * 1024 ** 3

/** Test data need not survive a power cut. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  checkpoint_timeout: '1h',
  // A user who drops a database may not end a worker of the server inside it, so this worker is off.
  autovacuum: 'off',
}

interface Shared {
  users: number
  /** The variable's value before: a worker of a run that has a server may start one more. */
  former: string | undefined
  server: Promise<{ server: PostgresServer; dataDir: string }>
}

// Vitest loads a setup file once for each project of a run, each time as a new module.
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

/** The address of the shared server. @throws if there is none */
export function testPostgres(): PostgresConnection {
  const text = process.env[variable]
  if (!text) throw new Error('No PostgreSQL for tests: run under vitest, or call startTestPostgres() first.')
  return JSON.parse(text) as PostgresConnection
}

async function startServer(): Promise<{ server: PostgresServer; dataDir: string }> {
  await removeAbandoned(tmpdir())
  const folder = (await canUseMemory()) ? memoryFolder : tmpdir()
  if (folder === memoryFolder) await removeAbandoned(memoryFolder)
  const dataDir = await mkdtemp(join(folder, `${folderPrefix}${process.pid}-`))
  const server = await startPostgresServer({ dataDir, settings })
  await hashPasswordOnce(server.connection)
  process.env[variable] = JSON.stringify(server.connection)
  return { server, dataDir }
}

/** The password as it was made has 4,096 hashes, which each of some ten thousand connections would compute in 2 ms. */
async function hashPasswordOnce(connection: PostgresConnection): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('set scram_iterations = 1')
    await client.query(`alter role current_user password ${client.escapeLiteral(connection.password)}`)
  } finally {
    await client.end()
  }
}

/** Whether the folder is in memory, may hold programs, and has room, also in the memory itself. */
async function canUseMemory(): Promise<boolean> {
  try {
    const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '))
    const mount = mounts.findLast(([, path]) => path === memoryFolder)
    if (mount?.[2] !== 'tmpfs' || mount[3]?.split(',').includes('noexec')) return false
    const { bavail, bsize } = await statfs(memoryFolder)
    const available = /^MemAvailable: +(\d+) kB$/m.exec(await readFile('/proc/meminfo', 'utf8'))?.[1]
    return bavail * bsize >= memoryBytesMin && Number(available) * 1024 >= 2 * memoryBytesMin
  } catch {
    // Not Linux, or not readable.
    return false
  }
}

/** The server of a killed run ends with it, but its folder remains. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(/^busbar-test-(\d+)-/.exec(name)?.[1])
    if (!pid || isAlive(pid)) continue
    // A folder of another user must not be removed.
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => {})
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
