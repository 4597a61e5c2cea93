import type { MemberRight } from '@busbar/contract'
import type { Database } from '@busbar/platform/kernel/database/database.ts'
import {
  blacklistUser,
  createEnterprise,
  createMember,
  createTeam,
  createUser,
  grantMachine,
  listMachine,
  openWindow,
  type TestUser,
} from '@busbar/testkit'
import { createApplication } from './things.ts'

/** Rights over a machine, each including those before it. */
export const levels = ['none', 'listed', 'holder', 'visitor+', 'bkey+', 'akey'] as const
export type Level = (typeof levels)[number]

/** A person, and their role at a machine. */
export interface Persona {
  readonly user: TestUser
  readonly level: Level
  /** Has read-only access to everything they may enter. */
  readonly watches: boolean
  /** Rights in the enterprise that owns the machine. */
  readonly memberRights: readonly MemberRight[]
  /** Has it in the own list. */
  readonly hasEntry: boolean
}
export type People = Readonly<Record<string, Persona>>

export const persona = (
  user: TestUser,
  level: Level,
  watches = false,
  memberRights: readonly MemberRight[] = [],
): Persona => ({
  user,
  level,
  watches,
  memberRights,
  hasEntry: false,
})

/** The same people, with the machine in their lists. */
export const withEntries = (people: People): People =>
  Object.fromEntries(Object.entries(people).map(([name, one]) => [name, { ...one, hasEntry: true }]))

const hourMs = 3_600_000

/** All people with a list entry, a grant or a blacklist row for a person's machine. */
export async function createGuests(db: Database, machineId: number): Promise<People> {
  const guest = async (grant: Parameters<typeof grantMachine>[3]) => {
    const user = await createUser(db)
    await grantMachine(db, user.userId, machineId, grant)
    return user
  }
  const listed = async () => {
    const user = await createUser(db)
    await listMachine(db, user.userId, machineId)
    return user
  }
  const banned = async (user: TestUser) => {
    await blacklistUser(db, user.userId, machineId)
    return user
  }
  const applicant = async (kind: 'bind' | 'visit') => {
    const user = await listed()
    await createApplication(db, { kind, userId: user.userId, machineId })
    return user
  }
  const operator = await guest({ role: 'bkey' })
  await db.updateTable('users').set({ is_operator: true }).where('id', '=', operator.userId).execute()
  const visitor = { role: 'visitor' } as const
  return withEntries({
    'ordinary user': persona(await listed(), 'listed'),
    'applicant for a visit': persona(await applicant('visit'), 'listed'),
    'applicant for a Bkey': persona(await applicant('bind'), 'listed'),
    'blacklisted ordinary user': persona(await banned(await listed()), 'listed'),
    'blacklisted visitor': persona(await banned(await guest(visitor)), 'listed'),
    'blacklisted Bkey': persona(await banned(await guest({ role: 'bkey' })), 'listed'),
    'former visitor': persona(await guest({ ...visitor, until: new Date(Date.now() - hourMs) }), 'listed'),
    visitor: persona(await guest(visitor), 'visitor+'),
    'visitor for an hour': persona(
      await guest({ ...visitor, until: new Date(Date.now() + hourMs) }),
      'visitor+',
    ),
    'read-only visitor': persona(await guest({ ...visitor, readOnly: true }), 'visitor+', true),
    Bkey: persona(await guest({ role: 'bkey' }), 'bkey+'),
    'read-only Bkey': persona(await guest({ role: 'bkey', readOnly: true }), 'bkey+', true),
    'an operator who is Bkey': persona(operator, 'bkey+'),
  })
}

/** Everybody of enterprises that maintain a machine for its owner, inside and outside of their windows. */
export async function createMaintainers(db: Database, machineId: number): Promise<People> {
  const now = Date.now()
  const people: Record<string, Persona> = {}
  /** An enterprise with a window, and a member of its maintenance team. */
  const maintain = async (window: Partial<Parameters<typeof openWindow>[1]>) => {
    const { eid, owner } = await createEnterprise(db)
    const windowId = await openWindow(db, { eid, machineId, ...window })
    const hand = await createMember(db, eid, 'member', ['maintain'])
    const memberIds = [hand.userId]
    const teamId = await createTeam(db, { eid, kind: 'maintain', memberIds, machineIds: [machineId] })
    return { eid, owner, windowId, teamId, hand }
  }
  const inside = await maintain({})
  const { eid } = inside
  const join = async (kind: 'manage' | 'maintain', member: TestUser, machineIds = [machineId]) => {
    await createTeam(db, { eid, kind, memberIds: [member.userId], machineIds })
    return member
  }
  people['maintainer, in the window'] = persona(inside.hand, 'visitor+')
  people['owner of who maintains'] = persona(inside.owner, 'visitor+')
  people['admin of who maintains'] = persona(await createMember(db, eid, 'admin'), 'visitor+')
  people['member of who maintains'] = persona(await createMember(db, eid), 'none')
  people['maintains, but not this machine'] = persona(
    await join('maintain', await createMember(db, eid, 'member', ['maintain']), []),
    'none',
  )
  people['in the team, without the right'] = persona(
    await join('maintain', await createMember(db, eid, 'member', ['view', 'control', 'manage'])),
    'none',
  )
  people['in a management team of who maintains'] = persona(
    await join('manage', await createMember(db, eid, 'member', ['maintain', 'manage'])),
    'none',
  )
  const banned = await join('maintain', await createMember(db, eid, 'member', ['maintain']))
  await blacklistUser(db, banned.userId, machineId)
  people['blacklisted maintainer, in the window'] = persona(banned, 'listed')
  const watching = await maintain({ scopes: ['view'] })
  people['maintainer who may watch'] = persona(watching.hand, 'visitor+', true)
  const early = await maintain({ start: now + hourMs, stop: now + 2 * hourMs })
  people['maintainer, before the window'] = persona(early.hand, 'listed')
  const late = await maintain({ start: now - 2 * hourMs, stop: now - hourMs })
  people['maintainer, after the window'] = persona(late.hand, 'listed')
  people['owner of who maintains, after the window'] = persona(late.owner, 'listed')
  const held = await maintain({})
  await db
    .updateTable('maintenance_windows')
    .set({ state: 'suspended' })
    .where('id', '=', held.windowId)
    .execute()
  people['maintainer, while it is suspended'] = persona(held.hand, 'listed')
  const locked = await maintain({})
  await db.updateTable('enterprises').set({ state: 'locked' }).where('id', '=', locked.eid).execute()
  people['maintainer of a locked enterprise'] = persona(locked.hand, 'none')
  return people
}
