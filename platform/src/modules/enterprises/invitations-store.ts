import type { enterprises as contract, MemberRight } from '@busbar/contract'
import type { Db, Trx } from './spaces-store.ts'

/** A person's invitations without an answer. */
export async function listInvitations(db: Db, userId: number) {
  return db
    .selectFrom('enterprise_invitations as invitation')
    .innerJoin('enterprises', 'enterprises.id', 'invitation.enterprise_id')
    .innerJoin('users as inviter', 'inviter.id', 'invitation.invited_by')
    .select([
      'invitation.id',
      'invitation.enterprise_id',
      'enterprises.name as enterprise',
      'inviter.name as invited_by',
      'invitation.role',
      'invitation.rights',
      'invitation.created_at',
    ])
    .where('invitation.user_id', '=', userId)
    .where('invitation.state', '=', 'waiting')
    .where('enterprises.state', '=', 'active')
    .orderBy('invitation.id')
    .limit(100)
    .execute()
}
export type InvitationRow = Awaited<ReturnType<typeof listInvitations>>[number]

/** An enterprise's invitations without an answer. */
export async function listSentInvitations(db: Db, eid: number) {
  return db
    .selectFrom('enterprise_invitations as invitation')
    .innerJoin('users', 'users.id', 'invitation.user_id')
    .innerJoin('users as inviter', 'inviter.id', 'invitation.invited_by')
    .select([
      'invitation.id',
      'users.name',
      'users.phone',
      'users.email',
      'inviter.name as invited_by',
      'invitation.role',
      'invitation.rights',
      'invitation.created_at',
    ])
    .where('invitation.enterprise_id', '=', eid)
    .where('invitation.state', '=', 'waiting')
    .orderBy('invitation.id', 'desc')
    .limit(1_000)
    .execute()
}
export type SentInvitationRow = Awaited<ReturnType<typeof listSentInvitations>>[number]

/** Invites a person; answers the invitation, undefined if one is waiting already. */
export async function createInvitation(
  trx: Trx,
  invitation: {
    eid: number
    userId: number
    invitedBy: number
    role: contract.EnterpriseRole
    rights: readonly MemberRight[]
    at: Date
  },
): Promise<number | undefined> {
  const row = await trx
    .insertInto('enterprise_invitations')
    .values({
      enterprise_id: invitation.eid,
      user_id: invitation.userId,
      invited_by: invitation.invitedBy,
      role: invitation.role,
      rights: [...invitation.rights],
      created_at: invitation.at,
    })
    .onConflict((conflict) =>
      conflict.columns(['enterprise_id', 'user_id']).where('state', '=', 'waiting').doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Whether an enterprise invited a person at this moment or later, whatever the result. */
export async function wasInvitedSince(db: Db, eid: number, userId: number, since: Date): Promise<boolean> {
  const row = await db
    .selectFrom('enterprise_invitations')
    .select('id')
    .where('enterprise_id', '=', eid)
    .where('user_id', '=', userId)
    .where('created_at', '>=', since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The enterprise an invitation of this person's is for, whatever became of it. */
export async function findInvitationSpace(db: Db, id: number, userId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('enterprise_invitations')
    .select('enterprise_id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.enterprise_id
}

/** Answers or withdraws one that waits; undefined when it does not wait any more. */
export async function updateInvitation(
  trx: Trx,
  which: { id: number } & ({ userId: number } | { eid: number }),
  state: 'accepted' | 'declined' | 'withdrawn',
  at: Date,
) {
  const query = trx
    .updateTable('enterprise_invitations')
    .set({ state, answered_at: at })
    .where('id', '=', which.id)
    .where('state', '=', 'waiting')
    .returning(['enterprise_id', 'user_id', 'invited_by', 'role', 'rights'])
  return (
    'userId' in which
      ? query.where('user_id', '=', which.userId)
      : query.where('enterprise_id', '=', which.eid)
  ).executeTakeFirst()
}

/** The role that a waiting invitation offers, with its receiver, locked against an answer. */
export async function lockInvitation(trx: Trx, eid: number, id: number) {
  return trx
    .selectFrom('enterprise_invitations')
    .select(['user_id as userId', 'role'])
    .where('id', '=', id)
    .where('enterprise_id', '=', eid)
    .where('state', '=', 'waiting')
    .forUpdate()
    .executeTakeFirst()
}

export async function changeInvitation(
  trx: Trx,
  id: number,
  offered: { readonly role: contract.EnterpriseRole; readonly rights: readonly MemberRight[] },
): Promise<void> {
  await trx
    .updateTable('enterprise_invitations')
    .set({ role: offered.role, rights: [...offered.rights] })
    .where('id', '=', id)
    .execute()
}

/** An invitation, with its receiver. */
export interface Invited {
  readonly id: number
  readonly userId: number
}

/** Withdraws the open invitations of a person who may no longer invite; answers them. */
export async function withdrawInvitationsBy(
  trx: Trx,
  eid: number,
  userId: number,
  at: Date,
): Promise<Invited[]> {
  return trx
    .updateTable('enterprise_invitations')
    .set({ state: 'withdrawn', answered_at: at })
    .where('enterprise_id', '=', eid)
    .where('invited_by', '=', userId)
    .where('state', '=', 'waiting')
    .returning(['id', 'user_id as userId'])
    .execute()
}
