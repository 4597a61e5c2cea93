import type { destinations as contract } from '@busbar/contract'
import { sql } from 'kysely'
import type { SpaceIds } from '../spaces/index.ts'
import type { NamedBroker } from './broker-names.ts'
import { type FormerLanes, moveLanes } from './lane-rules.ts'
import type { Db } from './lanes-store.ts'

/** The settings of a destination that people choose. */
export interface DestinationBody {
  readonly name: string
  readonly type: contract.DestinationType
  readonly url: string
  readonly format: contract.RowFormat
  readonly ndjson: boolean
  readonly gzip: boolean
  readonly rowsMax: number
  readonly rows: boolean
  readonly events: readonly contract.ProjectEvent[]
  /** Of a broker. */
  readonly mqtt?: contract.Mqtt | null | undefined
}

/** A destination with the state of its lanes, the worst of which counts. */
export interface StoredDestination extends DestinationBody, SpaceIds {
  readonly id: number
  readonly projectId: number
  readonly lanes: number
  readonly state: contract.DestinationState
  readonly switchedOff: contract.SwitchOffReason | null
  readonly failingSince: Date | null
  readonly fault: contract.DestinationFault | null
  readonly status: number | null
  readonly nextTryAt: Date | null
  readonly lastOkAt: Date | null
  readonly gaps: number
  readonly gapFrom: Date | null
  readonly gapTo: Date | null
  /** Of the lane that is the farthest behind. */
  readonly ackedNo: number
}

const valuesOf = ({
  name,
  type,
  url,
  format,
  ndjson,
  gzip,
  rowsMax,
  rows,
  events,
  mqtt,
}: DestinationBody) => ({
  ...{ name, type, url, format },
  is_ndjson: ndjson,
  is_gzip: gzip,
  rows_max: rowsMax,
  has_rows: rows,
  events: [...events],
  mqtt: mqtt ? JSON.stringify(mqtt) : null,
})

/** Makes a destination whose lanes begin after a row of the stream. */
export async function insertDestination(
  trx: Db,
  projectId: number,
  body: DestinationBody,
  { lanes, afterNo, at }: { readonly lanes: number; readonly afterNo: number; readonly at: Date },
): Promise<number> {
  const { id } = await trx
    .insertInto('destinations')
    .values({ project_id: projectId, ...valuesOf(body), created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertLanes(trx, id, lanes, afterNo)
  return id
}

async function insertLanes(trx: Db, id: number, lanes: number, afterNo: number, turn = 0): Promise<void> {
  await sql`
    insert into destination_lanes (destination_id, lane, acked_no, turn)
    select ${id}, lane, ${afterNo}, ${turn} from generate_series(0, ${lanes - 1}) as lane`.execute(trx)
}

export async function updateDestination(
  trx: Db,
  id: number,
  body: DestinationBody,
  state: 'on' | 'off' | undefined,
): Promise<void> {
  await trx
    .updateTable('destinations')
    .set({ ...valuesOf(body), ...(state && { state, switched_off: null }) })
    .where('id', '=', id)
    .execute()
  if (state === undefined) return
  // A person has looked at it: it is tried at once, and its time begins anew. A process that waits with a lane for its next
  // try loses it by the turn, and the lane is taken as it is here.
  await trx
    .updateTable('destination_lanes')
    .set({
      ...{ tries: 0, refusals: 0, next_try_at: null, failing_since: null, fault: null, status: null },
      turn: sql`case when tries > 0 then turn + 1 else turn end`,
      leased_until: sql`case when tries > 0 then '-infinity' else leased_until end`,
    })
    .where('destination_id', '=', id)
    .execute()
}

/** Gives a destination another number of lanes, none of which sends what one of the former ones has delivered. */
export async function changeLanes(trx: Db, id: number, lanes: number): Promise<void> {
  const rows = await trx
    .selectFrom('destination_lanes')
    .select(['acked_no', 'turn'])
    .where('destination_id', '=', id)
    .orderBy('lane')
    .forUpdate()
    .execute()
  if (rows.length === lanes) return
  const before = await trx
    .selectFrom('destinations')
    .select('former_lanes')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const acked = rows.map(({ acked_no }) => acked_no)
  const { ackedNo, former } = moveLanes(acked, before.former_lanes as unknown as FormerLanes[])
  await trx.deleteFrom('destination_lanes').where('destination_id', '=', id).execute()
  // No former lane has this turn: one whose request is on its way would move the new lane past rows of other machines.
  const turn = 1 + Math.max(...rows.map((row) => row.turn))
  await insertLanes(trx, id, lanes, ackedNo, turn)
  await trx
    .updateTable('destinations')
    .set({ former_lanes: JSON.stringify(former) })
    .where('id', '=', id)
    .execute()
}

/** Removes the former lanes that all present ones are beyond. */
export async function pruneFormerLanes(
  db: Db,
  id: number,
  stillFormer: (former: readonly FormerLanes[], ackedNo: number) => readonly FormerLanes[],
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ former: FormerLanes[]; ackedNo: number }>`
      select former_lanes as former,
        (select min(lane.acked_no) from destination_lanes lane where lane.destination_id = ${id}) as "ackedNo"
      from destinations where id = ${id} for no key update`.execute(trx)
    const [row] = rows
    if (!row) return
    const former = stillFormer(row.former, row.ackedNo)
    if (former.length < row.former.length)
      await sql`update destinations set former_lanes = ${JSON.stringify(former)} where id = ${id}`.execute(
        trx,
      )
  })
}

export async function deleteDestination(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('destinations').where('id', '=', id).execute()
}

