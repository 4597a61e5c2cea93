import type { boards as contract } from '@busbar/contract'
import { sql } from 'kysely'
import { type By, idsOf, isOf, type Space, type SpaceIds } from '../spaces/index.ts'
import { type BoardFacts, boardColumns, type Db } from './boards-store.ts'

/** A board's share with the person or the enterprise of its ids. */
export interface ShareFacts extends SpaceIds {
  readonly id: number
  readonly right: contract.BoardShareRight
}

/** A share in the list of those who may end it. */
export interface ListedShare extends ShareFacts {
  readonly name: string
  readonly at: Date
  /** Empty if the account is gone. */
  readonly by: string
}

/** A board in the list of a space that it is shared with. */
export interface SharedBoard extends BoardFacts {
  readonly right: contract.BoardShareRight
  /** The name of the board's person or enterprise. */
  readonly owner: string
}

const columns = sql`share.id, share.user_id as "userId", share.enterprise_id as "enterpriseId", share.access as "right"`

/** While the board's enterprise is locked, its shares give nothing (rules/enterprises.md: things of a space). */
const withOwner = sql`
  left join users person on person.id = boards.user_id
  left join enterprises enterprise on enterprise.id = boards.enterprise_id and enterprise.state = 'active'`
const ownerName = sql`coalesce(person.name, enterprise.name)`
const hasOwner = sql`num_nonnulls(person.id, enterprise.id) = 1`

export async function listShares(db: Db, boardId: number): Promise<ListedShare[]> {
  const { rows } = await sql<ListedShare>`
    select ${columns}, coalesce(person.name, enterprise.name) as name, share.at, coalesce(giver.name, '') as by
    from board_shares share
    left join users person on person.id = share.user_id
    left join enterprises enterprise on enterprise.id = share.enterprise_id
    left join users giver on giver.id = share.by_user_id
    where share.board_id = ${boardId} order by share.id`.execute(db)
  return rows
}

/** The shares of a board that reach a person: theirs, and those of their enterprises. */
export async function listSharesFor(
  db: Db,
  boardId: number,
  userId: number,
): Promise<(ShareFacts & { readonly owner: string })[]> {
  const { rows } = await sql<ShareFacts & { readonly owner: string }>`
    select ${columns}, ${ownerName} as owner
    from board_shares share join boards on boards.id = share.board_id ${withOwner}
    where share.board_id = ${boardId} and ${hasOwner} and (share.user_id = ${userId} or share.enterprise_id in (
      select mate.enterprise_id from enterprise_members mate where mate.user_id = ${userId}))`.execute(db)
  return rows
}

/** The boards of others that are shared with a space, by name. */
export async function listSharedBoards(db: Db, space: Space): Promise<SharedBoard[]> {
  const { rows } = await sql<SharedBoard>`
    select ${boardColumns}, share.access as "right", ${ownerName} as owner
    from board_shares share join boards on boards.id = share.board_id ${withOwner}
    where ${isOf(space, 'share')} and boards.deleted_at is null and ${hasOwner}
    order by lower(boards.name), boards.id`.execute(db)
  return rows
}

export async function findShare(db: Db, boardId: number, id: number): Promise<ShareFacts | undefined> {
  const { rows } = await sql<ShareFacts>`
    select ${columns} from board_shares share where share.id = ${id} and share.board_id = ${boardId}`.execute(
    db,
  )
  return rows[0]
}

/** The share of a board with a space. */
export async function findShareWith(db: Db, boardId: number, space: Space): Promise<ShareFacts | undefined> {
  const { rows } = await sql<ShareFacts>`
    select ${columns} from board_shares share
    where share.board_id = ${boardId} and ${isOf(space, 'share')}`.execute(db)
  return rows[0]
}

/** How often a board is shared, and how many boards are shared with a space. */
export async function countShares(
  db: Db,
  boardId: number,
  space: Space,
): Promise<{ ofBoard: number; withSpace: number }> {
  const { rows } = await sql<{ ofBoard: number; withSpace: number }>`
    select (select count(*)::float8 from board_shares where board_id = ${boardId}) as "ofBoard",
      (select count(*)::float8 from board_shares share where ${isOf(space, 'share')}) as "withSpace"`.execute(
    db,
  )
  return rows[0] ?? { ofBoard: 0, withSpace: 0 }
}

export async function insertShare(
  trx: Db,
  boardId: number,
  space: Space,
  right: contract.BoardShareRight,
  by: By,
): Promise<number> {
  const { userId, enterpriseId } = idsOf(space)
  const { id } = await trx
    .insertInto('board_shares')
    .values({
      board_id: boardId,
      user_id: userId,
      enterprise_id: enterpriseId,
      access: right,
      at: by.at,
      by_user_id: by.userId,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function setShareRight(trx: Db, id: number, right: contract.BoardShareRight): Promise<void> {
  await trx.updateTable('board_shares').set({ access: right }).where('id', '=', id).execute()
}

export async function deleteShare(trx: Db, id: number): Promise<void> {
  await trx.deleteFrom('board_shares').where('id', '=', id).execute()
}
