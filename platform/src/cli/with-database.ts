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
 * Runs work on the platform's database: the one of DATABASE_URL, the embedded one of a running platform, or, without
 * one, the embedded one, which is started for the duration of the work. If TELEMETRY_URL is set, `work` gets that
 * database, too.
 * @throws CommandError if there is no embedded one and `makesDatabase` is false
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
    const options = { poolMax: 4, onSecondConnection: (error: Error) => process.emitWarning(error) }
    const db = openDatabase(address, options)
    const telemetryUrl = readTelemetryUrl(config)
    const samplesDb = telemetryUrl === undefined ? undefined : openDatabase(telemetryUrl, options)
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
