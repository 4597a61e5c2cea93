import type { smsStock as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { escapeLike } from '../../kernel/database/search.ts'
import { maskEmail, maskPhone } from '../../kernel/mask-account.ts'
import type { StockOwner } from './sms-stock-store.ts'

type Db = Kysely<DB>

/** A part of a list. */
export interface Slice {
  readonly offset: number
  readonly count: number
}

const monthMs = 30 * 86_400_000
const totalOver = sql<number>`count(*) over ()::int`

/** The account or name by which operators know an owner; undefined for an unknown one. */
export async function findName(db: Db, { userId, enterpriseId }: StockOwner): Promise<string | undefined> {
  if (enterpriseId !== undefined) {
    const space = await db
      .selectFrom('enterprises')
      .select('name')
      .where('id', '=', enterpriseId)
      .executeTakeFirst()
    return space?.name
  }
  const person = await db
    .selectFrom('users')
    .select(['email', 'country_code', 'phone'])
    .where('id', '=', userId ?? 0)
    .executeTakeFirst()
  return person && (person.email ?? `+${person.country_code} ${person.phone}`)
}

export async function isMember(db: Db, eid: number, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('enterprise_members')
    .select('user_id')
    .where('enterprise_id', '=', eid)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** The balance of an owner; undefined if they never had one. */
export async function findStock(db: Db, owner: StockOwner): Promise<number | undefined> {
  const row = await db.selectFrom('sms_stocks').select('stock').where(isOf(owner)).executeTakeFirst()
  return row?.stock
}

/** The balance of an owner; 0 without a stock. */
export const readStock = async (db: Db, owner: StockOwner): Promise<number> =>
  (await findStock(db, owner)) ?? 0

const isOf = ({ userId = 0, enterpriseId = 0 }: StockOwner) =>
  sql<boolean>`coalesce(enterprise_id, 0) = ${enterpriseId} and coalesce(user_id, 0) = ${userId}`

/**
 * Stocks of people and enterprises that were recharged once, least remaining first. A search also finds those without a
 * stock, after the others, so that they can be recharged for the first time.
 */
export async function listStocks(
  db: Db,
  { offset, count }: Slice,
  search: string | undefined,
  only: contract.StockRow['owner'] | undefined,
  now: number,
) {
  const pattern = search ? `%${escapeLike(search.toLowerCase())}%` : undefined
  const { rows } = await sql<{
    user_id: number | null
    enterprise_id: number | null
    name: string
    email: string | null
    country_code: string | null
    phone: string | null
    stock: number
    allocated: number
    used: number
    recharged_at: Date | null
    total: number
  }>`
    select own.user_id, own.enterprise_id, coalesce(space.name, person.name) as name, person.email,
           person.country_code, person.phone, own.stock,
           (select coalesce(sum(stock), 0)::int from sms_stocks given
            where given.enterprise_id = own.enterprise_id and given.user_id is not null) as allocated,
           (select coalesce(sum(record.segments), 0)::int
            from sms_stock_records record join sms_stocks one on one.id = record.stock_id
            where record.kind = 'take' and record.at > ${new Date(now - monthMs)}
              and (one.id = own.id or one.enterprise_id = own.enterprise_id)) as used,
           (select max(at) from sms_stock_records where stock_id = own.id and kind = 'recharge') as recharged_at,
           ${totalOver} as total
    from (
      select id, user_id, enterprise_id, stock from sms_stocks where enterprise_id is null or user_id is null
      ${pattern ? withoutStock(pattern) : sql``}) own
    left join enterprises space on space.id = own.enterprise_id
    left join users person on person.id = own.user_id
    where ${only === 'user' ? sql`own.enterprise_id is null` : only ? sql`own.user_id is null` : sql`true`}
      and ${pattern ? sql`(lower(space.name) like ${pattern} or person.search_text like ${pattern})` : sql`true`}
    order by own.id is null, own.stock, own.id, name, coalesce(own.user_id, own.enterprise_id) offset ${offset} limit ${count}`.execute(
    db,
  )
  const list = rows.map((row) => ({
    owner: row.enterprise_id === null ? ('user' as const) : ('enterprise' as const),
    id: row.enterprise_id ?? row.user_id ?? 0,
    name: row.name,
    account: row.enterprise_id === null ? (row.email ?? `+${row.country_code} ${row.phone}`) : '',
    remaining: row.stock,
    allocated: row.allocated,
    usedMonth: row.used,
    rechargedAt: row.recharged_at?.getTime() ?? null,
  }))
  return { list, total: rows[0]?.total ?? 0 }
}

const withoutStock = (pattern: string) => sql`
      union all
      select null, person.id, null, 0 from users person
      where person.search_text like ${pattern} and not exists (
        select from sms_stocks own where own.user_id = person.id and own.enterprise_id is null)
      union all
      select null, null, space.id, 0 from enterprises space
      where lower(space.name) like ${pattern} and not exists (
        select from sms_stocks own where own.enterprise_id = space.id and own.user_id is null)`

/** Recharges and refunds of a stock, newest first. */
export async function listSales(db: Db, owner: StockOwner, { offset, count }: Slice) {
  const rows = await db
    .selectFrom('sms_stock_records as record')
    .innerJoin('sms_stocks', 'sms_stocks.id', 'record.stock_id')
    .leftJoin('users as actor', 'actor.id', 'record.by_user_id')
    .select([
      'record.kind',
      'record.segments',
      'record.remaining',
      'record.note',
      'record.at',
      'actor.name as by',
    ])
    .select(totalOver.as('total'))
    .where(isOf(owner))
    .where('record.kind', 'in', ['recharge', 'refund'])
    .orderBy('record.id', 'desc')
    .offset(offset)
    .limit(count)
    .execute()
  const list = rows.map((row) => ({
    type: row.kind as contract.RechargeType,
    count: row.segments,
    remaining: row.remaining,
    note: row.note,
    createTime: row.at.getTime(),
    by: row.by ?? '',
  }))
  return { list, total: rows[0]?.total ?? 0 }
}

interface MemberRow {
  readonly user_id: number
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
  readonly stock: number
  readonly allocated: number
  readonly used: number
  readonly created_at: Date | null
  readonly total: number
}

/** The allocations of an enterprise's members; `userId`: of this one only. Members without an allocation have zeros. */
export async function listMemberStocks(
  db: Db,
  eid: number,
  { offset, count }: Slice,
  { search, userId }: { search?: string | undefined; userId?: number },
): Promise<{ list: contract.AllocationRow[]; total: number }> {
  const pattern = search ? `%${escapeLike(search.toLowerCase())}%` : undefined
  const { rows } = await sql<MemberRow>`
    with member as (
      select users.id, users.name, users.phone, users.email, stock.id as stock_id, stock.stock, stock.created_at,
             ${totalOver} as total
      from enterprise_members
      join users on users.id = enterprise_members.user_id
      left join sms_stocks stock on stock.enterprise_id = ${eid} and stock.user_id = users.id
      where enterprise_members.enterprise_id = ${eid}
        and ${userId === undefined ? sql`true` : sql`users.id = ${userId}`}
        and ${pattern ? sql`users.search_text like ${pattern}` : sql`true`}
      order by stock.stock desc nulls last, users.name, users.id offset ${offset} limit ${count}
    )
    select member.id as user_id, name, phone, email, coalesce(stock, 0) as stock, created_at, total,
           coalesce(given.allocated, 0)::int as allocated, coalesce(given.used, 0)::int as used
    from member left join lateral (
      select sum(change) filter (where kind in ('got', 'returned')) as allocated,
             sum(segments) filter (where kind = 'take') as used
      from sms_stock_records where stock_id = member.stock_id
    ) given on true
    order by stock desc, name, member.id`.execute(db)
  return { list: rows.map(presentMember), total: rows[0]?.total ?? 0 }
}

const presentMember = (row: MemberRow): contract.AllocationRow => ({
  userId: row.user_id,
  name: row.name,
  accountMasked: row.email ? maskEmail(row.email) : maskPhone(row.phone),
  stock: row.stock,
  allocated: row.allocated,
  used: row.used,
  createTime: row.created_at?.getTime() ?? null,
  expireAt: null,
})

/** The filter of an enterprise's allocations. */
export interface AllocationFilter {
  readonly act: contract.AllocationAct | undefined
  readonly from: number | undefined
  readonly to: number | undefined
  readonly userId: number | undefined
}

/** Allocations of an enterprise to its members, newest first. */
export async function listAllocations(db: Db, eid: number, slice: Slice, filter: AllocationFilter) {
  let query = db
    .selectFrom('sms_stock_records as record')
    .innerJoin('sms_stocks as held', 'held.id', 'record.stock_id')
    .leftJoin('users as member', 'member.id', 'held.user_id')
    .leftJoin('users as actor', 'actor.id', 'record.by_user_id')
    .where('held.enterprise_id', '=', eid)
    .where('held.user_id', 'is not', null)
    .where('record.kind', 'in', ['got', 'returned'])
  if (filter.act) query = query.where('record.kind', '=', filter.act === 'give' ? 'got' : 'returned')
  if (filter.userId !== undefined) query = query.where('held.user_id', '=', filter.userId)
  if (filter.from !== undefined) query = query.where('record.at', '>=', new Date(filter.from))
  if (filter.to !== undefined) query = query.where('record.at', '<', new Date(filter.to))
  const rows = await query
    .select([
      'record.kind',
      'held.user_id',
      'member.name',
      'record.segments',
      'record.remaining',
      'record.at',
    ])
    .select('actor.name as by')
    .select(totalOver.as('total'))
    .orderBy('record.id', 'desc')
    .offset(slice.offset)
    .limit(slice.count)
    .execute()
  const list = rows.map((row) => ({
    operate: row.kind === 'got' ? ('give' as const) : ('takeBack' as const),
    userId: row.user_id,
    name: row.name ?? '',
    count: row.segments,
    remaining: row.remaining,
    by: row.by ?? '',
    createTime: row.at.getTime(),
  }))
  return { list, total: rows[0]?.total ?? 0 }
}
