import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { TestNats } from '@busbar/testkit/nats-server.ts'
import { MainFailed, type MainProcess, sourceProgram, startMain } from './main-process.ts'

/** The smallest that a platform takes: several share the connections of one PostgreSQL. */
const poolMax = '8'
const startsMax = 3
const keepCompiled = new URL('keep-compiled.ts', import.meta.url).href

/** The processes of one platform, by name, as an operator starts them: each with its roles and a data folder of its own. */
export class NodeGroup<Name extends string> {
  readonly database: TestDatabase
  readonly nats: TestNats
  readonly #roles: Readonly<Record<Name, string>>
  readonly #dir: string
  readonly #start: { readonly program: string | undefined; readonly preloads: readonly string[] }
  readonly #running = new Map<Name, MainProcess>()

  private constructor(
    roles: Readonly<Record<Name, string>>,
    parts: { database: TestDatabase; nats: TestNats; dir: string; preloads: readonly string[] },
  ) {
    this.#roles = roles
    this.database = parts.database
    this.nats = parts.nats
    this.#dir = parts.dir
    const program = parts.preloads.length > 0 ? sourceProgram : undefined
    this.#start = { program, preloads: [...parts.preloads, keepCompiled] }
  }

  /** `preloads`: modules of a weakened build, which each process reads before the platform. */
  static async start<Name extends string>(
    roles: Readonly<Record<Name, string>>,
    preloads: readonly string[] = [],
  ): Promise<NodeGroup<Name>> {
    const [database, nats, dir] = await Promise.all([
      createTestDatabase(),
      TestNats.start(),
      mkdtemp(join(tmpdir(), 'busbar-nodes-')),
    ])
    const group = new NodeGroup(roles, { database, nats, dir, preloads })
    try {
      await Promise.all(group.names.map((name) => group.begin(name)))
    } catch (error) {
      await group.stop()
      throw error
    }
    return group
  }

  get names(): readonly Name[] {
    return Object.keys(this.#roles) as Name[]
  }

  /** The process of a node that runs. */
  at(name: Name): MainProcess {
    const running = this.#running.get(name)
    if (!running) throw new Error(`${name} does not run`)
    return running
  }

  /** Starts a node, with the data that it had. */
  async begin(name: Name): Promise<void> {
    const ownDir = join(this.#dir, name)
    const env = {
      ROLES: this.#roles[name],
      DATABASE_URL: this.database.url,
      DATABASE_POOL: poolMax,
      NATS_URL: this.nats.url,
      DATA_DIR: ownDir,
      SECRETS_KEY_FILE: join(this.#dir, 'secrets.key'),
      AUDIT_KEY_FILE: join(this.#dir, 'audit.key'),
      FILES_DIR: join(this.#dir, 'files'),
      LOG_LEVEL: 'silent',
    }
    for (let triesLeft = startsMax; ; triesLeft--) {
      try {
        this.#running.set(name, await startMain(env, this.#start))
        return
      } catch (error) {
        // A start that the database answers too late ends by itself; a supervisor begins another one.
        if (triesLeft === 1 || !(error instanceof MainFailed)) throw error
      }
    }
  }

  /** SIGKILL. */
  async kill(name: Name): Promise<void> {
    const { child } = this.at(name)
    this.#running.delete(name)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  /** Ends everything and removes the database. */
  async stop(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.kill(name)))
    await this.nats.stop()
    await this.database.drop()
    await rm(this.#dir, { recursive: true, force: true })
  }
}