const columns = sql`destination.id, destination.project_id as "projectId", project.user_id as "userId",
  project.enterprise_id as "enterpriseId", destination.name, destination.type, destination.url, destination.format,
  destination.is_ndjson as ndjson, destination.is_gzip as gzip, destination.rows_max as "rowsMax",
  destination.has_rows as rows, destination.events, destination.mqtt, destination.state, destination.switched_off as "switchedOff",
  destination.gaps, destination.gap_from as "gapFrom", destination.gap_to as "gapTo", lanes.*`

/** The lanes of a destination together: the one that fails longest says why. */
const lanes = sql`cross join lateral (
  select count(*)::int as lanes, min(lane.failing_since) as "failingSince", min(lane.next_try_at) as "nextTryAt",
    max(lane.last_ok_at) as "lastOkAt", min(lane.acked_no) as "ackedNo",
    (array_agg(lane.fault order by lane.failing_since nulls last, lane.lane))[1] as fault,
    (array_agg(lane.status order by lane.failing_since nulls last, lane.lane))[1] as status
  from destination_lanes lane where lane.destination_id = destination.id) lanes`

/** The destinations of projects, the oldest first. */
export async function listDestinations(db: Db, projectIds: readonly number[]): Promise<StoredDestination[]> {
  const { rows } = await sql<StoredDestination>`
    select ${columns} from destinations destination join projects project on project.id = destination.project_id
    ${lanes} where destination.project_id = any(${[...projectIds]}::bigint[])
    order by destination.project_id, destination.id`.execute(db)
  return rows
}

export async function findDestination(db: Db, id: number): Promise<StoredDestination | undefined> {
  const { rows } = await sql<StoredDestination>`
    select ${columns} from destinations destination join projects project on project.id = destination.project_id
    ${lanes} where destination.id = ${id}`.execute(db)
  return rows[0]
}

/** The space of a project; undefined for one that is gone. */
export async function findSpace(db: Db, projectId: number): Promise<SpaceIds | undefined> {
  return db
    .selectFrom('projects')
    .select(['user_id as userId', 'enterprise_id as enterpriseId'])
    .where('id', '=', projectId)
    .executeTakeFirst()
}

/** Lets one transaction at a time count a project's destinations and add to them. */
export async function lockProject(trx: Db, projectId: number): Promise<void> {
  await sql`select id from projects where id = ${projectId} for no key update`.execute(trx)
}

export async function countDestinations(trx: Db, projectId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from destinations where project_id = ${projectId}`.execute(trx)
  return rows[0]?.count ?? 0
}

/** The sealed secrets of a broker, with the address that they are for; it changes after the transaction only. */
export async function findBrokerSecrets(
  trx: Db,
  id: number,
): Promise<{ readonly url: string; readonly sealed: Buffer | null } | undefined> {
  const { rows } = await sql<{ url: string; sealed: Buffer | null }>`
    select url, mqtt_secrets as sealed from destinations where id = ${id} for no key update`.execute(trx)
  return rows[0]
}

export async function setBrokerSecrets(trx: Db, id: number, sealed: Buffer): Promise<void> {
  await trx.updateTable('destinations').set({ mqtt_secrets: sealed }).where('id', '=', id).execute()
}

/** The brokers of a space at an address; one transaction at a time saves one that is there. */
export async function lockBrokers(
  trx: Db,
  url: string,
  { userId, enterpriseId }: SpaceIds,
): Promise<NamedBroker[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`broker ${url}`}, 0))`.execute(trx)
  const { rows } = await sql<NamedBroker>`
    select destination.id, destination.project_id as "projectId", destination.format, destination.mqtt
    from projects project join destinations destination on destination.project_id = project.id
    where ${enterpriseId === null ? sql`project.user_id = ${userId}` : sql`project.enterprise_id = ${enterpriseId}`}
      and destination.type = 'mqtt' and destination.url = ${url}`.execute(trx)
  return rows
}

export interface StoredSecret {
  readonly destinationId: number
  readonly sealed: Buffer
  readonly createdAt: Date
  readonly endsAt: Date | null
}

/** The secrets of destinations that are valid, the newest first. */
export async function listSecrets(db: Db, ids: readonly number[], now: Date): Promise<StoredSecret[]> {
  const { rows } = await sql<StoredSecret>`
    select destination_id as "destinationId", sealed, created_at as "createdAt", ends_at as "endsAt"
    from destination_secrets
    where destination_id = any(${[...ids]}::bigint[]) and (ends_at is null or ends_at > ${now})
    order by destination_id, created_at desc`.execute(db)
  return rows
}

/** Adds a secret; the former one ends at `formerEndsAt`, and those before it at once. */
export async function insertSecret(
  trx: Db,
  destinationId: number,
  sealed: Buffer,
  { at, formerEndsAt }: { readonly at: Date; readonly formerEndsAt: Date },
): Promise<void> {
  await trx
    .deleteFrom('destination_secrets')
    .where('destination_id', '=', destinationId)
    .where('ends_at', 'is not', null)
    .execute()
  await trx
    .updateTable('destination_secrets')
    .set({ ends_at: formerEndsAt })
    .where('destination_id', '=', destinationId)
    .execute()
  await trx
    .insertInto('destination_secrets')
    .values({ destination_id: destinationId, sealed, created_at: at })
    .execute()
}

export async function removeEndedSecrets(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('destination_secrets').where('ends_at', '<=', now).execute()
}

export async function listDestinationIds(db: Db, projectId: number): Promise<number[]> {
  const rows = await db.selectFrom('destinations').select('id').where('project_id', '=', projectId).execute()
  return rows.map(({ id }) => id)
}

/** The project of a destination; undefined for a missing one. */
export async function findProjectOf(db: Db, id: number): Promise<number | undefined> {
  const row = await db.selectFrom('destinations').select('project_id').where('id', '=', id).executeTakeFirst()
  return row?.project_id
}
