/**
 * The streams of projects: `npm run bench -- projects [--seconds=30]`. A log of samples is written as a busy platform does
 * it, 100,000 samples a second in commits of 50 ms, and read for projects after each commit: the processor time of the
 * reader, and bytes of a row beside the same rows as gzip NDJSON.
 */
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { createLocalBus } from '@busbar/platform/kernel/bus/bus.ts'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import { silentLogger } from '@busbar/platform/kernel/logger.ts'
import { rowJson } from '@busbar/platform/modules/project-stream/index.ts'
import { ReaderStore } from '@busbar/platform/modules/project-stream/reader-store.ts'
import { StreamKeeping } from '@busbar/platform/modules/project-stream/stream-keeping.ts'
import { StreamReader } from '@busbar/platform/modules/project-stream/stream-reader.ts'
import { ProjectStreams } from '@busbar/platform/modules/project-stream/stream-store.ts'
import type { ProjectPlan } from '@busbar/platform/modules/projects/index.ts'
import { LogRowEncoder } from '@busbar/platform/modules/telemetry/store/log-row.ts'
import { SampleLog } from '@busbar/platform/modules/telemetry/store/sample-log.ts'
import { createTestDatabase } from '@busbar/testkit/database.ts'
import { startTestPostgres } from '@busbar/testkit/test-postgres.ts'
import { sql } from 'kysely'
import { describeMachine, printRows, quantile, type Row } from './src/report.ts'

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } })
const seconds = Number(options.seconds)
const machines = 10_000
const tagsPerMachine = 10
const commitsPerS = 20
/** Each machine tells its ten values once a second. */
const machinesPerCommit = machines / commitsPerS
const nodeId = 'bench'
const incarnation = '00000000-0000-0000-0000-000000000001'
/** Of one destination's request. */
const rowsPerBody = 1_000

interface Measured {
  readonly rows: number
  /** Seconds of processor time for each second of samples. */
  readonly cpu: number
  /** From the commit to the rows in the streams. */
  readonly tookMs: number[]
  readonly bytes: number
  readonly joinedBytes: number
  readonly gzipBytes: number
}

async function fill(db: Database): Promise<void> {
  await sql`insert into machines (code, type, name, secret_hash)
            select '1' || lpad(n::text, 18, '0'), 'bench', 'bench', decode(repeat('00', 32), 'hex')
            from generate_series(1, ${machines}::int) n`.execute(db)
  await sql`insert into tags (machine_id, group_name, name, type)
            select id, '', 'temperature ' || n, 'float64' from machines, generate_series(1, ${tagsPerMachine}::int) n
            order by id, n`.execute(db)
  await sql`insert into users (email, name, password_hash) values ('bench@busbar.test', 'bench', '')`.execute(
    db,
  )
}

/** Projects of a thousand machines at most, which tell their values at all times of a second. */
function planOf(count: number, everyS: number): ProjectPlan[] {
  const perProject = 1_000
  const step = machines / count
  return Array.from({ length: Math.ceil(count / perProject) }, (_, place) => ({
    projectId: place + 1,
    everyS,
    variables: null,
    links: Array.from({ length: Math.min(perProject, count - place * perProject) }, (_, of) => {
      const machineId = (place * perProject + of) * step + 1
      const machineCode = `1${String(machineId).padStart(18, '0')}`
      return {
        ...{ linkId: machineId, machineId, machineCode, machineName: `Press ${machineId}` },
        linkedAt: new Date(0),
      }
    }),
  }))
}

class Commits {
  readonly #db: Database
  readonly #encoder = new LogRowEncoder()
  readonly #values = new Float64Array(machines * tagsPerMachine).fill(20)
  #seq = 0
  #at = Date.now()

  constructor(db: Database) {
    this.#db = db
  }

  get at(): number {
    return this.#at
  }

