import { setTimeout as wait } from 'node:timers/promises'
import { machines as contract } from '@busbar/contract'
import {
  aside,
  createEnterprise,
  createMachine,
  createMember,
  createTeam,
  grantMachine,
  listMachine,
  openWindow,
  placeMachine,
  type TestEnterprise,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import mqtt from 'mqtt'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createProject } from '../../../test-support/project-data/project-rig.ts'
import { trimListChanges } from '../machine-lists/list-changes-store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The offset of the platform's clock, in ms (positive: ahead). */
let aheadMs = 0
const now = () => Date.now() + aheadMs

const site = useSite({}, { now })
beforeAll(async () => {
  // Its heartbeat is in the future, so that its connections are never ended as silent.
  const heartbeat_at = new Date(Date.now() + 24 * hourMs)
  await site.db.insertInto('nodes').values({ id: 'another', heartbeat_at }).execute()
})

/** A person with an own machine, one by a grant, one as a member and one as a maintainer. */
interface Scene {
  readonly user: TestUser
  readonly own: TestMachine
  readonly granted: TestMachine
  readonly works: TestEnterprise
  readonly atWork: TestMachine
  readonly maker: TestEnterprise
  readonly maintained: TestMachine
  readonly teamId: number
}

async function createScene(): Promise<Scene> {
  const { db } = site
  const works = await createEnterprise(db)
  const maker = await createEnterprise(db)
  const user = await createMember(db, works.eid, 'member', ['view'])
  await db
    .insertInto('enterprise_members')
    .values({ enterprise_id: maker.eid, user_id: user.userId, role: 'member', rights: ['maintain'] })
    .execute()
  const own = await createMachine(db, { owner: user.userId, name: 'Press' })
  const granted = await createMachine(db, { name: 'Lathe' })
  await grantMachine(db, user.userId, granted.machineId, {
    role: 'visitor',
    until: new Date(now() + 10 * minuteMs),
  })
  const atWork = await createMachine(db)
  const maintained = await createMachine(db)
  await db
    .updateTable('machines')
    .set({ owner_enterprise_id: works.eid })
    .where('id', '=', atWork.machineId)
    .execute()
  await db
    .insertInto('enterprise_machines')
    .values({
      enterprise_id: works.eid,
      machine_id: atWork.machineId,
      kind: 'owned',
      name: 'Oven',
      added_at: new Date(now()),
    })
    .execute()
  for (const { machineId } of [atWork, maintained]) await listMachine(db, user.userId, machineId)
  await openWindow(db, {
    eid: maker.eid,
    machineId: maintained.machineId,
    start: now() + 5 * minuteMs,
    stop: now() + 20 * minuteMs,
  })
  const teamId = await createTeam(db, {
    eid: maker.eid,
    kind: 'maintain',
    memberIds: [user.userId],
    machineIds: [maintained.machineId],
  })
  return { user, own, granted, works, atWork, maker, maintained, teamId }
}

async function list(user: TestUser): Promise<{ version: string; list: readonly contract.MachineItem[] }> {
  const answer = await site.as(user).call(contract.listMachines, { version: '' })
  if (!('list' in answer)) throw new Error('the list of no version is unchanged')
  return answer
}

const isUnchanged = async (user: TestUser, version: string): Promise<boolean> =>
  'notModified' in (await site.as(user).call(contract.listMachines, { version }))

/** Number of lists that were answered as unchanged without reading them. */
function remembered(): number {
  const metric = site.platform.metrics().find(({ name }) => name === 'busbar_lists_unchanged_total')
  return metric && 'samples' in metric ? (metric.samples[0]?.value ?? 0) : Number.NaN
}

/** The middle of an hour and of a bucket of sparklines: nothing ends by itself while a test runs. */
function calm(): void {
  aheadMs = Math.ceil(Date.now() / hourMs) * hourMs + 20 * minuteMs + 10_000 - Date.now()
}
beforeEach(calm)

const setMachine =
  (values: object) =>
  ({ own }: Scene) =>
    site.db.updateTable('machines').set(values).where('id', '=', own.machineId).execute()

const place =
  (values: object = {}) =>
  ({ own }: Scene) =>
    placeMachine(site.db, own.machineId, values)

const setGrant =
  (values: object) =>
  ({ granted }: Scene) =>
    site.db.updateTable('machine_grants').set(values).where('machine_id', '=', granted.machineId).execute()

const setEntry =
  (values: object) =>
  ({ own }: Scene) =>
    site.db.updateTable('machine_list_entries').set(values).where('machine_id', '=', own.machineId).execute()

