import { applications, enterprises } from '@busbar/contract'
import { Scene } from '@busbar/contract/push'
import { PushClient, type PushEvent } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { withClient } from '../../src/kernel/database/database.ts'
import { createUserEvents } from '../../src/kernel/events/user-events.ts'
import { Failure } from '../../src/kernel/http/failure.ts'
import { writeAlarms } from '../../src/modules/alarms/index.ts'
import { Inside } from '../visit-host/inside.ts'
import { Station } from '../visit-host/station.ts'
import { levels, type Persona } from './machine-people.ts'
import { createRightsFixture, type MachineSetup, type RightsFixture } from './rights-fixture.ts'
import { createAlarm } from './things.ts'

/*
 * The same people as at every route, at the entrances that are not routes: a machine's page and the pushed data of a
 * machine. Everybody tries everything; each result must match the table of people.
 */

const deadline = { timeout: 10_000, interval: 20 }

const site = useSite()
let fixture: RightsFixture
const stations = new Map<string, Station>()
beforeAll(async () => {
  fixture = await createRightsFixture(site.db)
  for (const { name, machine } of [fixture.personal, fixture.enterprise])
    stations.set(name, await Station.open(site, machine))
})
afterAll(async () => {
  for (const station of stations.values()) station.close()
})

const setupNames = ['personal', 'enterprise'] as const
const has = ({ level }: Persona, least: (typeof levels)[number]) =>
  levels.indexOf(level) >= levels.indexOf(least)
/** Names of the people of a setup for whom a condition holds. */
const namesOf = ({ people }: MachineSetup, holds: (one: Persona, name: string) => boolean) =>
  Object.entries(people).flatMap(([name, one]) => (holds(one, name) ? [name] : []))

function stationOf(setup: MachineSetup): Station {
  const station = stations.get(setup.name)
  if (!station) throw new Error(`no machine is online: ${setup.name}`)
  return station
}

describe('a machine’s page', () => {
  /** A person's mode in it. */
  async function enter(
    setup: MachineSetup,
    { user }: Persona,
  ): Promise<'kept out' | 'watch' | 'change' | string> {
    let inside: Inside
    try {
      inside = await Inside.enter(site, user, stationOf(setup))
    } catch (error) {
      if (error instanceof Failure) return 'kept out'
      throw error
    }
    const watched = await inside.client.request('/')
    const changed = await inside.client.request('/', { method: 'POST', body: 'x' })
    await site.platform.visits.visitPort.leave(inside.visitId, Date.now())
    const left = await inside.client.request('/')
    if (left.status === 200) return 'stays after the end'
    if (watched.status !== 200) return `${watched.status} ${watched.text.slice(0, 80)}`
    return changed.status === 200 ? 'change' : 'watch'
  }

  test.each(setupNames)('is entered only by people with the right, in their mode: %s', async (name) => {
    const setup = fixture[name]
    const found: Record<string, string> = {}
    for (const [who, one] of Object.entries(setup.people)) found[who] = await enter(setup, one)
    const expectedOf = (one: Persona) => {
      if (!has(one, 'visitor+')) return 'kept out'
      return one.watches ? 'watch' : 'change'
    }
    expect(found).toEqual(
      Object.fromEntries(Object.entries(setup.people).map(([who, one]) => [who, expectedOf(one)])),
    )
  })
})

