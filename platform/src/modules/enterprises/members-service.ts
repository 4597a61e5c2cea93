import { type enterprises as contract, type InputOf, limits, type MemberRight } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import type { Caller } from '../../kernel/http/caller.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { findPersonName } from '../access/index.ts'
import type { Brand } from '../brands/index.ts'
import { findNamedPerson } from '../friends/index.ts'
import { readInvited } from '../messages/index.ts'
import type { Outgoing, UnsubscribeUrlOf } from '../outgoing/index.ts'
import { findMembership } from '../spaces/index.ts'
import { formatInvitation } from './invitation-email.ts'
import * as invitations from './invitations-store.ts'
import * as store from './members-store.ts'
import { changeSpace, type SpaceChange, type SpaceDeps } from './space-change.ts'
import { changeDenial, isAdmin } from './space-rules.ts'
import { getSpace, lockSpace } from './spaces-store.ts'

/** Owners and administrators have every right; a member's former rights are not kept for later. */
const keptRights = (role: contract.EnterpriseRole, rights: readonly MemberRight[]): MemberRight[] =>
  role === 'member' ? [...new Set(rights)] : []

/** The parts that inviting needs beside those of an enterprise. */
export interface InviteDeps extends SpaceDeps {
  readonly outgoing: Pick<Outgoing, 'queue'>
  /** Where the pictures of e-mails are fetched. */
  readonly publicUrl: string | undefined
  readonly unsubscribeUrlOf: UnsubscribeUrlOf
}

/** A second invitation of a person within this time sends no e-mail, in ms (rules/enterprises.md: invitations). */
const emailPauseMs = 86_400_000

/**
 * Invites a person, by a message and, if they have an address, an e-mail; they become a member when they accept. Throws
 * 01010304 unless the account exists or is a friend's, ALREADY_MEMBER, ALREADY_INVITED, OWNER_ONLY, MEMBERS_FULL.
 */
export async function inviteMember(
  deps: InviteDeps,
  caller: Caller & { readonly brand: Brand },
  input: InputOf<typeof contract.inviteMember>,
): Promise<number> {
  return changeSpace(deps, caller, input.eid, 'admin', async (scope) => {
    const { trx, eid, actor, at } = scope
    if (input.role === 'owner' && actor.role !== 'owner') throw new Failure('OWNER_ONLY')
    const user = await findNamedPerson(trx, caller, input)
    if (await findMembership(trx, eid, user.id)) throw new Failure('ALREADY_MEMBER')
    await requireRoom(scope)
    const invitation = {
      eid,
      userId: user.id,
      invitedBy: caller.userId,
      role: input.role,
      rights: keptRights(input.role, input.rights),
      at,
    }
    const emailedSince = new Date(caller.now - emailPauseMs)
    const isEmailed = await invitations.wasInvitedSince(trx, eid, user.id, emailedSince)
    const invitationId = await invitations.createInvitation(trx, invitation)
    if (invitationId === undefined) throw new Failure('ALREADY_INVITED')
    const { name: enterprise } = await getSpace(trx, eid)
    const { role, rights } = invitation
    const sent = { userId: user.id, invitationId, role, rights }
    await scope.record({ kind: 'invitation.sent', ...sent }, { words: { enterprise } })
    const { email, lang, time_zone } = user
    if (email && !isEmailed) {
      const told = { enterprise, inviter: await findPersonName(trx, caller.userId), role }
      const message = formatInvitation(
        told,
        { userId: user.id, email, lang, time_zone },
        { ...deps, ...caller },
      )
      await deps.outgoing.queue(trx, message)
    }
    return user.id
  })
}

/** Changes the role and rights of an invitation that was not answered. Throws 404, OWNER_ONLY. */
export async function updateInvitation(
  deps: SpaceDeps,
  caller: Caller,
  { eid, id, role, ...wanted }: InputOf<typeof contract.updateInvitation>,
): Promise<void> {
  await changeSpace(deps, caller, eid, 'admin', async ({ trx, actor, record }) => {
    const invitation = await invitations.lockInvitation(trx, eid, id)
    if (!invitation) throw new Failure('404')
    const formerRole = invitation.role as contract.EnterpriseRole
    const refusal = changeDenial(actor, { role: formerRole }, role)
    if (refusal) throw new Failure(refusal)
    const rights = keptRights(role, wanted.rights)
    await invitations.changeInvitation(trx, id, { role, rights })
    const { name: enterprise } = await getSpace(trx, eid)
    const changed = { userId: invitation.userId, invitationId: id, role, rights, formerRole }
    await record({ kind: 'invitation.changed', ...changed }, { words: { enterprise } })
  })
}

/** Withdraws an invitation that was not answered. Throws 404. */
export async function removeInvitation(
  deps: SpaceDeps,
  caller: Caller,
  eid: number,
  id: number,
): Promise<void> {
  const userId = await changeSpace(deps, caller, eid, 'admin', async (scope) => {
    const gone = await invitations.updateInvitation(scope.trx, { id, eid }, 'withdrawn', scope.at)
    if (!gone) throw new Failure('404')
    await scope.record({ kind: 'invitation.withdrawn', userId: gone.user_id, invitationId: id })
    return gone.user_id
  })
  await readMessagesOf(deps, [{ id, userId }], caller.now)
}

