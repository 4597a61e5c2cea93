import { type Kysely, sql } from 'kysely'

/** Maps of a deployment’s own, for the people of a brand. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table tile_sources (
  id bigint generated always as identity primary key,
  brand_id bigint not null references brands,
  name_cn text not null check (name_cn <> ''),
  name_en text not null check (name_en <> ''),
  kind text not null check (kind in ('xyz', 'wmts', 'pmtiles')),
  url text not null check (url <> ''),
  system text not null check (system in ('wgs84', 'gcj02')),
  min_zoom smallint not null check (min_zoom >= 0),
  max_zoom smallint not null check (max_zoom between min_zoom and 22),
  attribution text not null,
  review_number text not null,
  key_sealed bytea,
  is_cached boolean not null,
  -- Of kept tiles: another one after each change, and in each database.
  version uuid not null default gen_random_uuid(),
  failed_at timestamptz,
  fault text,
  status smallint,
  check ((failed_at is null) = (fault is null))
);
create index tile_sources_brand on tile_sources (brand_id, id);
`)
    .execute(db)
}
