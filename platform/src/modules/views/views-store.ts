import type { views as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import { lockPerson } from '../../kernel/database/lock-person.ts'
import type { DB } from '../../kernel/database/schema.gen.ts'

export type Db = Kysely<DB>

/** The person or the enterprise that views belong to. */
export type Space = { readonly userId: number } | { readonly enterpriseId: number }

export interface StoredView {
  readonly id: number
  readonly userId: number | null
  readonly enterpriseId: number | null
  readonly name: string
  readonly state: contract.ViewState
  readonly updatedAt: Date
  /** Empty if the account is gone. */
  readonly updatedBy: string
}

type ViewBody = Pick<StoredView, 'name' | 'state'>

/** A person at an instant. */
interface By {
  readonly userId: number
  readonly at: Date
}

export const spaceOf = ({ userId, enterpriseId }: StoredView): Space =>
  enterpriseId === null ? { userId: userId as number } : { enterpriseId }

/** The space that a call names: an enterprise, or the caller's own. */
export const spaceOfCall = (userId: number, eid: number | undefined): Space =>
  eid === undefined ? { userId } : { enterpriseId: eid }

const idsOf = (space: Space) => ({
  user_id: 'userId' in space ? space.userId : null,
  enterprise_id: 'enterpriseId' in space ? space.enterpriseId : null,
})

const isOf = (space: Space) => {
  const { user_id, enterprise_id } = idsOf(space)
  return sql<boolean>`(user_id = ${user_id}::bigint or enterprise_id = ${enterprise_id}::bigint)`
}

const columns = sql`id, user_id as "userId", enterprise_id as "enterpriseId", name, state, updated_at as "updatedAt",
  coalesce((select users.name from users where users.id = views.updated_by), '') as "updatedBy"`

/** The views of a space by name. */
export async function listViews(db: Db, space: Space): Promise<StoredView[]> {
  const { rows } = await sql<StoredView>`
    select ${columns} from views where ${isOf(space)} order by lower(name), id`.execute(db)
  return rows
}

/** A view, locked until the end of the transaction. */
export async function findView(trx: Db, id: number): Promise<StoredView | undefined> {
  const { rows } = await sql<StoredView>`
    select ${columns} from views where id = ${id} for no key update of views`.execute(trx)
  return rows[0]
}

/** Serializes additions to a space. */
export async function lockSpace(trx: Db, space: Space): Promise<void> {
  if ('userId' in space) return lockPerson(trx, space.userId)
  await trx
    .selectFrom('enterprises')
    .select('id')
    .where('id', '=', space.enterpriseId)
    .forNoKeyUpdate()
    .execute()
}

export async function countViews(db: Db, space: Space): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from views where ${isOf(space)}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function insertView(trx: Db, space: Space, body: ViewBody, by: By): Promise<number> {
  const row = await trx
    .insertInto('views')
    .values({ ...idsOf(space), ...valuesOf(body, by) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function updateView(trx: Db, id: number, body: ViewBody, by: By): Promise<void> {
  await trx.updateTable('views').set(valuesOf(body, by)).where('id', '=', id).execute()
}

export async function deleteView(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('views').where('id', '=', id).execute()
}

const valuesOf = ({ name, state }: ViewBody, by: By) => ({
  name,
  state: JSON.stringify(state),
  updated_at: by.at,
  updated_by: by.userId,
})
