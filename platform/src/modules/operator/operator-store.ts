import type { operator as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import { type AskedOrder, byName, byText, orderOf } from '../../kernel/database/order.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { escapeLike, isFound } from '../../kernel/database/search.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** A page of a list. */
export interface Page {
  readonly offset: number
  readonly count: number
  readonly search: string | undefined
}

const count = sql<number>`count(*)`.as('count')

const userColumns = {
  name: byName('users.name'),
  email: { ...byText('users.email'), hasNulls: true },
  createdAt: byText('users.id'),
} as const

/** People with their possessions, newest first by default. */
export async function listUsers(
  db: Db,
  page: Page,
  only: 'locked' | 'operators' | undefined,
  asked: AskedOrder<(typeof contract.userOrders)[number]>,
) {
  const order = orderOf(userColumns, 'users.id', asked, sql`users.id desc`)
  let query = db.selectFrom('users')
  if (only === 'locked') query = query.where('state', '=', 'locked')
  if (only === 'operators') query = query.where('is_operator', '=', true)
  if (page.search) query = query.where(isFound('users', sql.ref('search_text'), page.search))
  // Counts are calculated only for the people of the page.
  const shown = query.select('id').orderBy(order).offset(page.offset).limit(page.count)
  const [rows, total] = await Promise.all([
    usersOf(db).where('id', 'in', shown).orderBy(order).execute(),
    query.select(count).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type UserRow = Awaited<ReturnType<typeof listUsers>>['rows'][number]

/** People with their possessions: the base of every query about them. */
export function usersOf(db: Db) {
  return db
    .selectFrom('users')
    .select([
      'id',
      'name',
      'country_code',
      'phone',
      'email',
      'state',
      'is_operator',
      'created_at',
      sql<number>`(select count(*) from machines where owner_user_id = users.id)`.as('machines'),
      sql<number>`(select count(*) from enterprise_members where user_id = users.id)`.as('enterprises'),
      sql<Date | null>`(select max(last_seen_at) from sessions where user_id = users.id)`.as('last_seen_at'),
    ])
}

/** People under a lock until the end of the transaction, always in the same order. */
export async function lockUsers(trx: Db, userIds: readonly number[]) {
  return trx
    .selectFrom('users')
    .select(['id', 'email', 'country_code', 'phone', 'state', 'leaves_at', 'is_operator'])
    .where('id', 'in', [...userIds])
    .orderBy('id')
    .forUpdate()
    .execute()
}

const enterpriseColumns = { name: byName('enterprises.name'), createdAt: byText('enterprises.id') } as const

/** Enterprises with their owners, by name by default. */
export async function listEnterprises(
  db: Db,
  page: Page,
  asked: AskedOrder<(typeof contract.enterpriseOrders)[number]>,
) {
  const order = orderOf(
    enterpriseColumns,
    'enterprises.id',
    asked,
    orderOf(enterpriseColumns, 'enterprises.id', { sort: 'name', order: 'asc' }, sql``),
  )
  let query = db.selectFrom('enterprises')
  if (page.search) query = query.where('name', 'ilike', `%${escapeLike(page.search)}%`)
  const shown = query.select('id').orderBy(order).offset(page.offset).limit(page.count)
  const [rows, total] = await Promise.all([
    enterprisesOf(db).where('id', 'in', shown).orderBy(order).execute(),
    query.select(count).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type EnterpriseRow = Awaited<ReturnType<typeof listEnterprises>>['rows'][number]

/** Enterprises with who owns them: every query about them starts from here. */
export function enterprisesOf(db: Db) {
  return db.selectFrom('enterprises').select([
    'id',
    'name',
    'enable_project',
    'state',
    'created_at',
    sql<number>`(select count(*) from enterprise_members where enterprise_id = enterprises.id)`.as('members'),
    sql<number>`(select count(*) from machines where owner_enterprise_id = enterprises.id)`.as('machines'),
    sql<string>`coalesce((
        select users.name from enterprise_members member join users on users.id = member.user_id
        where member.enterprise_id = enterprises.id and member.role = 'owner'
        order by member.joined_at limit 1), '')`.as('owner'),
  ])
}

/** Locks an enterprise's row for this transaction. */
export async function lockEnterprise(db: Db, eid: number) {
  return db
    .selectFrom('enterprises')
    .select(['name', 'state', 'leaves_at', 'enable_project'])
    .where('id', '=', eid)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

const outgoingColumns = { at: byText('id') } as const

/** The filters of the outbox, and its order. */
export interface OutgoingFilter extends AskedOrder<(typeof contract.outgoingOrders)[number]> {
  readonly kind?: 'sms' | 'email' | undefined
  /** Only messages to an account of this person. */
  readonly userId?: number | undefined
}

/** Messages that left the platform or wait to, newest first; `total` counts up to `countedMax`. */
export async function listOutgoing(
  db: Db,
  page: Page,
  { kind, userId, ...asked }: OutgoingFilter,
  countedMax: number,
) {
  // Withheld ones have no receiver.
  let query = db.selectFrom('outgoing').where('state', '<>', 'withheld')
  if (kind) query = query.where('kind', '=', kind)
  if (userId !== undefined) {
    const accounts = await findAccounts(db, userId)
    const isOf = [
      accounts?.email &&
        sql<boolean>`kind = 'email' and recipient = ${accounts.email}
        and ${isFound('outgoing', sql`lower(recipient)`, accounts.email)}`,
      accounts?.phone &&
        sql<boolean>`kind = 'sms' and country_code = ${accounts.country_code}
        and recipient = ${accounts.phone} and ${isFound('outgoing', sql`lower(recipient)`, accounts.phone)}`,
    ].filter((condition) => typeof condition === 'object' && condition !== null)
    query = query.where((where) => (isOf.length ? where.or(isOf) : where.lit(false)))
  }
  if (page.search) query = query.where(isFound('outgoing', sql`lower(recipient)`, page.search))
  const counted = query.select(sql<number>`1`.as('one')).limit(countedMax).as('counted')
  const [rows, total] = await Promise.all([
    query
      .select(['id', 'kind', 'country_code', 'recipient', 'subject', 'text', 'state', 'error', 'created_at'])
      .orderBy(orderOf(outgoingColumns, 'id', asked, sql`id desc`))
      .offset(page.offset)
      .limit(page.count)
      .execute(),
    db.selectFrom(counted).select(count).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type OutgoingRow = Awaited<ReturnType<typeof listOutgoing>>['rows'][number]

/** The addresses that a person signs in with; undefined if there is no such person. */
export async function findAccounts(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['email', 'country_code', 'phone'])
    .where('id', '=', userId)
    .executeTakeFirst()
}
