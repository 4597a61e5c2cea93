import { Failure } from '../../kernel/http/failure.ts'
import { findRight, type SpaceRight, spaceOf } from '../spaces/index.ts'
import type { Db, StoredBoard } from './boards-store.ts'
import { listSharesFor, type ShareFacts } from './shares-store.ts'

/** The right of a person to a board. */
export interface BoardRight extends SpaceRight {
  /** Share it, delete it and see all of its layout: who may edit the things of its space. */
  readonly mayShare: boolean
  /** The owner's name, for a person whom only a share lets in. */
  readonly sharedBy: string | null
}

export const rightInSpace = ({ mayEdit }: SpaceRight): BoardRight => ({
  mayEdit,
  mayShare: mayEdit,
  sharedBy: null,
})

/** The right to a board of a person who has a right in the space that it is shared with. */
export const rightByShare = (
  { right, owner }: Pick<ShareFacts, 'right'> & { readonly owner: string },
  { mayEdit }: SpaceRight,
): BoardRight => ({ mayEdit: mayEdit && right === 'edit', mayShare: false, sharedBy: owner })

/** The most that its space and its shares let a person do; undefined: not even look. */
async function findBoardRight(db: Db, userId: number, board: StoredBoard): Promise<BoardRight | undefined> {
  const inSpace = await findRight(db, userId, spaceOf(board))
  if (inSpace?.mayEdit) return rightInSpace(inSpace)
  const rights: BoardRight[] = inSpace ? [rightInSpace(inSpace)] : []
  for (const share of await listSharesFor(db, board.id, userId)) {
    const received = await findRight(db, userId, spaceOf(share))
    if (received) rights.push(rightByShare(share, received))
  }
  const [first] = rights
  return first && { ...first, mayEdit: rights.some(({ mayEdit }) => mayEdit) }
}

/** A board that a person may see. Throws 404 for one of others as for a missing one. */
export async function requireBoard(
  db: Db,
  userId: number,
  board: StoredBoard | undefined,
): Promise<StoredBoard & BoardRight> {
  const right = board && (await findBoardRight(db, userId, board))
  if (!board || !right) throw new Failure('404')
  return { ...board, ...right }
}
