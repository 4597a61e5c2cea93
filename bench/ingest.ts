/**
 * Measures the way of samples into the store: `npm run bench -- ingest [--short]`. Three contenders in turn on one
 * PostgreSQL: parse + binary COPY of the same rows, Busbar, and mosquitto with a subscriber that COPYs. Prints the rows
 * for RESULTS.md.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@busbar/platform/kernel/database/database.ts'
import { migrate } from '@busbar/platform/kernel/database/migrate.ts'
import { type PostgresServer, startPostgresServer } from '@busbar/platform/kernel/database/postgres-server.ts'
import { findFreePort } from '@busbar/testkit/free-port.ts'
import { sql } from 'kysely'
import { cpuSecondsOf, measureFdatasyncMs, percentile } from './ingest/cpu.ts'
import { createMachines } from './ingest/machines.ts'
import { valuesPerMessage } from './ingest/messages.ts'
import { awaitPort } from './src/await-port.ts'
import { Worker } from './src/rpc.ts'

const isShort = process.argv.includes('--short')
const profileDir = process.argv.find((arg) => arg.startsWith('--profile='))?.slice('--profile='.length)
const size = isShort
  ? { rounds: 1, messages: 60_000, connections: 200, window: 20, idle: 1_000, latencyMs: 3_000 }
  : { rounds: 5, messages: 400_000, connections: 1_000, window: 20, idle: 10_000, latencyMs: 20_000 }

const mosquittoProgram = process.env.BUSBAR_MOSQUITTO ?? '/usr/sbin/mosquitto'

interface Run {
  readonly messages: number
  readonly ms: number
  readonly cpuSeconds: number
}

const perPoint = ({ messages, cpuSeconds }: Run) => (cpuSeconds * 1e6) / (messages * valuesPerMessage)
const rate = ({ messages, ms }: { messages: number; ms: number }) => (messages * 1000) / ms
const median = (values: readonly number[]) => percentile(values, 50)
const show = (value: number, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** CPU seconds of the named processes for some work, always including PostgreSQL. */
async function measure(
  pids: readonly number[],
  work: () => Promise<{ messages: number; ms: number }>,
): Promise<Run> {
  const used = () => pids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0)
  const before = used()
  const { messages, ms } = await work()
  // The background work after a commit counts, too.
  await sleep(300)
  return { messages, ms, cpuSeconds: used() - before }
}

/** A database with the schema, today's partitions and the machines. */
async function prepareDatabase(postgres: PostgresServer, name: string, machines: number): Promise<string> {
  const admin = openDatabase(postgres.connection, { poolMax: 1 })
  await sql.raw(`create database ${name}`).execute(admin)
  await admin.destroy()
  const connection = { ...postgres.connection, database: name }
  const db = openDatabase(connection, { poolMax: 1 })
  await migrate(db)
  await createMachines(db, machines)
  await db.destroy()
  return postgres.url.replace(/\/[^/?]*\?/, `/${name}?`)
}

async function startMosquitto(dir: string): Promise<{ child: ChildProcess; port: number }> {
  const port = await findFreePort('127.0.0.1')
  const file = join(dir, 'mosquitto.conf')
  // Its own limits would drop messages silently.
  const settings = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'max_inflight_messages 0',
    'max_queued_messages 0',
    'persistence false',
    'set_tcp_nodelay true',
    'log_type error',
  ]
  await writeFile(file, `${settings.join('\n')}\n`)
  const child = spawn(mosquittoProgram, ['-c', file], { stdio: ['ignore', 'inherit', 'inherit'] })
  await awaitPort(port, child)
  return { child, port }
}

/** The speed of the generator without back pressure. */
async function proveGenerator(generator: Worker): Promise<number> {
  const sink = await Worker.start('ingest/sink.ts')
  const port = await sink.call<number>('listen', { answers: true })
  await generator.call('open', { port, connections: size.connections, topic: 'own' })
  const result = await generator.call<{ messages: number; ms: number }>('sendClosed', {
    messages: size.messages,
    window: size.window,
  })
  await generator.call('close')
  await sink.stop()
  return rate(result)
}

/** Bytes of memory an idle connection costs a server. */
async function measureIdle(generator: Worker, file: string, listen: unknown, mqtt: boolean): Promise<number> {
  const server = await Worker.start(file, { execArgv: ['--expose-gc'] })
  const port = await server.call<number>('listen', listen)
  // Memory allocated once is not counted for the connections.
  await generator.call('open', { port, connections: 100, topic: 'own', mqtt })
  await generator.call('close')
  await sleep(1_000)
  const before = await server.call<number>('rss')
  await generator.call('open', { port, connections: size.idle, topic: 'own', mqtt })
  await sleep(2_000)
  const after = await server.call<number>('rss')
  await generator.call('close')
  await server.stop()
  return (after - before) / size.idle
}

