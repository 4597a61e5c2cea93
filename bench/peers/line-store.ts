/** Stores of time series that take lines of InfluxDB's protocol: InfluxDB 1 and VictoriaMetrics. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findFreePort } from '@busbar/platform/kernel/http/listen.ts'
import { awaitPort } from '../src/await-port.ts'
import type { Signal, SignalValue } from './mix.ts'

const influxProgram = process.env.BUSBAR_INFLUXD ?? '/usr/bin/influxd'
const victoriaProgram = process.env.BUSBAR_VICTORIA_METRICS ?? '/usr/bin/victoria-metrics'
const bytesPerPostMax = 2 * 1024 * 1024
const settleMsMax = 60_000

/** A query to a store: averages of tags, with the lowest and the highest value of each interval. */
export interface PeerQuery {
  readonly tagIds: readonly number[]
  /** Epoch milliseconds, `to` excluded. */
  readonly from: number
  readonly to: number
  readonly intervalMs: number
}

export interface Peer {
  readonly name: string
  /** Takes lines that `lineOf` made. */
  write(lines: string): Promise<void>
  /** Resolves when the data can be read and the files have their final form. */
  settle(): Promise<void>
  /** The number of points that came back, over all tags. */
  query(query: PeerQuery): Promise<number>
  bytesOnDisk(): Promise<number>
  stop(): Promise<void>
}

/** The peers that this machine has; Debian calls their packages `influxdb` and `victoria-metrics`. */
export async function startPeers(): Promise<Peer[]> {
  const peers: Peer[] = []
  if (existsSync(influxProgram)) peers.push(await startInflux())
  if (existsSync(victoriaProgram)) peers.push(await startVictoria())
  return peers
}

const fields = { float64: 'f', int64: 'i', bool: 'b', string: 's' } as const

/** A sample as a line; each type has a separate field, because a field keeps its first type. */
export function lineOf({ tagId, type }: Signal, at: number, value: SignalValue): string {
  const written =
    typeof value === 'bigint'
      ? `${value}i`
      : typeof value === 'string'
        ? JSON.stringify(value)
        : String(value)
  return `v,id=${tagId} ${fields[type]}=${written} ${at}\n`
}

/** Writes all samples of signals from an instant on, `count` milliseconds long; returns how many there were. */
export async function feed(
  peer: Peer,
  signals: readonly Signal[],
  values: (signal: Signal, place: number) => SignalValue,
  { from, to }: { from: number; to: number },
): Promise<number> {
  let lines = ''
  let samples = 0
  for (const signal of signals) {
    for (let at = from; at < to; at += signal.stepMs) {
      lines += lineOf(signal, at, values(signal, (at - from) / signal.stepMs))
      samples++
      if (lines.length < bytesPerPostMax) continue
      await peer.write(lines)
      lines = ''
    }
  }
  if (lines !== '') await peer.write(lines)
  return samples
}

