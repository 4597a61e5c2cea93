import { views as contract, viewLimits } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { Module } from '../../kernel/module.ts'
import { auditAct } from '../audit/index.ts'
import type { EnterpriseGuards, EnterprisesModule } from '../enterprises/index.ts'
import * as store from './views-store.ts'

type Guards = Pick<EnterpriseGuards, 'hasEnterpriseRight'>

/**
 * Saved views: a person's own, or an enterprise's, which its members see and its managers change. A view gives no
 * right: it names variables by id, and the values are read with the reader's own rights
 * (rules/data-centre.md: saved views).
 */
export function createViewsModule(
  { db }: Kernel,
  { enterprises }: { readonly enterprises: EnterprisesModule },
): Module {
  const { guards } = enterprises

  /** A view that the caller may change; throws 404 where they may not see it, and 403. */
  const findEditable = async (trx: store.Db, userId: number, id: number) => {
    const view = await store.findView(trx, id)
    const right = view && (await rightInSpace(guards.on(trx), userId, store.spaceOf(view)))
    if (!view || !right) throw new Failure('404')
    if (!right.mayEdit) throw new Failure('403')
    return view
  }

  return {
    name: 'views',
    roles: ['api'],
    routes: [
      bind(contract.listViews, async ({ eid }, { user }) => {
        const space = store.spaceOfCall(user.userId, eid)
        const right = await rightInSpace(guards, user.userId, space)
        if (!right) throw new Failure('403')
        return (await store.listViews(db, space)).map((view) => ({
          id: view.id,
          name: view.name,
          eid: view.enterpriseId,
          state: view.state,
          mayEdit: right.mayEdit,
          updatedAt: view.updatedAt.getTime(),
          updatedBy: view.updatedBy,
        }))
      }),

      bind(contract.createView, async ({ eid, name, state }, context) => {
        const { userId } = context.user
        const space = store.spaceOfCall(userId, eid)
        const right = await rightInSpace(guards, userId, space)
        if (!right?.mayEdit) throw new Failure('403')
        return withTransaction(db, async (trx) => {
          await store.lockSpace(trx, space)
          if ((await store.countViews(trx, space)) >= viewLimits.viewsPerSpace)
            throw new Failure('VIEWS_FULL')
          const by = { userId, at: new Date(context.now) }
          const id = await store.insertView(trx, space, { name, state }, by)
          await auditAct(trx, context, {
            action: 'view.create',
            target: String(id),
            detail: eid ? { eid } : {},
          })
          return { id }
        })
      }),

      bind(contract.updateView, ({ id, name, state }, context) =>
        withTransaction(db, async (trx) => {
          const view = await findEditable(trx, context.user.userId, id)
          const body = { name: name ?? view.name, state: state ?? view.state }
          await store.updateView(trx, id, body, { userId: context.user.userId, at: new Date(context.now) })
          return {}
        }),
      ),

      bind(contract.deleteView, ({ id }, context) =>
        withTransaction(db, async (trx) => {
          const { enterpriseId: eid } = await findEditable(trx, context.user.userId, id)
          await store.deleteView(trx, id)
          await auditAct(trx, context, {
            action: 'view.delete',
            target: String(id),
            detail: eid ? { eid } : {},
          })
          return {}
        }),
      ),
    ],
  }
}

/** A person's rights to the views of a space; undefined if they may not see them. */
async function rightInSpace(
  guards: Guards,
  userId: number,
  space: store.Space,
): Promise<{ readonly mayEdit: boolean } | undefined> {
  if ('userId' in space) return space.userId === userId ? { mayEdit: true } : undefined
  if (!(await guards.hasEnterpriseRight(userId, space.enterpriseId, 'member'))) return undefined
  return { mayEdit: await guards.hasEnterpriseRight(userId, space.enterpriseId, 'manage') }
}
