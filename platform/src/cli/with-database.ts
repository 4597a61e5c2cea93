import path from 'node:path'
import { readConfig, readDatabaseUrl, readTelemetryUrl } from '../config.ts'
import { chooseDataDir } from '../kernel/database/data-dir.ts'
import { type Database, openDatabase } from '../kernel/database/database.ts'
import { migrate } from '../kernel/database/migrate.ts'
import { hasCluster } from '../kernel/database/postgres-cluster.ts'
import { findPostgresServer, startPostgresServer } from '../kernel/database/postgres-server.ts'
import { CommandError } from './command.ts'

const checkoutDir = path.resolve(import.meta.dirname, '../../..')

/**
 * Runs work on the platform's database: the one of DATABASE_URL, the embedded one a platform is running, or, when
 * none runs, the embedded one started for as long as it takes.
 * Beside it `work` gets the one of TELEMETRY_URL, where that is set.
 * @throws CommandError where there is no embedded one and `makesDatabase` is false
 */
export async function withDatabase(
  work: (db: Database, samplesDb?: Database) => Promise<void>,
  { makesDatabase }: { makesDatabase: boolean },
): Promise<void> {
  const config = readConfig(process.env)
  const dataDir = config.DATA_DIR ?? chooseDataDir(checkoutDir)
  const running = readDatabaseUrl(config) ?? (await findPostgresServer(dataDir))
  if (!running && !makesDatabase && !(await hasCluster(dataDir))) throw noDatabase(dataDir)
  const server = running ? undefined : await startPostgresServer({ dataDir })
  const address = running ?? server?.connection
  try {
    if (!address) throw new Error('The database has no address')
    const db = openDatabase(address, { poolMax: 4 })
    const telemetryUrl = readTelemetryUrl(config)
    const samplesDb = telemetryUrl === undefined ? undefined : openDatabase(telemetryUrl, { poolMax: 4 })
    try {
      await migrate(db)
      await work(db, samplesDb)
    } finally {
      await db.destroy()
      await samplesDb?.destroy()
    }
  } finally {
    await server?.stop()
  }
}

const noDatabase = (dataDir: string) =>
  new CommandError(
    `There is no database in ${dataDir}. Name the platform's data folder with DATA_DIR, or its own PostgreSQL with ` +
      'DATABASE_URL, as in its settings; a new platform makes its database when it is first started.',
  )
