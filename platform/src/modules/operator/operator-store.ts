import { type Kysely, sql } from 'kysely'
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

/** People, newest first, with what they own. */
export async function listUsers(db: Db, page: Page, only: 'locked' | 'operators' | undefined) {
  let query = db.selectFrom('users')
  if (only === 'locked') query = query.where('state', '=', 'locked')
  if (only === 'operators') query = query.where('is_operator', '=', true)
  if (page.search) query = query.where(isFound('users', sql.ref('search_text'), page.search))
  // Counts are made for the people of the page alone, not for all before it.
  const shown = query.select('id').orderBy('id', 'desc').offset(page.offset).limit(page.count)
  const [rows, total] = await Promise.all([
    db
      .selectFrom('users')
      .where('id', 'in', shown)
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
        sql<Date | null>`(select max(last_seen_at) from sessions where user_id = users.id)`.as(
          'last_seen_at',
        ),
      ])
      .orderBy('id', 'desc')
      .execute(),
    query.select(count).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type UserRow = Awaited<ReturnType<typeof listUsers>>['rows'][number]

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

/** Enterprises by name, with who owns them. */
export async function listEnterprises(db: Db, page: Page) {
  let query = db.selectFrom('enterprises')
  if (page.search) query = query.where('name', 'ilike', `%${escapeLike(page.search)}%`)
  const shown = query.select('id').orderBy('name').orderBy('id').offset(page.offset).limit(page.count)
  const [rows, total] = await Promise.all([
    db
      .selectFrom('enterprises')
      .where('id', 'in', shown)
      .select([
        'id',
        'name',
        'enable_project',
        'state',
        'created_at',
        sql<number>`(select count(*) from enterprise_members where enterprise_id = enterprises.id)`.as(
          'members',
        ),
        sql<number>`(select count(*) from machines where owner_enterprise_id = enterprises.id)`.as(
          'machines',
        ),
        sql<string>`coalesce((
          select users.name from enterprise_members member join users on users.id = member.user_id
          where member.enterprise_id = enterprises.id and member.role = 'owner'
          order by member.joined_at limit 1), '')`.as('owner'),
      ])
      .orderBy('name')
      .orderBy('id')
      .execute(),
    query.select(count).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type EnterpriseRow = Awaited<ReturnType<typeof listEnterprises>>['rows'][number]

/** Locks an enterprise's row for this transaction. */
export async function lockEnterprise(db: Db, eid: number) {
  return db
    .selectFrom('enterprises')
    .select(['name', 'state', 'leaves_at', 'enable_project'])
    .where('id', '=', eid)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Messages that left the platform or wait to, newest first; `total` counts no further than `countedMax`. */
export async function listOutgoing(
  db: Db,
  page: Page,
  kind: 'sms' | 'email' | undefined,
  countedMax: number,
) {
  // Those withheld were never meant for anybody.
  let query = db.selectFrom('outgoing').where('state', '<>', 'withheld')
  if (kind) query = query.where('kind', '=', kind)
  if (page.search) query = query.where(isFound('outgoing', sql`lower(recipient)`, page.search))
  const counted = query.select(sql<number>`1`.as('one')).limit(countedMax).as('counted')
  const [rows, total] = await Promise.all([
    query
      .select(['id', 'kind', 'country_code', 'recipient', 'subject', 'text', 'state', 'error', 'created_at'])
      .orderBy('id', 'desc')
      .offset(page.offset)
      .limit(page.count)
      .execute(),
    db.selectFrom(counted).select(count).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type OutgoingRow = Awaited<ReturnType<typeof listOutgoing>>['rows'][number]
