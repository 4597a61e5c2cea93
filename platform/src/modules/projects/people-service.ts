import { type projects as contract, type InputOf, projectLimits } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { lockPerson } from '../../kernel/database/lock-person.ts'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { findNamedPerson } from '../friends/index.ts'
import { type Mailbox, readProjectInvited } from '../messages/index.ts'
import { findMembership } from '../spaces/index.ts'
import { stopLinks } from './links-store.ts'
import * as store from './members-store.ts'
import { type ChangeDeps, changeProject, type ProjectChange, recordAct } from './project-change.ts'
import { countOwned, lockProject, moveToPerson } from './projects-store.ts'

export interface PeopleDeps extends ChangeDeps {
  readonly mailbox: Pick<Mailbox, 'change'>
}

/**
 * Invites a person by account or as a friend; they count for nothing before they accept. In an enterprise's project they
 * are a member of the enterprise. Throws 08011006, 08011007, PROJECT_MEMBERS_FULL.
 */
export async function inviteUser(
  deps: PeopleDeps,
  caller: Caller,
  input: InputOf<typeof contract.addProjectUser>,
): Promise<number> {
  return changeProject(deps, caller, input.id, 'member', async ({ trx, project, at, record }) => {
    const { id: projectId, enterpriseId } = project
    const person = await findNamedPerson(trx, caller, input).catch((error) => {
      throw error instanceof Failure && error.code === '01010304' ? new Failure('08011006') : error
    })
    if (enterpriseId !== null && !(await findMembership(trx, enterpriseId, person.id)))
      throw new Failure('08011006')
    if (await store.findMember(trx, projectId, person.id)) throw new Failure('08011007')
    if ((await store.countMembers(trx, projectId)) >= projectLimits.members)
      throw new Failure('PROJECT_MEMBERS_FULL')
    const member = { projectId, userId: person.id, level: 2, invitedBy: caller.userId } as const
    await store.createMember(trx, { ...member, isAccepted: false, at })
    await record({ kind: 'project.memberChanged', userId: person.id, change: 'invited' })
    return person.id
  })
}

/** Accepts or declines the caller's own invitation. Throws 404 when none waits. */
export async function answerInvitation(
  { db, facts, mailbox }: PeopleDeps,
  caller: Caller,
  { id, accept }: InputOf<typeof contract.answerProjectInvitation>,
): Promise<void> {
  const { userId, now } = caller
  const at = new Date(now)
  await withTransaction(db, async (trx) => {
    const project = await lockProject(trx, id)
    const own = project && (await store.findMember(trx, id, userId))
    if (!own || own.isAccepted) throw new Failure('404')
    const { enterpriseId } = project
    // They may have left the enterprise since.
    if (accept && enterpriseId !== null && !(await findMembership(trx, enterpriseId, userId)))
      throw new Failure('404')
    if (accept) await store.acceptMember(trx, id, userId, at)
    else await store.removeMember(trx, id, userId)
    const change = accept ? 'accepted' : 'declined'
    await recordAct(facts, trx, caller, project, { kind: 'project.memberChanged', userId, change })
  })
  await mailbox.change(userId, at, (trx) => readProjectInvited(trx, userId, id, at))
}

/** Takes a person out, or quits; their machines end with them. Throws 403, 404, PROJECT_OWNER_STAYS. */
export async function removeUser(
  deps: ChangeDeps,
  caller: Caller,
  { id, delUserId: userId }: InputOf<typeof contract.removeProjectUser>,
): Promise<void> {
  await changeProject(deps, caller, id, 'member', async (scope) => {
    const isSelf = userId === caller.userId
    if (!(await store.findMember(scope.trx, id, userId))) throw new Failure('404')
    if (!isSelf && scope.level !== 3) throw new Failure('403')
    if (isSelf && scope.level === 3) throw new Failure('PROJECT_OWNER_STAYS')
    await endLinksOf(scope, userId)
    await store.removeMember(scope.trx, id, userId)
    await scope.record({ kind: 'project.memberChanged', userId, change: isSelf ? 'left' : 'removed' })
  })
}

/** Ends the links that a person stands for in the project. */
async function endLinksOf({ trx, project, at }: ProjectChange, userId: number): Promise<void> {
  const links = await store.listLinksBy(trx, project.id, userId)
  await stopLinks(
    trx,
    links.map((linkId) => ({ linkId, stop: 'memberLeft' })),
    at,
  )
}

/** Makes another of its people the owner; the caller stays a member. Throws 404, PROJECTS_FULL. */
export async function transferProject(
  deps: ChangeDeps,
  caller: Caller,
  { id, transferUser: userId }: InputOf<typeof contract.transferProject>,
): Promise<void> {
  await changeProject(deps, caller, id, 'owner', async ({ trx, project, record }) => {
    const { enterpriseId } = project
    const member = await store.findMember(trx, id, userId)
    const isColleague = enterpriseId === null || (await findMembership(trx, enterpriseId, userId))
    if (!member?.isAccepted || !isColleague) throw new Failure('404')
    if (userId === caller.userId) return
    await requireRoom(trx, userId)
    await store.changeProjectOwner(trx, id, userId)
    if (enterpriseId === null) await moveToPerson(trx, id, userId)
    await record({ kind: 'project.memberChanged', userId, change: 'owner' })
  })
}

/**
 * Makes an owner of the enterprise the owner of a project whose own left the enterprise. Throws 404 for a project of
 * others as for a missing one, PROJECT_HAS_OWNER, PROJECTS_FULL.
 */
export async function takeProjectOver(
  { db, facts }: ChangeDeps,
  caller: Caller,
  { id }: InputOf<typeof contract.takeProjectOver>,
): Promise<void> {
  const { userId, now } = caller
  await withTransaction(db, async (trx) => {
    const project = await lockProject(trx, id)
    const eid = project?.enterpriseId ?? null
    if (!project || eid === null || (await findMembership(trx, eid, userId))?.role !== 'owner')
      throw new Failure('404')
    const owner = await store.findOwner(trx, id)
    if (owner !== undefined && (await findMembership(trx, eid, owner))) throw new Failure('PROJECT_HAS_OWNER')
    await requireRoom(trx, userId)
    if (owner !== undefined) await store.removeMember(trx, id, owner)
    const at = new Date(now)
    const own = await store.findMember(trx, id, userId)
    if (own) await store.acceptMember(trx, id, userId, at)
    else
      await store.createMember(trx, {
        projectId: id,
        userId,
        level: 2,
        invitedBy: null,
        isAccepted: true,
        at,
      })
    await store.changeProjectOwner(trx, id, userId)
    await recordAct(facts, trx, caller, project, { kind: 'project.memberChanged', userId, change: 'owner' })
  })
}

/** Throws PROJECTS_FULL. */
export async function requireRoom(trx: ProjectChange['trx'], userId: number): Promise<void> {
  await lockPerson(trx, userId)
  if ((await countOwned(trx, userId)) >= projectLimits.projectsPerOwner) throw new Failure('PROJECTS_FULL')
}
