import { parentPort, workerData } from 'node:worker_threads'
import { startPostgresServer } from '../../src/kernel/database/postgres-server.ts'

/** The embedded server started from a thread that is not the main one; `workerData` is the data folder. */
const server = await startPostgresServer({ dataDir: workerData as string, settings: { fsync: 'off' } })
parentPort?.postMessage({ pid: server.pid })
