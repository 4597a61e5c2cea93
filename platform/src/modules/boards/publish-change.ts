import { BoardChangeSchema, create, Scene, toBinary } from '@busbar/contract/push'
import { createUserEvents } from '../../kernel/events/user-events.ts'
import type { By } from '../spaces/index.ts'
import { type Db, findPersonName, listViewers } from './boards-store.ts'

/**
 * A board counts as open for this long after it was last read; open pages read it more often (rules/data-centre.md:
 * changes of a board).
 */
export const viewedMs = 15 * 60_000

/** Publishes the change of a board to everybody who has it open, in the transaction of the change. */
export async function publishChange(
  trx: Db,
  board: { readonly id: number; readonly version: number; readonly deleted?: boolean },
  by: By,
): Promise<void> {
  const userIds = await listViewers(trx, board.id, new Date(by.at.getTime() - viewedMs))
  if (userIds.length === 0) return
  const body = toBinary(
    BoardChangeSchema,
    create(BoardChangeSchema, {
      boardId: String(board.id),
      version: board.version,
      deleted: board.deleted ?? false,
      by: await findPersonName(trx, by.userId),
    }),
  )
  await createUserEvents(
    trx,
    Scene.BOARD_CHANGE,
    by.at,
    userIds.map((userId) => ({ userId, body })),
  )
}
