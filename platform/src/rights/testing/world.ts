import { randomUUID } from 'node:crypto'
import { type MemberRight, memberRights } from '@busbar/contract'
import type { Database } from '@busbar/platform/database/database.ts'
import {
  blacklistUser,
  createEnterprise,
  createEnterpriseMachine,
  createMachine,
  createMember,
  createUser,
  grantMachine,
  listMachine,
  signIn,
  type TestUser,
} from '@busbar/testkit'
import { sql } from 'kysely'
import { type Door, doors, type Kind, missing } from './doors.ts'
import {
  createFriend,
  createGroup,
  createInvitation,
  createTag,
  createTeam,
  createVisit,
  createWindow,
} from './things.ts'

/** Rights over a machine, each including those before it. */
export const levels = ['none', 'listed', 'visitor+', 'bkey+', 'akey'] as const
export type Level = (typeof levels)[number]

/** A machine in somebody's own space or in an enterprise, and what everybody is to it. */
export interface Stage {
  readonly name: 'personal' | 'enterprise'
  readonly people: Readonly<Record<string, readonly [TestUser, Level]>>
  readonly machine: { readonly machineId: number; readonly code: string }
  readonly tagId: number
  readonly foreign: Foreign
  /** Who has every right here. */
  readonly master: TestUser
}

/** Things of the same kinds that are somebody else's. */
export type Foreign = Readonly<Record<Kind, unknown>>

export interface World {
  readonly personal: Stage
  readonly enterprise: Stage
  /** In the enterprise: nobody of it, members with one right or all but one, administrators, owners. */
  readonly members: ReadonlyMap<string, TestUser>
  readonly stranger: TestUser
  readonly operator: TestUser
  readonly expired: { token: string }
  readonly otherBrand: { token: string }
  readonly eid: number
  /** Something the caller, the stage's machine or the enterprise has; fresh where a call may use it up. */
  own(kind: Kind, stage: Stage, caller: TestUser): Promise<unknown>
}

/** Everything that belongs to strangers has this in its name: no answer to anybody else may. */
export const foreignMark = 'Zq foreign'
/** Of a brand that no host here has. */
const otherBrandId = 77

