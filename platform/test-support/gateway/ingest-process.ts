import { createHash } from 'node:crypto'
import { createGateway } from '../../src/edge/gateway.ts'
import { createLocalBus } from '../../src/kernel/bus/bus.ts'
import { openDatabase } from '../../src/kernel/database/database.ts'
import { migrate } from '../../src/kernel/database/migrate.ts'
import { startPostgresServer } from '../../src/kernel/database/postgres-server.ts'
import { silentLogger } from '../../src/kernel/logger.ts'
import { createTelemetry, type Telemetry } from '../../src/modules/telemetry/index.ts'

/** What the process needs to know, as JSON in its first argument. */
export interface IngestProcessOptions {
  readonly dataDir: string
  readonly codes: readonly string[]
  readonly secret: string
  /** Acknowledges before the commit: what this must never do, to prove that a test would notice. */
  readonly acknowledgesEarly: boolean
}

/** What the process tells its parent: once when it serves, and again when its PostgreSQL was started anew. */
export interface IngestProcessReady {
  readonly port: number
  readonly postgresPid: number
  readonly databaseUrl: string
}

const { dataDir, codes, secret, acknowledgesEarly } = JSON.parse(
  process.argv[2] ?? '',
) as IngestProcessOptions
const server = await startPostgresServer({ dataDir })
const db = openDatabase(server.connection)
await migrate(db)
await db
  .insertInto('machines')
  .values(
    codes.map((code) => ({
      code,
      type: 'test',
      name: code,
      secret_hash: createHash('sha256').update(secret).digest(),
    })),
  )
  .onConflict((conflict) => conflict.doNothing())
  .execute()

const logger = silentLogger
/** So few that a flush is nearly always under way. */
const flushSamples = 200
const bus = createLocalBus(logger)
const telemetry = createTelemetry({ db, bus, logger, now: Date.now, flushSamples })
await telemetry.start()
const gateway = createGateway({
  db,
  bus,
  logger,
  telemetry: acknowledgesEarly ? early(telemetry) : telemetry,
})
const port = await gateway.start({ host: '127.0.0.1', port: 0 })

const tell = () =>
  process.send?.({ port, postgresPid: server.pid, databaseUrl: server.url } satisfies IngestProcessReady)
server.onRestart(tell)
tell()

function early(store: Telemetry): Telemetry {
  return new Proxy(store, {
    get(target, key) {
      if (key === 'append') {
        return (...args: Parameters<Telemetry['append']>) => {
          target.append(...args).catch(() => {})
          return Promise.resolve([])
        }
      }
      const value = Reflect.get(target, key, target) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