async function main(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'busbar-bench-'))
  const postgres = await startPostgresServer({ dataDir: dir })
  const generator = await Worker.start('ingest/generator.ts')
  const workers: Worker[] = [generator]
  let mosquitto: { child: ChildProcess; port: number } | undefined
  try {
    const fsyncMs = measureFdatasyncMs(dir)
    const generatorRate = await proveGenerator(generator)

    const copyUrl = await prepareDatabase(postgres, 'bench_copy', 0)
    const busbarUrl = await prepareDatabase(postgres, 'bench_busbar', Math.max(size.connections, size.idle))
    const brokerUrl = await prepareDatabase(postgres, 'bench_broker', 0)
    const copyOnly = await Worker.start('ingest/copy-only.ts')
    const profile = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : []
    const busbar = await Worker.start('ingest/busbar.ts', { execArgv: profile })
    const subscriber = await Worker.start('ingest/subscriber.ts')
    workers.push(copyOnly, busbar, subscriber)
    const busbarPort = await busbar.call<number>('listen', { databaseUrl: busbarUrl })
    mosquitto = await startMosquitto(dir)
    const broker = mosquitto
    await subscriber.call('subscribe', { port: broker.port, databaseUrl: brokerUrl })

    const contenders = {
      async copy(): Promise<Run> {
        const { messages, connections: machines } = size
        await copyOnly.call('prepare', { databaseUrl: copyUrl, messages, machines })
        return measure([postgres.pid, copyOnly.pid], () => copyOnly.call('run'))
      },
      async busbar(): Promise<Run> {
        await generator.call('open', { port: busbarPort, connections: size.connections, topic: 'own' })
        const run = await measure([postgres.pid, busbar.pid], () =>
          generator.call('sendClosed', { messages: size.messages, window: size.window }),
        )
        await generator.call('close')
        return run
      },
      async broker(): Promise<Run> {
        await generator.call('open', {
          port: broker.port,
          connections: size.connections,
          topic: 'perMachine',
        })
        await subscriber.call('expect', { messages: size.messages })
        const run = await measure([postgres.pid, subscriber.pid, broker.child.pid ?? 0], async () => {
          const startedAt = performance.now()
          const reached = subscriber.call('reached')
          await generator.call('sendClosed', { messages: size.messages, window: size.window })
          await reached
          return { messages: size.messages, ms: performance.now() - startedAt }
        })
        await generator.call('close')
        return run
      },
    }
    const runs: Record<keyof typeof contenders, Run[]> = { copy: [], busbar: [], broker: [] }
    // Once for the compilers and the caches, then in turn.
    for (const run of Object.values(contenders)) await run()
    for (let round = 0; round < size.rounds; round++) {
      for (const name of ['copy', 'busbar', 'broker'] as const) {
        runs[name].push(await contenders[name]())
        console.error(`round ${round + 1} ${name}: ${show(rate(runs[name].at(-1) as Run))} messages/s`)
      }
    }

    const busbarRate = median(runs.busbar.map(rate))
    await generator.call('open', { port: busbarPort, connections: size.connections, topic: 'own' })
    const latency = await generator.call<{ sent: number; p50: number; p99: number }>('sendOpen', {
      messagesPerSecond: busbarRate / 2,
      ms: size.latencyMs,
    })
    await generator.call('close')
    await busbar.call('close')

    const bareBytes = await measureIdle(generator, 'ingest/sink.ts', { answers: false }, false)
    const mqttBytes = await measureIdle(generator, 'ingest/busbar.ts', { databaseUrl: busbarUrl }, true)

    const cpu = Object.fromEntries(
      Object.entries(runs).map(([name, list]) => [name, median(list.map(perPoint))]),
    ) as Record<keyof typeof runs, number>
    const messages = (name: keyof typeof runs) => show(median(runs[name].map(rate)))
    // It ends with an error code after showing its help, which begins with its version.
    const help = spawnSync(mosquittoProgram, ['-h'], { encoding: 'utf8' })
    const version = help.stdout.split('\n')[0]
    console.log(`Conditions: ${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, PostgreSQL 18.4 with fsync and \
synchronous_commit on, an fdatasync takes ${show(fsyncMs, 3)} ms; generator on the same cores; ${size.connections} \
connections × ${size.window} in flight, 3 values a message, QoS 1; ${size.rounds} rounds in turn, medians; ${version}.
The generator alone: ${show(generatorRate)} messages/s.

| measured | figure | aim |
|---|---|---|
| parse + binary COPY | ${messages('copy')} messages/s, ${show(cpu.copy, 2)} µs CPU a point | |
| Busbar, acknowledged after commit | ${messages('busbar')} messages/s, ${show(cpu.busbar, 2)} µs CPU a point | |
| mosquitto + subscriber | ${messages('broker')} messages/s, ${show(cpu.broker, 2)} µs CPU a point | |
| CPU a point against parse + COPY | ${show(cpu.busbar / cpu.copy, 2)}× | under 3× |
| rate against mosquitto + subscriber | ${show(busbarRate / median(runs.broker.map(rate)), 2)}× | over 1× |
| generator against Busbar | ${show(generatorRate / busbarRate, 2)}× | at least 2× |
| PUBACK at half load (${show(latency.sent / (size.latencyMs / 1000))} messages/s) | p50 ${show(latency.p50, 1)} ms, p99 ${show(latency.p99, 1)} ms | p99 at most ${show(2 * fsyncMs + 20, 1)} ms |
| memory of an idle MQTT connection (${show(size.idle)}) | ${show(mqttBytes / 1024, 1)} kB; a bare Node socket ${show(bareBytes / 1024, 1)} kB | |`)
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
    mosquitto?.child.kill('SIGTERM')
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

await main()
