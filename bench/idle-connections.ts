import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@busbar/platform/kernel/database/database.ts'
import { migrate } from '@busbar/platform/kernel/database/migrate.ts'
import { startPostgresServer } from '@busbar/platform/kernel/database/postgres-server.ts'
import { createMachines } from './ingest/machines.ts'
import type { Memory } from './src/memory.ts'
import { describeMachine, printRows } from './src/report.ts'
import { Worker } from './src/rpc.ts'

/* The memory of MQTT connections that are signed in and say nothing, against sockets that only stand, in two processes of
   the same form: as the heap says it after a collection, and as the system does, which also counts what V8 has at hand. */

const connections = process.argv.includes('--short') ? 1_000 : 10_000
/** Opened and closed first, so that memory allocated once is not counted for the connections. */
const warmUp = 300
const restMs = 3_000
const moreKbMax = 6

const dir = await mkdtemp(join(tmpdir(), 'busbar-idle-'))
const postgres = await startPostgresServer({ dataDir: dir })
const generator = await Worker.start('ingest/generator.ts')

async function measure(file: string, listen: unknown, mqtt: boolean): Promise<Memory> {
  const server = await Worker.start(file, { execArgv: ['--expose-gc'] })
  const port = await server.call<number>('listen', listen)
  await generator.call('open', { port, connections: warmUp, topic: 'own', mqtt })
  await generator.call('close')
  await sleep(restMs)
  const before = await server.call<Memory>('memory')
  await generator.call('open', { port, connections, topic: 'own', mqtt })
  await sleep(restMs)
  const after = await server.call<Memory>('memory')
  await generator.call('close')
  await server.stop()
  const each = (field: keyof Memory) => (after[field] - before[field]) / connections / 1024
  return { rss: each('rss'), heapUsed: each('heapUsed'), external: each('external') }
}

try {
  const db = openDatabase(postgres.connection, { poolMax: 1 })
  await migrate(db)
  await createMachines(db, connections)
  await db.destroy()
  const bare = await measure('ingest/sink.ts', { answers: false }, false)
  const mqtt = await measure('ingest/busbar.ts', { databaseUrl: postgres.url }, true)
  const show = ({ heapUsed, external, rss }: Memory) =>
    `${(heapUsed + external).toFixed(1)} kB in the heap, ${rss.toFixed(1)} kB resident`
  const more = mqtt.heapUsed + mqtt.external - bare.heapUsed - bare.external
  console.log(describeMachine())
  printRows([
    { what: `a bare socket of Node, ${connections} of them`, figure: show(bare), target: '' },
    { what: 'an idle MQTT connection', figure: show(mqtt), target: '' },
    {
      what: 'above a bare socket, in the heap',
      figure: `${more.toFixed(1)} kB`,
      target: `≤ ${moreKbMax} kB`,
      met: more <= moreKbMax,
    },
    {
      what: 'above a bare socket, resident',
      figure: `${(mqtt.rss - bare.rss).toFixed(1)} kB`,
      target: `≤ ${moreKbMax} kB`,
      met: mqtt.rss - bare.rss <= moreKbMax,
    },
  ])
} finally {
  await generator.stop()
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
}
