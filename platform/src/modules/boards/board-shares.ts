import { boardLimits, type boards as contract } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { findNamedPerson, type NamedPerson } from '../friends/index.ts'
import type { Mailbox } from '../messages/index.ts'
import { byOf, detailOf, findMembership, findRight, lockSpace, type Space, spaceOf } from '../spaces/index.ts'
import { findOwn } from './boards-service.ts'
import * as store from './boards-store.ts'
import { publishRights } from './publish-change.ts'
import * as shares from './shares-store.ts'

export interface SharesDeps {
  readonly db: store.Db
  readonly mailbox: Pick<Mailbox, 'write'>
}

/** The person or the enterprise that a board is to be shared with. */
export type Receiver = NamedPerson & { readonly eid?: number | undefined }

/** The shares of a board, for those who may share it. Throws 403, 404. */
export async function listShares(db: store.Db, actor: Actor, id: number): Promise<contract.BoardShare[]> {
  await findShareable(db, actor, id)
  return (await shares.listShares(db, id)).map(({ enterpriseId, at, ...share }) => ({
    ...share,
    eid: enterpriseId,
    at: at.getTime(),
  }))
}

/** A board that the caller may share, locked in a transaction. Throws 403, 404. */
async function findShareable(db: store.Db, actor: Actor, id: number, options: { locked?: boolean } = {}) {
  const board = await findOwn(db, actor, id, options)
  if (!board.mayShare) throw new Failure('403')
  return board
}

/** Shares a board, or changes the right of a share; answers its id (rules/data-centre.md: shared boards). */
export async function shareBoard(
  { db, mailbox }: SharesDeps,
  actor: Actor,
  id: number,
  wish: Receiver & { readonly right: contract.BoardShareRight },
): Promise<number> {
  const { right } = wish
  const space = await findReceiver(db, actor, await findShareable(db, actor, id), wish)
  return withTransaction(db, async (trx) => {
    // The receiver's space before the board, as adding a board does.
    await lockSpace(trx, space)
    const board = await findShareable(trx, actor, id, { locked: true })
    const by = byOf(actor)
    const present = await shares.findShareWith(trx, id, space)
    if (present?.right === right) return present.id
    if (present) await shares.setShareRight(trx, present.id, right)
    else await requireRoom(trx, id, space)
    const shareId = present?.id ?? (await shares.insertShare(trx, id, space, right, by))
    await noteShare(trx, actor, 'board.share', board, space)
    const told = await listTold(trx, id, space, by.at)
    if (!present && 'userId' in space) {
      const person = await store.findPersonName(trx, actor.user.userId)
      const params = { person, board: board.name, boardId: id, mode: right === 'edit' ? 'rw' : 'ro' } as const
      await mailbox.write(trx, by.at, {
        messages: [{ userId: space.userId, kind: 'boardShared', params }],
        toldLater: told,
      })
    }
    await publishRights(trx, board, told, by)
    return shareId
  })
}

/**
 * The space that a share names: a person as everywhere or a fellow member of the board's enterprise, or an enterprise
 * whose boards the caller may change.
 */
async function findReceiver(
  db: store.Db,
  { user, now }: Actor,
  board: store.StoredBoard,
  { eid, ...person }: Receiver,
): Promise<Space> {
  const space = eid === undefined ? await findPerson() : { enterpriseId: eid }
  const isOwn =
    'userId' in space
      ? space.userId === user.userId || space.userId === board.userId
      : space.enterpriseId === board.enterpriseId
  if (isOwn) throw new Failure('BOARD_SHARE_OWN')
  if ('enterpriseId' in space && !(await findRight(db, user.userId, space))?.mayEdit) throw new Failure('403')
  return space

  async function findPerson(): Promise<Space> {
    const { userId } = person
    const isMember =
      userId !== undefined &&
      board.enterpriseId !== null &&
      (await findMembership(db, board.enterpriseId, userId)) !== undefined
    return isMember ? { userId } : { userId: (await findNamedPerson(db, { ...user, now }, person)).id }
  }
}

async function requireRoom(trx: store.Db, id: number, space: Space): Promise<void> {
  const { ofBoard, withSpace } = await shares.countShares(trx, id, space)
  if (ofBoard >= boardLimits.sharesPerBoard) throw new Failure('BOARD_SHARES_FULL')
  if (withSpace >= boardLimits.sharedBoardsPerSpace) throw new Failure('SHARED_BOARDS_FULL')
}

/** Ends a share, for those who may share the board and for its receiver. Throws 403, 404. */
export async function endShare({ db }: SharesDeps, actor: Actor, id: number, shareId: number): Promise<void> {
  await withTransaction(db, async (trx) => {
    const board = await findOwn(trx, actor, id, { locked: true })
    const share = await shares.findShare(trx, id, shareId)
    const received = share && (await findRight(trx, actor.user.userId, spaceOf(share)))
    if (!board.mayShare && !received?.mayEdit) throw new Failure('403')
    if (!share) throw new Failure('404')
    const space = spaceOf(share)
    const by = byOf(actor)
    const told = await listTold(trx, id, space, by.at)
    await shares.deleteShare(trx, shareId)
    await noteShare(trx, actor, 'board.unshare', board, space)
    await publishRights(trx, board, told, by)
  })
}

/** A share's person, and everybody who has the board open. */
async function listTold(trx: store.Db, id: number, space: Space, at: Date): Promise<number[]> {
  const viewers = await store.listViewers(trx, id, new Date(at.getTime() - store.viewedMs))
  return [...new Set([...viewers, ...('userId' in space ? [space.userId] : [])])].sort((a, b) => a - b)
}

async function noteShare(
  trx: store.Db,
  actor: Actor,
  action: string,
  board: store.StoredBoard,
  space: Space,
): Promise<void> {
  const detail = {
    ...detailOf(spaceOf(board)),
    ...('userId' in space ? { userId: space.userId } : { receiver: space.enterpriseId }),
  }
  await auditAct(trx, actor, { action, target: String(board.id), detail })
}
