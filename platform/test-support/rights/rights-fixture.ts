import { randomUUID } from 'node:crypto'
import { type MemberRight, memberRights } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import {
  blacklistUser,
  createEnterprise,
  createEnterpriseMachine,
  createMachine,
  createMember,
  createTeam,
  createUser,
  grantMachine,
  listMachine,
  signIn,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { sql } from 'kysely'
import { createGuests, createMaintainers, type People, persona, withEntries } from './machine-people.ts'
import { type Kind, missing, type RouteCase } from './route-case.ts'
import { routeCases } from './route-cases.ts'
import {
  createAlarm,
  createAnnotation,
  createApplication,
  createBoard,
  createBoardTemplate,
  createContact,
  createDelivery,
  createDestination,
  createExport,
  createFriend,
  createGroup,
  createHandover,
  createInvitation,
  createMessage,
  createOffer,
  createProject,
  createReport,
  createReportFile,
  createReportRequest,
  createRule,
  createShelve,
  createSite,
  createTag,
  createTemplate,
  createUserGroup,
  createView,
  createVisit,
  createWindow,
} from './things.ts'

/** A machine in a person's space or in an enterprise, and everybody's role at it. */
export interface MachineSetup {
  readonly name: 'personal' | 'enterprise' | 'closed'
  readonly people: People
  readonly machine: TestMachine
  readonly tagId: number
  readonly foreign: Foreign
  /** A person with every right here. */
  readonly master: TestUser
}

/** Things of the same kinds that belong to others. */
export type Foreign = Readonly<Record<Kind, unknown>>

export interface RightsFixture {
  readonly personal: MachineSetup
  readonly enterprise: MachineSetup
  /** A person's machine whose cloud switch is off: nobody can enter it, and its holders keep holding it. */
  readonly closed: MachineSetup
  /** In the enterprise: strangers, members with one right or all but one, administrators, owners. */
  readonly members: ReadonlyMap<string, TestUser>
  /** Each in their place in projects. */
  readonly places: ReadonlyMap<PlaceInProject, TestUser>
  readonly stranger: TestUser
  readonly operator: TestUser
  readonly expired: { token: string }
  readonly otherBrand: { token: string }
  readonly eid: number
  /** Something the caller, the setup's machine or the enterprise has; fresh where a call may use it up. */
  own(kind: Kind, setup: MachineSetup, caller: TestUser): Promise<unknown>
}

/** The places that people have in a project. */
export const placesInProjects = ['owner', 'member', 'invited', 'stranger'] as const
export type PlaceInProject = (typeof placesInProjects)[number]

/** Everything that belongs to strangers has this in its name: no answer to anybody else may. */
export const foreignMark = 'Zq foreign'
/** A brand that no host here has. */
const otherBrandId = 77

export async function createRightsFixture(db: Database): Promise<RightsFixture> {
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
  await listMachine(db, owner.userId, device.machineId)
  // Held by another person, a device cannot be removed even with the right.
  await grantMachine(db, holder.userId, device.machineId, { role: 'bkey' })
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
  for (const right of rightsOfRoutes())
    members.set(`all but ${right}`, await createWith(memberRights.filter((each) => each !== right)))
  members.set('all rights', await createWith(memberRights))
  const who = (name: string): TestUser => members.get(name) ?? stranger
  const manager = await createMember(db, eid, 'member', ['manage'])
  const controller = await createMember(db, eid, 'member', ['view', 'control'])
  await blacklistUser(db, controller.userId, device.machineId)
  const alarmHand = await createMember(db, eid, 'member', ['alarm'])
  const bannedAlarmHand = await createMember(db, eid, 'member', ['alarm'])
  await blacklistUser(db, bannedAlarmHand.userId, device.machineId)
  const bannedManager = await createMember(db, eid, 'member', ['manage'])
  await blacklistUser(db, bannedManager.userId, device.machineId)
  const shift = { memberIds: [manager.userId, bannedManager.userId], machineIds: [device.machineId] }
  await createTeam(db, { eid, kind: 'manage', ...shift })
  const operatingAdmin = await createMember(db, eid, 'admin')
  await db.updateTable('users').set({ is_operator: true }).where('id', '=', operatingAdmin.userId).execute()

  const foreign = await createMachine(db, { owner: neighbour.userId, name: foreignMark })
  const former = await createUser(db)
  const akey = await createUser(db)
  const press = await createMachine(db, { owner: former.userId })
  await moveMachine(db, press.machineId, former.userId, akey.userId)
  const visitor = { role: 'visitor' } as const
  const past = new Date(Date.now() - 60_000)

  const guestOf = async (machineId: number) => {
    const user = await createUser(db)
    await grantMachine(db, user.userId, machineId, visitor)
    return user
  }
  /** A person offers their machine to an enterprise. */
  const offerToSpace = async (space: number) => {
    const giver = await createUser(db)
    const machine = await createMachine(db, { owner: giver.userId, name: foreignMark })
    return createOffer(db, machine.machineId, giver.userId, { eid: space })
  }
  const foreignOf = async (
    machine: { machineId: number; code: string },
    keeper: TestUser,
  ): Promise<Foreign> => {
    const guestOfTheirs = await createUser(db, { name: foreignMark })
    const friend = await createUser(db, { name: foreignMark })
    await createFriend(db, keeper.userId, friend.userId)
    const tagId = await createTag(db, machine.machineId, foreignMark)
    const grant = await grantMachine(db, guestOfTheirs.userId, machine.machineId, visitor)
    const team = await createTeam(db, {
      eid: theirs.eid,
      kind: 'manage',
      name: `${foreignMark} ${randomUUID()}`,
    })
    const applicant = await createUser(db, { name: foreignMark })
    const applied = { userId: applicant.userId, machineId: machine.machineId, message: foreignMark }
    const visitApplication = await createApplication(db, { kind: 'visit', ...applied })
    const bindApplication = await createApplication(db, { kind: 'bind', ...applied })
    const message = await createMessage(db, keeper.userId, machine.machineId)
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
      askedWindow: await createWindow(db, {
        eid: theirs.eid,
        machineId: machine.machineId,
        requestedBy: theirs.owner.userId,
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
      // A separate enterprise, because each has one at a time, and this one's is requested twice.
      handover: await createHandover(db, await createEnterprise(db), (await createUser(db)).userId),
      reportRequest: await createReportRequest(db, keeper.userId, (await createUser(db)).userId),
      friend: friend.userId,
      session: neighbour.sessionId,
      visit: await createVisit(db, keeper, machine.machineId),
      claimedGrant: grant,
      claimedTeam: team,
      userGroup: await createUserGroup(db, keeper.userId, `${foreignMark} ${randomUUID()}`),
      message,
      messages: [message],
      alarm: await createAlarm(db, machine.machineId, foreignMark),
      alarms: [await createAlarm(db, machine.machineId, foreignMark)],
      shelve: await createShelve(db, machine.machineId, foreignMark),
      rule: await createRule(db, machine.machineId, foreignMark),
      rules: [await createRule(db, machine.machineId, foreignMark)],
      contact: await createContact(db, keeper, foreignMark),
      spaceContact: await createContact(db, theirs, foreignMark),
      board: await createBoard(db, keeper.userId, foreignMark),
      site: await createSite(db, keeper.userId, foreignMark),
      view: await createView(db, keeper.userId, foreignMark),
      annotation: await createAnnotation(db, machine.machineId, keeper.userId, foreignMark),
      export: await createExport(db, keeper.userId, foreignMark),
      boardTemplate: await createBoardTemplate(db, keeper.userId, `${foreignMark} ${randomUUID()}`),
      project: await createProject(db, keeper.userId, foreignMark),
      projectInvitation: await createProject(db, keeper.userId, foreignMark),
      destination: await createDestination(db, await createProject(db, keeper.userId, 'MES'), foreignMark),
      delivery: await createDelivery(db, await createProject(db, keeper.userId, 'MES'), foreignMark),
      ownMachine: machine.machineId,
      report: await createReport(db, keeper.userId, foreignMark),
      reportFile: await createReportFile(db, keeper.userId, foreignMark),
      template: await createTemplate(db, machine.machineId, `${foreignMark} ${randomUUID()}`),
      visitApplication,
      bindApplication,
      application: visitApplication,
      listEntry: machine.machineId,
      offer: await createOffer(db, machine.machineId, keeper.userId, guestOfTheirs.userId),
      spaceOffer: await offerToSpace(theirs.eid),
      receiver: theirs.eid,
    }
  }

  const personal: MachineSetup = {
    name: 'personal',
    machine: press,
    tagId: await createTag(db, press.machineId, 'pressure'),
    foreign: await foreignOf(foreign, neighbour),
    master: akey,
    people: {
      stranger: persona(stranger, 'none'),
      'Akey of another machine': persona(neighbour, 'none'),
      'an operator': persona(operator, 'none'),
      'owner of an enterprise': persona(owner, 'none'),
      'former Akey': persona(former, 'none'),
      ...(await createGuests(db, press.machineId)),
      ...(await createMaintainers(db, press.machineId)),
      ...withEntries({ Akey: persona(akey, 'akey') }),
    },
  }
  const enterprise: MachineSetup = {
    name: 'enterprise',
    machine: device,
    tagId: await createTag(db, device.machineId, 'pressure'),
    foreign: await foreignOf(theirDevice, theirs.owner),
    master: owner,
    people: {
      stranger: persona(stranger, 'none'),
      'an operator': persona(operator, 'none'),
      'owner of another enterprise': persona(theirs.owner, 'none'),
      member: persona(who('member'), 'listed'),
      'member who manages, in no team': persona(who('manage'), 'listed', false, ['manage']),
      'member who maintains': persona(who('maintain'), 'listed'),
      'blacklisted member who controls': persona(controller, 'listed'),
      'blacklisted member who manages, in its team': persona(bannedManager, 'listed'),
      'member who looks after alarms': persona(alarmHand, 'listed', false, ['alarm']),
      'blacklisted member who looks after alarms': persona(bannedAlarmHand, 'listed'),
      'member who views': persona(who('view'), 'visitor+', true),
      'member who controls': persona(who('control'), 'visitor+'),
      'member who manages, in its team': persona(manager, 'bkey+', false, ['manage']),
      ...withEntries({
        'visitor from outside': persona(await guestOf(device.machineId), 'visitor+'),
        owner: persona(owner, 'akey'),
      }),
      admin: persona(who('admin'), 'akey'),
      'an operator who is admin': persona(operatingAdmin, 'akey'),
    },
  }

  const shut = await createMachine(db, { owner: akey.userId, cloudService: false })
  const closed: MachineSetup = {
    name: 'closed',
    machine: shut,
    tagId: await createTag(db, shut.machineId, 'pressure'),
    foreign: personal.foreign,
    master: akey,
    people: {
      ...(await createGuests(db, shut.machineId)),
      ...withEntries({ Akey: persona(akey, 'akey') }),
    },
  }

  const places = new Map<PlaceInProject, TestUser>()
  for (const place of placesInProjects) places.set(place, await createUser(db))

  /** A project in which the caller has their place. */
  async function projectOf(caller: TestUser): Promise<number> {
    const place = placesInProjects.find((name) => places.get(name)?.userId === caller.userId)
    if (place === undefined || place === 'owner') return createProject(db, caller.userId, 'Portal')
    const member = { userId: caller.userId, isAccepted: place === 'member' }
    return createProject(
      db,
      (await createUser(db)).userId,
      'Portal',
      place === 'stranger' ? undefined : member,
    )
  }

  async function own(kind: Kind, setup: MachineSetup, caller: TestUser): Promise<unknown> {
    const { machineId, code } = setup.machine
    const person = async () => (await createUser(db)).userId
    const makers: Record<Kind, () => unknown> = {
      machine: () => machineId,
      machines: () => [machineId],
      code: () => code,
      codes: () => [code],
      tag: () => setup.tagId,
      tags: () => [setup.tagId],
      grant: async () => grantMachine(db, await person(), machineId, visitor),
      window: () =>
        createWindow(db, {
          eid: theirs.eid,
          machineId,
          requestedBy: theirs.owner.userId,
          reason: 'worn',
        }),
      askedWindow: () => createWindow(db, { eid, machineId, requestedBy: owner.userId, reason: 'worn' }),
      eid: () => eid,
      group: () => createGroup(db, eid, randomUUID()),
      team: () => createTeam(db, { eid, kind: 'manage' }),
      member: async () => (await createMember(db, eid)).userId,
      members: async () => [(await createMember(db, eid)).userId],
      invitationSent: async () => createInvitation(db, { eid, owner }, await person()),
      invitation: async () => createInvitation(db, await createEnterprise(db), caller.userId),
      handover: async () => createHandover(db, await createEnterprise(db), caller.userId),
      reportRequest: async () => createReportRequest(db, (await createUser(db)).userId, caller.userId),
      friend: async () => {
        const friendId = await person()
        await createFriend(db, caller.userId, friendId)
        return friendId
      },
      session: async () => (await signIn(db, caller.userId)).sessionId,
      visit: () => createVisit(db, caller, machineId),
      claimedGrant: () => undefined,
      claimedTeam: () => undefined,
      userGroup: () => createUserGroup(db, caller.userId, randomUUID()),
      message: () => createMessage(db, caller.userId, machineId),
      messages: async () => [await createMessage(db, caller.userId, machineId)],
      alarm: () => createAlarm(db, machineId, 'too hot'),
      alarms: async () => [await createAlarm(db, machineId, 'too hot')],
      shelve: () => createShelve(db, machineId, 'worn'),
      rule: () => createRule(db, machineId, 'silent'),
      rules: async () => [await createRule(db, machineId, 'silent')],
      contact: () => createContact(db, caller, 'Night shift'),
      spaceContact: () => createContact(db, { eid }, 'Night shift'),
      board: () => createBoard(db, caller.userId, 'Line 1'),
      site: () => createSite(db, caller.userId, 'Hall 1'),
      view: () => createView(db, caller.userId, 'Spike'),
      annotation: async () => {
        const seen = await createMachine(db, { owner: caller.userId })
        return createAnnotation(db, seen.machineId, caller.userId, 'worn')
      },
      export: () => createExport(db, caller.userId, 'Press'),
      boardTemplate: () => createBoardTemplate(db, caller.userId, `Line ${randomUUID()}`),
      report: () => createReport(db, caller.userId, 'Daily'),
      reportFile: () => createReportFile(db, caller.userId, 'Daily'),
      project: () => projectOf(caller),
      destination: async () => createDestination(db, await projectOf(caller), 'MES'),
      delivery: async () => createDelivery(db, await projectOf(caller), 'MES'),
      projectInvitation: async () =>
        createProject(db, await person(), 'Portal', { userId: caller.userId, isAccepted: false }),
      ownMachine: async () => (await createMachine(db, { owner: caller.userId })).machineId,
      template: () => createTemplate(db, machineId, randomUUID()),
      visitApplication: async () =>
        createApplication(db, { kind: 'visit', userId: await person(), machineId }),
      bindApplication: async () => createApplication(db, { kind: 'bind', userId: await person(), machineId }),
      async listEntry() {
        const machine = await createMachine(db, { owner: await person() })
        await listMachine(db, caller.userId, machine.machineId)
        return machine.machineId
      },
      async application() {
        const machine = await createMachine(db, { owner: await person() })
        const { userId } = caller
        await listMachine(db, userId, machine.machineId)
        return createApplication(db, { kind: 'visit', userId, machineId: machine.machineId })
      },
      async offer() {
        const from = await person()
        const machine = await createMachine(db, { owner: from })
        return createOffer(db, machine.machineId, from, caller.userId)
      },
      receiver: async () => (await createEnterprise(db)).eid,
      async spaceOffer() {
        const space = await createEnterprise(db)
        await db
          .insertInto('enterprise_members')
          .values({ enterprise_id: space.eid, user_id: caller.userId, role: 'member', rights: ['manage'] })
          .execute()
        return offerToSpace(space.eid)
      },
    }
    return makers[kind]()
  }

  const gone = await createUser(db)
  await db.updateTable('sessions').set({ expires_at: past }).where('id', '=', gone.sessionId).execute()
  return {
    personal,
    enterprise,
    closed,
    members,
    places,
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
  if (kind === 'export') return randomUUID()
  if (kind === 'codes') return [missing.code]
  const lists: readonly Kind[] = ['tags', 'members', 'machines', 'messages', 'alarms']
  return lists.includes(kind) ? [missing.id] : missing.id
}

/** All rows of a stranger, to verify that nobody else changed any of them. */
export async function listForeign(
  db: Database,
  { personal, enterprise }: RightsFixture,
): Promise<Record<string, unknown>> {
  const machineIds = [personal.foreign.machine, enterprise.foreign.machine] as number[]
  const eid = enterprise.foreign.eid as number
  const ofMachine = (
    table:
      | 'machine_grants'
      | 'machine_blacklist'
      | 'tags'
      | 'alarms'
      | 'alarm_events'
      | 'alarm_shelves'
      | 'alarm_rules'
      | 'applications'
      | 'messages'
      | 'machine_transfers',
  ) => db.selectFrom(table).selectAll().where('machine_id', 'in', machineIds).orderBy('machine_id').execute()
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
    alarms: await ofMachine('alarms'),
    alarmEvents: await ofMachine('alarm_events'),
    shelves: await ofMachine('alarm_shelves'),
    rules: await ofMachine('alarm_rules'),
    contacts: await db
      .selectFrom('alarm_contacts')
      .selectAll()
      .where('name', '=', foreignMark)
      .orderBy('id')
      .execute(),
    applications: await ofMachine('applications'),
    messages: await ofMachine('messages'),
    offers: await ofMachine('machine_transfers'),
    enterprise: await db.selectFrom('enterprises').selectAll().where('id', '=', eid).execute(),
    members: await ofEnterprise('enterprise_members'),
    groups: await ofEnterprise('enterprise_groups'),
    teams: await ofEnterprise('enterprise_teams'),
    devices: await ofEnterprise('enterprise_machines'),
    handovers: await db
      .selectFrom('enterprise_handovers')
      .selectAll()
      .where('id', 'in', [personal.foreign.handover, enterprise.foreign.handover] as number[])
      .orderBy('id')
      .execute(),
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

/** Gives a machine to its next owner, without the former owner's data. */
async function moveMachine(db: Database, machineId: number, from: number, to: number): Promise<void> {
  await db.updateTable('machines').set({ owner_user_id: to }).where('id', '=', machineId).execute()
  await db
    .deleteFrom('machine_list_entries')
    .where('user_id', '=', from)
    .where('machine_id', '=', machineId)
    .execute()
  await listMachine(db, to, machineId)
}

/** Makes ids of different tables distinct from each other and from all other numbers in an answer. */
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
function rightsOfRoutes(): MemberRight[] {
  return memberRights.filter((right) => routeCases.some(({ needs }) => needs === `ent:${right}`))
}

async function createUsers(db: Database, _count: 3): Promise<[TestUser, TestUser, TestUser]> {
  return [await createUser(db), await createUser(db), await createUser(db)]
}

/** A request that passes every check, with ids of the caller's own things. */
export async function requestOf(
  fixture: RightsFixture,
  routeCase: RouteCase,
  setup: MachineSetup,
  caller: TestUser,
): Promise<Record<string, unknown>> {
  const request: Record<string, unknown> = { ...routeCase.rest }
  for (const [name, kind] of Object.entries(routeCase.ids))
    request[name] = await fixture.own(kind, setup, caller)
  return request
}

/** A caller with the right to a route, and the setup; `newcomer` if any session is enough and no machine is named. */
export function callerOf(
  fixture: RightsFixture,
  { needs, ids, route }: RouteCase,
  newcomer: TestUser,
  setup = needs.startsWith('ent') || route.multipart ? fixture.enterprise : fixture.personal,
): { setup: MachineSetup; caller: TestUser } {
  if (needs === 'operator') return { setup, caller: fixture.operator }
  const ofMachine = ['machine', 'code', 'visit', 'machines', 'codes', 'visitApplication', 'bindApplication']
  const isAnybody =
    (needs === 'user' || needs.startsWith('prj')) &&
    !route.multipart &&
    !Object.values(ids).some((kind) => ofMachine.includes(kind))
  return { setup, caller: isAnybody ? newcomer : setup.master }
}
