import { type BoardLayout, boardLimits, type boards as contract, mapMachines } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type Actor, auditAct } from '../audit/index.ts'
import { hideUnseen, listVisible, type MachinesDeps } from './board-machines.ts'
import { requireEdit, rightInSpace, type SpaceGuards, spaceOf } from './board-rights.ts'
import * as store from './boards-store.ts'
import { publishChange } from './publish-change.ts'

export interface BoardsDeps extends MachinesDeps {
  readonly guards: SpaceGuards
}

/** The same within a transaction: whoever holds a connection must not wait for another one. */
const within = ({ guards }: Pick<BoardsDeps, 'guards'>, trx: store.Db) => ({
  db: trx,
  guards: guards.on(trx),
})

const byOf = ({ user, now }: Actor): store.By => ({ userId: user.userId, at: new Date(now) })

/** Throws BOARD_TOO_LARGE. */
export function checkSize(layout: BoardLayout): void {
  if (Buffer.byteLength(JSON.stringify(layout)) > boardLimits.layoutBytesMax)
    throw new Failure('BOARD_TOO_LARGE')
}

/** A board that the caller may see; throws 404. `of: 'deleted'`: one that can be restored. */
export async function findOwn(
  { db, guards }: Pick<BoardsDeps, 'db' | 'guards'>,
  { user, now }: Actor,
  id: number,
  options: { readonly locked?: boolean; readonly of?: 'deleted' } = {},
): Promise<{ board: store.StoredBoard; mayEdit: boolean }> {
  const board = await store.findBoard(db, id, options.locked)
  const right = board && (await rightInSpace(guards, user.userId, spaceOf(board)))
  if (!board || !right) throw new Failure('404')
  const isThere = options.of === 'deleted' ? isRestorable(board, now) : board.deletedAt === null
  if (!isThere) throw new Failure('404')
  return { board, mayEdit: right.mayEdit }
}

const dayMs = 86_400_000
/** A board that was deleted after this can be restored. */
export const restorableSince = (now: number): Date => new Date(now - boardLimits.boardRestoreDays * dayMs)

const isRestorable = ({ deletedAt }: store.BoardFacts, now: number) =>
  deletedAt !== null && deletedAt > restorableSince(now)

/** The same for a board that the caller changes; throws 403, too. */
export async function findEditable(
  deps: Pick<BoardsDeps, 'db' | 'guards'>,
  actor: Actor,
  id: number,
  options: { readonly of?: 'deleted' } = {},
): Promise<store.StoredBoard> {
  const { board, mayEdit } = await findOwn(deps, actor, id, { ...options, locked: true })
  if (!mayEdit) throw new Failure('403')
  return board
}

/** A board as the caller may see it; from now on they receive its changes. */
export async function openBoard(deps: BoardsDeps, actor: Actor, id: number): Promise<contract.Board> {
  const { board, mayEdit } = await findOwn(deps, actor, id)
  await store.noteViewer(deps.db, id, byOf(actor))
  const reader = { userId: actor.user.userId, now: actor.now }
  return {
    id,
    name: board.name,
    eid: board.enterpriseId,
    // An editor saves the whole layout, so it comes whole.
    layout: mayEdit ? board.layout : await hideUnseen(deps, reader, board.layout),
    version: board.version,
    mayEdit,
    updatedAt: board.updatedAt.getTime(),
    updatedBy: board.updatedBy,
  }
}

/** Adds a board to a space. Throws 403, BOARDS_FULL, BOARD_TOO_LARGE. */
export async function addBoard(
  { db, guards }: Pick<BoardsDeps, 'db' | 'guards'>,
  actor: Actor,
  space: store.Space,
  body: store.BoardBody,
): Promise<number> {
  await requireEdit(guards, actor.user.userId, space)
  checkSize(body.layout)
  return withTransaction(db, async (trx) => {
    await requireRoom(trx, space)
    const id = await store.insertBoard(trx, space, body, byOf(actor))
    await noteBoard(trx, actor, 'board.create', id, space)
    return id
  })
}

async function requireRoom(trx: store.Db, space: store.Space): Promise<void> {
  await store.lockSpace(trx, space)
  if ((await store.countBoards(trx, space)) >= boardLimits.boardsPerSpace) throw new Failure('BOARDS_FULL')
}

