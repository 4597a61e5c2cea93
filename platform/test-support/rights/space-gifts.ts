import { enterprises, type MemberRight, type RequestOf, type Route } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import {
  createEnterprise,
  createEnterpriseMachine,
  createMember,
  createTeam,
  createUser,
  type TestUser,
} from '@busbar/testkit'
import { createInvitation, createReceiver, type Naming } from './things.ts'

/** An enterprise, a device of it, and a person who tries to give a right in it. */
export interface SpaceSetup {
  readonly eid: number
  readonly machineId: number
  readonly giver: TestUser
}

const toControl: MemberRight[] = ['view', 'control']

export type SpaceGiverKind = 'owner' | 'admin' | 'none'

const all = ['view', 'control', 'manage', 'maintain', 'alarm', 'sms', 'project'] as const

export const spaceGivers: readonly (readonly [
  who: string,
  kind: SpaceGiverKind,
  join: (db: Database, eid: number) => Promise<TestUser>,
])[] = [
  ['an owner', 'owner', (db, eid) => createMember(db, eid, 'owner')],
  ['an administrator', 'admin', (db, eid) => createMember(db, eid, 'admin')],
  ['a member with every right', 'none', (db, eid) => createMember(db, eid, 'member', all)],
  ['a member who manages, without control', 'none', (db, eid) => createMember(db, eid, 'member', ['manage'])],
  ['a member who views', 'none', (db, eid) => createMember(db, eid, 'member', ['view'])],
  ['a stranger', 'none', (db) => createUser(db)],
]

export async function createSpaceSetup(
  db: Database,
  join: (db: Database, eid: number) => Promise<TestUser>,
): Promise<SpaceSetup> {
  const { eid } = await createEnterprise(db)
  const { machineId } = await createEnterpriseMachine(db, eid)
  return { eid, machineId, giver: await join(db, eid) }
}

/** A call that gives a person a right in an enterprise, with its result for each kind of giver. */
export interface SpaceGift {
  readonly what: string
  readonly route: Route
  prepare(db: Database, setup: SpaceSetup): Promise<{ request: unknown; seen(): Promise<string> }>
  readonly comes: Readonly<Record<SpaceGiverKind, string>>
}

function gift<R extends Route, Request extends RequestOf<R>>(
  what: string,
  route: R,
  comes: SpaceGift['comes'],
  prepare: (db: Database, setup: SpaceSetup) => Promise<{ request: Request; seen: () => Promise<string> }>,
): SpaceGift {
  return { what, route, comes, prepare }
}

async function membershipOf(db: Database, eid: number, { userId }: TestUser): Promise<string> {
  const row = await db
    .selectFrom('enterprise_members')
    .select(['role', 'rights'])
    .where('enterprise_id', '=', eid)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ? [row.role, ...row.rights].join(' ') : 'none'
}

async function invitationOf(db: Database, eid: number, { userId }: TestUser): Promise<string> {
  const row = await db
    .selectFrom('enterprise_invitations')
    .select(['role', 'rights'])
    .where('enterprise_id', '=', eid)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ? [row.role, ...row.rights].join(' ') : 'none'
}

const invite = (
  role: enterprises.EnterpriseRole,
  comes: SpaceGift['comes'],
  by: Naming = 'by account',
): SpaceGift =>
  gift(`an invitation as ${role}, ${by}`, enterprises.inviteMember, comes, async (db, { eid, giver }) => {
    const { user, named } = await createReceiver({ db }, { giver }, by)
    return {
      request: { eid, ...named, role, rights: toControl },
      seen: () => invitationOf(db, eid, user),
    }
  })

const reinvite = (role: enterprises.EnterpriseRole, comes: SpaceGift['comes']): SpaceGift =>
  gift(
    `an invitation changed to ${role}`,
    enterprises.updateInvitation,
    comes,
    async (db, { eid, giver }) => {
      const user = await createUser(db)
      const id = await createInvitation(db, { eid, owner: giver }, user.userId)
      return { request: { eid, id, role, rights: toControl }, seen: () => invitationOf(db, eid, user) }
    },
  )

const promote = (role: enterprises.EnterpriseRole, comes: SpaceGift['comes']): SpaceGift =>
  gift(`the role ${role}`, enterprises.updateMember, comes, async (db, { eid }) => {
    const user = await createMember(db, eid, 'member', ['view'])
    return {
      request: { eid, userId: user.userId, role, rights: toControl },
      seen: () => membershipOf(db, eid, user),
    }
  })

const teamOf = async (db: Database, { machineId }: SpaceSetup) => {
  const row = await db
    .selectFrom('enterprise_team_machines')
    .select('team_id')
    .where('machine_id', '=', machineId)
    .executeTakeFirst()
  return row ? 'in a team' : 'in no team'
}

const byAdmins = (outcome: string) => ({ owner: outcome, admin: outcome, none: 'refused' })

/** Every call that gives a person a right in an enterprise. */
export const spaceGifts: readonly SpaceGift[] = [
  invite('owner', { owner: 'owner', admin: 'OWNER_ONLY', none: 'refused' }),
  invite('admin', byAdmins('admin')),
  invite('member', byAdmins('member view control')),
  invite('owner', { owner: 'owner', admin: 'OWNER_ONLY', none: 'refused' }, 'as a friend'),
  invite('member', byAdmins('member view control'), 'as a friend'),
  reinvite('owner', { owner: 'owner', admin: 'OWNER_ONLY', none: 'refused' }),
  reinvite('member', byAdmins('member view control')),
  promote('owner', { owner: 'owner', admin: 'OWNER_ONLY', none: 'refused' }),
  promote('admin', byAdmins('admin')),
  promote('member', byAdmins('member view control')),
  gift('control to oneself', enterprises.updateMember, byAdmins('as one is'), async (db, { eid, giver }) => {
    const before = await membershipOf(db, eid, giver)
    return {
      request: { eid, userId: giver.userId, rights: [...toControl, 'manage' as const] },
      seen: async () => ((await membershipOf(db, eid, giver)) === before ? 'as one is' : 'more'),
    }
  }),
  gift('a machine to a new team', enterprises.createTeam, byAdmins('in a team'), async (db, setup) => {
    const { eid, machineId } = setup
    const member = await createMember(db, eid, 'member', ['manage'])
    return {
      request: {
        eid,
        kind: 'manage' as const,
        name: 'Shift',
        memberIds: [member.userId],
        machineIds: [machineId],
      },
      seen: () => teamOf(db, setup),
    }
  }),
  gift('a machine to a team', enterprises.updateTeam, byAdmins('in a team'), async (db, setup) => {
    const { eid, machineId } = setup
    const id = await createTeam(db, { eid, kind: 'manage' })
    return { request: { eid, id, machineIds: [machineId] }, seen: () => teamOf(db, setup) }
  }),
  gift(
    'a team to a machine',
    enterprises.updateEnterpriseMachine,
    byAdmins('in a team'),
    async (db, setup) => {
      const { eid, machineId } = setup
      const teamId = await createTeam(db, { eid, kind: 'manage' })
      return { request: { eid, id: machineId, teamId }, seen: () => teamOf(db, setup) }
    },
  ),
]
