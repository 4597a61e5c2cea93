import { operator as contract } from '@busbar/contract'
import type { EdgeLink } from '../../edge-link/edge-link.ts'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { findStorage } from '../spaces/index.ts'
import type { Db } from './operator-store.ts'
import { answerPage, pageOf } from './paging.ts'
import * as store from './subjects-store.ts'
import * as views from './subjects-views.ts'

interface SubjectsDeps {
  /** Connections of searches. */
  readonly lists: Db
  readonly link: Pick<EdgeLink, 'presence'>
  /** Values a second that are taken of one machine. */
  readonly valuesMax: number
}

/** The operator's view of one person, one machine or one enterprise. */
export function subjectsRoutes({ lists, link, valuesMax }: SubjectsDeps): Binding[] {
  const onlineOf = async (rows: readonly { readonly id: number }[]) => {
    const presence = await link.presence(rows.map(({ id }) => id))
    return (id: number) => presence.get(id)?.online === true
  }
  return [
    bind(contract.getUser, async ({ id }) =>
      views.presentFoundUser(
        there(await store.findUser(lists, id)),
        await findStorage(lists, { userId: id }),
      ),
    ),

    bind(contract.listUserSessions, async (input, { now }) => {
      there(await store.findUser(lists, input.id))
      const found = await store.listSessions(lists, input.id, new Date(now), pageOf(input))
      return answerPage(found, input, views.presentSession)
    }),

    bind(contract.listUserMachines, async (input, { now }) => {
      there(await store.findUser(lists, input.id))
      const found = await store.listMachinesOf(lists, input.id, new Date(now), pageOf(input))
      const isOnline = await onlineOf(found.rows)
      return answerPage(found, input, (row) => views.presentHeld(row, isOnline(row.id)))
    }),

    bind(contract.listUserEnterprises, async (input) => {
      there(await store.findUser(lists, input.id))
      return answerPage(
        await store.listMemberships(lists, input.id, pageOf(input)),
        input,
        views.presentMembership,
      )
    }),

    bind(contract.listUserVisits, async (input) => {
      there(await store.findUser(lists, input.id))
      const of = { userId: input.id }
      const found = await store.listVisits(lists, of, pageOf(input), contract.rowsCountedMax)
      return answerPage(found, input, views.presentVisit)
    }),

    bind(contract.getMachine, async ({ id }, { now }) => {
      const found = there(await store.findMachine(lists, id, new Date(now)))
      return views.presentFoundMachine(found, (await link.presence([id])).get(id), valuesMax)
    }),

    bind(contract.listMachineHolders, async (input, { now }) => {
      const at = new Date(now)
      there(await store.findMachine(lists, input.id, at))
      return answerPage(
        await store.listHolders(lists, input.id, at, pageOf(input)),
        input,
        views.presentHolder,
      )
    }),

    bind(contract.listMachineVisits, async (input, { now }) => {
      there(await store.findMachine(lists, input.id, new Date(now)))
      const of = { machineId: input.id }
      const found = await store.listVisits(lists, of, pageOf(input), contract.rowsCountedMax)
      return answerPage(found, input, views.presentVisit)
    }),

    bind(contract.getEnterprise, async ({ eid }) =>
      views.presentFoundEnterprise(
        there(await store.findEnterprise(lists, eid)),
        await findStorage(lists, { enterpriseId: eid }),
      ),
    ),

    bind(contract.listEnterpriseMembers, async (input) => {
      there(await store.findEnterprise(lists, input.eid))
      return answerPage(await store.listMembers(lists, input.eid, pageOf(input)), input, views.presentMember)
    }),

    bind(contract.listEnterpriseMachines, async (input) => {
      there(await store.findEnterprise(lists, input.eid))
      const found = await store.listMachinesOfEnterprise(lists, input.eid, pageOf(input))
      const isOnline = await onlineOf(found.rows)
      return answerPage(found, input, (row) => views.presentDevice(row, isOnline(row.id)))
    }),
  ]
}

/** The found row. Throws 404 for undefined. */
function there<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new Failure('404')
  return found
}
