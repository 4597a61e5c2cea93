import { z } from 'zod'
import { eidOrPersonal, id, instant, nothing, shortText } from './fields.ts'
import { limits } from './limits.ts'
import { route } from './route.ts'
import { viewLimits } from './view-limits.ts'

const viewName = shortText(1, viewLimits.viewNameMax)
const eid = eidOrPersonal
const length = z.int().min(1_000).max(viewLimits.lengthMsMax)

/**
 * The explorer's view. Variables are named only by id: other readers of a view get no names of variables that they may
 * not see.
 */
export const viewState = z
  .strictObject({
    tags: z.array(id).min(1).max(limits.tagsPerHistory),
    last: length.optional(),
    from: instant.optional(),
    until: instant.optional(),
    compare: length.optional(),
    apart: z.literal(true).optional(),
    form: z.enum(['table', 'xy']).optional(),
    x: id.optional(),
    y: id.optional(),
  })
  .refine(({ last, from, until }) => (last === undefined) === (from !== undefined && until !== undefined), {
    message: 'span',
    path: ['last'],
  })
  .refine(({ from, until }) => from === undefined || until === undefined || from < until, {
    message: 'range',
    path: ['until'],
  })
export type ViewState = z.output<typeof viewState>

const view = z.object({
  id,
  name: z.string(),
  eid: id.nullable(),
  state: viewState,
  mayEdit: z.boolean(),
  updatedAt: instant,
  updatedBy: z.string(),
})
export type View = z.output<typeof view>

export const listViews = route({
  method: 'GET',
  path: '/api/v1/views',
  who: 'user',
  title: { cn: '分析视图列表', en: 'List the saved views' },
  request: z.object({ eid }),
  answer: z.array(view),
  errors: ['403'],
})

export const createView = route({
  method: 'POST',
  path: '/api/v1/views',
  who: 'user',
  title: { cn: '保存分析视图', en: 'Save a view' },
  request: z.object({ name: viewName, eid, state: viewState }),
  answer: z.object({ id }),
  errors: ['403', 'VIEWS_FULL', 'STORAGE_FULL'],
})

export const updateView = route({
  method: 'PUT',
  path: '/api/v1/views/:id',
  who: 'user',
  title: { cn: '修改分析视图', en: 'Change a saved view' },
  request: z.object({ id, name: viewName.optional(), state: viewState.optional() }),
  answer: nothing,
  errors: ['403', '404', 'STORAGE_FULL'],
})

export const deleteView = route({
  method: 'DELETE',
  path: '/api/v1/views/:id',
  who: 'user',
  title: { cn: '删除分析视图', en: 'Delete a saved view' },
  request: z.object({ id }),
  answer: nothing,
  errors: ['403', '404'],
})
