import { type projects as contract, type InputOf, projectLimits } from '@busbar/contract'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { changeRights, type RightsDeps } from '../access/index.ts'
import * as store from './links-store.ts'
import { type ChangeDeps, changeProject, type ProjectChange, recordAct } from './project-change.ts'
import { rowsMaxOf } from './projects-rules.ts'
import { lockProject } from './projects-store.ts'

/** A machine of a project, as the calls name it. */
type Named = Pick<InputOf<typeof contract.addProjectMachine>, 'id' | 'machineId'>

/**
 * Puts a machine into a project; its other keys are told. Answers the rows a month that the project then has. Throws
 * WRONG_ROLE also for a missing machine, 08011008, PROJECT_MACHINES_FULL.
 */
export async function addMachine(
  deps: ChangeDeps,
  caller: Caller,
  { id: projectId, machineId }: Named,
): Promise<number> {
  return changeProject(deps, caller, projectId, 'member', async (scope) => {
    const { trx, at, record } = scope
    await requireKey(deps, scope, caller, machineId)
    if (await store.findLink(trx, projectId, machineId)) throw new Failure('08011008')
    const count = await store.countLinks(trx, projectId)
    if (count >= projectLimits.machines) throw new Failure('PROJECT_MACHINES_FULL')
    await store.createLink(trx, { projectId, machineId, linkedBy: caller.userId, at })
    const link = await store.getLink(trx, projectId, machineId)
    const keys = await deps.access.on(trx).listKeys(machineId, caller.now)
    const told = keys.map(({ userId }) => userId).filter((userId) => userId !== caller.userId)
    await record({ kind: 'project.machineAdded', machineId, machineCode: link.machineCode, told })
    return rowsMaxOf(count + 1)
  })
}

/** Takes a machine out of a project. Answers the rows a month that the project then has. Throws 404. */
export async function removeMachine(
  deps: ChangeDeps,
  caller: Caller,
  { id: projectId, machineId }: Named,
): Promise<number> {
  return changeProject(deps, caller, projectId, 'member', async ({ trx, record }) => {
    const { id, machineCode } = await store.getLink(trx, projectId, machineId)
    await store.deleteLink(trx, id)
    await record({ kind: 'project.machineRemoved', machineId, machineCode })
    return rowsMaxOf(await store.countLinks(trx, projectId))
  })
}

/** Lets the caller stand for a machine in place of another member. Throws 404, WRONG_ROLE. */
export async function takeMachine(
  deps: ChangeDeps,
  caller: Caller,
  { id: projectId, machineId }: Named,
): Promise<void> {
  await changeProject(deps, caller, projectId, 'member', async (scope) => {
    const { trx, at, record } = scope
    const { id, stop, machineCode } = await store.getLink(trx, projectId, machineId)
    await requireKey(deps, scope, caller, machineId)
    if (stop === 'ownerChanged') {
      // Rows of the former owner's time must not go out with the next owner's right.
      await store.deleteLink(trx, id)
      await store.createLink(trx, { projectId, machineId, linkedBy: caller.userId, at })
    } else await store.takeLink(trx, id, caller.userId)
    await record({ kind: 'project.machineTaken', machineId, machineCode })
  })
}

/** Throws WRONG_ROLE unless the caller has a key of the machine, which in an enterprise's project is a device of it. */
async function requireKey(
  { access }: ChangeDeps,
  { trx, project }: ProjectChange,
  { userId, now }: Caller,
  machineId: number,
): Promise<void> {
  const isDevice = project.enterpriseId === null || (await store.isDeviceOf(trx, project, machineId))
  if (!isDevice || !(await access.on(trx).has(userId, 'bkey+', [machineId], now)))
    throw new Failure('WRONG_ROLE')
}

/** The Akey allows a project to write to the machine and to open its page, or takes that back. Throws 404. */
export async function setConsent(
  deps: RightsDeps,
  caller: Caller,
  { id: projectId, machineId, write, visit }: InputOf<typeof contract.setProjectConsent>,
): Promise<void> {
  await changeOfAkey(deps, caller, projectId, machineId, async (trx, link) => {
    const at = new Date(caller.now)
    await store.setConsent(trx, link.id, { write, visit, by: caller.userId, at })
    return { kind: 'project.consentChanged', machineId, machineCode: link.machineCode, write, visit }
  })
}

/** The Akey takes the machine out of a project. Throws 404. */
export async function withdrawMachine(
  deps: RightsDeps,
  caller: Caller,
  { id: projectId, machineId }: Named,
): Promise<void> {
  await changeOfAkey(deps, caller, projectId, machineId, async (trx, link) => {
    await store.deleteLink(trx, link.id)
    return { kind: 'project.machineRemoved', machineId, machineCode: link.machineCode }
  })
}

/** A change by the Akey, who need not be in the project. */
async function changeOfAkey(
  deps: RightsDeps,
  caller: Caller,
  projectId: number,
  machineId: number,
  change: (
    trx: ProjectChange['trx'],
    link: Awaited<ReturnType<typeof store.getLink>>,
  ) => Promise<Parameters<typeof recordAct>[4]>,
): Promise<void> {
  await changeRights(deps, { ...caller, right: 'akey' }, machineId, async ({ trx }) => {
    const project = await lockProject(trx, projectId)
    if (!project) throw new Failure('404')
    const link = await store.getLink(trx, projectId, machineId)
    if (link.stop === 'ownerChanged') throw new Failure('404')
    await recordAct(deps.facts, trx, caller, project, await change(trx, link))
  })
}
