import { enterprises as contract, mayInEnterprise } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { callerOf } from '../../kernel/http/caller.ts'
import { findMembership } from '../spaces/index.ts'
import { presentInvitation, presentMember, presentSentInvitation } from './enterprises-views.ts'
import * as invitations from './invitations-store.ts'
import * as service from './members-service.ts'
import { listMembers } from './members-store.ts'

/** The members of an enterprise, and the people invited to it. */
export function membersRoutes(deps: service.InviteDeps): Binding[] {
  const { db } = deps
  return [
    bind(contract.listMembers, async ({ eid, page, pageSize, search = '' }, { user }) => {
      const toAdmin = mayInEnterprise(await findMembership(db, eid, user.userId), 'admin')
      const { rows, total } = await listMembers(db, eid, {
        offset: (page - 1) * pageSize,
        count: pageSize,
        search: search.trim(),
        searchesAccounts: toAdmin,
      })
      return { list: rows.map((row) => presentMember(row, toAdmin)), total, page, pageSize }
    }),

    bind(contract.inviteMember, async (input, context) => {
      return {
        userId: await service.inviteMember(deps, { ...callerOf(context), brand: context.brand }, input),
      }
    }),

    bind(contract.updateMember, async (input, context) => {
      await service.updateMember(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.removeMember, async ({ eid, userId }, context) => {
      await service.removeMember(deps, callerOf(context), eid, userId)
      return {}
    }),

    bind(contract.listInvitations, async (_, { user }) =>
      (await invitations.listInvitations(db, user.userId)).map(presentInvitation),
    ),

    bind(contract.answerInvitation, async ({ id, action }, context) => {
      const eid = await service.answerInvitation(deps, callerOf(context), id, action)
      return eid === undefined ? {} : { eid }
    }),

    bind(contract.listSentInvitations, async ({ eid }) =>
      (await invitations.listSentInvitations(db, eid)).map(presentSentInvitation),
    ),

    bind(contract.updateInvitation, async (input, context) => {
      await service.updateInvitation(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.removeInvitation, async ({ eid, id }, context) => {
      await service.removeInvitation(deps, callerOf(context), eid, id)
      return {}
    }),
  ]
}