describe('the pushed data of a machine', () => {
  /** Everybody's page, watching the machine. */
  async function openPages(setup: MachineSetup): Promise<Map<string, PushClient>> {
    const pages = new Map<string, PushClient>()
    onTestFinished(() => {
      for (const page of pages.values()) page.close()
    })
    for (const [name, { user }] of Object.entries(setup.people)) {
      const page = await PushClient.open(site.url, user.token)
      page.watch(setup.machine.machineId)
      pages.set(name, page)
    }
    return pages
  }

  const hearers = (pages: Map<string, PushClient>, hears: (event: PushEvent) => boolean) =>
    [...pages].flatMap(([name, { events }]) => (events.some(hears) ? [name] : []))

  /** Waits until exactly these people received it; wrong receivers got it before the mark that is sent last. */
  async function expectHeard(
    setup: MachineSetup,
    pages: Map<string, PushClient>,
    names: readonly string[],
    hears: (event: PushEvent) => boolean,
  ): Promise<void> {
    await expect.poll(() => hearers(pages, hears), deadline).toEqual(expect.arrayContaining([...names]))
    const marksOf = (page: PushClient) => page.events.filter(({ scene }) => scene === 'heartbeat').length
    const before = new Map([...pages].map(([name, page]) => [name, marksOf(page)]))
    for (const { user } of Object.values(setup.people))
      await createUserEvents(site.db, Scene.DEVICE_ALARM, new Date(), [
        { userId: user.userId, body: new Uint8Array() },
      ])
    const isMarked = () => [...pages].every(([name, page]) => marksOf(page) > (before.get(name) ?? 0))
    await expect.poll(isMarked, deadline).toBe(true)
    expect(hearers(pages, hears)).toEqual([...names])
  }

  /** The machine reports a critical alarm of its own. */
  async function raiseCritical(machineId: number): Promise<void> {
    const at = Date.now()
    await withClient(site.db, (client) =>
      writeAlarms(
        client,
        [
          {
            machineId,
            key: 'fire',
            level: 'critical',
            text: { en: 'Fire' },
            state: 'raised',
            isRepeat: false,
            late: false,
            at,
            receivedAt: at,
            standing: undefined,
          },
        ],
        site.platform.facts,
      ),
    )
    site.platform.facts.wake()
  }

  test.each(setupNames)('reaches only people with the right: %s', async (name) => {
    const setup = fixture[name]
    const { machineId, code } = setup.machine
    await createAlarm(site.db, machineId, 'too hot')
    const pages = await openPages(setup)
    const id = String(machineId)
    const watchers = namesOf(setup, (one) => has(one, 'visitor+'))
    const keys = namesOf(setup, (one) => has(one, 'bkey+'))

    // Values: to people who may see them; watches of the others are gone.
    await expect.poll(() => site.platform.hub.stats().watches, deadline).toBe(watchers.length)
    await expectHeard(setup, pages, watchers, (event) => event.scene === 'values' && event.machineId === id)

    // Presence: to people with it in the list; its details only to holders.
    site.platform.bus.publish('presence', { machineId, online: true, at: Date.now() })
    const isState = (event: PushEvent) => event.scene === 'machineState' && event.state.machineId === id
    await expectHeard(
      setup,
      pages,
      namesOf(setup, ({ hasEntry }) => hasEntry),
      isState,
    )
    await expectHeard(
      setup,
      pages,
      namesOf(setup, (one) => one.hasEntry && has(one, 'holder')),
      (event) => event.scene === 'machineState' && isState(event) && event.state.openAlarms > 0,
    )

    // Applications: to the keys.
    const applicant = await site.createUser()
    await site.listMachine(applicant.userId, machineId)
    const wish = { machineID: machineId }
    await site.as(applicant).call(applications.applyForVisit, { ...wish, terminalID: 't' })
    await site.as(applicant).call(applications.applyForBind, wish)
    for (const kind of ['visit', 'bind'] as const)
      await expectHeard(
        setup,
        pages,
        keys,
        (event) => event.scene === 'audit' && event.kind === kind && event.audit.deviceCode === code,
      )
    await expectHeard(setup, pages, keys, (event) => event.scene === 'unread')

    // An alarm, and its voice: to people who are notified of alarms.
    const told = namesOf(setup, (one) => has(one, 'holder') || one.memberRights.includes('alarm'))
    await raiseCritical(machineId)
    for (const scene of ['alarm', 'voice'] as const)
      await expectHeard(setup, pages, told, (event) => event.scene === scene && event.alarm.deviceId === id)

    // Visitors: to the keys.
    const master = await Inside.enter(site, setup.master, stationOf(setup))
    onTestFinished(() => site.platform.visits.visitPort.leave(master.visitId, Date.now()))
    const sessionId = String(master.visitId)
    await expectHeard(
      setup,
      pages,
      keys,
      (event) => event.scene === 'visit' && event.visit.sessionId === sessionId,
    )
  })

  test('the suspension of a maintenance window is published to the people who maintain for that enterprise', async () => {
    const setup = fixture.personal
    const asMaster = site.as(setup.master)
    const { userId } = setup.people['maintainer, in the window']?.user ?? { userId: 0 }
    const { enterprise_id: eid } = await site.db
      .selectFrom('enterprise_members')
      .select('enterprise_id')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    const windows = await asMaster.call(enterprises.listMaintenance, {})
    const id = windows.find((window) => window.eid === eid)?.id ?? 0
    const concerned = [
      'maintainer, in the window',
      'owner of who maintains',
      'admin of who maintains',
      'maintains, but not this machine',
      'in a management team of who maintains',
      'blacklisted maintainer, in the window',
    ]
    const pages = await openPages(setup)
    for (const action of ['suspend', 'resume'] as const)
      await asMaster.call(enterprises.answerMaintenance, { id, action })
    await expectHeard(setup, pages, concerned, ({ scene }) => scene === 'spaces')
  })
})
