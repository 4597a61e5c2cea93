import { BoardChangeSchema, create, Scene, toBinary } from '@busbar/contract/push'
import { createUserEvents } from '../../kernel/events/user-events.ts'
import type { By } from '../spaces/index.ts'
import { type Db, findPersonName, listViewers, viewedMs } from './boards-store.ts'

interface Changed {
  readonly id: number
  readonly version: number
  readonly deleted?: boolean
}

/** Publishes the change of a board to everybody who has it open, in the transaction of the change. */
export async function publishChange(trx: Db, board: Changed, by: By): Promise<void> {
  const userIds = await listViewers(trx, board.id, new Date(by.at.getTime() - viewedMs))
  await publish(trx, board, userIds, by, false)
}

/** Publishes that the right of people to a board changed or ended, in the transaction of the change. */
export const publishRights = (
  trx: Db,
  { id, version }: Changed,
  userIds: readonly number[],
  by: By,
): Promise<void> => publish(trx, { id, version }, userIds, by, true)

async function publish(
  trx: Db,
  { id, version, deleted = false }: Changed,
  userIds: readonly number[],
  by: By,
  rights: boolean,
): Promise<void> {
  if (userIds.length === 0) return
  const person = await findPersonName(trx, by.userId)
  const change = create(BoardChangeSchema, { boardId: String(id), version, deleted, by: person, rights })
  const body = toBinary(BoardChangeSchema, change)
  await createUserEvents(
    trx,
    Scene.BOARD_CHANGE,
    by.at,
    userIds.map((userId) => ({ userId, body })),
  )
}
