import {
  createEnterprise,
  createMachine,
  createMember,
  createTeam,
  createUser,
  grantMachine,
  openWindow,
  signIn,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { expect } from 'vitest'
import { Inside } from './inside.ts'
import type { Kind } from './open-thing.ts'
import { PortThing } from './port-thing.ts'
import { PushPage } from './push-page.ts'
import { Station } from './station.ts'

export const deadline = { timeout: 10_000, interval: 10 }
/** Number of pieces that must come over a stream before it counts as going on. */
const goingOnCount = 3

/**
 * The open streams of each visit. `page` and `elsewhere` may change things, with all their streams; the others are
 * read-only.
 */
const kindsOf = {
  /** The visitor's, on the machine's page. */
  page: ['waiting', 'download', 'upload', 'events', 'socket'],
  /** The same terminal's, of a second target. */
  hmi: ['waiting', 'download', 'events'],
  /** The same person's, on another terminal. */
  terminal: ['waiting', 'download', 'events'],
  /** The first terminal's, of another machine. */
  elsewhere: ['waiting', 'download', 'upload', 'events', 'socket'],
  /** Another person's, of the same machine. */
  bystander: ['waiting', 'download', 'events'],
} as const satisfies Record<string, readonly Kind[]>

export type VisitName = keyof typeof kindsOf
export const visitNames = Object.keys(kindsOf) as VisitName[]

/** All kinds of streams of a machine, of a person who loses a right and of others who keep theirs. */
export interface OpenThings {
  readonly site: TestPlatform
  /** The Akey of both machines, inside neither. */
  readonly owner: TestUser
  readonly visitor: TestUser
  readonly otherSession: { readonly token: string; readonly sessionId: number }
  readonly bystander: TestUser
  /** The visitor's grant; 0 where a maintenance window lets them in. */
  readonly grantId: number
  readonly maintained: Maintained | undefined
  /** The machine whose right goes, and another one. */
  readonly station: Station
  readonly otherStation: Station
  readonly inside: Readonly<Record<VisitName, Inside>>
  /** A stream to a port of the machine, by the visitor on the first terminal. */
  readonly port: PortThing
  /** The visitor's watches both machines, on the first terminal. */
  readonly push: { readonly visitor: PushPage; readonly bystander: PushPage }
  /** The state of everything by its name: `page download`, `machine mqtt`, `push to visitor` … */
  states(): Record<string, string>
  /** Waits until the streams of these visits go on, in both directions. */
  goOn(names: readonly VisitName[]): Promise<void>
  /** Waits until a page receives new values of a machine. */
  watchOn(page: PushPage, station: Station): Promise<void>
  close(): void
}

/** The things that let a maintainer into a machine. */
export interface Maintained {
  readonly eid: number
  /** The owner of the enterprise that maintains it. */
  readonly maker: TestUser
  readonly teamId: number
  readonly windowId: number
}

/** The right that gives the visitor access. */
export type OpenRole = 'visitor' | 'bkey' | 'maintainer'

/** Opens all of it; resolves when everything flows. */
export async function openThings(
  site: TestPlatform,
  options: { role?: OpenRole; password?: string } = {},
): Promise<OpenThings> {
  const { role = 'visitor', password } = options
  const owner = await createUser(site.db, { name: 'Akey', lang: 'en' })
  const maker = role === 'maintainer' ? await createEnterprise(site.db) : undefined
  const visitor = maker
    ? await createMember(site.db, maker.eid, 'member', ['maintain'])
    : await createUser(site.db, { lang: 'en', ...(password ? { password } : {}) })
  if (maker) await site.db.updateTable('users').set({ lang: 'en' }).where('id', '=', visitor.userId).execute()
  const otherSession = await signIn(site.db, visitor.userId)
  const bystander = await createUser(site.db, { lang: 'en' })
  const machines = [
    await createMachine(site.db, { owner: owner.userId }),
    await createMachine(site.db, { owner: owner.userId }),
  ] as const
  const { machineId } = machines[0]
  const maintained = maker && (await maintain(site, maker, visitor, machineId))
  const held = { role: role === 'maintainer' ? 'visitor' : role } as const
  const grantId = maintained ? 0 : await grantMachine(site.db, visitor.userId, machineId, held)
  await grantMachine(site.db, visitor.userId, machines[1].machineId, held)
  await grantMachine(site.db, bystander.userId, machines[0].machineId, { role: 'visitor' })
  const station = await Station.open(site, machines[0])
  const otherStation = await Station.open(site, machines[1])
  const second = { userId: visitor.userId, sessionId: otherSession.sessionId }
  const inside = {
    // First: the first person who enters a free machine controls it.
    page: await Inside.enter(site, visitor, station),
    hmi: await Inside.enter(site, visitor, station, 'hmi'),
    terminal: await Inside.enter(site, second, station),
    elsewhere: await Inside.enter(site, visitor, otherStation),
    bystander: await Inside.enter(site, bystander, station),
  }
  const push = {
    visitor: await PushPage.open(site, visitor, [station, otherStation]),
    bystander: await PushPage.open(site, bystander, [station]),
  }
  await Promise.all(visitNames.map((name) => inside[name].open(kindsOf[name])))
  // A visit of its own, which goes whenever that of the second target does.
  const port = await PortThing.open(site, visitor, station)
  inside.hmi.things.push(port)

  async function goOn(names: readonly VisitName[]): Promise<void> {
    const marks = names.flatMap((name) => inside[name].things.map((thing) => ({ thing, sent: thing.sent })))
    const slowest = () => Math.min(...marks.map(({ thing, sent }) => thing.countAfter(sent)))
    await expect
      .poll(slowest, { ...deadline, message: `${names} go on` })
      .toBeGreaterThanOrEqual(goingOnCount)
  }
  async function watchOn(page: PushPage, machine: Station): Promise<void> {
    const { told } = machine
    await expect.poll(() => page.newestOf(machine), deadline).toBeGreaterThanOrEqual(told + goingOnCount)
  }
  await Promise.all([
    goOn(visitNames),
    watchOn(push.visitor, station),
    watchOn(push.visitor, otherStation),
    watchOn(push.bystander, station),
  ])
  return {
    ...{ site, owner, visitor, otherSession, bystander, grantId, maintained },
    ...{ station, otherStation, inside, push, port },
    states: () => ({
      ...Object.fromEntries(
        visitNames.flatMap((name) =>
          inside[name].things.map(({ kind, state }) => [`${name} ${kind}`, state]),
        ),
      ),
      'push to visitor': push.visitor.state,
      'push to bystander': push.bystander.state,
      'machine mqtt': station.mqttState,
      'machine tunnel': station.tunnelState,
      'other mqtt': otherStation.mqttState,
      'other tunnel': otherStation.tunnelState,
    }),
    goOn,
    watchOn,
    close() {
      for (const name of visitNames) inside[name].close()
      for (const page of [push.visitor, push.bystander]) page.close()
      for (const one of [station, otherStation]) one.close()
    },
  }
}

async function maintain(
  site: TestPlatform,
  { eid, owner: maker }: { eid: number; owner: TestUser },
  visitor: TestUser,
  machineId: number,
): Promise<Maintained> {
  const windowId = await openWindow(site.db, { eid, machineId })
  const people = { memberIds: [visitor.userId], machineIds: [machineId] }
  const teamId = await createTeam(site.db, { eid, kind: 'maintain', ...people })
  return { eid, maker, teamId, windowId }
}
