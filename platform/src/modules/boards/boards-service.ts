import { type BoardLayout, boardLimits, type boards as contract, mapMachines } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import {
  byOf,
  detailOf,
  lockSpace,
  presentRow,
  requireEdit,
  requireSeen,
  type Space,
  spaceOf,
} from '../spaces/index.ts'
import { hideUnseen, keepUnseen, type MachinesDeps } from './board-machines.ts'
import { type BoardRight, requireBoard } from './board-right.ts'
import * as store from './boards-store.ts'
import { publishChange } from './publish-change.ts'

/** Throws BOARD_TOO_LARGE. */
function checkSize(layout: BoardLayout): void {
  if (Buffer.byteLength(JSON.stringify(layout)) > boardLimits.layoutBytesMax)
    throw new Failure('BOARD_TOO_LARGE')
}

/** A board that the caller may see; throws 404. `of: 'deleted'`: one that can be restored. */
export async function findOwn(
  db: store.Db,
  { user, now }: Actor,
  id: number,
  options: { readonly locked?: boolean; readonly of?: 'deleted' } = {},
): Promise<store.StoredBoard & BoardRight> {
  const board = await requireBoard(db, user.userId, await store.findBoard(db, id, options.locked))
  const isThere = options.of === 'deleted' ? isRestorable(board, now) : board.deletedAt === null
  if (!isThere) throw new Failure('404')
  return board
}

const dayMs = 86_400_000
/** A board that was deleted after this can be restored. */
export const restorableSince = (now: number): Date => new Date(now - boardLimits.boardRestoreDays * dayMs)

const isRestorable = ({ deletedAt }: store.BoardFacts, now: number) =>
  deletedAt !== null && deletedAt > restorableSince(now)

/** The same for a board whose contents the caller changes; throws 403, too. */
async function findEditable(
  trx: store.Db,
  actor: Actor,
  id: number,
): Promise<store.StoredBoard & BoardRight> {
  const board = await findOwn(trx, actor, id, { locked: true })
  if (!board.mayEdit) throw new Failure('403')
  return board
}

/** The same for a board that the caller deletes or brings back: a share is not enough. */
async function findOwned(
  trx: store.Db,
  actor: Actor,
  id: number,
  options: { readonly of?: 'deleted' } = {},
): Promise<store.StoredBoard> {
  const board = await findOwn(trx, actor, id, { ...options, locked: true })
  if (!board.mayShare) throw new Failure('403')
  return board
}

/** A board as the caller may see it; from now on they receive its changes. */
export async function openBoard(deps: MachinesDeps, actor: Actor, id: number): Promise<contract.Board> {
  const board = await findOwn(deps.db, actor, id)
  await store.noteViewer(deps.db, id, byOf(actor))
  return {
    ...presentRow(board, board),
    mayShare: board.mayShare,
    sharedBy: board.sharedBy,
    layout: await layoutFor(deps, actor, board),
    version: board.version,
  }
}

const readerOf = ({ user, now }: Actor) => ({ userId: user.userId, now })

/** A board's layout, whole for those who edit the things of its space. */
const layoutFor = async (
  deps: Pick<MachinesDeps, 'access'>,
  actor: Actor,
  { mayShare, layout }: store.StoredBoard & BoardRight,
): Promise<BoardLayout> => (mayShare ? layout : hideUnseen(deps, readerOf(actor), layout))

/** Adds a board to a space. Throws 403, BOARDS_FULL, BOARD_TOO_LARGE. */
export async function addBoard(
  db: store.Db,
  actor: Actor,
  space: Space,
  body: store.BoardBody,
): Promise<number> {
  await requireEdit(db, actor.user.userId, space)
  checkSize(body.layout)
  return withTransaction(db, async (trx) => {
    await requireRoom(trx, space)
    const id = await store.insertBoard(trx, space, body, byOf(actor))
    await noteBoard(trx, actor, 'board.create', id, space)
    return id
  })
}

async function requireRoom(trx: store.Db, space: Space): Promise<void> {
  await lockSpace(trx, space)
  if ((await store.countBoards(trx, space)) >= boardLimits.boardsPerSpace) throw new Failure('BOARDS_FULL')
}

/** Saves a board that was changed. Throws BOARD_CHANGED with the present state where it is another version by now. */
export async function changeBoard(
  { db, access }: Pick<MachinesDeps, 'db' | 'access'>,
  actor: Actor,
  id: number,
  change: { readonly version: number } & Partial<Record<'name', string | undefined>> & {
      readonly layout?: BoardLayout | undefined
    },
): Promise<number> {
  if (change.layout) checkSize(change.layout)
  return withTransaction(db, async (trx) => {
    const board = await findEditable(trx, actor, id)
    const deps = { access: access.on(trx) }
    if (board.version !== change.version)
      throw changedSince({ ...board, layout: await layoutFor(deps, actor, board) })
    const { layout = board.layout } = change
    const written = board.mayShare ? layout : await keepUnseen(deps, readerOf(actor), board.layout, layout)
    checkSize(written)
    return writeBoard(trx, actor, board, { name: change.name ?? board.name, layout: written })
  })
}

