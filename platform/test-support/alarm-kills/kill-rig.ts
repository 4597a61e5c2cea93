import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '@busbar/platform/kernel/database/database.ts'
import { type PostgresServer, startPostgresServer } from '@busbar/platform/kernel/database/postgres-server.ts'
import { fillDataFolder } from '@busbar/testkit/data-folder.ts'
import { sql } from 'kysely'
import type { AlarmOrder, AlarmReady } from './alarm-process.ts'

const program = join(import.meta.dirname, 'alarm-process.ts')

/** A separate PostgreSQL, and a platform on it as a separate process; both can be killed. */
export class KillRig {
  readonly db: Database
  readonly secretFile: string
  readonly #folder: string
  readonly #server: PostgresServer
  readonly #sendsEarly: boolean
  #child: ChildProcess | undefined
  /** Has loaded its program, and begins on a signal: loading takes longer than a start. */
  #next: ChildProcess | undefined
  #restarted: Promise<unknown> = Promise.resolve()
  /** The offset of the platform's and its machines' clocks, in ms (positive: ahead). */
  aheadMs = 0
  mqttPort = 0

  private constructor(folder: string, server: PostgresServer, sendsEarly: boolean) {
    this.#folder = folder
    this.#server = server
    this.#sendsEarly = sendsEarly
    this.secretFile = join(folder, 'secret')
    this.db = openDatabase(server.connection, { poolMax: 2 })
  }

  static async open(sendsEarly: boolean): Promise<KillRig> {
    const folder = await mkdtemp(join(tmpdir(), 'busbar-alarm-kill-'))
    // The server's user is another one.
    await chmod(folder, 0o755)
    const dataDir = join(folder, 'data')
    fillDataFolder(dataDir)
    // A kill -9 keeps the system's cache, so waiting for the disk shows nothing.
    const settings = { fsync: 'off', autovacuum: 'off', max_connections: '40', shared_buffers: '32MB' }
    const server = await startPostgresServer({ dataDir, settings })
    const rig = new KillRig(folder, server, sendsEarly)
    await writeFile(rig.secretFile, 'secret')
    rig.#next = rig.#prepare()
    return rig
  }

  get now(): number {
    return Date.now() + this.aheadMs
  }

  /** Starts a platform; everything before its time is due. */
  async start(env: Readonly<Record<string, string>>): Promise<void> {
    await this.#restarted
    this.#child = this.#next ?? this.#prepare()
    this.#next = this.#prepare()
    const { connection } = this.#server
    const order = {
      do: 'begin',
      connection,
      env,
      aheadMs: this.aheadMs,
      sendsEarly: this.#sendsEarly,
    } as const
    this.mqttPort = (await this.#ask(order)).mqttPort
  }

  killPlatform(): void {
    this.#child?.kill('SIGKILL')
  }

  killPostgres(): void {
    this.#restarted = new Promise((resolve) => this.#server.onRestart(resolve))
    try {
      process.kill(this.#server.pid, 'SIGKILL')
    } catch (error) {
      // The server is down since the kill before, and starts again.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }

  /** Resolves when PostgreSQL takes connections again. */
  async untilRestarted(): Promise<void> {
    await this.#restarted
  }

  async untilGone(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    await this.#restarted
  }

  /** Lets time pass while no platform runs: jobs that wait are due, and those of the killed one are found. */
  async passAway(ms: number): Promise<void> {
    this.aheadMs += ms
    await this.untilAnswered(async () => {
      await sql`update jobs.job set start_after = now(), heartbeat_on = now() - interval '1 hour'
        where state in ('created', 'retry', 'active')`.execute(this.db)
      await sql`update jobs.clock_job set due_at = now(), leased_until = null`.execute(this.db)
    })
  }

  /** Lets time pass while the platform runs. */
  async pass(ms: number): Promise<void> {
    this.aheadMs += ms
    await this.#ask({ do: 'pass', ms })
  }

  /** Repeats a query until the database answers: connections from before a kill are dead. */
  async untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries++)
      try {
        return await ask()
      } catch (error) {
        if (tries >= 20) throw error
        await sleep(20)
      }
  }

  async close(): Promise<void> {
    this.#next?.kill('SIGKILL')
    this.killPlatform()
    await this.untilGone()
    await this.db.destroy()
    await this.#server.stop()
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  #prepare(): ChildProcess {
    return fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  }

  async #ask(order: AlarmOrder): Promise<AlarmReady> {
    const child = this.#child
    if (!child) throw new Error('No platform runs.')
    const over = new AbortController()
    const ended = once(child, 'exit', { signal: over.signal }).then(() => {
      throw new Error('The platform ended.')
    })
    ended.catch(() => {})
    const answer = once(child, 'message', { signal: over.signal })
    answer.catch(() => {})
    child.send(order)
    const [ready] = (await Promise.race([answer, ended]).finally(() => over.abort())) as [AlarmReady]
    if (ready.failure) throw new Error(ready.failure)
    return ready
  }
}
