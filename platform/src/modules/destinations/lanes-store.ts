import type { destinations as contract } from '@busbar/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import type { SpaceIds } from '../spaces/index.ts'
import type { FormerLanes } from './lane-rules.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** Seconds for which a process has a lane; it takes it again long before. */
const leaseS = 10

/** The settings of a destination that its lanes need. */
export interface LaneSettings extends SpaceIds {
  readonly destinationId: number
  readonly projectId: number
  readonly type: contract.DestinationType
  readonly url: string
  /** Of a broker, with its sealed secrets. */
  readonly mqtt: contract.Mqtt | null
  readonly mqttSealed: Buffer | null
  readonly format: contract.RowFormat
  readonly isNdjson: boolean
  readonly isGzip: boolean
  readonly rowsMax: number
  readonly hasRows: boolean
  readonly events: readonly contract.ProjectEvent[]
  readonly former: readonly FormerLanes[]
  readonly lanes: number
  readonly createdAt: Date
  /** Neither a person nor the platform switched it off. */
  readonly isOn: boolean
  /** Its secrets that are valid, the newest first. */
  readonly sealed: readonly Buffer[]
}

/** How far a lane is, and the request that it tries again. */
export interface LaneState {
  readonly ackedNo: number
  readonly ackedTime: Date | null
  readonly epoch: string | null
  readonly batchToNo: number | null
  readonly tries: number
  readonly refusals: number
  readonly nextTryAt: Date | null
  readonly failingSince: Date | null
}

/** A lane of this process. */
export interface HeldLane {
  readonly destinationId: number
  readonly lane: number
  /** Statements with another turn change nothing. */
  readonly turn: number
}

/** Where a project sends nothing at all, its destinations wait. */
const isOpen = sql`destination.state = 'on' and project.is_reporting and not project.is_stopped_by_operator
  and (project.enterprise_id is null or exists (select from enterprises space
    where space.id = project.enterprise_id and space.state = 'active' and space.enable_project))`

/** The columns of lanes, as parameters of `unnest`. */
const columnsOf = (
  lanes: readonly HeldLane[],
) => sql`${lanes.map(({ destinationId }) => destinationId)}::bigint[],
  ${lanes.map(({ lane }) => lane)}::int[], ${lanes.map(({ turn }) => turn)}::bigint[]`

/**
 * Takes lanes that no process works on, for ten seconds. The process works on those of `held` also where their lease is
 * over: it could not renew it without the database.
 */
export async function takeLanes(
  db: Db,
  {
    holder,
    held,
    max,
  }: { readonly holder: string; readonly held: readonly HeldLane[]; readonly max: number },
): Promise<(HeldLane & { readonly projectId: number; readonly state: LaneState })[]> {
  const { rows } = await sql<HeldLane & LaneState & { projectId: number }>`
    with free as (
      select lane.destination_id, lane.lane, project.id as project_id from destination_lanes lane
      join destinations destination on destination.id = lane.destination_id
      join projects project on project.id = destination.project_id
      where lane.leased_until < now() and ${isOpen}
        and (lane.destination_id, lane.lane, lane.turn) not in (select * from unnest(${columnsOf(held)}))
      order by lane.leased_until limit ${max} for update of lane skip locked
    )
    update destination_lanes lane
    set holder = ${holder}, leased_until = now() + ${sql.lit(`${leaseS} s`)}::interval, turn = lane.turn + 1
    from free where lane.destination_id = free.destination_id and lane.lane = free.lane
    returning lane.destination_id as "destinationId", lane.lane, lane.turn, free.project_id as "projectId",
      lane.acked_no as "ackedNo", lane.acked_time as "ackedTime", lane.epoch, lane.batch_to_no as "batchToNo",
      lane.tries, lane.refusals, lane.next_try_at as "nextTryAt", lane.failing_since as "failingSince"`.execute(
    db,
  )
  return rows.map(({ destinationId, lane, turn, projectId, ...state }) => {
    return { destinationId, lane, turn, projectId, state }
  })
}

/** Keeps lanes for another ten seconds, and how far those are that had nothing to send; answers which are still ours. */
export async function renewLanes(
  db: Db,
  lanes: readonly (HeldLane & { readonly ackedNo: number })[],
): Promise<HeldLane[]> {
  const { rows } = await sql<HeldLane>`
    update destination_lanes lane
    set leased_until = now() + ${sql.lit(`${leaseS} s`)}::interval,
      acked_no = case when lane.batch_to_no is null then greatest(lane.acked_no, held.acked_no) else lane.acked_no end
    from unnest(${columnsOf(lanes)}, ${lanes.map(({ ackedNo }) => ackedNo)}::bigint[]) as held (destination_id, lane, turn, acked_no)
    where lane.destination_id = held.destination_id and lane.lane = held.lane and lane.turn = held.turn
    returning lane.destination_id as "destinationId", lane.lane, lane.turn`.execute(db)
  return rows
}

