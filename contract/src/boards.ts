import { z } from 'zod'
import { requestForReceiver } from './account-fields.ts'
import { type BoardLayout, boardLayout, boardTag } from './board-layout.ts'
import { boardLimits } from './board-limits.ts'
import { eidOrPersonal, id, instant, machineCode, nothing, shortText } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'
import { latestValue, tag } from './telemetry.ts'

/** Of every call under /api/v1/boards, because a proxy in front has one limit for all of them. */
const bodyBytesMax = limits.largeBodyBytesMax

export const boardName = shortText(1, boardLimits.boardNameMax)
/** As PostgreSQL's integer holds it. */
const version = z.int().min(1).max(2_147_483_647)
const eid = eidOrPersonal
const changedBy = z.string()

/** The right of a reader to a board, and whose it is. */
const mine = {
  mayEdit: z.boolean(),
  mayShare: z.boolean(),
  sharedBy: z.string().nullable(),
}

const boardRow = z.object({
  id,
  name: z.string(),
  eid: id.nullable(),
  tiles: z.int(),
  machineType: z.string().nullable(),
  version,
  ...mine,
  updatedAt: instant,
  updatedBy: changedBy,
  deletedAt: instant.nullable(),
})
export type BoardRow = z.output<typeof boardRow>

export const listBoards = route({
  method: 'GET',
  path: '/api/v1/boards',
  who: 'user',
  title: { cn: '看板列表', en: 'List the boards' },
  request: z.object({
    eid,
    deleted: z.boolean().default(false),
    page: z.int().min(1).max(100_000).default(1).describe('Of deleted boards, 100 a page'),
  }),
  answer: z.array(boardRow),
  errors: ['403'],
})

const board = z.object({
  id,
  name: z.string(),
  eid: id.nullable(),
  layout: boardLayout,
  version,
  ...mine,
  updatedAt: instant,
  updatedBy: changedBy,
})
export type Board = z.output<typeof board>

/** Opening a board also makes its changes reach the caller by push (scene 16) for a quarter of an hour. */
export const getBoard = route({
  method: 'GET',
  path: '/api/v1/boards/:id',
  who: 'user',
  title: { cn: '看板', en: 'Get a board' },
  request: z.object({ id }),
  answer: board,
  errors: ['404'],
})

export const createBoard = route({
  method: 'POST',
  path: '/api/v1/boards',
  who: 'user',
  title: { cn: '新建看板', en: 'Add a board' },
  request: z.object({ name: boardName, eid, layout: boardLayout }),
  answer: z.object({ id }),
  errors: ['403', 'BOARDS_FULL', 'BOARD_TOO_LARGE', 'STORAGE_FULL'],
  load: 'file',
  bodyBytesMax,
})

/** `BOARD_CHANGED` answers the state that another person saved, so that the caller can merge both. */
export const updateBoard = route({
  method: 'PUT',
  path: '/api/v1/boards/:id',
  who: 'user',
  title: { cn: '修改看板', en: 'Change a board' },
  request: z.object({
    id,
    name: boardName.optional(),
    layout: boardLayout.optional(),
    version: version,
  }),
  answer: z.object({ version }),
  errors: ['403', '404', 'BOARD_CHANGED', 'BOARD_TOO_LARGE', 'STORAGE_FULL'],
  load: 'file',
  bodyBytesMax,
})

/** The data of `BOARD_CHANGED`. */
export interface ChangedBoard {
  readonly version: number
  readonly name: string
  readonly layout: BoardLayout
  readonly by: string
  readonly at: number
}

/** A deleted board can be restored for 30 days, and takes up storage until then; `forGood` removes a deleted one. */
export const deleteBoard = route({
  method: 'DELETE',
  path: '/api/v1/boards/:id',
  who: 'user',
  title: { cn: '删除看板', en: 'Delete a board' },
  request: z.object({ id, forGood: z.boolean().default(false) }),
  answer: nothing,
  errors: ['403', '404'],
})

