import type { views as contract } from '@busbar/contract'
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../kernel/database/schema.gen.ts'
import { type By, columnsOf, isOf, type Space, type SpaceRow, spaceColumns } from '../spaces/index.ts'

export type Db = Kysely<DB>

export interface StoredView extends SpaceRow {
  readonly state: contract.ViewState
}

type ViewBody = Pick<StoredView, 'name' | 'state'>

const columns = sql`${spaceColumns('views')}, state`

/** The views of a space by name. */
export async function listViews(db: Db, space: Space): Promise<StoredView[]> {
  const { rows } = await sql<StoredView>`
    select ${columns} from views where ${isOf(space, 'views')} order by lower(name), id`.execute(db)
  return rows
}

/** A view, locked until the end of the transaction. */
export async function findView(trx: Db, id: number): Promise<StoredView | undefined> {
  const { rows } = await sql<StoredView>`
    select ${columns} from views where id = ${id} for no key update of views`.execute(trx)
  return rows[0]
}

export async function countViews(db: Db, space: Space): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from views where ${isOf(space, 'views')}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function insertView(trx: Db, space: Space, body: ViewBody, by: By): Promise<number> {
  const row = await trx
    .insertInto('views')
    .values({ ...columnsOf(space), ...valuesOf(body, by) })
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