/** Gives lanes up, so that another process need not wait for the end of a lease. */
export async function releaseLanes(db: Db, lanes: readonly HeldLane[]): Promise<void> {
  await sql`
    update destination_lanes lane set leased_until = '-infinity'
    from unnest(${columnsOf(lanes)}) as held (destination_id, lane, turn)
    where lane.destination_id = held.destination_id and lane.lane = held.lane and lane.turn = held.turn`.execute(
    db,
  )
}

/** The settings of those of these destinations that send now. */
export function listSettings(db: Db, ids: readonly number[], now: Date): Promise<LaneSettings[]> {
  return readSettings(db, sql`destination.id = any(${[...ids]}::bigint[]) and ${isOpen}`, now)
}

/** The settings of a destination, also of one that is off. */
export async function findSettings(db: Db, id: number, now: Date): Promise<LaneSettings | undefined> {
  const [settings] = await readSettings(db, sql`destination.id = ${id}`, now)
  return settings
}

async function readSettings(db: Db, which: RawBuilder<unknown>, now: Date): Promise<LaneSettings[]> {
  const { rows } = await sql<LaneSettings>`
    select destination.id as "destinationId", destination.project_id as "projectId", project.user_id as "userId",
      project.enterprise_id as "enterpriseId", destination.type, destination.url,
      destination.mqtt, destination.mqtt_secrets as "mqttSealed", destination.format,
      destination.is_ndjson as "isNdjson", destination.is_gzip as "isGzip", destination.rows_max as "rowsMax",
      destination.has_rows as "hasRows", destination.events, destination.former_lanes as former,
      destination.created_at as "createdAt", destination.state = 'on' as "isOn",
      (select count(*)::int from destination_lanes lane where lane.destination_id = destination.id) as lanes,
      (select coalesce(array_agg(secret.sealed order by secret.created_at desc), '{}')
        from destination_secrets secret where secret.destination_id = destination.id
          and (secret.ends_at is null or secret.ends_at > ${now})) as sealed
    from destinations destination join projects project on project.id = destination.project_id
    where ${which}`.execute(db)
  return rows
}

/** A change of a lane. */
export interface LaneChange extends Partial<LaneState> {
  readonly fault?: contract.DestinationFault | null
  readonly status?: number | null
  readonly lastOkAt?: Date
}

/** Writes a lane's state; false where another process has it, or where it is not at `fromNo`. */
export async function moveLane(
  db: Db,
  held: HeldLane,
  change: LaneChange,
  fromNo?: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('destination_lanes')
    .set({
      acked_no: change.ackedNo,
      acked_time: change.ackedTime,
      epoch: change.epoch,
      batch_to_no: change.batchToNo,
      tries: change.tries,
      refusals: change.refusals,
      next_try_at: change.nextTryAt,
      failing_since: change.failingSince,
      fault: change.fault,
      status: change.status,
      last_ok_at: change.lastOkAt,
    })
    .where('destination_id', '=', held.destinationId)
    .where('lane', '=', held.lane)
    .where('turn', '=', held.turn)
    .$if(fromNo !== undefined, (query) => query.where('acked_no', '=', fromNo ?? 0))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Time zones of machines, by id. */
export async function listZones(db: Db, machineIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('machines')
    .select(['id', 'time_zone'])
    .where('id', 'in', machineIds)
    .execute()
  return new Map(rows.map(({ id, time_zone }) => [id, time_zone]))
}

/** Those of these machines of projects that are still in one. */
export async function listExistingLinks(db: Db, linkIds: readonly number[]): Promise<number[]> {
  const rows = await db.selectFrom('project_machines').select('id').where('id', 'in', linkIds).execute()
  return rows.map(({ id }) => id)
}

/** The number of the next connection to a broker as an edge node, which its birth and its death have. */
export async function nextBdSeq(db: Db, destinationId: number): Promise<number> {
  const { bd_seq } = await db
    .updateTable('destinations')
    .set({ bd_seq: sql<number>`(bd_seq + 1) % 256` })
    .where('id', '=', destinationId)
    .returning('bd_seq')
    .executeTakeFirstOrThrow()
  return bd_seq
}
