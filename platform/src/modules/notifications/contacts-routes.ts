import { alarmContacts as contract } from '@busbar/contract'
import { type Binding, bind } from '../../kernel/http/bind.ts'
import * as service from './contacts-service.ts'

/** Contacts of people and of enterprises. */
export function contactsRoutes(deps: service.ContactsDeps): Binding[] {
  const callerOf = ({
    user,
    ...context
  }: Omit<service.ContactCaller, 'userId'> & { user: { userId: number } }): service.ContactCaller => ({
    ...context,
    userId: user.userId,
  })
  return [
    bind(contract.listContacts, ({ machineId }, { user, now }) =>
      service.listContacts(deps, { userId: user.userId }, machineId, now),
    ),
    bind(contract.createContact, async (input, context) => ({
      id: await service.createContact(deps, { userId: context.user.userId }, input, callerOf(context)),
    })),
    bind(contract.updateContact, async ({ id, ...request }, context) => {
      await service.updateContact(deps, { userId: context.user.userId }, id, request, callerOf(context))
      return {}
    }),
    bind(contract.askContact, async ({ id }, context) => {
      await service.askContact(deps, { userId: context.user.userId }, id, callerOf(context))
      return {}
    }),
    bind(contract.removeContact, async ({ id }, { user, now }) => {
      await service.removeContact(deps, { userId: user.userId }, id, now)
      return {}
    }),

    bind(contract.listEnterpriseContacts, ({ eid, machineId }, { now }) =>
      service.listContacts(deps, { enterpriseId: eid }, machineId, now),
    ),
    bind(contract.createEnterpriseContact, async ({ eid, ...request }, context) => ({
      id: await service.createContact(deps, { enterpriseId: eid }, request, callerOf(context)),
    })),
    bind(contract.updateEnterpriseContact, async ({ eid, id, ...request }, context) => {
      await service.updateContact(deps, { enterpriseId: eid }, id, request, callerOf(context))
      return {}
    }),
    bind(contract.askEnterpriseContact, async ({ eid, id }, context) => {
      await service.askContact(deps, { enterpriseId: eid }, id, callerOf(context))
      return {}
    }),
    bind(contract.removeEnterpriseContact, async ({ eid, id }, { now }) => {
      await service.removeContact(deps, { enterpriseId: eid }, id, now)
      return {}
    }),
  ]
}
