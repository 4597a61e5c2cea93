import { views as contract, viewLimits } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { auditAct } from '../audit/index.ts'
import {
  byOf,
  detailOf,
  lockSpace,
  presentRow,
  requireEdit,
  requireEditable,
  requireRight,
  spaceOf,
  spaceOfCall,
} from '../spaces/index.ts'
import * as store from './views-store.ts'

/**
 * Saved views of the explorer. A view gives no right: it names variables by id, and the values are read with the
 * reader's own rights (rules/data-centre.md: saved views).
 */
export function createViewsModule({ db }: Kernel): Module {
  return {
    name: 'views',
    roles: ['api'],
    routes: [
      bind(contract.listViews, async ({ eid }, { user }) => {
        const space = spaceOfCall(user.userId, eid)
        const right = await requireRight(db, user.userId, space)
        const views = await store.listViews(db, space)
        return views.map((view) => ({ ...presentRow(view, right), state: view.state }))
      }),

      bind(contract.createView, async ({ eid, ...body }, context) => {
        const space = spaceOfCall(context.user.userId, eid)
        await requireEdit(db, context.user.userId, space)
        return withTransaction(db, async (trx) => {
          await lockSpace(trx, space)
          if ((await store.countViews(trx, space)) >= viewLimits.viewsPerSpace)
            throw new Failure('VIEWS_FULL')
          const id = await store.insertView(trx, space, body, byOf(context))
          await auditAct(trx, context, { action: 'view.create', target: String(id), detail: detailOf(space) })
          return { id }
        })
      }),

      bind(contract.updateView, ({ id, name, state }, context) =>
        withTransaction(db, async (trx) => {
          const view = await requireEditable(trx, context.user.userId, await store.findView(trx, id))
          const body = { name: name ?? view.name, state: state ?? view.state }
          await store.updateView(trx, id, body, byOf(context))
          return {}
        }),
      ),

      bind(contract.deleteView, ({ id }, context) =>
        withTransaction(db, async (trx) => {
          const view = await requireEditable(trx, context.user.userId, await store.findView(trx, id))
          await store.deleteView(trx, id)
          const detail = detailOf(spaceOf(view))
          await auditAct(trx, context, { action: 'view.delete', target: String(id), detail })
          return {}
        }),
      ),
    ],
  }
}
