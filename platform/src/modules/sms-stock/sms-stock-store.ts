import { alarmLimits } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import { withKeptPlan } from '../../kernel/database/kept-plan.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** The owner of a stock: a person, an enterprise, or a member for their enterprise's allocation. */
export interface StockOwner {
  readonly userId?: number | undefined
  readonly enterpriseId?: number | undefined
}

/** `give` and `takeBack` are of the enterprise, `got` and `returned` of its member. */
export type RecordKind =
  | 'recharge'
  | 'refund'
  | 'give'
  | 'takeBack'
  | 'got'
  | 'returned'
  | 'reserve'
  | 'take'
  | 'giveBack'

const adding: ReadonlySet<RecordKind> = new Set(['recharge', 'got', 'takeBack', 'giveBack'])

/** One change of a stock. */
export interface StockMove {
  readonly stockId: number
  readonly kind: RecordKind
  readonly segments: number
  readonly by?: number
  readonly note?: string
  readonly otherStockId?: number
  readonly notificationId?: number
}

/** A stock under a lock. */
export interface LockedStock extends StockOwner {
  readonly id: number
  readonly stock: number
}

/** Creates the missing stocks of owners. */
export async function createStocks(trx: Db, owners: readonly StockOwner[], at: Date): Promise<void> {
  const { userIds, enterpriseIds } = columnsOf(owners)
  await sql`
    insert into sms_stocks (user_id, enterprise_id, created_at)
    select user_id, enterprise_id, ${at}
    from unnest(${userIds}::bigint[], ${enterpriseIds}::bigint[]) as owner (user_id, enterprise_id)
    on conflict (coalesce(enterprise_id, 0), coalesce(user_id, 0)) do nothing`.execute(trx)
}

/**
 * Keeps a member in an enterprise until the end of the transaction; false for other people. A member who leaves gives
 * back their segments, and would miss a stock that is being created for them. Lock the member before stocks, in the
 * same order as leaving does.
 */
export async function lockMember(trx: Db, eid: number, userId: number): Promise<boolean> {
  const row = await trx
    .selectFrom('enterprise_members')
    .select('user_id')
    .where('enterprise_id', '=', eid)
    .where('user_id', '=', userId)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

/** Locks the stocks of these owners until the end of the transaction, always in the order of ids. */
export async function lockStocks(trx: Db, owners: readonly StockOwner[]): Promise<LockedStock[]> {
  const { userIds, enterpriseIds } = columnsOf(owners)
  const { rows } = await withKeptPlan(
    'locked-stocks',
    sql<{
      id: number
      user_id: number | null
      enterprise_id: number | null
      stock: number
    }>`
    select id, user_id, enterprise_id, stock from sms_stocks
    where (coalesce(enterprise_id, 0), coalesce(user_id, 0)) in (
      select coalesce(enterprise_id, 0), coalesce(user_id, 0)
      from unnest(${userIds}::bigint[], ${enterpriseIds}::bigint[]) as owner (user_id, enterprise_id))
    order by id for update`,
  ).execute(trx)
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id ?? undefined,
    enterpriseId: row.enterprise_id ?? undefined,
    stock: row.stock,
  }))
}

/**
 * Locks the stocks that hold the open reservations of these notifications, `withSpaces`: and those of the enterprises that
 * allocated to members. Answers the reservations.
 */
export async function lockReservations(
  trx: Db,
  notificationIds: readonly number[],
  { withSpaces }: { readonly withSpaces: boolean },
) {
  await withKeptPlan(
    'lock-reservations',
    sql`
    with reserved as (
      select sms_stocks.id, sms_stocks.user_id, sms_stocks.enterprise_id
      from sms_stock_records record join sms_stocks on sms_stocks.id = record.stock_id
      where record.notification_id = any(${[...notificationIds]}::bigint[]) and record.kind = 'reserve'
    )
    select from sms_stocks where id in (
      select id from reserved
      union all
      select space.id from reserved join sms_stocks space
        on space.enterprise_id = reserved.enterprise_id and space.user_id is null
      where reserved.user_id is not null and ${withSpaces})
    order by id for update`,
  ).execute(trx)
  const { rows } = await sql<{
    notification_id: number
    stock_id: number
    segments: number
    stock: number
    user_id: number | null
    enterprise_id: number | null
  }>`
    select reserved.notification_id, reserved.stock_id, reserved.segments, sms_stocks.stock, sms_stocks.user_id,
           sms_stocks.enterprise_id
    from sms_stock_records reserved join sms_stocks on sms_stocks.id = reserved.stock_id
    where reserved.notification_id = any(${[...notificationIds]}::bigint[]) and reserved.kind = 'reserve'
      and not exists (select from sms_stock_records settled
                      where settled.notification_id = reserved.notification_id
                        and settled.kind in ('take', 'giveBack'))
    order by reserved.id`.execute(trx)
  return rows
}

/** The amount that a move of this kind adds to a stock. */
export const changeOf = ({ kind, segments }: Pick<StockMove, 'kind' | 'segments'>): number =>
  kind === 'take' ? 0 : adding.has(kind) ? segments : -segments

/**
 * Changes locked stocks and records each change in its order, so that a stock is always the sum of its records. Answers the
 * stocks afterwards. The table refuses a stock below 0.
 */
export async function moveStocks(
  trx: Db,
  locked: readonly Pick<LockedStock, 'id' | 'stock'>[],
  moves: readonly StockMove[],
  at: Date,
): Promise<Map<number, number>> {
  const stocks = new Map(locked.map(({ id, stock }) => [id, stock]))
  if (moves.length === 0) return stocks
  const remaining = moves.map((move) => {
    const stock = (stocks.get(move.stockId) ?? 0) + changeOf(move)
    stocks.set(move.stockId, stock)
    return stock
  })
  const changed = [...new Set(moves.map(({ stockId }) => stockId))]
  await withKeptPlan(
    'moved-stocks',
    sql`
    update sms_stocks set stock = now.stock
    from unnest(${changed}::bigint[], ${changed.map((id) => stocks.get(id) ?? 0)}::int[]) as now (id, stock)
    where sms_stocks.id = now.id`,
  ).execute(trx)
  await trx
    .insertInto('sms_stock_records')
    .values(
      moves.map((move, place) => ({
        stock_id: move.stockId,
        kind: move.kind,
        segments: move.segments,
        change: changeOf(move),
        remaining: remaining[place] ?? 0,
        other_stock_id: move.otherStockId ?? null,
        notification_id: move.notificationId ?? null,
        by_user_id: move.by ?? null,
        note: move.note ?? '',
        at,
      })),
    )
    .execute()
  return stocks
}

/** Whether a stock may hold this much. */
export const isStockPossible = (stock: number): boolean => stock >= 0 && stock <= alarmLimits.smsStockMax

const columnsOf = (owners: readonly StockOwner[]) => ({
  userIds: owners.map(({ userId }) => userId ?? null),
  enterpriseIds: owners.map(({ enterpriseId }) => enterpriseId ?? null),
})