const openNow = ({ maintained }: Scene) =>
  site.db
    .updateTable('maintenance_windows')
    .set({ start_at: new Date(now() - minuteMs) })
    .where('machine_id', '=', maintained.machineId)
    .execute()

const raise = ({ own }: Scene, level = 'minor', at = now()) =>
  site.db
    .insertInto('alarms')
    .values({
      machine_id: own.machineId,
      key: `hot-${level}-${at}`,
      level,
      text: JSON.stringify({ en: 'Hot' }),
      raised_at: new Date(at),
      received_at: new Date(at),
    })
    .returning('id')
    .executeTakeFirstOrThrow()

const connect = (machineId: number, endedAt: number | null) =>
  site.db
    .insertInto('machine_connections')
    .values({
      machine_id: machineId,
      protocol: 'mqtt',
      address: '',
      started_at: new Date(now() - 3 * hourMs),
      last_seen_at: new Date(endedAt ?? now()),
      ended_at: endedAt === null ? null : new Date(endedAt),
      node_id: 'another',
    })
    .execute()

const send = (
  { own }: Scene,
  value: number,
  time = now(),
  label: Record<string, string> = {},
  unit = 'bar',
) => {
  const tag = { group: '', tag: 'pressure', type: 'float64' } as const
  const meta = { label, unit, scale: 1, min: null, max: null, readOnly: true, isKey: true }
  return site.platform.telemetry.append(own.machineId, [
    { kind: 'tagDefinition', ...tag, ...meta },
    { kind: 'sample', ...tag, value, quality: 192, time, late: false },
  ])
}

/** The parts of an answer that never change, or come by push alone. */
type Silent = 'state' | 'ezviz_account_id' | 'lastSeen' | 'placedAt' | 'overview'
type Change = (scene: Scene) => Promise<unknown>
type Part = Exclude<keyof contract.MachineItem, Silent> | `overview.${string}`

/** For each part of an answer something that changes it. */
const changes: Record<Exclude<keyof contract.MachineItem, Silent>, Change> & Record<Part, Change> = {
  machine_id: async ({ user }) =>
    site.listMachine(user.userId, (await site.createMachine()).machineId, 'New'),
  machine_name: setEntry({ name: 'Press 2' }),
  machine_remark: setEntry({ remark: 'by the door' }),
  machine_code: setMachine({ code: '8'.repeat(19) }),
  emq_project_id: ({ user, own }) => createProject(site.db, user.userId, [own]),
  machine_type: setMachine({ type: 'pump' }),
  model: setMachine({ model: 'CK-6150' }),
  check_type: setMachine({ check_type: 1 }),
  cloud_service: setMachine({ cloud_service: false }),
  lat: place({ lat: 31.2, lng: 121.4 }),
  lng: place({ lat: 31.2, lng: 121.5 }),
  accuracy: place({ accuracy_m: 30 }),
  source: place({ source: 'gps' }),
  address: place({ as_typed: '7 Mill Lane' }),
  location_type: place({ type: 1 }),
  location_way: place({ way: 3 }),
  project_image: setMachine({ project_image: '/files/press.png' }),
  online: ({ own }) => connect(own.machineId, null),
  limit_authority: setGrant({ role: 'bkey', until: null }),
  role: ({ user, granted }) => site.blacklistUser(user.userId, granted.machineId),
  readOnly: setGrant({ read_only: true }),
  visitTime: setGrant({ until: new Date(Date.now() + 24 * hourMs) }),
  groups: async ({ user, own }) => {
    const { id } = await site.as(user).call(contract.createUserGroup, { name: 'Hall' })
    await site.as(user).call(contract.updateUserGroup, { id, machineIds: [own.machineId] })
  },
  openAlarms: (scene) => raise(scene),
  unconfirmedAlarms: async (scene) => raise(scene),
  worstAlarm: async (scene) => raise(scene, 'critical'),
  application: ({ user, own }) =>
    site.db
      .insertInto('applications')
      .values({
        kind: 'visit',
        machine_id: own.machineId,
        user_id: user.userId,
        created_at: new Date(now()),
        expires_at: new Date(now() + hourMs),
      })
      .execute(),
  'overview.keyTag': (scene) => send(scene, 7),
  'overview.strip24h by a connection': ({ own }) => connect(own.machineId, now() - 2 * hourMs),
}

