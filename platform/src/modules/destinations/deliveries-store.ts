import type { destinations as contract } from '@busbar/contract'
import { sql } from 'kysely'
import type { Db } from './lanes-store.ts'

/** A request, or several of a lane within seconds, as the log has it. */
export interface NewDelivery {
  readonly destinationId: number
  readonly at: Date
  readonly state: contract.DeliveryState
  readonly rows: number
  readonly bytes: number
  readonly status: number | null
  readonly attempts: number
  readonly ms: number
  readonly fault: contract.DestinationFault | null
  /** The beginning of the answer, where the receiver refused. */
  readonly answer: string
}

export interface StoredDelivery extends NewDelivery {
  readonly id: number
  readonly projectId: number
  readonly target: string
  readonly requests: number
}

export async function insertDelivery(db: Db, delivery: NewDelivery): Promise<number> {
  const { destinationId, status, ...rest } = delivery
  const row = await db
    .insertInto('deliveries')
    .values({ ...rest, destination_id: destinationId, http_status: status })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Adds a request to a row of the log. */
export async function extendDelivery(
  db: Db,
  id: number,
  { rows, bytes, ms }: Pick<NewDelivery, 'rows' | 'bytes' | 'ms'>,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set(({ eb, fn, val }) => ({
      requests: eb('requests', '+', 1),
      rows: eb('rows', '+', rows),
      bytes: eb('bytes', '+', bytes),
      ms: fn('greatest', ['ms', val(ms)]),
    }))
    .where('id', '=', id)
    .execute()
}

/** The parts of a dead letter that its row of the log lacks. */
export interface DeadLetter {
  readonly webhookId: string
  /** As it was sent, at most 64 kB. */
  readonly request: string
  readonly rows: Buffer
}

export async function insertDeadLetter(db: Db, deliveryId: number, letter: DeadLetter): Promise<void> {
  await db
    .insertInto('dead_letters')
    .values({
      delivery_id: deliveryId,
      webhook_id: letter.webhookId,
      request: letter.request,
      rows: letter.rows,
    })
    .execute()
}

const columns = sql`delivery.id, delivery.destination_id as "destinationId", destination.project_id as "projectId",
  destination.name as target, delivery.at, delivery.state, delivery.requests, delivery.rows,
  delivery.bytes::float8 as bytes, delivery.http_status as status, delivery.attempts, delivery.ms, delivery.fault,
  delivery.answer`

export interface DeliveryChoice {
  readonly destinationIds: readonly number[]
  readonly state: contract.DeliveryState | undefined
}

/** A page of the deliveries of destinations, the newest first, with their number. */
export async function listDeliveries(
  db: Db,
  { destinationIds, state }: DeliveryChoice,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
): Promise<{ readonly list: StoredDelivery[]; readonly total: number }> {
  const chosen = sql`delivery.destination_id = any(${[...destinationIds]}::bigint[])
    ${state === undefined ? sql`` : sql`and delivery.state = ${state}`}`
  const { rows: list } = await sql<StoredDelivery>`
    select ${columns} from deliveries delivery join destinations destination on destination.id = delivery.destination_id
    where ${chosen} order by delivery.id desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db)
  const { rows } = await sql<{ total: number }>`
    select count(*)::float8 as total from deliveries delivery where ${chosen}`.execute(db)
  return { list, total: rows[0]?.total ?? 0 }
}

export async function findDelivery(
  db: Db,
  id: number,
): Promise<(StoredDelivery & { readonly letter: DeadLetter | undefined }) | undefined> {
  const { rows } = await sql<
    StoredDelivery & { webhookId: string | null; request: string; letterRows: Buffer }
  >`
    select ${columns}, letter.webhook_id as "webhookId", letter.request, letter.rows as "letterRows"
    from deliveries delivery join destinations destination on destination.id = delivery.destination_id
    left join dead_letters letter on letter.delivery_id = delivery.id
    where delivery.id = ${id}`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { webhookId, request, letterRows, ...delivery } = row
  const letter = webhookId === null ? undefined : { webhookId, request, rows: letterRows }
  return { ...delivery, letter }
}

/** Takes a dead letter to send it again; false where it was accepted, or somebody else sends it. */
export async function claimLetter(
  db: Db,
  id: number,
  { at, until }: { readonly at: Date; readonly until: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update dead_letters letter set sending_until = ${until} from deliveries delivery
    where letter.delivery_id = ${id} and delivery.id = ${id} and delivery.state = 'dead'
      and (letter.sending_until is null or letter.sending_until <= ${at})`.execute(db)
  return numAffectedRows === 1n
}

/** Holds a dead letter that was taken for longer; null: no longer. */
export async function holdLetter(db: Db, id: number, until: Date | null): Promise<void> {
  await db.updateTable('dead_letters').set({ sending_until: until }).where('delivery_id', '=', id).execute()
}

/** Notes another try of a dead letter; false where it was accepted meanwhile. */
export async function noteResent(
  db: Db,
  id: number,
  change: Pick<NewDelivery, 'state' | 'status' | 'fault' | 'ms' | 'answer'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set(({ eb }) => ({
      state: change.state,
      http_status: change.status,
      fault: change.fault,
      ms: change.ms,
      answer: change.answer,
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', id)
    .where('state', '=', 'dead')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Removes deliveries of before, a few at a time; answers how many. */
export async function removeOldDeliveries(db: Db, before: Date, max: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from deliveries where id in (
      select id from deliveries where at < ${before} order by at limit ${max})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
