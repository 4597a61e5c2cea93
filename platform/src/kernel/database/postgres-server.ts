import { readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, silentLogger } from '../logger.ts'
import { connectionUrl, type PostgresConnection } from './connection.ts'
import { chooseDataDir, mayEnter } from './data-dir.ts'
import { type FolderLock, lockFolder } from './folder-lock.ts'
import { preparePostgresBinaries } from './postgres-binaries.ts'
import {
  chooseRunAs,
  clusterDirOf,
  databaseName,
  ensureCluster,
  ensureDataDir,
  readOrMakePassword,
  readPassword,
  roleName,
} from './postgres-cluster.ts'
import { endLeftoverServer } from './postgres-leftovers.ts'
import {
  type PostgresCommand,
  type PostgresExit,
  type PostgresRun,
  startPostgres,
} from './postgres-process.ts'
import { makeSocketDir, removeStaleSocketLock, socketPort } from './socket-dir.ts'

/** A server that crashes is started again at once, after further crashes with a growing pause. */
const restartPauseMs = { first: 20, max: 5_000 } as const
/** A run at least this long starts the pauses anew. */
const steadyRunMs = 30_000

const maxConnections = 100

const defaultSettings: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  cluster_name: 'busbar',
  max_connections: String(maxConnections),
  shared_buffers: '128MB',
  jit: 'off',
  // Reads done by the backend itself: the worker processes of the other way cost memory while idle.
  io_method: 'sync',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '',
  log_checkpoints: 'off',
  // Failed statements are their caller's to report, and their text or details may be private.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

export interface PostgresServerOptions {
  /** The platform's data folder; the server uses subfolders of its own. Made when missing. */
  dataDir: string
  logger?: Logger
  /** Settings of postgresql.conf that differ from ours. `fsync: 'off'` is for tests. */
  settings?: Record<string, string>
}

/** The embedded PostgreSQL. */
export interface PostgresServer {
  /** The address of the platform's database with its role; a configuration for `pg`. */
  readonly connection: PostgresConnection
  /** The same as a URL. Never log it. */
  readonly url: string
  /** The running postmaster; changes with a restart. */
  readonly pid: number
  /** It ended unexpectedly; a restart follows by itself. */
  onUnexpectedExit(listener: (exit: PostgresExit) => void): void
  /** It takes connections again after such an end. */
  onRestart(listener: (pid: number) => void): void
  /** Ends it, at the latest in `stopBudget.postgres`. */
  stop(): Promise<void>
}

/**
 * Starts the embedded PostgreSQL on a data folder and keeps it running until `stop`. It ends with this process,
 * however that ends.
 * @throws when another platform uses the folder, or its data is not of this PostgreSQL's major version
 */
