import { firstPlaceType } from '@busbar/contract'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { Fix, FixSource, Implausible, Place, PlaceState } from './place-rules.ts'

type Trx = Transaction<DB>

/** A machine's place with what is kept beside it. */
export interface KeptPlace extends PlaceState {
  readonly way: number | null
  /** When the machine came to its owner; epoch milliseconds, 0: it never changed hands. */
  readonly ownedSince: number
}

/**
 * Reads a machine's place, and locks it until the end of the transaction; undefined for a machine that is gone. A change of
 * owner removes the row, or waits for it.
 */
export async function lockPlace(trx: Trx, machineId: number): Promise<KeptPlace | undefined> {
  const row = (await readLocked(trx, machineId)) ?? (await createLocked(trx, machineId))
  if (!row) return undefined
  // Read after the lock: it may have changed while this transaction waited.
  const { rows } = await sql<{ owned_since: Date | null }>`
    select owned_since from machines where id = ${machineId}`.execute(trx)
  return { ...stateOf(row), way: row.way, ownedSince: rows[0]?.owned_since?.getTime() ?? 0 }
}

const readLocked = (trx: Trx, machineId: number) =>
  trx
    .selectFrom('machine_places')
    .selectAll()
    .where('machine_id', '=', machineId)
    .forUpdate()
    .executeTakeFirst()

/** Nothing of a machine whose owner is changing is there to be removed: the change is awaited. */
async function createLocked(trx: Trx, machineId: number) {
  await sql`
    insert into machine_places (machine_id, type)
    select id, ${firstPlaceType} from (select id from machines where id = ${machineId} for share) machine
    on conflict do nothing`.execute(trx)
  return readLocked(trx, machineId)
}

type Row = NonNullable<Awaited<ReturnType<typeof readLocked>>>

function stateOf(row: Row): PlaceState {
  const { lat, lng, source, fixed_at: fixedAt, fix_lat: fixLat, fix_lng: fixLng, fix_at: fixAt } = row
  const { anchor_lat: anchorLat, anchor_lng: anchorLng } = row
  return {
    type: row.type as PlaceState['type'],
    place:
      lat === null || lng === null || fixedAt === null
        ? null
        : { lat, lng, accuracyM: row.accuracy_m, source: source as Place['source'], at: fixedAt.getTime() },
    fix:
      fixLat === null || fixLng === null || fixAt === null
        ? null
        : {
            lat: fixLat,
            lng: fixLng,
            accuracyM: row.fix_accuracy_m,
            source: row.fix_source as FixSource,
            at: fixAt.getTime(),
          },
    anchor:
      anchorLat === null || anchorLng === null
        ? null
        : { lat: anchorLat, lng: anchorLng, accuracyM: row.anchor_accuracy_m ?? 0 },
    movedAfterM: row.moved_after_m,
    awaySince: row.away_since?.getTime() ?? null,
    isMoved: row.is_moved,
  }
}

/** The address of a place; null where none is known. */
export interface Addresses {
  readonly asTyped: string | null
  readonly cn: string | null
  readonly en: string | null
}

/** Writes a place that `lockPlace` locked; without `addresses` those that are there stay. */
export async function updatePlace(
  trx: Trx,
  machineId: number,
  { place, fix, anchor, ...state }: PlaceState & { readonly way: number | null },
  addresses: Addresses | undefined,
): Promise<void> {
  await trx
    .updateTable('machine_places')
    .set({
      lat: place?.lat ?? null,
      lng: place?.lng ?? null,
      accuracy_m: place?.accuracyM ?? null,
      source: place?.source ?? null,
      fixed_at: dateOf(place?.at),
      ...(addresses && { as_typed: addresses.asTyped, address_cn: addresses.cn, address_en: addresses.en }),
      type: state.type,
      way: state.way,
      fix_lat: fix?.lat ?? null,
      fix_lng: fix?.lng ?? null,
      fix_accuracy_m: fix?.accuracyM ?? null,
      fix_source: fix?.source ?? null,
      fix_at: dateOf(fix?.at),
      anchor_lat: anchor?.lat ?? null,
      anchor_lng: anchor?.lng ?? null,
      anchor_accuracy_m: anchor?.accuracyM ?? null,
      moved_after_m: state.movedAfterM,
      away_since: dateOf(state.awaySince),
      is_moved: state.isMoved,
    })
    .where('machine_id', '=', machineId)
    .execute()
}

const dateOf = (at: number | null | undefined): Date | null => (at == null ? null : new Date(at))

/** Keeps a place in the history; the same one is there once, however often a machine tells it. */
export async function createPast(
  trx: Trx,
  machineId: number,
  { at, lat, lng, accuracyM, source }: Place | Fix,
  implausible: Implausible | null,
): Promise<void> {
  const time = new Date(at)
  await sql`
    insert into machine_place_history (machine_id, at, lat, lng, accuracy_m, source, implausible)
    select ${machineId}, ${time}, ${lat}, ${lng}, ${accuracyM}::real, ${source}, ${implausible}
    where not exists (
      select from machine_place_history
      where machine_id = ${machineId} and at = ${time} and source = ${source} and lat = ${lat} and lng = ${lng}
    )`.execute(trx)
}

/** Machines that have been away since this time, and are not known to be moved. */
export async function listLongAway(db: Kysely<DB>, since: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('machine_places')
    .select('machine_id')
    .where('away_since', '<=', since)
    .where('is_moved', '=', false)
    .orderBy('machine_id')
    .execute()
  return rows.map((row) => row.machine_id)
}

/** Those of these people who do not hide the map. */
export async function listMapReaders(trx: Trx, userIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from users where id = any(${[...userIds]}::bigint[]) and not hide_map`.execute(trx)
  return new Set(rows.map(({ id }) => id))
}
