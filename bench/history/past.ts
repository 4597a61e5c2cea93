import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase, withClient } from '@busbar/platform/kernel/database/database.ts'
import { migrate } from '@busbar/platform/kernel/database/migrate.ts'
import { startPostgresServer } from '@busbar/platform/kernel/database/postgres-server.ts'
import { silentLogger } from '@busbar/platform/kernel/logger.ts'
import {
  type ChunkPart,
  copyParts,
  ensureChunkDays,
  hourMs,
  hourOf,
  nextPart,
} from '@busbar/platform/modules/telemetry/store/chunk-rows.ts'
import { DamagedChunks } from '@busbar/platform/modules/telemetry/store/damaged-chunks.ts'
import { Folding } from '@busbar/platform/modules/telemetry/store/fold.ts'
import { hourOfSamples, type MixTag } from './tag-mix.ts'

type PostgresServer = Awaited<ReturnType<typeof startPostgresServer>>

/** A migrated database of its own, in a folder that goes with it; `keptDir`: a folder that stays. */
export async function withPast(
  name: string,
  work: (db: Database, postgres: PostgresServer, dir: string) => Promise<void>,
  keptDir?: string,
): Promise<void> {
  const dir = keptDir ?? (await mkdtemp(join(tmpdir(), `busbar-bench-${name}-`)))
  const postgres = await startPostgresServer({ dataDir: dir })
  const db = openDatabase(postgres.connection, { poolMax: 6, statementMsMax: 0 })
  try {
    await migrate(db)
    await work(db, postgres, dir)
  } finally {
    await db.destroy()
    await postgres.stop()
    if (keptDir === undefined) await rm(dir, { recursive: true, force: true })
  }
}

/** Writes the samples of tags, whole hours, as the platform's flushes do. */
export async function writePast(
  db: Database,
  tags: readonly MixTag[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  for (let hour = hourOf(from); hour < hourOf(to); hour += 24) {
    const end = Math.min(hour + 24, hourOf(to))
    await ensureChunkDays(db, [hour, end - 1], to)
    await withClient(db, async (client) =>
      copyParts(client, await nextPart(client), partsOf(tags, hour, end)),
    )
  }
}

function* partsOf(tags: readonly MixTag[], begin: number, end: number): Generator<ChunkPart> {
  for (let hour = begin; hour < end; hour++)
    for (const tag of tags) yield { tagId: tag.id, hour, span: 1, samples: hourOfSamples(tag, hour) }
}

/** Folds what was written, as the platform does it; answers how long it took, in ms. */
export async function foldPast(db: Database, to: number, runs = 20): Promise<number> {
  const damaged = new DamagedChunks(silentLogger)
  const folding = new Folding({ samplesDb: db, logger: silentLogger, damaged })
  const beganAt = performance.now()
  for (let run = 0; run < runs; run++) await folding.run(to + 30 * hourMs)
  return performance.now() - beganAt
}