export async function startPostgresServer(options: PostgresServerOptions): Promise<PostgresServer> {
  const logger = options.logger ?? silentLogger
  const settings = { ...defaultSettings, ...options.settings }
  const wanted = resolve(options.dataDir)
  const runAs = await chooseRunAs(wanted)
  await ensureDataDir(wanted, runAs)
  const dataDir = await realpath(wanted)
  if (runAs && !mayEnter(dataDir, runAs)) {
    throw new Error(
      `PostgreSQL does not run as root, and the user it runs as instead (uid ${runAs.uid}) may not enter ${dataDir}. ` +
        `Choose another data folder, for example ${chooseDataDir(dataDir)}.`,
    )
  }
  const lock = lockFolder(dataDir)
  if (!lock) {
    throw new Error(
      `Another Busbar is running on the data folder ${dataDir}. Stop it, or choose another data folder.`,
    )
  }
  try {
    const binaries = await preparePostgresBinaries(dataDir, runAs)
    const password = await readOrMakePassword(dataDir)
    await ensureCluster(dataDir, binaries, runAs, password, settings.fsync !== 'off')
    const clusterDir = clusterDirOf(dataDir)
    await endLeftoverServer(clusterDir, logger)
    const socketDir = await makeSocketDir(dataDir, runAs)
    await removeStaleSocketLock(socketDir)
    const command = { postgres: binaries.postgres, clusterDir, socketDir, runAs, settings, logger }
    return new Supervisor(command, await startPostgres(command), lock, connectionTo(socketDir, password))
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * The address of the embedded server that another process runs on this data folder; undefined if it is not running. For
 * the command line beside a running platform.
 */
export async function findPostgresServer(dataDir: string): Promise<PostgresConnection | undefined> {
  const password = await readPassword(dataDir)
  const text = await readFile(join(clusterDirOf(dataDir), 'postmaster.pid'), 'utf8').catch(() => undefined)
  // Lines of postmaster.pid: process, data folder, start, port, socket folder, address, shared memory, status.
  const socketDir = text?.split('\n')[4]
  if (password === undefined || socketDir === undefined) return undefined
  const lock = lockFolder(dataDir)
  lock?.release()
  return lock ? undefined : connectionTo(socketDir, password)
}

function connectionTo(host: string, password: string): PostgresConnection {
  return { host, port: socketPort, user: roleName, password, database: databaseName }
}

class Supervisor implements PostgresServer {
  readonly connection: PostgresConnection
  readonly #command: PostgresCommand
  readonly #lock: FolderLock
  readonly #exitListeners: ((exit: PostgresExit) => void)[] = []
  readonly #restartListeners: ((pid: number) => void)[] = []
  readonly #stopAsked = new AbortController()
  readonly #done: Promise<void>
  #run: PostgresRun

  constructor(command: PostgresCommand, run: PostgresRun, lock: FolderLock, connection: PostgresConnection) {
    this.#command = command
    this.#run = run
    this.#lock = lock
    this.connection = connection
    this.#done = this.#keepRunning()
  }

  get url(): string {
    return connectionUrl(this.connection)
  }

  get pid(): number {
    return this.#run.pid
  }

  onUnexpectedExit(listener: (exit: PostgresExit) => void): void {
    this.#exitListeners.push(listener)
  }

  onRestart(listener: (pid: number) => void): void {
    this.#restartListeners.push(listener)
  }

  async stop(): Promise<void> {
    this.#stopAsked.abort()
    await this.#run.stop()
    await this.#done
  }

  async #keepRunning(): Promise<void> {
    const { logger } = this.#command
    let pauseMs: number = restartPauseMs.first
    let startedAt = Date.now()
    while (!this.#stopAsked.signal.aborted) {
      const exit = await this.#run.exited
      if (this.#stopAsked.signal.aborted) break
      logger.error({ code: exit.code, signal: exit.signal }, 'postgres.exited')
      for (const listener of this.#exitListeners) listener(exit)
      if (Date.now() - startedAt >= steadyRunMs) pauseMs = restartPauseMs.first
      const next = await this.#startAgain(pauseMs)
      if (!next) break
      pauseMs = Math.min(pauseMs * 2, restartPauseMs.max)
      startedAt = Date.now()
      logger.info({ pid: next.pid }, 'postgres.restarted')
      for (const listener of this.#restartListeners) listener(next.pid)
    }
    this.#lock.release()
  }

  /** Tries until it runs; undefined when it is asked to stop meanwhile. */
  async #startAgain(firstPauseMs: number): Promise<PostgresRun | undefined> {
    const { logger } = this.#command
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, restartPauseMs.max)) {
      await sleep(pauseMs, undefined, { signal: this.#stopAsked.signal }).catch(() => {})
      if (this.#stopAsked.signal.aborted) return undefined
      try {
        this.#run = await startPostgres(this.#command)
        if (!this.#stopAsked.signal.aborted) return this.#run
        await this.#run.stop()
        return undefined
      } catch (error) {
        logger.error({ error }, 'postgres.restartFailed')
      }
    }
  }
}