/** Further causes of a list's changes: the preparation and the change. */
const causes: Record<string, readonly [prepare: Change, change: Change]> = {
  'an entry is taken out': [
    async () => undefined,
    ({ own }) => site.db.deleteFrom('machine_list_entries').where('machine_id', '=', own.machineId).execute(),
  ],
  'a machine is at another place': [place(), place({ lat: 31.24 })],
  'a place is another in accuracy alone': [place(), place({ accuracy_m: 30 })],
  'the source of a place is another': [place(), place({ source: 'gps' })],
  'the place is chosen otherwise': [place(), place({ type: 1, way: 1 })],
  'a place is named': [place(), place({ address_en: 'Shanghai, China' })],
  'a place goes': [
    place(),
    ({ own }) => site.db.deleteFrom('machine_places').where('machine_id', '=', own.machineId).execute(),
  ],
  'the reader hides the map': [
    place(),
    ({ user }) =>
      site.db.updateTable('users').set({ hide_map: true }).where('id', '=', user.userId).execute(),
  ],
  'a group is renamed': [
    changes.groups,
    ({ user }) =>
      site.db
        .updateTable('machine_groups')
        .set({ name: 'Yard' })
        .where('user_id', '=', user.userId)
        .execute(),
  ],
  'a group loses its machine': [
    changes.groups,
    ({ own }) =>
      site.db.deleteFrom('machine_list_entry_groups').where('machine_id', '=', own.machineId).execute(),
  ],
  'an alarm is confirmed': [
    raise,
    ({ user, own }) => site.as(user).call(contract.confirmAlarms, { machineID: own.machineId }),
  ],
  'an alarm ends': [
    raise,
    ({ own }) =>
      site.db
        .updateTable('alarms')
        .set({ cleared_at: new Date(now()) })
        .where('machine_id', '=', own.machineId)
        .execute(),
  ],
  'an alarm gets worse': [
    raise,
    ({ own }) =>
      site.db.updateTable('alarms').set({ level: 'major' }).where('machine_id', '=', own.machineId).execute(),
  ],
  'the machine goes': [
    changes.online,
    ({ own }) =>
      site.db
        .updateTable('machine_connections')
        .set({ ended_at: new Date(now()) })
        .where('machine_id', '=', own.machineId)
        .execute(),
  ],
  'samples were lost': [
    changes.online,
    ({ own }) =>
      site.db
        .insertInto('lost_spans')
        .values({
          machine_id: own.machineId,
          from_at: new Date(now() - hourMs),
          to_at: new Date(now() - hourMs + 1),
          samples: 5,
        })
        .execute(),
  ],
  'a fault of an hour ago is told': [
    changes.online,
    (scene) => raise(scene, 'critical', now() - 90 * minuteMs),
  ],
  'the shown value is another': [
    (scene) => send(scene, 7),
    async ({ own, user }) => {
      const { id } = await site.db
        .insertInto('tags')
        .values({ machine_id: own.machineId, group_name: '', name: 'speed', type: 'float64' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await site.as(user).call(contract.setKeyTag, { machineID: own.machineId, tagId: id })
    },
  ],
  'the shown value is named': [
    (scene) => send(scene, 7),
    (scene) => send(scene, 7, now() + 1, { cn: '压力', en: 'Pressure' }),
  ],
  'the shown value has another unit': [
    (scene) => send(scene, 7),
    (scene) => send(scene, 7, now() + 1, {}, 'MPa'),
  ],
  'a value of half an hour ago comes late': [
    (scene) => send(scene, 7),
    ({ own }) =>
      site.platform.telemetry.append(own.machineId, [
        {
          kind: 'sample',
          group: '',
          tag: 'pressure',
          type: 'float64',
          value: 9,
          quality: 192,
          time: now() - hourMs / 2,
          late: true,
        },
      ]),
  ],
  'a project loses the machine': [
    changes.emq_project_id,
    ({ own }) => site.db.deleteFrom('project_machines').where('machine_id', '=', own.machineId).execute(),
  ],
  'the machine’s link to a project ends': [
    changes.emq_project_id,
    ({ own }) =>
      site.db
        .updateTable('project_machines')
        .set({ stop: 'rightLost', ended_at: new Date(now()) })
        .where('machine_id', '=', own.machineId)
        .execute(),
  ],
  'an invitation to a project is accepted': [
    async ({ user, own }) => {
      const owner = await site.createUser()
      await grantMachine(site.db, owner.userId, own.machineId, { role: 'bkey' })
      const { projectId } = await createProject(site.db, owner.userId, [own])
      const invited = { project_id: projectId, user_id: user.userId, level: 2, invited_at: new Date(now()) }
      await site.db.insertInto('project_members').values(invited).execute()
    },
    ({ user }) =>
      site.db
        .updateTable('project_members')
        .set({ accepted_at: new Date(now()) })
        .where('user_id', '=', user.userId)
        .execute(),
  ],
  'a person leaves a project': [
    changes.emq_project_id,
    ({ user }) => site.db.deleteFrom('project_members').where('user_id', '=', user.userId).execute(),
  ],
  'the machine has another owner': [
    changes.online,
    setMachine({ owned_since: new Date(Date.now() + 24 * hourMs) }),
  ],
  'a grant is taken back': [
    async () => undefined,
    ({ granted }) =>
      site.db.deleteFrom('machine_grants').where('machine_id', '=', granted.machineId).execute(),
  ],
  'a blacklisted person is forgiven': [
    changes.role,
    ({ user }) => site.db.deleteFrom('machine_blacklist').where('user_id', '=', user.userId).execute(),
  ],
  'a member gets another right': [
    async () => undefined,
    ({ works, user }) =>
      site.db
        .updateTable('enterprise_members')
        .set({ role: 'admin' })
        .where('user_id', '=', user.userId)
        .where('enterprise_id', '=', works.eid)
        .execute(),
  ],
  'a member goes': [
    async () => undefined,
    ({ works, user }) =>
      site.db
        .deleteFrom('enterprise_members')
        .where('user_id', '=', user.userId)
        .where('enterprise_id', '=', works.eid)
        .execute(),
  ],
  'an enterprise ends': [
    async () => undefined,
    ({ works }) =>
      site.db.updateTable('enterprises').set({ state: 'locked' }).where('id', '=', works.eid).execute(),
  ],
  'a machine changes its enterprise': [
    async () => undefined,
    ({ atWork }) =>
      site.db
        .updateTable('machines')
        .set({ owner_enterprise_id: null })
        .where('id', '=', atWork.machineId)
        .execute(),
  ],
  'a team looks after a machine': [
    ({ works, user }) =>
      site.db
        .updateTable('enterprise_members')
        .set({ rights: ['view', 'manage'] })
        .where('user_id', '=', user.userId)
        .where('enterprise_id', '=', works.eid)
        .execute(),
    ({ works, user, atWork }) =>
      site.createTeam({
        eid: works.eid,
        kind: 'manage',
        memberIds: [user.userId],
        machineIds: [atWork.machineId],
      }),
  ],
  'a maintenance window opens at once': [async () => undefined, openNow],
  'a maintainer leaves the team': [
    openNow,
    ({ teamId }) => site.db.deleteFrom('enterprise_team_members').where('team_id', '=', teamId).execute(),
  ],
}

/** Changes by time alone: the preparation and the time it takes. */
const passing: Record<string, readonly [prepare: Change, ms: number]> = {
  'a visit ends': [async () => undefined, 10 * minuteMs],
  'a maintenance window opens': [setGrant({ until: null }), 5 * minuteMs],
  'a maintenance window ends': [
    async (scene) => {
      await setGrant({ until: null })(scene)
      await openNow(scene)
    },
    20 * minuteMs,
  ],
  'an application expires': [
    async (scene) => {
      await setGrant({ until: null })(scene)
      await changes.application(scene)
      await site.db
        .updateTable('applications')
        .set({ expires_at: new Date(now() + 2 * minuteMs) })
        .where('user_id', '=', scene.user.userId)
        .execute()
    },
    2 * minuteMs,
  ],
  'a machine is away for a minute': [({ own }) => connect(own.machineId, now()), minuteMs],
  'an hour passes': [changes.online, hourMs],
  'a bucket of the sparkline passes': [
    async (scene) => {
      await send(scene, 7, now() - 10 * minuteMs)
      await send(scene, 9, now() - 5 * minuteMs)
    },
    150_000,
  ],
}

describe('an unchanged list', () => {
  test('is answered without reading it', async () => {
    const { user } = await createScene()
    const { version } = await list(user)
    const before = remembered()
    expect(await isUnchanged(user, version)).toBe(true)
    expect(remembered()).toBe(before + 1)
    expect(await isUnchanged(user, `${version}x`)).toBe(false)
  })

  test('stays unchanged while sparkline-less time passes and others change theirs', async () => {
    const [mine, other] = [await createScene(), await createScene()]
    await setGrant({ until: null })(mine)
    await site.db
      .deleteFrom('maintenance_windows')
      .where('machine_id', '=', mine.maintained.machineId)
      .execute()
    const { version } = await list(mine.user)
    const before = remembered()
    for (const change of [changes.machine_name, changes.role, changes.openAlarms]) await change(other)
    aheadMs += 10 * minuteMs
    expect(await isUnchanged(mine.user, version)).toBe(true)
    expect(remembered()).toBe(before + 1)
  })

  test('has another version in another language', async () => {
    const { user } = await createScene()
    const { version } = await list(user)
    expect('list' in (await site.as(user, 'en').call(contract.listMachines, { version }))).toBe(
      'list' in (await site.as(user, 'cn').call(contract.listMachines, { version })) === false,
    )
  })

  test('is read again when the notes since it was read are gone', async () => {
    const { user } = await createScene()
    const { version } = await list(user)
    for (let round = 0; round < 3; round++) {
      await trimListChanges(site.db)
      await raise(await createScene())
    }
    const before = remembered()
    expect(await isUnchanged(user, version)).toBe(true)
    expect(remembered()).toBe(before)
    // Read again, and remembered again.
    expect(await isUnchanged(user, version)).toBe(true)
    expect(remembered()).toBe(before + 1)
  })
})

test('notes of a backup from a busier cluster keep no list from being remembered for long', async () => {
  const ahead = sql`(pg_current_xact_id()::text::numeric + 1000000)::text::xid8`
  await sql`update machine_list_trims set next_xid = ${ahead}`.execute(site.db)
  await trimListChanges(site.db)
  const { user } = await createScene()
  const { version } = await list(user)
  const before = remembered()
  expect(await isUnchanged(user, version)).toBe(true)
  expect(remembered()).toBe(before + 1)
})

describe('a list is not answered as unchanged', () => {
  test.each(Object.entries(changes))('when %s changes', async (_, change) => {
    const scene = await createScene()
    const { version } = await list(scene.user)
    expect(await isUnchanged(scene.user, version)).toBe(true)
    await change(scene)
    expect(await isUnchanged(scene.user, version)).toBe(false)
    expect((await list(scene.user)).version).not.toBe(version)
  })

  test.each(Object.entries(causes))('when %s', async (_, [prepare, change]) => {
    const scene = await createScene()
    await prepare(scene)
    const { version } = await list(scene.user)
    expect(await isUnchanged(scene.user, version)).toBe(true)
    await change(scene)
    expect(await isUnchanged(scene.user, version)).toBe(false)
  })

  test.each(Object.entries(passing))('when %s', async (_, [prepare, ms]) => {
    const scene = await createScene()
    await prepare(scene)
    const { version } = await list(scene.user)
    expect(await isUnchanged(scene.user, version)).toBe(true)
    aheadMs += ms
    expect(await isUnchanged(scene.user, version)).toBe(false)
  })

  test('when a machine connects to this process, and when it leaves', async () => {
    const { user, own } = await createScene()
    const { version } = await list(user)
    const client = await mqtt.connectAsync(site.mqttUrl, {
      clientId: own.code,
      username: own.code,
      password: own.secret,
    })
    await expect.poll(() => isUnchanged(user, version)).toBe(false)
    const online = await list(user)
    expect(online.list.find(({ machine_id }) => machine_id === own.machineId)?.online).toBe(true)
    await client.endAsync()
    await expect.poll(() => isUnchanged(user, online.version)).toBe(false)
  })

  test('when a change is committed that was written before the list was read', async () => {
    const scene = await createScene()
    const { version } = await site.db.transaction().execute(
      aside(async (trx) => {
        await trx
          .updateTable('machine_list_entries')
          .set({ remark: 'late' })
          .where('machine_id', '=', scene.own.machineId)
          .execute()
        // Others commit meanwhile, so that the numbers of transactions move on.
        await raise(await createScene())
        const answer = await list(scene.user)
        expect(await isUnchanged(scene.user, answer.version)).toBe(true)
        return answer
      }),
    )
    expect(await isUnchanged(scene.user, version)).toBe(false)
  })
})

test('a remembered list is the list that would be read, whatever happens in between', async () => {
  const scenes = [await createScene(), await createScene()]
  const acts = [
    ...Object.values(changes),
    ...Object.values(causes).flat(),
    async () => {
      aheadMs += 30_000
    },
    () => wait(0),
  ].filter((act) => act !== changes.machine_code)
  let seed = 42
  const draw = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * below)
  }
  const versions = new Map<TestUser, string>()
  const before = remembered()
  for (let round = 0; round < 80; round++) {
    const act = draw(3) === 0 ? acts[draw(acts.length)] : undefined
    const scene = scenes[draw(scenes.length)] as Scene
    // A second grant or group of the same name is refused; nothing has changed then.
    await act?.(scene).catch(() => undefined)
    for (const { user } of scenes) {
      const version = versions.get(user) ?? ''
      const said = await isUnchanged(user, version)
      const now = await list(user)
      if (said) expect(now.version).toBe(version)
      versions.set(user, now.version)
    }
  }
  expect(remembered()).toBeGreaterThan(before + 30)
})
