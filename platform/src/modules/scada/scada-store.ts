import type { operator } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import { type AskedOrder, byName, byText, orderOf } from '../../kernel/database/order.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { escapeLike } from '../../kernel/database/search.ts'

/** The database or a transaction on it. */
export type Db = Kysely<DB>

/** A request as a stranger filled it in. */
export interface NewRequest {
  readonly ticketNo: string
  readonly brandId: number
  readonly lang: 'cn' | 'en'
  readonly company: string
  readonly phone: string
  readonly email: string
  readonly area: string
  readonly project: string
  readonly purpose: string
  readonly address: string
  readonly at: Date
}

/** Any one number: with an e-mail's hash it is the lock its requests are counted under. */
const countLockNumber = 4_807_526_978

/** Stores a request; false if this e-mail has `openMax` open ones. Counts under a separate lock. */
export async function createRequest(trx: Db, request: NewRequest, openMax: number): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${request.email}, ${countLockNumber}))`.execute(trx)
  const { rows } = await sql<{ id: number }>`
    insert into scada_requests
      (ticket_no, brand_id, lang, company, phone, email, area, project, purpose, address, created_at)
    select ${request.ticketNo}, ${request.brandId}, ${request.lang}, ${request.company}, ${request.phone},
      ${request.email}, ${request.area}, ${request.project}, ${request.purpose}, ${request.address}, ${request.at}
    where (select count(*) from scada_requests where email = ${request.email} and answered_at is null) < ${openMax}
    returning id`.execute(trx)
  return rows.length === 1
}

const columns = { company: byName('request.company'), createdAt: byText('request.created_at') } as const

/** Requests: the open ones with the one that waits longest first, otherwise newest first. */
export async function listRequests(
  db: Db,
  page: { offset: number; count: number; search: string | undefined },
  only: 'open' | 'answered' | undefined,
  asked: AskedOrder<(typeof operator.scadaOrders)[number]>,
) {
  const standard =
    only === 'open' ? sql`request.created_at, request.id` : sql`request.created_at desc, request.id`
  let query = db.selectFrom('scada_requests as request')
  if (only === 'open') query = query.where('request.answered_at', 'is', null)
  if (only === 'answered') query = query.where('request.answered_at', 'is not', null)
  if (page.search) {
    const holds = `%${escapeLike(page.search)}%`
    query = query.where((where) =>
      where.or([
        where('request.ticket_no', 'ilike', holds),
        where('request.company', 'ilike', holds),
        where('request.email', 'ilike', holds),
      ]),
    )
  }
  const [rows, total] = await Promise.all([
    query
      .leftJoin('users', 'users.id', 'request.answered_by')
      .select([
        'request.id',
        'request.ticket_no',
        'request.company',
        'request.phone',
        'request.email',
        'request.area',
        'request.project',
        'request.purpose',
        'request.created_at',
        'request.answered_at',
        'request.approved',
        'request.answer',
        'users.name as answered_by',
      ])
      .orderBy(orderOf(columns, 'request.id', asked, standard))
      .offset(page.offset)
      .limit(page.count)
      .execute(),
    query.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: total.count }
}
export type RequestRow = Awaited<ReturnType<typeof listRequests>>['rows'][number]

/** A request under a lock until the end of the transaction. */
export async function lockRequest(trx: Db, id: number) {
  return trx
    .selectFrom('scada_requests')
    .select(['id', 'ticket_no', 'brand_id', 'lang', 'company', 'email', 'answered_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateAnswer(
  trx: Db,
  id: number,
  answer: { text: string; approved: boolean; userId: number; at: Date },
): Promise<void> {
  await trx
    .updateTable('scada_requests')
    .set({
      answer: answer.text,
      approved: answer.approved,
      answered_by: answer.userId,
      answered_at: answer.at,
    })
    .where('id', '=', id)
    .execute()
}