export async function createWorld(db: Database): Promise<World> {
  await spreadIds(db)
  const [stranger, neighbour, holder] = await createUsers(db, 3)
  const operator = await createUser(db)
  await db.updateTable('users').set({ is_operator: true }).where('id', '=', operator.userId).execute()
  await db.updateTable('users').set({ name: foreignMark }).where('id', '=', neighbour.userId).execute()

  const { eid, owner } = await createEnterprise(db)
  const theirs = await createEnterprise(db, foreignMark)
  const [device, theirDevice] = [
    await createEnterpriseMachine(db, eid),
    await createEnterpriseMachine(db, theirs.eid, { name: foreignMark }),
  ]
  // Held by somebody, a device cannot be removed by the one who may.
  await grantMachine(db, holder.userId, device.machineId, { role: 'bkey' })
  const shift = await createTeam(db, eid, 'Early shift')
  await db
    .insertInto('enterprise_team_machines')
    .values({ team_id: shift, enterprise_id: eid, machine_id: device.machineId })
    .execute()

  const members = new Map<string, TestUser>([
    ['stranger', stranger],
    ['an operator', operator],
    ['owner of another enterprise', theirs.owner],
    ['member', await createMember(db, eid)],
    ['admin', await createMember(db, eid, 'admin')],
    ['owner', owner],
  ])
  const createWith = (rights: readonly MemberRight[]) => createMember(db, eid, 'member', rights)
  for (const right of ['view', 'control', 'manage', 'maintain'] as const)
    members.set(right, await createWith([right]))
  for (const right of rightsOfDoors())
    members.set(`all but ${right}`, await createWith(memberRights.filter((each) => each !== right)))
  members.set('all rights', await createWith(memberRights))
  const who = (name: string): TestUser => members.get(name) ?? stranger
  const manager = await createMember(db, eid, 'member', ['manage'])
  await db
    .insertInto('enterprise_team_members')
    .values({ team_id: shift, enterprise_id: eid, user_id: manager.userId })
    .execute()

  const foreign = await createMachine(db, { owner: neighbour.userId, name: foreignMark })
  const akey = await createUser(db)
  const press = await createMachine(db, { owner: akey.userId })
  const visitor = { role: 'visitor' } as const
  const guest = async (grant: Parameters<typeof grantMachine>[3]) => {
    const user = await createUser(db)
    await grantMachine(db, user.userId, press.machineId, grant)
    return user
  }
  const ordinary = await createUser(db)
  await listMachine(db, ordinary.userId, press.machineId)
  const banned = await guest({ role: 'bkey' })
  await blacklistUser(db, banned.userId, press.machineId)
  const past = new Date(Date.now() - 60_000)

  const foreignOf = async (
    machine: { machineId: number; code: string },
    keeper: TestUser,
  ): Promise<Foreign> => {
    const guestOfTheirs = await createUser(db, { name: foreignMark })
    const friend = await createUser(db, { name: foreignMark })
    await createFriend(db, keeper.userId, friend.userId)
    const tagId = await createTag(db, machine.machineId, foreignMark)
    const grant = await grantMachine(db, guestOfTheirs.userId, machine.machineId, visitor)
    const team = await createTeam(db, theirs.eid, `${foreignMark} ${randomUUID()}`)
    return {
      machine: machine.machineId,
      code: machine.code,
      grant,
      tag: tagId,
      tags: [tagId],
      window: await createWindow(db, {
        eid,
        machineId: machine.machineId,
        requestedBy: owner.userId,
        reason: foreignMark,
      }),
      eid: theirs.eid,
      group: await createGroup(db, theirs.eid, `${foreignMark} ${randomUUID()}`),
      team,
      member: theirs.owner.userId,
      members: [theirs.owner.userId],
      machines: [machine.machineId],
      codes: [machine.code],
      invitationSent: await createInvitation(db, theirs, (await createUser(db)).userId),
      invitation: await createInvitation(db, theirs, (await createUser(db)).userId),
      friend: friend.userId,
      session: neighbour.sessionId,
      visit: await createVisit(db, keeper, machine.machineId),
      claimedGrant: grant,
      claimedTeam: team,
    }
  }

  const personal: Stage = {
    name: 'personal',
    machine: press,
    tagId: await createTag(db, press.machineId, 'pressure'),
    foreign: await foreignOf(foreign, neighbour),
    master: akey,
    people: {
      stranger: [stranger, 'none'],
      'Akey of another machine': [neighbour, 'none'],
      'an operator': [operator, 'none'],
      'owner of an enterprise': [owner, 'none'],
      'ordinary user': [ordinary, 'listed'],
      'former visitor': [await guest({ ...visitor, until: past }), 'listed'],
      'blacklisted Bkey': [banned, 'listed'],
      visitor: [await guest(visitor), 'visitor+'],
      Bkey: [await guest({ role: 'bkey' }), 'bkey+'],
      Akey: [akey, 'akey'],
    },
  }
  const enterprise: Stage = {
    name: 'enterprise',
    machine: device,
    tagId: await createTag(db, device.machineId, 'pressure'),
    foreign: await foreignOf(theirDevice, theirs.owner),
    master: owner,
    people: {
      stranger: [stranger, 'none'],
      'an operator': [operator, 'none'],
      'owner of another enterprise': [theirs.owner, 'none'],
      member: [who('member'), 'listed'],
      'member who manages, in no team': [who('manage'), 'listed'],
      'member who maintains': [who('maintain'), 'listed'],
      'member who views': [who('view'), 'visitor+'],
      'member who controls': [who('control'), 'visitor+'],
      'member who manages, in its team': [manager, 'bkey+'],
      admin: [who('admin'), 'akey'],
      owner: [owner, 'akey'],
    },
  }

  async function own(kind: Kind, stage: Stage, caller: TestUser): Promise<unknown> {
    const { machineId, code } = stage.machine
    const person = async () => (await createUser(db)).userId
    const makers: Record<Kind, () => unknown> = {
      machine: () => machineId,
      machines: () => [machineId],
      code: () => code,
      codes: () => [code],
      tag: () => stage.tagId,
      tags: () => [stage.tagId],
      grant: async () => grantMachine(db, await person(), machineId, visitor),
      window: () =>
        createWindow(db, {
          eid: theirs.eid,
          machineId,
          requestedBy: theirs.owner.userId,
          reason: 'worn',
        }),
      eid: () => eid,
      group: () => createGroup(db, eid, randomUUID()),
      team: () => createTeam(db, eid, randomUUID()),
      member: async () => (await createMember(db, eid)).userId,
      members: async () => [(await createMember(db, eid)).userId],
      invitationSent: async () => createInvitation(db, { eid, owner }, await person()),
      invitation: async () => createInvitation(db, await createEnterprise(db), caller.userId),
      friend: async () => {
        const friendId = await person()
        await createFriend(db, caller.userId, friendId)
        return friendId
      },
      session: async () => (await signIn(db, caller.userId)).sessionId,
      visit: () => createVisit(db, caller, machineId),
      claimedGrant: () => undefined,
      claimedTeam: () => undefined,
    }
    return makers[kind]()
  }

  const gone = await createUser(db)
  await db.updateTable('sessions').set({ expires_at: past }).where('id', '=', gone.sessionId).execute()
  return {
    personal,
    enterprise,
    members,
    stranger,
    operator,
    expired: gone,
    otherBrand: await signIn(db, akey.userId, { brandId: otherBrandId }),
    eid,
    own,
  }
}

