import type { alarmContacts as contract } from '@busbar/contract'
import { type Database, withTransaction } from '../../kernel/database/database.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type AccessPort, maySet } from '../access/index.ts'
import type { EnterpriseGuards } from '../enterprises/index.ts'
import { listContactsOfMachines } from './contacts-store.ts'
import * as store from './escalation-store.ts'

export interface EscalationDeps {
  readonly db: Database
  readonly access: AccessPort
  readonly guards: Pick<EnterpriseGuards, 'hasEnterpriseRight'>
}

/** A machine or an enterprise by the fields of a request, and the person who asks. */
interface SpaceRequest {
  readonly machineId?: number | undefined
  readonly eid?: number | undefined
}
interface Asker {
  readonly userId: number
  readonly now: number
}

/** The steps of a machine for its holders, or of an enterprise for its members. @throws Failure ESCALATION_OF, 403 */
export async function getEscalation(
  { db, access, guards }: EscalationDeps,
  request: SpaceRequest,
  { userId, now }: Asker,
): Promise<{ steps: contract.EscalationStep[]; isOwn: boolean; maySet: boolean }> {
  const of = readOf(request)
  if ('enterpriseId' in of) {
    if (!(await guards.hasEnterpriseRight(userId, of.enterpriseId, 'member'))) throw new Failure('403')
    return {
      steps: [...((await store.findSteps(db, of)) ?? [])],
      isOwn: true,
      maySet: await guards.hasEnterpriseRight(userId, of.enterpriseId, 'sms'),
    }
  }
  const own = (await access.list(userId, [of.machineId], now)).get(of.machineId)
  if (!own?.rights.has('holder') && !own?.handlesAlarms) throw new Failure('403')
  const found = (await store.listSteps(db, [of.machineId])).get(of.machineId)
  return { steps: [...(found?.steps ?? [])], isOwn: found?.isOwn ?? false, maySet: maySet(own) }
}

/**
 * Sets the steps of a machine, by its keys, or of an enterprise, by members with the right `sms`.
 * @throws Failure ESCALATION_OF, ESCALATION_PEOPLE, 403, GIVER_READ_ONLY
 * See rules/messages.md: escalation.
 */
export async function putEscalation(
  deps: EscalationDeps,
  { steps, ...request }: SpaceRequest & { readonly steps: readonly contract.EscalationStep[] },
  { userId, now }: Asker,
): Promise<void> {
  const of = readOf(request)
  const isLet =
    'enterpriseId' in of
      ? await deps.guards.hasEnterpriseRight(userId, of.enterpriseId, 'sms')
      : await deps.access.has(userId, 'bkey+', [of.machineId], now)
  if (!isLet) throw new Failure('403')
  if ('machineId' in of && !(await deps.access.maySet(userId, [of.machineId], now)))
    throw new Failure('GIVER_READ_ONLY')
  const userIds = steps.flatMap((step) => step.userIds)
  const contactIds = steps.flatMap((step) => step.contactIds)
  const areTold =
    'enterpriseId' in of
      ? (await store.areMembers(deps.db, of.enterpriseId, userIds)) &&
        (await store.areContactsOf(deps.db, of.enterpriseId, contactIds))
      : await areToldOf(deps, of.machineId, { userIds, contactIds }, now)
  if (!areTold) throw new Failure('ESCALATION_PEOPLE')
  await withTransaction(deps.db, (trx) => store.saveSteps(trx, of, steps))
}

/** Whether each of the people has a right to the machine, and each of the contacts gets its alarms. */
async function areToldOf(
  { db, access }: EscalationDeps,
  machineId: number,
  named: { readonly userIds: readonly number[]; readonly contactIds: readonly number[] },
  now: number,
): Promise<boolean> {
  const pairs = [...new Set(named.userIds)].map((userId) => ({ userId, machineId }))
  const rights = await access.listPairs(pairs, now)
  const isHolder = rights.filter(({ access: own }) => own.rights.has('holder') || own.handlesAlarms)
  const contacts = new Set((await listContactsOfMachines(db, [machineId])).map(({ contactId }) => contactId))
  return isHolder.length === pairs.length && named.contactIds.every((id) => contacts.has(id))
}

/** @throws Failure ESCALATION_OF */
function readOf({ machineId, eid }: SpaceRequest): store.EscalationOf {
  if (machineId !== undefined && eid === undefined) return { machineId }
  if (eid !== undefined && machineId === undefined) return { enterpriseId: eid }
  throw new Failure('ESCALATION_OF')
}
