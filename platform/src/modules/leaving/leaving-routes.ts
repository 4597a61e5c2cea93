import { accounts as contract, enterprises, timing } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { isSpaceOwner } from '../access/index.ts'
import { answerHandover, askHandover, withdrawHandover } from './handovers-service.ts'
import { findShownHandover, listReceivedHandovers } from './handovers-store.ts'
import { confirmingAccount, deleteAccount } from './leaving-service.ts'
import { findLeaver, listHindrances } from './leaving-store.ts'
import { deleteSpace, keepSpace, type SpaceLeavingDeps } from './spaces-service.ts'
import { listLeaving } from './spaces-store.ts'

export type LeavingDeps = SpaceLeavingDeps

/** Deleting an account, or an enterprise with or without a hand-over of its devices. */
export function leavingRoutes(deps: LeavingDeps): Binding[] {
  const { codeDeps, mailbox } = deps
  const handovers = { db: codeDeps.db, mailbox }
  return [
    bind(contract.getDeletion, async (_, { user, now }) => {
      const account = confirmingAccount(await findLeaver(codeDeps.db, user.userId))
      return {
        until: now + timing.leavingMs,
        codeTo: 'email' in account ? ('email' as const) : ('phone' as const),
        hindrances: await listHindrances(codeDeps.db, user.userId, new Date(now)),
      }
    }),

    bind(contract.deleteAccount, async ({ code }, context) => ({
      until: (await deleteAccount(codeDeps, code, context)).getTime(),
    })),

    bind(enterprises.deleteEnterprise, async (input, context) => ({
      until: (await deleteSpace(deps, input, context)).getTime(),
    })),

    bind(enterprises.listLeavingEnterprises, async (_, { user, now }) =>
      (await listLeaving(codeDeps.db, user.userId, new Date(now))).map((row) => ({
        eid: row.id,
        name: row.name,
        until: row.leaves_at?.getTime() ?? 0,
      })),
    ),

    bind(enterprises.keepEnterprise, async ({ eid }, context) => {
      await keepSpace(deps, eid, context)
      return {}
    }),

    bind(enterprises.askHandover, async (input, context) => ({
      id: await askHandover(handovers, input, context),
    })),

    bind(enterprises.getHandover, async ({ eid }, { user, now }) => {
      if (!(await isSpaceOwner(codeDeps.db, eid, user.userId))) throw new Failure('OWNER_ONLY')
      const row = await findShownHandover(codeDeps.db, eid, user.userId, new Date(now))
      return { handover: row ? presentHandover(row) : null }
    }),

    bind(enterprises.withdrawHandover, async ({ eid }, context) => {
      await withdrawHandover(handovers, eid, context)
      return {}
    }),

    bind(enterprises.listHandovers, async (_, { user, now }) =>
      (await listReceivedHandovers(codeDeps.db, user.userId, new Date(now))).map((row) => ({
        id: row.id,
        enterprise: row.enterprise,
        from: row.from ?? '',
        toEid: row.to_enterprise_id,
        devices: row.devices,
        expireAt: row.expires_at.getTime(),
      })),
    ),

    bind(enterprises.answerHandover, async (input, context) => {
      await answerHandover(handovers, input, context)
      return {}
    }),
  ]
}

function presentHandover(
  row: NonNullable<Awaited<ReturnType<typeof findShownHandover>>>,
): enterprises.Handover {
  return {
    id: row.id,
    state: row.state as enterprises.HandoverState,
    to: row.to_name,
    toUserId: row.to_user_id,
    toEid: row.to_enterprise_id,
    devices: row.devices,
    expireAt: row.expires_at.getTime(),
  }
}
