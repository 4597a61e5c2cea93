import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  accounts,
  alarmContacts,
  alarmRules,
  alarms,
  boards,
  destinations,
  enterprises,
  machines,
  messages,
  notifications,
  projects,
  reports,
  telemetry,
} from '@busbar/contract'
import { failureOf, startTestPlatform, type TestPlatform } from '@busbar/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createSecretBox } from '../kernel/secret-box.ts'
import { hashToken } from '../modules/accounts/index.ts'
import { type Demo, demoAccounts, endDemo, seedDemo } from './demo.ts'

let site: TestPlatform
let dataDir: string
const secrets = createSecretBox()
beforeAll(async () => {
  site = await startTestPlatform()
  dataDir = await mkdtemp(path.join(tmpdir(), 'busbar-demo-'))
})
afterAll(async () => {
  await site.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const seed = () =>
  seedDemo({
    db: site.db,
    dataDir,
    mqttUrl: site.mqttUrl,
    tunnelUrl: `${site.url.replace('http', 'ws')}/tunnel`,
    secrets,
    now: Date.now(),
  })
const input = (demo: Demo, loginName: string) => ({
  loginName,
  loginPwd: demo.password,
  terminalUUID: `demo-${loginName}`,
})
const signIn = (demo: Demo, account: string) => site.as(undefined).call(accounts.login, input(demo, account))
const count = async (table: 'machines' | 'machine_list_entries' | 'users') =>
  (await site.db.selectFrom(table).selectAll().execute()).length

interface Machines {
  receiver: {
    port: number
    secrets: string[]
    pullUrl: string
    pulls: { projectId: number; key: string }[]
  }
  machines: { code: string; secret: string }[]
  fillHistory: boolean
  madeAt: number
  modbus: { port: number }
}
const simulated = async (demo: Demo) => JSON.parse(await readFile(demo.simulatorConfig, 'utf8')) as Machines

test('a demo has a week behind it, and a second start begins no second one', async () => {
  const first = await simulated(await seed())
  expect(first.fillHistory).toBe(true)
  const { madeAt } = await simulated(await seed())
  expect(madeAt).toBe(first.madeAt)
  const { rows } = await sql<{ from: number; machines: number; gaps: number }>`
    select extract(epoch from min(started_at)) * 1000 as from, count(distinct machine_id)::int as machines,
           (count(*) - count(distinct machine_id))::int as gaps
    from machine_connections`.execute(site.db)
  expect(Number(rows[0]?.from)).toBe(madeAt - 7 * 24 * 3_600_000)
  expect(rows[0]?.machines).toBe(28)
  expect(rows[0]?.gaps).toBeGreaterThan(10)
})

test('a connection added to the demo’s agent led nowhere after a restart: its machine had another port', async () => {
  const first = await seed()
  const { modbus } = await simulated(first)
  expect(await readFile(first.agentConfig, 'utf8')).toContain(`ports: { modbus-tcp: ["${modbus.port}"] }`)
  expect((await simulated(await seed())).modbus).toEqual(modbus)
})

test('the folder with a demo’s secrets is closed to other users, one of an earlier version too', async () => {
  const dir = path.join(dataDir, 'demo')
  await seed()
  await chmod(dir, 0o755)
  await seed()
  expect((await stat(dir)).mode & 0o777).toBe(0o700)
})

test('a demo whose state file was lost prints a password that works, and its machines sign in', async () => {
  const first = await seed()
  const before = [await count('users'), await count('machines'), await count('machine_list_entries')]
  await rm(path.join(dataDir, 'demo', 'state.json'))

  const second = await seed()
  expect(second.password).not.toBe(first.password)
  await signIn(second, demoAccounts.en)
  await signIn(second, demoAccounts.cn)
  const { machines, fillHistory } = await simulated(second)
  expect(fillHistory).toBe(false)
  const rows = await site.db.selectFrom('machines').select(['code', 'secret_hash']).execute()
  for (const { code, secret } of machines) {
    expect(rows.find((row) => row.code === code)?.secret_hash).toEqual(hashToken(secret))
  }
  expect([await count('users'), await count('machines'), await count('machine_list_entries')]).toEqual(before)
})

test('the demo account owns an enterprise with people, devices and a window, and gets a request for one', async () => {
  const account = (await signIn(await seed(), demoAccounts.en)) as { token: string }
  const as = site.as(account)
  const spaces = await as.call(enterprises.listUserEnterprises, {})
  expect(spaces).toMatchObject([{ role: 'owner' }])
  const eid = spaces[0]?.eid ?? 0
  expect(await as.call(enterprises.listMembers, { eid })).toMatchObject({ total: 5 })
  expect(await as.call(enterprises.listTeams, { eid })).toHaveLength(2)
  expect(await as.call(enterprises.listEnterpriseMachines, { eid })).toMatchObject({ total: 3 })
  expect(await as.call(enterprises.listEnterpriseMachines, { eid, type: 2 })).toMatchObject({
    list: [{ maintainState: 'accepted' }],
  })
  expect(await as.call(enterprises.listMaintenance, {})).toMatchObject([{ state: 'waiting' }])
})

test('the demo account has a panel that writes GBK, a meter that was replaced, and a type that it set', async () => {
  const as = site.as((await signIn(await seed(), demoAccounts.en)) as { token: string })
  const idOf = async (name: string) => {
    const rows = site.db.selectFrom('machine_list_entries').select('machine_id').where('name', '=', name)
    return (await rows.executeTakeFirstOrThrow()).machine_id
  }
  const machineId = await idOf('Water plant 1')
  expect(await as.call(machines.getMachineDetail, { machineID: machineId })).toMatchObject({
    textEncoding: 'gbk',
  })
  const settings = async (id: number) =>
    (await as.call(telemetry.listTags, { machineId: id })).flatMap((tag) => tag.settings ?? [])
  expect(await settings(machineId)).toMatchObject([{ resets: [{ to: 0 }] }])
  expect(await settings(await idOf('Shuangliu booster'))).toEqual([{ readAs: 'int64' }])
})

test('the demo account has an application that waits for it, one that passed, and its other messages', async () => {
  const as = site.as((await signIn(await seed(), demoAccounts.en)) as { token: string })
  const inbox = await as.call(messages.listMessages, { scene: 'inbox' })
  expect(inbox.list).toMatchObject([
    { type: 'visitApply', auditState: 0, mayAnswer: true, read: false },
    { type: 'notice', read: false },
    { type: 'bindApply', auditState: 5, mayAnswer: false, read: true },
  ])
  expect(inbox.list[0]?.body).toMatch(/^Wang Lei requests read-write access to “.+”\. Message: Burner swap$/)
  expect(inbox.totalUnreadMsg).toBe(2)
  expect(await as.call(messages.listMessages, { scene: 'device' })).toMatchObject({ total: 1 })
})

test('the demo has a machine that was moved, two that travel, and one without a place', async () => {
  await seed()
  const { rows } = await sql<{
    type: string
    is_moved: boolean
    moved_after_m: number | null
    placed: boolean
  }>`
    select machines.type, is_moved, moved_after_m, lat is not null as placed
    from machines left join machine_places on machine_id = machines.id`.execute(site.db)
  const typesOf = (fits: (row: (typeof rows)[number]) => boolean) =>
    rows
      .filter(fits)
      .map(({ type }) => type)
      .sort()
  expect(typesOf(({ is_moved }) => is_moved)).toEqual(['pump-station', 'pump-station'])
  expect(typesOf(({ placed, moved_after_m }) => placed && moved_after_m === null)).toEqual(
    Array(4).fill('chiller'),
  )
  expect(typesOf(({ placed }) => !placed)).toEqual(['packaging', 'packaging'])
})

/** Chinese characters, in which the English account reads nothing. */
const han = /\p{Script=Han}/u

test.each(['en', 'cn'] as const)(
  'the %s account reads one language: names, places, people, messages',
  async (lang) => {
    const as = site.as((await signIn(await seed(), demoAccounts[lang])) as { token: string }, lang)
    const answer = await as.call(machines.listMachines, {})
    if (!('list' in answer)) throw new Error('no list')
    expect(answer.list).toHaveLength(15)
    const [{ eid = 0, name = '' } = {}] = await as.call(enterprises.listUserEnterprises, {})
    const devices = await as.call(enterprises.listEnterpriseMachines, { eid })
    const groups = await as.call(enterprises.listGroups, { eid })
    const teams = await as.call(enterprises.listTeams, { eid })
    const members = await as.call(enterprises.listMembers, { eid })
    const { list: inbox } = await as.call(messages.listMessages, { scene: 'inbox' })
    const texts = [
      name,
      ...answer.list.flatMap((machine) => [machine.machine_name, machine.machine_remark, machine.address]),
      ...('list' in devices ? devices.list.flatMap((device) => [device.machineName, device.address]) : []),
      ...groups.map((group) => group.name),
      ...teams.map((team) => team.name),
      ...members.list.map((member) => member.name),
      ...inbox.map(({ body }) => body),
    ].filter((text) => text !== '')
    expect(texts.length).toBeGreaterThan(50)
    // Model numbers and names such as ThinkPad occur in Chinese text, too.
    const foreign = texts.filter((text) => (lang === 'en' ? han.test(text) : !han.test(text)))
    expect(foreign).toEqual([])
  },
)

test('each demo account finds rules, a week of alarms with notes, a flood and a shelving, once and in its language', async () => {
  const demo = await seed()
  await seed()
  for (const [lang, account] of Object.entries(demoAccounts)) {
    const { token } = await signIn(demo, account)
    const reader = site.as({ token })
    const { list } = await reader.call(alarms.listAlarms, { pageSize: 200 })
    expect(list).toHaveLength(20)
    expect(list.filter(({ state }) => state === 'active')).toMatchObject([{ key: 'busbar/moved' }])
    expect(list.filter(({ confirmed }) => !confirmed)).toHaveLength(3)
    expect(list.find(({ ruleId }) => ruleId !== null)).toMatchObject({ unit: 'MPa', limit: 0.36 })
    const machineId = list[0]?.machineId ?? 0
    expect(await reader.call(alarmRules.listAlarmRules, { machineId })).toHaveLength(3)
    const [shelve, ...more] = await reader.call(alarms.listShelves, { machineId })
    expect([shelve?.scope, more]).toEqual(['rule', []])
    const said = [shelve?.reason ?? '', ...list.map(({ note }) => note)].filter((note) => note !== '')
    expect(said.filter((note) => /\p{Script=Han}/u.test(note) !== (lang === 'cn'))).toEqual([])
    const journal = await reader.call(alarms.listAlarmJournal, { machineId, kind: ['confirmed'] })
    expect(journal.total).toBe(17)
    // Each alarm was notified in the page and by e-mail; those of the flood went in one digest.
    for (const { alarmId } of list) {
      const told = await reader.call(notifications.listTold, { alarmId })
      expect(told.list.map(({ channel, state }) => `${channel} ${state}`).sort()).toEqual([
        'email sent',
        'email sent',
        'push sent',
      ])
    }
    const mails = await reader.call(notifications.listEmailRecords, { pageSize: 200 })
    const digests = mails.list.filter(({ digestCount }) => digestCount === 11)
    expect(new Set(digests.map(({ name }) => name)).size).toBe(2)
    const [contact] = await reader.call(alarmContacts.listContacts, {})
    expect(contact).toMatchObject({ state: 'confirmed', machineIds: [machineId] })
  }
})

test('the first screen of the demo shows key values with names and units that people read', async () => {
  await seed()
  const plain = await site.db
    .selectFrom('tags')
    .innerJoin('machines', 'machines.id', 'tags.machine_id')
    .select(['machines.id', 'tags.name', 'label', 'unit', 'is_key'])
    .execute()
  const machineIds = new Set(plain.map(({ id }) => id))
  // Three profiles use plain JSON, which names a value by a single word; each is in both plants.
  expect(machineIds.size).toBe(6)
  for (const { label } of plain)
    expect(label).toMatchObject({ cn: expect.stringMatching(han), en: expect.any(String) })
  const pressure = plain.find(({ name }) => name === 'outlet_pressure')
  expect(pressure).toMatchObject({ label: { en: 'Outlet pressure' }, unit: 'MPa', is_key: true })
  // Its first value finds the variable, and leaves its name.
  const machineId = pressure?.id ?? 0
  await site.platform.telemetry.append(machineId, [
    {
      kind: 'sample',
      group: '',
      tag: 'outlet_pressure',
      type: 'float64',
      value: 0.348,
      quality: 192,
      time: Date.now(),
      late: false,
    },
  ])
  const tags = await site.platform.telemetry.listTags(machineId, 'en')
  expect(tags.filter(({ name }) => name === 'Outlet pressure')).toMatchObject([{ unit: 'MPa', scale: 3 }])
})

test('one demo account made by hand does not keep the other from being made', async () => {
  const gone = site.db.selectFrom('users').select('id').where('email', '=', demoAccounts.cn)
  await site.db
    .updateTable('machines')
    .set({ owner_user_id: null })
    .where('owner_user_id', 'in', gone)
    .execute()
  await site.db.deleteFrom('users').where('email', '=', demoAccounts.cn).execute()
  await signIn(await seed(), demoAccounts.cn)
})

test('the demo account does not survive into production; a start for demo opens it again', async () => {
  const demo = await seed()
  const session = await signIn(demo, demoAccounts.en)
  await endDemo(site.db)
  expect((await failureOf(site.as(session), accounts.selectInfo, {})).hwcode).toBe(113)
  for (const account of Object.values(demoAccounts)) {
    const failure = await failureOf(site.as(undefined), accounts.login, input(demo, account))
    expect(failure.code).toBe('ACCOUNT_LOCKED')
  }
  await signIn(await seed(), demoAccounts.en)
})

test('each person has a report and a board with valid variables, and a second start creates no more', async () => {
  const demo = await seed()
  await seed()
  for (const account of Object.values(demoAccounts)) {
    const { token } = await signIn(demo, account)
    const person = site.as({ token })
    const list = await person.call(boards.listBoards, {})
    expect(list).toHaveLength(1)
    expect(await person.call(reports.listReports, {})).toMatchObject([{ machines: 2, recipients: 1 }])
    const { layout } = await person.call(boards.getBoard, { id: list[0]?.id ?? 0 })
    expect(boards.createBoard.request.shape.layout.parse(layout)).toEqual(layout)
    const kinds = ['value', 'gauge', 'trend', 'strip', 'table', 'alarms', 'picture'] as const
    expect(layout.tiles.map(({ type }) => type)).toEqual(expect.arrayContaining([...kinds]))
  }
})

test('the demo account has a project of its own and one of its enterprise, with devices and a colleague', async () => {
  const account = (await signIn(await seed(), demoAccounts.cn)) as { token: string }
  const as = site.as(account)
  const [space] = await as.call(enterprises.listUserEnterprises, {})
  expect(space).toMatchObject({ enableProject: true })
  expect(await as.call(projects.listProjects, {})).toMatchObject([
    { machine_length: 2, available_count: 77_600 },
  ])
  const [shared] = await as.call(projects.listProjects, { eid: space?.eid ?? 0, type: 1 })
  expect(shared).toMatchObject({ machine_length: 3, user_length: 2 })
  const links = await as.call(projects.listProjectMachines, { id: shared?.id ?? 0 })
  expect(links.map(({ stop }) => stop)).toEqual([null, null, null])
})

test('rows of the demo’s projects go to its receiver: one is sent them, and one is pulled with its key', async () => {
  const first = await seed()
  const { receiver } = await simulated(first)
  expect(receiver.secrets).toHaveLength(2)
  expect(receiver.pullUrl).toBe(`${site.url}/api/project/v1/data`)
  for (const { projectId, key } of receiver.pulls) {
    const headers = { authorization: `Basic ${btoa(`${projectId}:${key}`)}` }
    expect((await fetch(receiver.pullUrl, { headers })).status).toBe(200)
  }
  for (const account of Object.values(demoAccounts)) {
    const as = site.as((await signIn(first, account)) as { token: string })
    const [own] = await as.call(projects.listProjects, {})
    expect(await as.call(destinations.listDestinations, { id: own?.id ?? 0 })).toMatchObject([
      { url: `http://127.0.0.1:${receiver.port}/rows`, state: 'on', lagRows: 0 },
    ])
    const [space] = await as.call(enterprises.listUserEnterprises, {})
    const [shared] = await as.call(projects.listProjects, { eid: space?.eid ?? 0, type: 1 })
    expect(await as.call(projects.listProjectKeys, { id: shared?.id ?? 0 })).toMatchObject([
      { lastUsedFrom: expect.stringContaining('127.0.0.1') },
    ])
  }
})

test('the demo’s destinations led nowhere after a restart on which its receiver had another port', async () => {
  const { port } = (await simulated(await seed())).receiver
  const taken = createServer().listen(port, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(async () => {
    taken.close()
    await once(taken, 'close')
  })
  const { receiver } = await simulated(await seed())
  expect(receiver.port).not.toBe(port)
  expect(receiver.secrets).toHaveLength(2)
  const urls = await site.db.selectFrom('destinations').select('url').execute()
  expect(urls.map(({ url }) => url)).toEqual(Array(2).fill(`http://127.0.0.1:${receiver.port}/rows`))
})