/** Saves a board that was changed. Throws BOARD_CHANGED with the present state where it is another version by now. */
export async function changeBoard(
  deps: BoardsDeps,
  actor: Actor,
  id: number,
  change: { readonly version: number } & Partial<Record<'name', string | undefined>> & {
      readonly layout?: BoardLayout | undefined
    },
): Promise<number> {
  if (change.layout) checkSize(change.layout)
  return withTransaction(deps.db, async (trx) => {
    const board = await findEditable(within(deps, trx), actor, id)
    if (board.version !== change.version) throw changedSince(board)
    return writeBoard(trx, actor, board, {
      name: change.name ?? board.name,
      layout: change.layout ?? board.layout,
    })
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
  deps: BoardsDeps,
  actor: Actor,
  id: number,
  version: number,
): Promise<number> {
  return withTransaction(deps.db, async (trx) => {
    const board = await findEditable(within(deps, trx), actor, id)
    const former = await store.findVersion(trx, id, version)
    if (!former) throw new Failure('404')
    return writeBoard(trx, actor, board, former)
  })
}

/** Deletes a board; it can be restored for 30 days. */
export async function deleteBoard(deps: BoardsDeps, actor: Actor, id: number): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    const board = await findEditable(within(deps, trx), actor, id)
    const by = byOf(actor)
    await store.setDeleted(trx, id, by.at)
    await publishChange(trx, { id, version: board.version, deleted: true }, by)
    await noteBoard(trx, actor, 'board.delete', id, spaceOf(board))
  })
}

/** Removes a deleted board for good, which frees its storage. Throws 403, 404 also for one that is not deleted. */
export async function removeDeleted(deps: BoardsDeps, actor: Actor, id: number): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    const board = await findEditable(within(deps, trx), actor, id, { of: 'deleted' })
    await store.removeBoard(trx, id)
    await noteBoard(trx, actor, 'board.remove', id, spaceOf(board))
  })
}

/** Brings a deleted board back. Throws 403, 404, BOARDS_FULL. */
export async function restoreBoard(deps: BoardsDeps, actor: Actor, id: number): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    const space = spaceOf((await findOwn(within(deps, trx), actor, id, { of: 'deleted' })).board)
    // Locks the space before the board, as adding a board does.
    await requireEdit(deps.guards.on(trx), actor.user.userId, space)
    await requireRoom(trx, space)
    const board = await findEditable(within(deps, trx), actor, id, { of: 'deleted' })
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
  space: store.Space,
): Promise<void> {
  await auditAct(trx, actor, {
    action,
    target: String(id),
    detail: 'enterpriseId' in space ? { eid: space.enterpriseId } : {},
  })
}

/** Keeps a board as a template of a space. Throws 403, 404, BOARD_NO_VARIABLE, BOARD_TEMPLATES_FULL. */
export async function saveTemplate(
  deps: BoardsDeps,
  actor: Actor,
  space: store.Space,
  wish: { readonly id: number; readonly name: string; readonly machineId?: number | undefined },
): Promise<number> {
  await requireEdit(deps.guards, actor.user.userId, space)
  const { layout } = await openBoard(deps, actor, wish.id)
  const general = await generalLayout(deps, actor, layout, wish.machineId)
  return withTransaction(deps.db, async (trx) => {
    await store.lockSpace(trx, space)
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
  deps: BoardsDeps,
  { user, now }: Actor,
  layout: BoardLayout,
  machineId: number | undefined,
): Promise<{ layout: BoardLayout; machineType: string }> {
  if (layout.variable) return { layout, machineType: layout.variable.machineType }
  if (machineId === undefined) throw new Failure('BOARD_NO_VARIABLE')
  const seen = await listVisible(deps, { userId: user.userId, now }, [machineId])
  const [machine] = await store.listMachines(deps.db, { ids: [...seen] })
  if (!machine) throw new Failure('404')
  const named = mapMachines(layout, (one) => (one === machineId ? '$machine' : one))
  return { layout: { ...named, variable: { machineType: machine.type } }, machineType: machine.type }
}

/** A template that the caller may see; throws 404. */
export async function findTemplate(
  { db, guards }: Pick<BoardsDeps, 'db' | 'guards'>,
  { user }: Actor,
  id: number,
): Promise<{ template: store.StoredTemplate; mayEdit: boolean }> {
  const template = await store.findTemplate(db, id)
  const right = template && (await rightInSpace(guards, user.userId, spaceOf(template)))
  if (!template || !right) throw new Failure('404')
  return { template, mayEdit: right.mayEdit }
}

/** Adds a board made from a template. Throws 403, 404, BOARDS_FULL. */
export async function addFromTemplate(
  deps: BoardsDeps,
  actor: Actor,
  space: store.Space,
  wish: { readonly id: number; readonly name: string },
): Promise<number> {
  await requireEdit(deps.guards, actor.user.userId, space)
  const { template, mayEdit } = await findTemplate(deps, actor, wish.id)
  // The caller may edit the new board and would see all of it, so unseen names are removed first, as when a board is
  // opened.
  const reader = { userId: actor.user.userId, now: actor.now }
  const layout = mayEdit ? template.layout : await hideUnseen(deps, reader, template.layout)
  return addBoard(deps, actor, space, { name: wish.name, layout })
}
