import {
  changesSettings,
  type EnterpriseWho,
  findMachineField,
  findProjectField,
  type ProjectWho,
  type Route,
} from '@busbar/contract'
import type { SignedIn } from './bind.ts'
import { Failure } from './failure.ts'
import type { Guards } from './guards.ts'

/**
 * Checks the permissions of a caller that do not depend on the things the request names.
 * @throws Failure 403 on an operator's route for everybody else
 */
export async function authorizeCaller(
  route: Route,
  user: SignedIn | undefined,
  guards: Pick<Guards, 'isOperator'>,
): Promise<void> {
  if (route.who !== 'operator') return
  if (!user || !(await guards.isOperator(user.userId))) throw new Failure('403')
}

/**
 * Checks the permissions of a caller, after `authorizeCaller`, for the things that the request names.
 * @throws Failure 403, or the reason for routes that give one; GIVER_READ_ONLY where a key may only read
 */
export async function authorize(
  route: Route,
  user: SignedIn | undefined,
  input: Record<string, unknown>,
  guards: Guards,
  now: number,
): Promise<void> {
  const { who } = route
  if (who === 'public' || who === 'projectKey' || who === 'user' || who === 'operator') return
  if (!user) throw new Failure('113')
  if (who === 'machine') throw new Failure('403')
  if ('ent' in who) return authorizeInEnterprise(who, user, input, guards)
  if ('prj' in who) return authorizeInProject(who, user, input, guards)
  const { kind, field } = findMachineField(who)
  // Undefined when one of the named things does not exist.
  const machineIds = await guards.machinesOf(kind, input[field])
  const isDevice =
    who.eid === undefined || (await guards.areDevicesOf(input[who.eid] as number, machineIds ?? []))
  const bringsTicket = who.ticket !== undefined && input[who.ticket] !== undefined
  const right = bringsTicket ? 'listed' : who.right
  const hasRight =
    machineIds !== undefined &&
    (await guards.hasMachineRight(user.userId, right, machineIds, now, who.orMember))
  if (hasRight && isDevice) {
    if (!changesSettings(route) || (await guards.maySetMachines(user.userId, machineIds, now, who.orMember)))
      return
    throw new Failure('GIVER_READ_ONLY')
  }
  if (who.refuse !== 'audit') throw new Failure('403')
  const [machineId] = machineIds ?? []
  // A missing machine is refused like a stranger's. The reason is the same for every enterprise that the caller names;
  // otherwise it would reveal which enterprise owns the machine.
  const isNothing = machineId === undefined || hasRight
  throw new Failure(
    isNothing ? 'GENERAL_USER' : await guards.denialReason(user.userId, machineId, now, who.right),
  )
}

/** A machine of another enterprise is refused as one that does not exist. */
async function authorizeInEnterprise(
  who: EnterpriseWho<string>,
  user: SignedIn,
  input: Record<string, unknown>,
  guards: Guards,
): Promise<void> {
  const eid = input[who.eid] as number
  const isSelf = who.self !== undefined && input[who.self] === user.userId
  const isLet = await guards.hasEnterpriseRight(user.userId, eid, isSelf ? 'member' : who.ent)
  const isDevice =
    who.machine === undefined || (await guards.areDevicesOf(eid, [input[who.machine]].flat() as number[]))
  if (!isLet || !isDevice) throw new Failure('403')
}

/** A project of others is refused as one that does not exist. */
async function authorizeInProject(
  who: ProjectWho<string>,
  user: SignedIn,
  input: Record<string, unknown>,
  guards: Guards,
): Promise<void> {
  const { kind, field } = findProjectField(who)
  const projectId = await guards.projectOf(kind, input[field] as number)
  const isLet = projectId !== undefined && (await guards.hasProjectRight(user.userId, projectId, who.prj))
  if (!isLet) throw new Failure('403')
}
