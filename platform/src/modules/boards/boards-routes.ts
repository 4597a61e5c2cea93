import { boardLimits, boards as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { presentRow, requireEdit, requireEditable, requireRight, spaceOfCall } from '../spaces/index.ts'
import { fromFile, lookUp, type MachinesDeps, toFile } from './board-machines.ts'
import { type BoardRight, rightByShare, rightInSpace } from './board-right.ts'
import * as shares from './board-shares.ts'
import * as service from './boards-service.ts'
import * as store from './boards-store.ts'
import { listSharedBoards } from './shares-store.ts'

/** The calls for boards. */
export function boardsRoutes(deps: MachinesDeps & shares.SharesDeps): Binding[] {
  const { db } = deps
  return [
    bind(contract.listBoards, async ({ eid, deleted, page }, { user, now }) => {
      const space = spaceOfCall(user.userId, eid)
      const right = await requireRight(db, user.userId, space)
      const count = boardLimits.deletedBoardsPerPage
      const range = { offset: (page - 1) * count, count }
      const rows = deleted
        ? await store.listDeleted(db, space, service.restorableSince(now), range)
        : await store.listBoards(db, space)
      const shared = deleted ? [] : await listSharedBoards(db, space)
      return [
        ...rows.map((row) => presentBoard(row, rightInSpace(right))),
        ...shared.map((row) => presentBoard(row, rightByShare(row, right))),
      ]
    }),

    bind(contract.getBoard, ({ id }, context) => service.openBoard(deps, context, id)),

    bind(contract.createBoard, async ({ eid, name, layout }, context) => ({
      id: await service.addBoard(db, context, spaceOfCall(context.user.userId, eid), { name, layout }),
    })),

    bind(contract.updateBoard, async ({ id, ...change }, context) => ({
      version: await service.changeBoard(deps, context, id, change),
    })),

    bind(contract.deleteBoard, async ({ id, forGood }, context) => {
      if (forGood) await service.removeDeleted(db, context, id)
      else await service.deleteBoard(db, context, id)
      return {}
    }),

    bind(contract.restoreBoard, async ({ id }, context) => {
      await service.restoreBoard(db, context, id)
      return {}
    }),

    bind(contract.listBoardVersions, async ({ id }, context) => {
      const { mayEdit } = await service.findOwn(db, context, id)
      if (!mayEdit) throw new Failure('403')
      return (await store.listVersions(db, id)).map((one) => ({ ...one, at: one.at.getTime() }))
    }),

    bind(contract.restoreBoardVersion, async ({ id, version }, context) => ({
      version: await service.restoreVersion(db, context, id, version),
    })),

    bind(contract.listBoardShares, ({ id }, context) => shares.listShares(db, context, id)),

    bind(contract.shareBoard, async ({ id, ...wish }, context) => ({
      id: await shares.shareBoard(deps, context, id, wish),
    })),

    bind(contract.endBoardShare, async ({ id, shareId }, context) => {
      await shares.endShare(deps, context, id, shareId)
      return {}
    }),

    bind(contract.listBoardTemplates, async ({ eid }, { user }) => {
      const space = spaceOfCall(user.userId, eid)
      const { mayEdit } = await requireRight(db, user.userId, space)
      return (await store.listTemplates(db, space)).map(
        ({ id, name, enterpriseId, machineType, tiles, updatedAt }) => ({
          id,
          name,
          eid: enterpriseId,
          machineType,
          tiles,
          mayEdit,
          updatedAt: updatedAt.getTime(),
        }),
      )
    }),

    bind(contract.saveBoardTemplate, async ({ eid, ...wish }, context) => ({
      id: await service.saveTemplate(deps, context, spaceOfCall(context.user.userId, eid), wish),
    })),

    bind(contract.useBoardTemplate, async ({ eid, ...wish }, context) => ({
      id: await service.addFromTemplate(deps, context, spaceOfCall(context.user.userId, eid), wish),
    })),

    bind(contract.deleteBoardTemplate, async ({ id }, context) => {
      await requireEditable(db, context.user.userId, await store.findTemplate(db, id))
      await store.deleteTemplate(db, id)
      return {}
    }),

    bind(contract.exportBoard, async ({ id }, context) => {
      const board = await service.findOwn(db, context, id)
      return toFile(deps, readerOf(context), board)
    }),

    bind(contract.importBoard, async ({ eid, name, file }, context) => {
      const space = spaceOfCall(context.user.userId, eid)
      await requireEdit(db, context.user.userId, space)
      const { layout, ...unknown } = await fromFile(deps, readerOf(context), file.layout)
      const id = await service.addBoard(db, context, space, { name: name ?? file.name, layout })
      return { id, ...unknown }
    }),

    bind(contract.lookUpBoardTags, (wanted, context) => lookUp(deps, readerOf(context), wanted)),
  ]
}

const readerOf = ({ user, lang, now }: { user: { userId: number }; lang: 'cn' | 'en'; now: number }) => ({
  userId: user.userId,
  lang,
  now,
})

function presentBoard(row: store.BoardFacts, right: BoardRight): contract.BoardRow {
  const { tiles, machineType, version, deletedAt } = row
  return {
    ...presentRow(row, right),
    mayShare: right.mayShare,
    sharedBy: right.sharedBy,
    tiles,
    machineType,
    version,
    deletedAt: deletedAt?.getTime() ?? null,
  }
}