function changedSince({ version, name, layout, updatedBy, updatedAt }: store.StoredBoard): Failure {
  const data: contract.ChangedBoard = { version, name, layout, by: updatedBy, at: updatedAt.getTime() }
  return new Failure('BOARD_CHANGED', { data: { ...data } })
}

async function writeBoard(
  trx: store.Db,
  actor: Actor,
  board: store.StoredBoard,
  body: store.BoardBody,
): Promise<number> {
  const by = byOf(actor)
  const version = await store.updateBoard(trx, board, body, by, boardLimits.versionsPerBoard)
  await publishChange(trx, { id: board.id, version }, by)
  return version
}

/** Writes a former version as the newest one. Throws 403, 404. */
export async function restoreVersion(
  db: store.Db,
  actor: Actor,
  id: number,
  version: number,
): Promise<number> {
  return withTransaction(db, async (trx) => {
    const board = await findEditable(trx, actor, id)
    const former = await store.findVersion(trx, id, version)
    if (!former) throw new Failure('404')
    return writeBoard(trx, actor, board, former)
  })
}

/** Deletes a board; it can be restored for 30 days. */
export async function deleteBoard(db: store.Db, actor: Actor, id: number): Promise<void> {
  await withTransaction(db, async (trx) => {
    const board = await findOwned(trx, actor, id)
    const by = byOf(actor)
    await store.setDeleted(trx, id, by.at)
    await publishChange(trx, { id, version: board.version, deleted: true }, by)
    await noteBoard(trx, actor, 'board.delete', id, spaceOf(board))
  })
}

/** Removes a deleted board for good, which frees its storage. Throws 403, 404 also for one that is not deleted. */
export async function removeDeleted(db: store.Db, actor: Actor, id: number): Promise<void> {
  await withTransaction(db, async (trx) => {
    const board = await findOwned(trx, actor, id, { of: 'deleted' })
    await store.removeBoard(trx, id)
    await noteBoard(trx, actor, 'board.remove', id, spaceOf(board))
  })
}

/** Brings a deleted board back. Throws 403, 404, BOARDS_FULL. */
export async function restoreBoard(db: store.Db, actor: Actor, id: number): Promise<void> {
  await withTransaction(db, async (trx) => {
    const space = spaceOf(await findOwn(trx, actor, id, { of: 'deleted' }))
    // Locks the space before the board, as adding a board does.
    await requireEdit(trx, actor.user.userId, space)
    await requireRoom(trx, space)
    const board = await findOwned(trx, actor, id, { of: 'deleted' })
    await store.setDeleted(trx, id, null)
    await publishChange(trx, { id, version: board.version }, byOf(actor))
    await noteBoard(trx, actor, 'board.restore', id, space)
  })
}

async function noteBoard(
  trx: store.Db,
  actor: Actor,
  action: string,
  id: number,
  space: Space,
): Promise<void> {
  await auditAct(trx, actor, { action, target: String(id), detail: detailOf(space) })
}

/** Keeps a board as a template of a space. Throws 403, 404, BOARD_NO_VARIABLE, BOARD_TEMPLATES_FULL. */
export async function saveTemplate(
  deps: MachinesDeps,
  actor: Actor,
  space: Space,
  wish: { readonly id: number; readonly name: string; readonly machineId?: number | undefined },
): Promise<number> {
  await requireEdit(deps.db, actor.user.userId, space)
  const { layout } = await openBoard(deps, actor, wish.id)
  const general = await generalLayout(deps, actor, layout, wish.machineId)
  return withTransaction(deps.db, async (trx) => {
    await lockSpace(trx, space)
    const id = await store.saveTemplate(
      trx,
      space,
      { ...general, name: wish.name, at: new Date(actor.now) },
      boardLimits.templatesPerSpace,
    )
    if (id === undefined) throw new Failure('BOARD_TEMPLATES_FULL')
    return id
  })
}

/** A layout in which a device is chosen in place of one machine. */
async function generalLayout(
  deps: MachinesDeps,
  { user, now }: Actor,
  layout: BoardLayout,
  machineId: number | undefined,
): Promise<{ layout: BoardLayout; machineType: string }> {
  if (layout.variable) return { layout, machineType: layout.variable.machineType }
  if (machineId === undefined) throw new Failure('BOARD_NO_VARIABLE')
  const seen = await deps.access.listVisible(user.userId, [machineId], now)
  const [machine] = await store.listMachines(deps.db, { ids: [...seen] })
  if (!machine) throw new Failure('404')
  const named = mapMachines(layout, (one) => (one === machineId ? '$machine' : one))
  return { layout: { ...named, variable: { machineType: machine.type } }, machineType: machine.type }
}

/** Adds a board made from a template. Throws 403, 404, BOARDS_FULL. */
export async function addFromTemplate(
  deps: MachinesDeps,
  actor: Actor,
  space: Space,
  wish: { readonly id: number; readonly name: string },
): Promise<number> {
  await requireEdit(deps.db, actor.user.userId, space)
  const template = await requireSeen(deps.db, actor.user.userId, await store.findTemplate(deps.db, wish.id))
  // The caller may edit the new board and would see all of it, so unseen names are removed first, as when a board is
  // opened.
  const layout = template.mayEdit ? template.layout : await hideUnseen(deps, readerOf(actor), template.layout)
  return addBoard(deps.db, actor, space, { name: wish.name, layout })
}