  async add(): Promise<void> {
    this.#at += 1_000 / commitsPerS
    this.#encoder.reset()
    const first = (this.#seq++ % commitsPerS) * machinesPerCommit
    for (let machine = first; machine < first + machinesPerCommit; machine++)
      for (let tag = machine * tagsPerMachine; tag < (machine + 1) * tagsPerMachine; tag++) {
        const value = Math.round(((this.#values[tag] ?? 0) + Math.random() - 0.5) * 10) / 10
        this.#values[tag] = value
        this.#encoder.add(tag + 1, 'float64', this.#at - 10, this.#at, 192, false, value, this.#at - 10)
      }
    await sql`insert into sample_log (node_id, incarnation, seq, committed_at, samples, bytes)
      values (${nodeId}, ${incarnation}, ${this.#seq}, now(), ${this.#encoder.count}, ${this.#encoder.finish()})`.execute(
      this.#db,
    )
  }
}

async function measure(percent: number, everyS: number): Promise<Measured> {
  const { db, drop } = await createTestDatabase({ poolMax: 6 })
  try {
    await fill(db)
    const log = new SampleLog({ db, nodeId, logger: silentLogger, now: Date.now })
    await log.open({ nodeId, incarnation })
    const commits = new Commits(db)
    const now = () => commits.at
    const streams = new ProjectStreams({ samplesDb: db, bus: createLocalBus(silentLogger), now })
    const plans = planOf((machines * percent) / 100, everyS)
    const reader = new StreamReader({
      ...{ db, samplesDb: db, streams, logger: silentLogger, now },
      store: new ReaderStore(db, 'bench'),
      links: { listPlans: () => plans, subscribe: () => () => {}, catchUp: async () => {} },
    })
    for (let commit = 0; commit < 2 * commitsPerS; commit++) {
      await commits.add()
      await reader.step()
    }
    const tookMs: number[] = []
    let cpuMicros = 0
    for (let commit = 0; commit < seconds * commitsPerS; commit++) {
      await commits.add()
      const before = process.cpuUsage()
      const beganAt = performance.now()
      await reader.step()
      tookMs.push(performance.now() - beganAt)
      const { user, system } = process.cpuUsage(before)
      cpuMicros += user + system
    }
    return { ...(await measureBytes(db, streams, plans, now)), cpu: cpuMicros / 1e6 / seconds, tookMs }
  } finally {
    await drop()
  }
}

async function measureBytes(
  db: Database,
  streams: ProjectStreams,
  plans: readonly ProjectPlan[],
  now: () => number,
): Promise<Pick<Measured, 'rows' | 'bytes' | 'joinedBytes' | 'gzipBytes'>> {
  let rows = 0
  let gzipBytes = 0
  for (const { projectId } of plans)
    for (let after = 0; ; ) {
      const read = await streams.read(projectId, after, { maxRows: rowsPerBody, maxBytes: 1e9 })
      if (read.length === 0) break
      rows += read.length
      after = read.at(-1)?.no ?? after
      gzipBytes += gzipSync(read.map((row) => rowJson(row)).join('\n')).length
    }
  for (const { projectId } of plans)
    await sql`insert into projects (id, user_id, name, created_at) overriding system value
              select ${projectId}, id, 'bench', now() from users limit 1`.execute(db)
  const bytes = await sizeOf(db)
  const { signal } = new AbortController()
  const keeping = new StreamKeeping({ db, samplesDb: db, bytesMax: 1e12 })
  await keeping.run({ now: now() + 120_000, previous: undefined, signal })
  return { rows, gzipBytes, bytes, joinedBytes: await sizeOf(db) }
}

/** With its indexes and what lies beside it, after what was removed is given back. */
async function sizeOf(db: Database): Promise<number> {
  await sql`vacuum full project_stream`.execute(db)
  const { rows } = await sql<{ bytes: number }>`
    select pg_total_relation_size('project_stream') as bytes`.execute(db)
  return rows[0]?.bytes ?? 0
}

const stopServer = await startTestPostgres()
console.log(describeMachine())
const found: Row[] = []
for (const { percent, everyS, what } of [
  { percent: 0.01, everyS: 0, what: 'one machine in a project' },
  { percent: 1, everyS: 0, what: '1 % in projects, each change' },
  { percent: 100, everyS: 0, what: '100 % in projects, each change' },
  { percent: 100, everyS: 5, what: '100 % in projects, a row of 5 s' },
]) {
  const { rows, cpu, tookMs, bytes, joinedBytes, gzipBytes } = await measure(percent, everyS)
  const perRow = (size: number) => (rows === 0 ? '-' : (size / rows).toFixed(0))
  found.push({
    what,
    figure: `${(cpu * 100).toFixed(0)} % of a core; a commit of 5,000 samples p50 ${quantile(tookMs, 0.5).toFixed(0)} ms, p99 ${quantile(tookMs, 0.99).toFixed(0)} ms; bytes of a row ${perRow(bytes)}, joined ${perRow(joinedBytes)}, gzip NDJSON ${perRow(gzipBytes)}`,
    target: '',
  })
}
printRows(found)
await stopServer()
