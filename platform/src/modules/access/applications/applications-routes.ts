import { access as accessContract, applications as contract, type InputOf } from '@busbar/contract'
import { type Binding, bind, type ContextOf } from '../../../kernel/http/bind.ts'
import { callerOf } from '../../../kernel/http/caller.ts'
import { Failure } from '../../../kernel/http/failure.ts'
import { type AccessPort, listApplicationRows, type RightsDeps } from '../index.ts'
import { answer } from './answer-service.ts'
import * as lists from './applications-lists-store.ts'
import { findApplicationOfMessage, findNewest } from './applications-store.ts'
import { presentApplication, presentStep, presentVisitTimeRow } from './applications-views.ts'
import { apply, withdraw } from './apply-service.ts'
import { addBkey, updateLevel } from './bkeys-service.ts'
import { openPasswordTicket } from './password-tickets.ts'

type Replied = InputOf<typeof contract.replyToBind>
type Context = Pick<ContextOf<typeof contract.applyForBind>, 'user' | 'address' | 'now'>

/** Asking for a machine's rights, and how its keys answer. */
export function applicationsRoutes(deps: RightsDeps & { readonly access: AccessPort }): Binding[] {
  const { db, access } = deps

  /** The application a reply of the older form is for: that of the message it answers, else the newest. */
  async function applicationOf(
    kind: contract.ApplicationKind,
    reply: Replied,
    readerId: number,
  ): Promise<number> {
    const { machineID: machineId, userID: userId } = reply
    const told = await findApplicationOfMessage(db, reply.messageID, readerId)
    const applyId = told ?? (await findNewest(db, { machineId, userId, kind }))
    const [application] = applyId === undefined ? [] : await listApplicationRows(db, { id: applyId })
    const isMeant = application?.machineId === machineId && application.userId === userId
    if (!application || !isMeant || application.kind !== kind) throw new Failure('APPLICATION_GONE')
    return application.id
  }

  const reply = async (
    kind: contract.ApplicationKind,
    input: Replied & { readonly validTime?: number | undefined },
    context: Context,
  ) => {
    const applyId = await applicationOf(kind, input, context.user.userId)
    const { state, isBlack: blacklists, validTime } = input
    const verdict = { passes: state === 1, blacklists, validTime }
    return { auditState: await answer(deps, callerOf(context), { applyId, kind }, verdict) }
  }

  return [
    bind(contract.applyForVisit, ({ machineID: machineId, terminalID: _, ...input }, context) =>
      apply(deps, callerOf(context), { ...input, kind: 'visit', machineId, ticket: input.ticket }),
    ),

    bind(contract.applyForBind, ({ machineID: machineId, ...input }, context) =>
      apply(deps, callerOf(context), { ...input, kind: 'bind', machineId, ticket: input.ticket }),
    ),

    bind(contract.checkMachinePassword, (input, context) =>
      openPasswordTicket(deps, callerOf(context), input),
    ),

    bind(contract.verifyBind, async ({ applyId, pass, blacklist, limitRead, limitAlarm }, context) => {
      const bits = {
        readOnly: limitRead === undefined ? undefined : limitRead === 1,
        alarms: limitAlarm === undefined ? undefined : limitAlarm === 1,
      }
      const verdict = { passes: pass, blacklists: blacklist, ...bits }
      return { auditState: await answer(deps, callerOf(context), { applyId, kind: 'bind' }, verdict) }
    }),

    bind(contract.verifyVisit, async ({ applyId, pass, blacklist, validTime, mode }, context) => {
      const verdict = { passes: pass, blacklists: blacklist, validTime, mode }
      return { auditState: await answer(deps, callerOf(context), { applyId, kind: 'visit' }, verdict) }
    }),

    bind(contract.replyToBind, (input, context) => reply('bind', input, context)),
    bind(contract.replyToVisit, (input, context) => reply('visit', input, context)),

    bind(contract.cancelApplication, async ({ applyId }, context) => {
      await withdraw(deps, callerOf(context), applyId)
      return {}
    }),

    bind(contract.listApplicationSteps, async ({ applyId, deviceId }, { user, now }) => {
      const isKeyOf = (machineId: number) => access.has(user.userId, 'bkey+', [machineId], now)
      if (applyId !== undefined) {
        const parties = await lists.findParties(db, applyId)
        const isParty = parties && [parties.user_id, parties.proposed_by].includes(user.userId)
        const isKey = parties?.isOfOwner === true && (await isKeyOf(parties.machine_id))
        if (!isParty && !isKey) throw new Failure('APPLICATION_GONE')
        const rows = await lists.listSteps(db, { applicationId: applyId })
        return rows.map((row) => presentStep(row, { userId: user.userId, isKey }))
      }
      if (deviceId === undefined) throw new Failure('400', { field: 'applyId' })
      const isKey = await isKeyOf(deviceId)
      const which = { machineId: deviceId, userId: isKey ? undefined : user.userId }
      const rows = await lists.listSteps(db, which)
      return rows.map((row) => presentStep(row, { userId: user.userId, isKey }))
    }),

    bind(contract.listApplications, async ({ id, open, page, pageSize }, { user, now }) => {
      const slice = { start: (page - 1) * pageSize, count: pageSize }
      const [{ rows, total }, keys] = await Promise.all([
        lists.listMachineApplications(db, id, { isOpen: open, now: new Date(now) }, slice),
        access.listKeys(id, now),
      ])
      const key = keys.find(({ userId }) => userId === user.userId)?.key ?? 'B'
      const viewer = { key, hasBkeys: keys.some((holder) => holder.key === 'B'), now }
      return { list: rows.map((row) => presentApplication(row, viewer)), total, page, pageSize }
    }),

    bind(contract.listVisitTimes, async ({ deviceId, page, pageSize }, { now }) => {
      const slice = { start: (page - 1) * pageSize, count: pageSize }
      const { rows, total } = await lists.listVisitTimeRows(db, deviceId, new Date(now), slice)
      return { list: rows.map((row) => presentVisitTimeRow(row, now)), total, page, pageSize }
    }),

    bind(accessContract.addBkey, async (input, context) => {
      const { userId, applyId, auditState } = await addBkey(deps, callerOf(context), input)
      return { userid: userId, auditState, applyId }
    }),

    bind(accessContract.updateLevel, async ({ id, limit }, context) => ({
      auditState: await updateLevel(deps, callerOf(context), id, limit),
    })),
  ]
}
