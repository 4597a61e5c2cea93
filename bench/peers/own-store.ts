/** Busbar's store of samples, filled as its flush and its folding leave it, and asked over HTTP like the others. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, withClient } from '@busbar/platform/kernel/database/database.ts'
import { migrate } from '@busbar/platform/kernel/database/migrate.ts'
import { startPostgresServer } from '@busbar/platform/kernel/database/postgres-server.ts'
import { silentLogger } from '@busbar/platform/kernel/logger.ts'
import { readHistory } from '@busbar/platform/modules/telemetry/history.ts'
import {
  type ChunkPart,
  copyParts,
  ensureChunkDays,
  hourMs,
  hourOf,
  nextPart,
} from '@busbar/platform/modules/telemetry/store/chunk-rows.ts'
import { SampleStore } from '@busbar/platform/modules/telemetry/store/sample-store.ts'
import { qualityNumber } from '@busbar/platform/modules/telemetry/tag-type.ts'
import { sql } from 'kysely'
import type { PeerQuery } from './line-store.ts'
import type { Signal, SignalValue } from './mix.ts'

type Values = (signal: Signal, place: number) => SignalValue

export interface OwnStore {
  readonly name: string
  /** Writes all samples of signals of a time, hour by hour, and folds them; returns how many there were. */
  fill(signals: readonly Signal[], values: Values, span: { from: number; to: number }): Promise<number>
  query(query: PeerQuery): Promise<number>
  /** Tables and indexes of chunks and averages. */
  bytesOnDisk(): Promise<number>
  /** Bytes of a row with its key in a table of (tag, time, number). */
  plainRowBytes(): Promise<number>
  stop(): Promise<void>
}

export async function startOwnStore(): Promise<OwnStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'busbar-bench-own-'))
  const postgres = await startPostgresServer({ dataDir })
  const db = openDatabase(postgres.connection, { poolMax: 6 })
  await migrate(db)
  const store = new SampleStore({ pools: { db, history: db, lists: db }, logger: silentLogger })
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const query = JSON.parse(searchParams.get('q') ?? '') as PeerQuery
    const asked = { ...query, agg: 'avg', points: 100_000 } as const
    response.end(JSON.stringify(await readHistory(db, asked, Date.now(), 100_000_000, store.history)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    name: 'Busbar',
    async fill(signals, values, span) {
      await addTags(db, signals)
      await ensureChunkDays(db, hoursOf(span))
      const tally = { samples: 0 }
      await withClient(db, async (client) => {
        await copyParts(client, await nextPart(client), partsOf(signals, values, span, tally))
      })
      while (await hasParts(db)) await store.folding.run(Date.now())
      await store.folding.run(Date.now())
      await sql`vacuum analyze sample_chunks, sample_averages`.execute(db)
      return tally.samples
    },
    async query(query) {
      const answer = await fetch(`${url}/?${new URLSearchParams({ q: JSON.stringify(query) })}`)
      const { series } = (await answer.json()) as { series: { points: unknown[] }[] }
      return series.reduce((sum, { points }) => sum + points.length, 0)
    },
    async bytesOnDisk() {
      const { rows } = await sql<{ bytes: string }>`
        select sum(pg_total_relation_size(oid))::text as bytes from pg_class
        where relkind = 'r' and (relname ^@ 'sample_chunks' or relname = 'sample_averages')`.execute(db)
      return Number(rows[0]?.bytes)
    },
    async plainRowBytes() {
      const count = 500_000
      await sql`create table plain (tag_id bigint, at timestamptz, num float8, primary key (tag_id, at))`.execute(
        db,
      )
      await sql`insert into plain select n % 50, to_timestamp(n / 50), n from generate_series(1, ${count}::int) n`.execute(
        db,
      )
      const { rows } = await sql<{
        bytes: string
      }>`select pg_total_relation_size('plain')::text as bytes`.execute(db)
      await sql`drop table plain`.execute(db)
      return Number(rows[0]?.bytes) / count
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await db.destroy()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const hoursOf = ({ from, to }: { from: number; to: number }): number[] =>
  Array.from({ length: hourOf(to - 1) - hourOf(from) + 1 }, (_, place) => hourOf(from) + place)

async function addTags(db: ReturnType<typeof openDatabase>, signals: readonly Signal[]): Promise<void> {
  await sql`insert into machines (id, code, type, name, secret_hash) overriding system value
            values (1, '1000000000000000001', 'bench', 'bench', decode(repeat('00', 32), 'hex'))
            on conflict do nothing`.execute(db)
  await sql`insert into tags (id, machine_id, group_name, name, type) overriding system value
            select id, 1, '', 't' || id, type
            from unnest(${signals.map(({ tagId }) => tagId)}::bigint[], ${signals.map(({ type }) => type)}::text[]) as t (id, type)
            on conflict do nothing`.execute(db)
}

async function hasParts(db: ReturnType<typeof openDatabase>): Promise<boolean> {
  const { rows } = await sql`select from sample_chunks where part <> 0 limit 1`.execute(db)
  return rows.length > 0
}

function* partsOf(
  signals: readonly Signal[],
  values: Values,
  { from, to }: { from: number; to: number },
  tally: { samples: number },
): Generator<ChunkPart> {
  for (const signal of signals) {
    for (let start = from; start < to; start += hourMs) {
      const count = Math.ceil((Math.min(start + hourMs, to) - start) / signal.stepMs)
      const first = (start - from) / signal.stepMs
      const given = Array.from({ length: count }, (_, place) => values(signal, first + place))
      tally.samples += count
      yield {
        tagId: signal.tagId,
        hour: hourOf(start),
        span: 1,
        samples: {
          times: Float64Array.from(given, (_, place) => start + place * signal.stepMs),
          qualities: new Uint16Array(count).fill(qualityNumber.good),
          lates: new Uint16Array(count),
          filled: new Uint16Array(count).fill(1),
          column: {
            type: signal.type,
            values: signal.type === 'bool' ? given.map(Number) : given,
          } as ChunkPart['samples']['column'],
          stamps: new Map(),
        },
      }
    }
  }
}