/** Marks the messages of invitations that are over as read: nothing is left to be done about them. */
async function readMessagesOf(
  { mailbox }: Pick<SpaceDeps, 'mailbox'>,
  over: readonly invitations.Invited[],
  now: number,
): Promise<void> {
  const at = new Date(now)
  for (const { id, userId } of over)
    await mailbox.change(userId, at, (trx) => readInvited(trx, userId, [id], at))
}

/**
 * Answers the caller's invitation; of several answers at once one counts. Answers the enterprise that they then belong
 * to. Throws INVITATION_GONE for an invitation that was answered or withdrawn or is somebody else's, MEMBERS_FULL.
 */
export async function answerInvitation(
  { db, mailbox, facts }: SpaceDeps,
  caller: Caller,
  id: number,
  action: 'accept' | 'decline',
): Promise<number | undefined> {
  const at = new Date(caller.now)
  const joined = await withTransaction(db, async (trx) => {
    const eid = await invitations.findInvitationSpace(trx, id, caller.userId)
    if (eid === undefined || !(await lockSpace(trx, eid))) throw new Failure('INVITATION_GONE')
    const state = action === 'accept' ? 'accepted' : 'declined'
    const invitation = await invitations.updateInvitation(trx, { id, userId: caller.userId }, state, at)
    if (!invitation) throw new Failure('INVITATION_GONE')
    const { userId, now, address } = caller
    const { role, invited_by: invitedBy } = invitation
    const about = { enterpriseId: eid, userId, by: userId, invitationId: id, at: now }
    await facts.record(trx, { kind: 'invitation.answered', ...about, action, role, invitedBy }, { address })
    if (action === 'decline') return undefined
    await requireRoom({ trx, eid })
    await store.createMember(trx, {
      eid,
      userId: caller.userId,
      role: invitation.role as contract.EnterpriseRole,
      rights: invitation.rights as MemberRight[],
      at,
    })
    return eid
  })
  await readMessagesOf({ mailbox }, [{ id, userId: caller.userId }], caller.now)
  return joined
}

/** Changes role or rights of a member. Throws 404 no such member, OWNER_ONLY, LAST_OWNER. */
export async function updateMember(
  deps: SpaceDeps,
  caller: Caller,
  input: InputOf<typeof contract.updateMember>,
): Promise<void> {
  const withdrawn = await changeSpace(deps, caller, input.eid, 'admin', async (scope) => {
    const { trx, eid, actor, at } = scope
    const member = await findMembership(trx, eid, input.userId)
    if (!member) throw new Failure('404')
    const role = input.role ?? member.role
    const refusal = changeDenial(actor, member, role)
    if (refusal) throw new Failure(refusal)
    if (member.role === 'owner' && role !== 'owner') await requireOtherOwner(scope, input.userId)
    const rights = keptRights(role, input.rights ?? member.rights)
    await store.updateMember(trx, eid, input.userId, { role, rights })
    // Invitations that they sent with the former role are withdrawn.
    const gone =
      role === member.role ? [] : await invitations.withdrawInvitationsBy(trx, eid, input.userId, at)
    await scope.record({ kind: 'member.changed', userId: input.userId, role, rights })
    return gone
  })
  await readMessagesOf(deps, withdrawn, caller.now)
}

/** Takes a member out, or leaves; they also leave their teams. Throws 403, 404, OWNER_ONLY, LAST_OWNER. */
export async function removeMember(
  deps: SpaceDeps,
  caller: Caller,
  eid: number,
  userId: number,
): Promise<void> {
  const withdrawn = await changeSpace(deps, caller, eid, 'member', async (scope) => {
    const { trx, actor, at } = scope
    const isSelf = userId === caller.userId
    if (!isSelf && !isAdmin(actor)) throw new Failure('403')
    const member = await findMembership(trx, eid, userId)
    if (!member) throw new Failure('404')
    const refusal = isSelf ? undefined : changeDenial(actor, member, 'member')
    if (refusal) throw new Failure(refusal)
    if (member.role === 'owner') await requireOtherOwner(scope, userId)
    const gone = await invitations.withdrawInvitationsBy(trx, eid, userId, at)
    await store.removeMember(trx, eid, userId)
    const kind = isSelf ? 'member.left' : 'member.removed'
    await scope.record({ kind, userId, role: member.role })
    return gone
  })
  await readMessagesOf(deps, withdrawn, caller.now)
}

/** An enterprise without an owner could never be changed again (rules/enterprises.md: roles). */
async function requireOtherOwner({ trx, eid }: SpaceChange, userId: number): Promise<void> {
  if ((await store.countStayingOwners(trx, eid, userId)) === 0) throw new Failure('LAST_OWNER')
}

async function requireRoom({ trx, eid }: Pick<SpaceChange, 'trx' | 'eid'>): Promise<void> {
  if ((await store.countMembers(trx, eid)) >= limits.membersPerEnterprise) throw new Failure('MEMBERS_FULL')
}