async function startInflux(): Promise<Peer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'busbar-bench-influx-'))
  const [port, rpcPort] = [await findFreePort('127.0.0.1'), await findFreePort('127.0.0.1')]
  const config = join(dataDir, 'influxdb.conf')
  await writeFile(
    config,
    `reporting-disabled = true
bind-address = "127.0.0.1:${rpcPort}"
[monitor]
  store-enabled = false
[meta]
  dir = "${dataDir}/meta"
[data]
  dir = "${dataDir}/data"
  wal-dir = "${dataDir}/wal"
  cache-snapshot-write-cold-duration = "1s"
  compact-full-write-cold-duration = "2s"
[http]
  bind-address = "127.0.0.1:${port}"
  log-enabled = false
`,
  )
  const program = spawn(influxProgram, ['-config', config], { stdio: 'ignore' })
  await awaitPort(port, program)
  const url = `http://127.0.0.1:${port}`
  await answerOf(
    await fetch(`${url}/query`, {
      method: 'POST',
      body: new URLSearchParams({ q: 'create database bench' }),
    }),
  )
  return {
    name: 'InfluxDB 1',
    write: async (body) =>
      void (await answerOf(await fetch(`${url}/write?db=bench&precision=ms`, { method: 'POST', body }))),
    settle: () => awaitSteady(dataDir),
    async query({ tagIds, from, to, intervalMs }) {
      const tags = tagIds.map((id) => `id='${id}'`).join(' or ')
      const q = `select mean(f),min(f),max(f) from v where (${tags}) and time >= ${from}ms and time < ${to}ms
        group by time(${intervalMs}ms),id fill(none)`
      const answer = await answerOf(
        await fetch(`${url}/query?${new URLSearchParams({ db: 'bench', epoch: 'ms', q })}`),
      )
      const { results } = JSON.parse(answer) as { results: { series?: { values: unknown[] }[] }[] }
      return (results[0]?.series ?? []).reduce((sum, { values }) => sum + values.length, 0)
    },
    // Beside it lies an index of 32 MB that is made ahead.
    bytesOnDisk: () => sizeOf(join(dataDir, 'data/bench/autogen')),
    stop: () => end(program, dataDir),
  }
}

async function startVictoria(): Promise<Peer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'busbar-bench-victoria-'))
  const port = await findFreePort('127.0.0.1')
  const program = spawn(
    victoriaProgram,
    [
      `-storageDataPath=${dataDir}`,
      `-httpListenAddr=127.0.0.1:${port}`,
      '-retentionPeriod=12',
      '-loggerLevel=ERROR',
    ],
    { stdio: 'ignore' },
  )
  await awaitPort(port, program)
  const url = `http://127.0.0.1:${port}`
  return {
    name: 'VictoriaMetrics',
    write: async (body) =>
      void (await answerOf(await fetch(`${url}/write?precision=ms`, { method: 'POST', body }))),
    async settle() {
      await answerOf(await fetch(`${url}/internal/force_flush`))
      await answerOf(await fetch(`${url}/internal/force_merge`))
      await awaitSteady(dataDir)
    },
    async query({ tagIds, from, to, intervalMs }) {
      const step = `${intervalMs}ms`
      // A point of VictoriaMetrics looks back from its time: the first one lies an interval later.
      const parameters = new URLSearchParams({
        query: `rollup(v_f{id=~"${tagIds.join('|')}"}[${step}])`,
        start: String((from + intervalMs) / 1_000),
        end: String(to / 1_000),
        step,
        nocache: '1',
      })
      const answer = await answerOf(await fetch(`${url}/api/v1/query_range?${parameters}`))
      const { data } = JSON.parse(answer) as { data: { result: { values: unknown[] }[] } }
      return data.result.reduce((sum, { values }) => sum + values.length, 0) / 3
    },
    bytesOnDisk: () => sizeOf(join(dataDir, 'data')),
    stop: () => end(program, dataDir),
  }
}

async function answerOf(response: Response): Promise<string> {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status}: ${text.slice(0, 200)}`)
  return text
}

/** Resolves when a folder has kept its size for five seconds; rejects after a minute. */
async function awaitSteady(folder: string): Promise<void> {
  let [before, same] = [-1, 0]
  for (const until = performance.now() + settleMsMax; performance.now() < until; await sleep(1_000)) {
    const size = await sizeOf(folder)
    same = size === before ? same + 1 : 0
    before = size
    if (same >= 5) return
  }
  throw new Error(`${folder} did not come to rest`)
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    // A merge may remove a file while the folder is read.
    bytes += await stat(join(entry.parentPath, entry.name)).then(
      (found) => found.size,
      () => 0,
    )
  }
  return bytes
}

async function end(program: ChildProcess, dataDir: string): Promise<void> {
  const ended = new Promise((resolve) => program.once('exit', resolve))
  program.kill('SIGTERM')
  await ended
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
}
