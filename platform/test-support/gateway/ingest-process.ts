import { createHash } from 'node:crypto'
import { createGateway } from '../../src/edge/gateway.ts'
import { createLocalBus } from '../../src/kernel/bus/bus.ts'
import { bindDatabases } from '../../src/kernel/database/database-roles.ts'
import { migrate } from '../../src/kernel/database/migrate.ts'
import { areSamplesApart, openPools, splitConnections } from '../../src/kernel/database/pools.ts'
import { startPostgresServer } from '../../src/kernel/database/postgres-server.ts'
import { Facts } from '../../src/kernel/facts/facts.ts'
import { silentLogger } from '../../src/kernel/logger.ts'
import { createTelemetry, type Telemetry } from '../../src/modules/telemetry/index.ts'

/** The parameters of the process, as JSON in its first argument. */
export interface IngestProcessOptions {
  readonly dataDir: string
  readonly codes: readonly string[]
  readonly secret: string
  /** Acknowledges before the commit: a forbidden behaviour, to prove that a test would notice. */
  readonly acknowledgesEarly: boolean
  /** Data folder of a second PostgreSQL for the samples. */
  readonly samplesDir?: string
}

/** The message of the process to its parent: once when it serves, and again when its PostgreSQL was restarted. */
export interface IngestProcessReady {
  readonly port: number
  readonly postgresPid: number
  readonly databaseUrl: string
  /** Of the samples: the same as above without a second server. */
  readonly samplesPid: number
  readonly samplesUrl: string
}

const { dataDir, samplesDir, codes, secret, acknowledgesEarly } = JSON.parse(
  process.argv[2] ?? '',
) as IngestProcessOptions
const server = await startPostgresServer({ dataDir })
const samplesServer = samplesDir === undefined ? server : await startPostgresServer({ dataDir: samplesDir })
const pools = openPools(server.connection, splitConnections(20), {
  samples: samplesServer === server ? undefined : samplesServer.connection,
})
const db = pools.calls
await migrate(db)
if (areSamplesApart(pools)) {
  await migrate(pools.samples.calls)
  await bindDatabases(db, pools.samples.calls)
}
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
const facts = new Facts({ db, bus, logger, now: Date.now })
const telemetry = createTelemetry({ ...pools, db, bus, facts, logger, now: Date.now, flushSamples })
await telemetry.start()
const gateway = createGateway({
  db,
  bus,
  logger,
  telemetry: acknowledgesEarly ? early(telemetry) : telemetry,
})
const port = await gateway.start({ host: '127.0.0.1', port: 0 })

const tell = () =>
  process.send?.({
    port,
    postgresPid: server.pid,
    databaseUrl: server.url,
    samplesPid: samplesServer.pid,
    samplesUrl: samplesServer.url,
  } satisfies IngestProcessReady)
server.onRestart(tell)
if (samplesServer !== server) samplesServer.onRestart(tell)
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
