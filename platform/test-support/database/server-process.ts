import { type PostgresServerOptions, startPostgresServer } from '../../src/kernel/database/postgres-server.ts'

/*
 * A process with an embedded server in it, for tests that kill: node server-process.ts <data folder> [settings as
 * JSON]. Prints one line of JSON per event; SIGTERM stops it in order.
 */
const [dataDir = '', settings = '{}'] = process.argv.slice(2)
const say = (event: object) => process.stdout.write(`${JSON.stringify(event)}\n`)

try {
  const options: PostgresServerOptions = { dataDir, settings: JSON.parse(settings) as Record<string, string> }
  const server = await startPostgresServer(options)
  process.once('SIGTERM', () => void server.stop())
  say({ event: 'ready', pid: server.pid, connection: server.connection })
} catch (error) {
  say({ event: 'failed', reason: error instanceof Error ? error.message : String(error) })
}