export const restoreBoard = route({
  method: 'POST',
  path: '/api/v1/boards/:id/restore',
  who: 'user',
  title: { cn: '恢复已删除的看板', en: 'Restore a deleted board' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['403', '404', 'BOARDS_FULL'],
})

const boardVersion = z.object({
  version,
  name: z.string(),
  tiles: z.int(),
  at: instant,
  by: changedBy,
})
export type BoardVersion = z.output<typeof boardVersion>

export const listBoardVersions = route({
  method: 'GET',
  path: '/api/v1/boards/:id/versions',
  who: 'user',
  title: { cn: '看板的历史版本', en: 'List the versions of a board' },
  request: z.object({ id }),
  answer: z.array(boardVersion),
  errors: ['403', '404'],
})

/** Writes a former version as the newest one, so that no version is lost. */
export const restoreBoardVersion = route({
  method: 'POST',
  path: '/api/v1/boards/:id/versions/:version',
  who: 'user',
  title: { cn: '恢复看板的历史版本', en: 'Restore a version of a board' },
  request: z.object({ id, version }),
  answer: z.object({ version }),
  errors: ['403', '404', 'STORAGE_FULL'],
})

export const boardShareRights = ['look', 'edit'] as const
export type BoardShareRight = (typeof boardShareRights)[number]

const boardShare = z.object({
  id,
  userId: id.nullable(),
  eid: id.nullable(),
  name: z.string(),
  right: z.enum(boardShareRights),
  at: instant,
  by: changedBy,
})
export type BoardShare = z.output<typeof boardShare>

export const listBoardShares = route({
  method: 'GET',
  path: '/api/v1/boards/:id/shares',
  who: 'user',
  title: { cn: '看板的共享', en: 'List the shares of a board' },
  request: z.object({ id }),
  answer: z.array(boardShare),
  errors: ['403', '404'],
})

/** Shares a board, or changes the right of a share. A board gives no right to the devices that it names. */
export const shareBoard = route({
  method: 'PUT',
  path: '/api/v1/boards/:id/shares',
  who: 'user',
  limits: ['asks'],
  title: { cn: '共享看板', en: 'Share a board with a person or an enterprise' },
  request: requestForReceiver({ id, right: z.enum(boardShareRights) }),
  answer: z.object({ id }),
  errors: ['403', '404', '01010304', 'BOARD_SHARE_OWN', 'BOARD_SHARES_FULL', 'SHARED_BOARDS_FULL'],
})

/** By those who may share the board, and by the receiver. */
export const endBoardShare = route({
  method: 'DELETE',
  path: '/api/v1/boards/:id/shares/:shareId',
  who: 'user',
  title: { cn: '取消看板共享', en: 'End a share of a board' },
  request: z.object({ id, shareId: id }),
  answer: nothing,
  errors: ['403', '404'],
})

const template = z.object({
  id,
  name: z.string(),
  eid: id.nullable(),
  machineType: z.string(),
  tiles: z.int(),
  mayEdit: z.boolean(),
  updatedAt: instant,
})
export type BoardTemplate = z.output<typeof template>

export const listBoardTemplates = route({
  method: 'GET',
  path: '/api/v1/board-templates',
  who: 'user',
  title: { cn: '看板模板列表', en: 'List board templates' },
  request: z.object({ eid }),
  answer: z.array(template),
  errors: ['403'],
})

export const saveBoardTemplate = route({
  method: 'POST',
  path: '/api/v1/board-templates',
  who: 'user',
  title: { cn: '保存看板模板', en: 'Save a board as a template' },
  request: z.object({
    id: id,
    name: boardName,
    eid,
    machineId: id.optional(),
  }),
  answer: z.object({ id }),
  errors: ['403', '404', 'BOARD_NO_VARIABLE', 'BOARD_TEMPLATES_FULL', 'STORAGE_FULL'],
})

export const useBoardTemplate = route({
  method: 'POST',
  path: '/api/v1/board-templates/:id/use',
  who: 'user',
  title: { cn: '用模板新建看板', en: 'Add a board from a template' },
  request: z.object({ id, name: boardName, eid }),
  answer: z.object({ id }),
  errors: ['403', '404', 'BOARDS_FULL', 'STORAGE_FULL'],
})

export const deleteBoardTemplate = route({
  method: 'DELETE',
  path: '/api/v1/board-templates/:id',
  who: 'user',
  title: { cn: '删除看板模板', en: 'Delete a board template' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['403', '404'],
})

/** A board as a file: devices by their codes, so that it works on another platform. */
export const boardFile = z.strictObject({
  format: z.literal('busbar-board'),
  formatVersion: z.literal(1),
  name: boardName,
  layout: boardLayout,
})
export type BoardFile = z.output<typeof boardFile>

export const exportBoard = route({
  method: 'GET',
  path: '/api/v1/boards/:id/file',
  who: 'user',
  title: { cn: '导出看板', en: 'Export a board' },
  request: z.object({ id }),
  answer: boardFile,
  errors: ['404'],
})

export const importBoard = route({
  method: 'POST',
  path: '/api/v1/boards/file',
  who: 'user',
  title: { cn: '导入看板', en: 'Import a board' },
  request: z.object({ eid, name: boardName.optional(), file: boardFile }),
  answer: z.object({
    id,
    unknownMachines: z.array(z.string()),
    unknownTags: z.array(z.object({ machineCode, group: z.string(), tag: z.string() })),
  }),
  errors: ['403', 'BOARDS_FULL', 'BOARD_TOO_LARGE', 'STORAGE_FULL'],
  load: 'file',
  bodyBytesMax,
})

const boardMachine = z.object({
  id,
  name: z.string(),
  code: z.string(),
  type: z.string(),
  online: z.boolean(),
  photo: z.string(),
})
export type BoardMachine = z.output<typeof boardMachine>

const tagOfMachine = z.object({ ...boardTag.shape, machine: id })

const boardTagFound = tag.extend({
  machineId: id,
  latest: latestValue.nullable(),
})
export type BoardTagFound = z.output<typeof boardTagFound>

/** Everything that tiles need of devices and variables, with one call. Those that the caller may not see are left out. */
export const lookUpBoardTags = route({
  method: 'POST',
  path: '/api/v1/boards/tags',
  who: 'user',
  title: { cn: '看板的设备与变量', en: 'Look up the devices and variables of a board' },
  request: z.object({
    tags: z.array(tagOfMachine).max(boardLimits.boardTagsPerCall),
    tagIds: z.array(id).max(boardLimits.boardTagsPerCall).default([]),
    machines: z.array(id).max(boardLimits.boardMachinesPerCall).default([]),
  }),
  answer: z.object({ machines: z.array(boardMachine), tags: z.array(boardTagFound) }),
  errors: [],
  load: 'file',
  bodyBytesMax,
})
