import { type RawBuilder, sql } from 'kysely'
import type { SpaceIds } from './space.ts'
import type { SpaceRight } from './space-rights.ts'

/** The columns that each thing of a space has. */
export interface SpaceRow extends SpaceIds {
  readonly id: number
  readonly name: string
  readonly updatedAt: Date
  /** Empty if the account is gone. */
  readonly updatedBy: string
}

/** These columns of a table. */
export function spaceColumns(table: string): RawBuilder<SpaceRow> {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return sql`${column('id')}, ${column('user_id')} as "userId", ${column('enterprise_id')} as "enterpriseId",
    ${column('name')}, ${column('updated_at')} as "updatedAt",
    coalesce((select users.name from users where users.id = ${column('updated_by')}), '') as "updatedBy"`
}

/** A thing of a space in a list, as a reader with this right sees it. */
export const presentRow = (row: SpaceRow, { mayEdit }: SpaceRight) => ({
  id: row.id,
  name: row.name,
  eid: row.enterpriseId,
  mayEdit,
  updatedAt: row.updatedAt.getTime(),
  updatedBy: row.updatedBy,
})

/** A person who changes a thing, and when. */
export interface By {
  readonly userId: number
  readonly at: Date
}

export const byOf = ({
  user,
  now,
}: {
  readonly user: { readonly userId: number }
  readonly now: number
}): By => ({ userId: user.userId, at: new Date(now) })
