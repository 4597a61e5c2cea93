import { boardLimits, boards as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { fromFile, lookUp, toFile } from './board-machines.ts'
import { requireEdit, rightInSpace, spaceOf, spaceOfCall } from './board-rights.ts'
import * as service from './boards-service.ts'
import * as store from './boards-store.ts'

/** The calls for boards. */
export function boardsRoutes(deps: service.BoardsDeps): Binding[] {
  const { db, guards } = deps

  const requireView = async (userId: number, eid: number | undefined) => {
    const space = spaceOfCall(userId, eid)
    const right = await rightInSpace(guards, userId, space)
    if (!right) throw new Failure('403')
    return { space, mayEdit: right.mayEdit }
  }

  return [
    bind(contract.listBoards, async ({ eid, deleted, page }, { user, now }) => {
      const { space, mayEdit } = await requireView(user.userId, eid)
      const count = boardLimits.deletedBoardsPerPage
      const rows = deleted
        ? await store.listDeleted(db, space, service.restorableSince(now), {
            offset: (page - 1) * count,
            count,
          })
        : await store.listBoards(db, space)
      return rows.map((row) => presentRow(row, mayEdit))
    }),

    bind(contract.getBoard, ({ id }, context) => service.openBoard(deps, context, id)),

    bind(contract.createBoard, async ({ eid, name, layout }, context) => ({
      id: await service.addBoard(deps, context, spaceOfCall(context.user.userId, eid), { name, layout }),
    })),

    bind(contract.updateBoard, async ({ id, ...change }, context) => ({
      version: await service.changeBoard(deps, context, id, change),
    })),

    bind(contract.deleteBoard, async ({ id, forGood }, context) => {
      if (forGood) await service.removeDeleted(deps, context, id)
      else await service.deleteBoard(deps, context, id)
      return {}
    }),

    bind(contract.restoreBoard, async ({ id }, context) => {
      await service.restoreBoard(deps, context, id)
      return {}
    }),

    bind(contract.listBoardVersions, async ({ id }, context) => {
      const { mayEdit } = await service.findOwn(deps, context, id)
      if (!mayEdit) throw new Failure('403')
      return (await store.listVersions(db, id)).map((one) => ({ ...one, at: one.at.getTime() }))
    }),

    bind(contract.restoreBoardVersion, async ({ id, version }, context) => ({
      version: await service.restoreVersion(deps, context, id, version),
    })),

    bind(contract.listBoardTemplates, async ({ eid }, { user }) => {
      const { space, mayEdit } = await requireView(user.userId, eid)
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
      const { template } = await service.findTemplate(deps, context, id)
      await requireEdit(guards, context.user.userId, spaceOf(template))
      await store.deleteTemplate(db, id)
      return {}
    }),

    bind(contract.exportBoard, async ({ id }, context) => {
      const { board } = await service.findOwn(deps, context, id)
      return toFile(deps, readerOf(context), board)
    }),

    bind(contract.importBoard, async ({ eid, name, file }, context) => {
      const space = spaceOfCall(context.user.userId, eid)
      await requireEdit(guards, context.user.userId, space)
      const { layout, ...unknown } = await fromFile(deps, readerOf(context), file.layout)
      const id = await service.addBoard(deps, context, space, { name: name ?? file.name, layout })
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

function presentRow(row: store.BoardFacts, mayEdit: boolean): contract.BoardRow {
  const { id, name, enterpriseId, tiles, machineType, version, updatedAt, updatedBy, deletedAt } = row
  return {
    id,
    name,
    eid: enterpriseId,
    tiles,
    machineType,
    version,
    mayEdit,
    updatedAt: updatedAt.getTime(),
    updatedBy,
    deletedAt: deletedAt?.getTime() ?? null,
  }
}