/** An id of the kind that names nothing. */
export function missingOf(kind: Kind): unknown {
  if (kind === 'code') return missing.code
  if (kind === 'codes') return [missing.code]
  return kind === 'tags' || kind === 'members' || kind === 'machines' ? [missing.id] : missing.id
}

/** Everything that is a stranger's, to see that nobody else changed any of it. */
export async function listForeign(
  db: Database,
  { personal, enterprise }: World,
): Promise<Record<string, unknown>> {
  const machineIds = [personal.foreign.machine, enterprise.foreign.machine] as number[]
  const eid = enterprise.foreign.eid as number
  const ofMachine = (table: 'machine_grants' | 'machine_blacklist' | 'tags') =>
    db.selectFrom(table).selectAll().where('machine_id', 'in', machineIds).orderBy('machine_id').execute()
  const ofEnterprise = (
    table: 'enterprise_members' | 'enterprise_groups' | 'enterprise_teams' | 'enterprise_machines',
  ) => db.selectFrom(table).selectAll().where('enterprise_id', '=', eid).execute()
  return {
    machines: await db
      .selectFrom('machines')
      .selectAll()
      .where('id', 'in', machineIds)
      .orderBy('id')
      .execute(),
    grants: await ofMachine('machine_grants'),
    blacklist: await ofMachine('machine_blacklist'),
    tags: await ofMachine('tags'),
    enterprise: await db.selectFrom('enterprises').selectAll().where('id', '=', eid).execute(),
    members: await ofEnterprise('enterprise_members'),
    groups: await ofEnterprise('enterprise_groups'),
    teams: await ofEnterprise('enterprise_teams'),
    devices: await ofEnterprise('enterprise_machines'),
    invitations: await db
      .selectFrom('enterprise_invitations')
      .selectAll()
      .where('enterprise_id', '=', eid)
      .orderBy('id')
      .execute(),
    windows: await db
      .selectFrom('maintenance_windows')
      .selectAll()
      .where('machine_id', 'in', machineIds)
      .orderBy('id')
      .execute(),
    visits: await db.selectFrom('visits').selectAll().where('machine_id', 'in', machineIds).execute(),
  }
}

/** Ids of different tables have nothing in common, nor with any other number in an answer. */
async function spreadIds(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'id' and is_identity = 'YES'`.execute(db)
  for (const [place, { name }] of rows.entries()) {
    const first = sql.lit((place + 1) * 1_000_000)
    await sql`alter table ${sql.table(name)} alter column id restart with ${first}`.execute(db)
  }
}

/** The rights of members that calls ask for. */
function rightsOfDoors(): MemberRight[] {
  return memberRights.filter((right) => doors.some(({ needs }) => needs === `ent:${right}`))
}

async function createUsers(db: Database, _count: 3): Promise<[TestUser, TestUser, TestUser]> {
  return [await createUser(db), await createUser(db), await createUser(db)]
}

/** A request that passes every check, with ids of the caller's own things. */
export async function requestOf(
  world: World,
  door: Door,
  stage: Stage,
  caller: TestUser,
): Promise<Record<string, unknown>> {
  const request: Record<string, unknown> = { ...door.rest }
  for (const [name, kind] of Object.entries(door.ids)) request[name] = await world.own(kind, stage, caller)
  return request
}

/** Who may call a route, and where; `newcomer` where any session will do and no machine is named. */
export function callerOf(
  world: World,
  { needs, ids, route }: Door,
  newcomer: TestUser,
  stage = needs.startsWith('ent') || route.multipart ? world.enterprise : world.personal,
): { stage: Stage; caller: TestUser } {
  if (needs === 'operator') return { stage, caller: world.operator }
  const ofMachine = ['machine', 'visit', 'machines', 'codes']
  const isAnybody =
    needs === 'user' && !route.multipart && !Object.values(ids).some((kind) => ofMachine.includes(kind))
  return { stage, caller: isAnybody ? newcomer : stage.master }
}
