import type { TileFault, TileKind, TileSystem } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** The settings of a source, but for its key. */
export interface TileSourceBody {
  readonly brandId: number
  readonly name: { readonly cn: string; readonly en: string }
  readonly kind: TileKind
  readonly url: string
  readonly system: TileSystem
  readonly minZoom: number
  readonly maxZoom: number
  readonly attribution: string
  readonly reviewNumber: string
  readonly isCached: boolean
}

export interface StoredTileSource extends TileSourceBody {
  readonly id: number
  readonly version: string
  readonly keySealed: Buffer | null
  readonly failedAt: Date | null
  readonly fault: TileFault | null
  readonly status: number | null
}

const columns = [
  'id',
  'brand_id',
  'name_cn',
  'name_en',
  'kind',
  'url',
  'system',
  'min_zoom',
  'max_zoom',
  'attribution',
  'review_number',
  'is_cached',
  'version',
  'key_sealed',
  'failed_at',
  'fault',
  'status',
] as const

const select = (db: Db) => db.selectFrom('tile_sources').select(columns)
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>

const toSource = (row: Row): StoredTileSource => ({
  id: row.id,
  brandId: row.brand_id,
  name: { cn: row.name_cn, en: row.name_en },
  kind: row.kind as TileKind,
  url: row.url,
  system: row.system as TileSystem,
  minZoom: row.min_zoom,
  maxZoom: row.max_zoom,
  attribution: row.attribution,
  reviewNumber: row.review_number,
  isCached: row.is_cached,
  version: row.version,
  keySealed: row.key_sealed,
  failedAt: row.failed_at,
  fault: row.fault as TileFault | null,
  status: row.status,
})

const toColumns = (body: TileSourceBody) => ({
  brand_id: body.brandId,
  name_cn: body.name.cn,
  name_en: body.name.en,
  kind: body.kind,
  url: body.url,
  system: body.system,
  min_zoom: body.minZoom,
  max_zoom: body.maxZoom,
  attribution: body.attribution,
  review_number: body.reviewNumber,
  is_cached: body.isCached,
})

/** The sources of a brand, or of all, in the order in which they were made. */
export async function listSources(db: Db, brandId?: number): Promise<StoredTileSource[]> {
  const rows = await select(db)
    .$if(brandId !== undefined, (query) => query.where('brand_id', '=', brandId as number))
    .orderBy('brand_id')
    .orderBy('id')
    .execute()
  return rows.map(toSource)
}

export async function findSource(db: Db, id: number): Promise<StoredTileSource | undefined> {
  const row = await select(db).where('id', '=', id).executeTakeFirst()
  return row && toSource(row)
}

/** Makes other writers of a brand’s sources wait; false for an unknown brand. */
export async function lockBrandOfSources(db: Db, brandId: number): Promise<boolean> {
  const rows = await sql`select 1 from brands where id = ${brandId} for no key update`.execute(db)
  return rows.rows.length > 0
}

export async function insertSource(db: Db, body: TileSourceBody): Promise<number> {
  const row = await db
    .insertInto('tile_sources')
    .values(toColumns(body))
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Changes a source: tiles that were kept of it are no longer used, and its last failure is over. */
export async function updateSource(db: Db, id: number, body: TileSourceBody): Promise<void> {
  await db
    .updateTable('tile_sources')
    .set({
      ...toColumns(body),
      version: sql`gen_random_uuid()`,
      failed_at: null,
      fault: null,
      status: null,
    })
    .where('id', '=', id)
    .execute()
}

export async function setKey(db: Db, id: number, sealed: Buffer | null): Promise<void> {
  await db.updateTable('tile_sources').set({ key_sealed: sealed }).where('id', '=', id).execute()
}

export async function deleteSource(db: Db, id: number): Promise<void> {
  await db.deleteFrom('tile_sources').where('id', '=', id).execute()
}

/** Keeps why a tile could not be had, of the source as it was then. */
export async function setFailure(
  db: Db,
  { id, version }: Pick<StoredTileSource, 'id' | 'version'>,
  { fault, status }: { readonly fault: TileFault; readonly status: number | null },
  at: Date,
): Promise<void> {
  await db
    .updateTable('tile_sources')
    .set({ failed_at: at, fault, status })
    .where('id', '=', id)
    .where('version', '=', version)
    .execute()
}
