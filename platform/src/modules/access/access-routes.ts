import { access as contract, limits } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { callerOf } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import type { AccessPort } from './access-port.ts'
import { noAccess } from './access-rules.ts'
import { presentBkey, presentBlacklisted, presentReach, presentRole, presentVisitor } from './access-views.ts'
import * as holders from './holders-service.ts'
import { listBlacklisted, listHolders, listPeople } from './holders-store.ts'
import * as settings from './machine-settings-service.ts'
import type { RightsDeps } from './rights-change.ts'
import { presentVisitTime } from './visit-time.ts'
import * as visitors from './visitors-service.ts'

/** Rows of a list whose caller named no number. */
const pageSizes = { bkeys: 500, others: 300 }

/** The projects that a machine's values reach: they are not people, and stand behind all of those. */
export type ProjectReach = (machineId: number) => Promise<contract.Reach[]>

interface RoutesDeps extends RightsDeps {
  readonly access: AccessPort
  readonly listProjectReach: ProjectReach
}

/** The holders of a machine, and the changes that its keys make. */
export function accessRoutes(deps: RoutesDeps): Binding[] {
  const { db, access } = deps
  return [
    bind(contract.listGrants, async ({ machineID, infoType, start, pageSize }, { user, now }) => {
      const isBkeys = infoType === contract.infoTypes.bkeys
      const slice = { start, count: pageSize ?? (isBkeys ? pageSizes.bkeys : pageSizes.others) }
      if (infoType === contract.infoTypes.blacklist) {
        const { rows, total } = await listBlacklisted(db, machineID, slice)
        return { list: rows.map(presentBlacklisted), total }
      }
      const { rows, total } = await listHolders(
        db,
        user.userId,
        { machineId: machineID, role: isBkeys ? 'bkey' : 'visitor' },
        slice,
      )
      return isBkeys
        ? { list: rows.map(presentBkey), total }
        : { list: rows.map((row) => presentVisitor(row, now)), total }
    }),

    bind(contract.addVisitor, async (input, context) => {
      const { userId, grantId, until } = await holders.addVisitor(deps, callerOf(context), input)
      return { userid: userId, visitTimeId: grantId, visitTime: presentVisitTime(until, context.now) }
    }),

    bind(contract.endVisitTime, async ({ visitAlidTimeID, machineID }, context) => {
      await visitors.endVisitTime(deps, callerOf(context), { id: visitAlidTimeID, machineId: machineID })
      return {}
    }),

    bind(contract.setVisitTime, async ({ visitTimeId, visitTime }, context) => {
      await visitors.updateVisitTime(deps, callerOf(context), { id: visitTimeId, visitTime })
      return {}
    }),

    bind(contract.clearVisitTime, async ({ visitTimeId }, context) => {
      await visitors.clearVisitTime(deps, callerOf(context), visitTimeId)
      return {}
    }),

    bind(contract.removeVisitor, async ({ visitTimeId }, context) => {
      await visitors.removeVisitor(deps, callerOf(context), visitTimeId)
      return {}
    }),

    bind(contract.addToBlacklist, async ({ deviceId, userId }, context) => {
      await visitors.addToBlacklist(deps, callerOf(context), { machineId: deviceId, userId })
      return {}
    }),

    bind(contract.removeFromBlacklist, async ({ deviceId, userId }, context) => {
      await visitors.removeFromBlacklist(deps, callerOf(context), { machineId: deviceId, userId })
      return {}
    }),

    bind(contract.setReadOnly, async ({ machineID, userID, limitRead }, context) => {
      const holder = { machineId: machineID, userId: userID }
      await holders.updateBits(deps, callerOf(context), holder, { readOnly: limitRead === 1 })
      return {}
    }),

    bind(contract.setAlarmBit, async ({ machineID, userID, limitAlarm }, context) => {
      const holder = { machineId: machineID, userId: userID }
      await holders.updateBits(deps, callerOf(context), holder, { alarms: limitAlarm === 1 })
      return {}
    }),

    bind(contract.setCloudService, async (input, context) => ({
      state: await settings.updateCloudService(deps, callerOf(context), input),
    })),

    bind(contract.setMachinePassword, async (input, context) => {
      await settings.updateMachinePassword(deps, callerOf(context), input)
      return {}
    }),

    bind(contract.resetSecret, async ({ machineID }, context) => ({
      secret: await settings.resetSecret(deps, callerOf(context), machineID),
    })),

    bind(contract.updateMachineInfo, async (input, context) => {
      const machineId = await access.machineOfCode(input.machineCode)
      if (machineId === undefined) throw new Failure('403')
      await settings.updateMachineInfo(deps, callerOf(context), machineId, input)
      return {}
    }),

    bind(contract.resetImage, async ({ deviceId }, context) => {
      await settings.resetImage(deps, callerOf(context), deviceId)
      return {}
    }),

    bind(contract.listReach, async ({ id }, { now }) => {
      const pairs = await access.listHolders(id, limits.listPageMax, now)
      const people = await listPeople(
        db,
        pairs.map(({ userId }) => userId),
      )
      const holders = pairs.flatMap((pair) => presentReach(pair, people.get(pair.userId)) ?? [])
      return [...holders, ...(await deps.listProjectReach(id))]
    }),

    bind(contract.getRole, async ({ deviceId }, context) => {
      const { user, now } = context
      const own = (await access.list(user.userId, [deviceId], now)).get(deviceId) ?? noAccess
      // The answer for an unrelated machine shows nothing, not even whether the machine exists.
      if (own.role === 'ordinary' && !own.rights.has('listed')) await context.takeLimit()
      return presentRole(own)
    }),
  ]
}
