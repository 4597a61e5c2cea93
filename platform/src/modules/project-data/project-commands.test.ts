import { tagSettings } from '@busbar/contract'
import type { TestMachine, TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import mqtt, { type MqttClient } from 'mqtt'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  changed,
  createProject,
  type TestProject,
  untilKnown,
} from '../../../test-support/project-data/project-rig.ts'
import { WritableMachine } from '../../../test-support/writes/writable-machine.ts'
import type { CommandResult } from '../../kernel/bus/bus.ts'

let aheadMs = 0
const site = useSite({}, { now: () => Date.now() + aheadMs })
let owner: TestUser
let machine: TestMachine
let project: TestProject
let device: WritableMachine
let client: MqttClient
let results: CommandResult[]

beforeEach(async () => {
  owner = await site.createUser()
  machine = await site.createMachine({ owner: owner.userId })
  project = await createProject(site.db, owner.userId, [machine], { mayWrite: true })
  await consent(true)
  await untilKnown(site, project)
  device = new WritableMachine(machine, 'speed', site.mqttPort)
  const { machineId } = machine
  const findTag = async () => (await site.platform.telemetry.listWireTags(machineId, 'en')).at(0)?.tagId
  await expect.poll(findTag).toBeDefined()
  const tagId = (await findTag()) ?? 0
  await site.as(owner).call(tagSettings.setTag, { machineId, tagId, writable: true })
  results = []
  client = await mqtt.connectAsync(site.mqttUrl, {
    username: String(project.projectId),
    password: project.key,
  })
  client.on('message', (_topic, payload) => results.push(JSON.parse(payload.toString())))
  await client.subscribeAsync(`cmd/${project.projectId}/result`)
})

afterEach(async () => {
  device.end()
  await client.endAsync(true)
})

async function consent(mayWrite: boolean): Promise<void> {
  const values = { may_write: mayWrite, may_visit: false, at: new Date() }
  await site.db
    .insertInto('project_consents')
    .values({ link_id: project.links[0]?.linkId ?? 0, ...values })
    .onConflict((conflict) => conflict.column('link_id').doUpdateSet(values))
    .execute()
  await changed(site.db, project.projectId)
}

const untilReadOnly = () => {
  const { links } = site.platform.projects
  return expect.poll(() => links.find(project.projectId, machine.machineId)?.mayWrite).toBe(false)
}

const command = (payload: unknown, code = machine.code) =>
  client.publishAsync(`cmd/${project.projectId}/${code}`, JSON.stringify(payload), { qos: 1 })

const write = (values: Record<string, unknown>, code?: string) =>
  command({ type: 'set_var', payload: values }, code)

const resultIs = (result: Partial<CommandResult>) =>
  expect
    .poll(() => results)
    .toEqual([{ machineCode: machine.code, tag: 'speed', ok: false, value: null, ...result }])

it('a command writes to the machine, and its result has the value that was read back', async () => {
  await write({ speed: 42 })
  await resultIs({ ok: true, reason: '', value: 42 })
  expect(device.taken).toEqual([42])
  const logged = await site.db
    .selectFrom('writes')
    .select(['user_id', 'note', 'state'])
    .where('machine_id', '=', machine.machineId)
    .execute()
  expect(logged).toEqual([{ user_id: owner.userId, note: 'ERP', state: 'confirmed' }])
})

it('without the consent of the Akey nothing is written', async () => {
  await consent(false)
  await untilReadOnly()
  await write({ speed: 42 })
  await resultIs({ reason: 'READ_ONLY' })
  expect(device.taken).toEqual([])
})

it('without the switch of the project nothing is written', async () => {
  await site.db
    .updateTable('projects')
    .set({ may_write: false })
    .where('id', '=', project.projectId)
    .execute()
  await changed(site.db, project.projectId)
  await untilReadOnly()
  await write({ speed: 42 })
  await resultIs({ reason: 'READ_ONLY' })
  expect(device.taken).toEqual([])
})

it('a machine that a read-only Bkey added is read by the project, and not written', async () => {
  const bkey = await site.createUser()
  const grant = { role: 'bkey', readOnly: true } as const
  await site.grantMachine(bkey.userId, machine.machineId, grant)
  await site.db
    .updateTable('project_machines')
    .set({ linked_by: bkey.userId })
    .where('id', '=', project.links[0]?.linkId ?? 0)
    .execute()
  const at = new Date()
  await site.db
    .insertInto('project_members')
    .values({
      ...{ project_id: project.projectId, user_id: bkey.userId, level: 2 },
      ...{ invited_at: at, accepted_at: at },
    })
    .execute()
  await changed(site.db, project.projectId)
  const linkedBy = () => site.platform.projects.links.find(project.projectId, machine.machineId)?.linkedBy
  await expect.poll(linkedBy, { timeout: 10_000 }).toBe(bkey.userId)
  expect(site.platform.projects.links.isActive(project.links[0]?.linkId ?? 0)).toBe(true)
  await write({ speed: 42 })
  await resultIs({ reason: 'READ_ONLY' })
  expect(device.taken).toEqual([])
})

it('a machine outside of the project is not told from one that does not exist', async () => {
  const foreign = await site.createMachine({ owner: owner.userId })
  const codes = [foreign.code, '9999999999999999999']
  for (const code of codes) await write({ speed: 42 }, code)
  await expect
    .poll(() => results)
    .toEqual(
      codes.map((machineCode) => ({
        machineCode,
        tag: 'speed',
        ok: false,
        reason: 'NOT_FOUND',
        value: null,
      })),
    )
})

it('a command that cannot be read has a result without a variable', async () => {
  for (const payload of [
    { type: 'get_var', payload: {} },
    { type: 'set_var', payload: { speed: [1] } },
    'speed',
  ])
    await command(payload)
  const unread = { machineCode: machine.code, tag: '', ok: false, reason: 'COMMAND_UNREADABLE', value: null }
  await expect.poll(() => results).toEqual([unread, unread, unread])
})

it('an unknown variable is refused', async () => {
  await write({ nothing: 1 })
  await resultIs({ tag: 'nothing', reason: 'NOT_FOUND' })
})

it('a machine that is away is refused', async () => {
  device.end()
  await expect.poll(() => site.platform.gateway.presence.isOnline(machine.machineId)).toBe(false)
  await write({ speed: 42 })
  await resultIs({ reason: 'MACHINE_OFFLINE' })
})

it('60 writes a minute reach a machine, those of its people beside them', async () => {
  // The minute that the writes of other tests began is over.
  aheadMs += 60_000
  for (let written = 0; written < 62; written++) await write({ nothing: written, speed: written })
  await expect.poll(() => results.filter(({ tag }) => tag === 'speed').length, { timeout: 20_000 }).toBe(62)
  const refused = results.filter(({ reason }) => reason === 'TOO_MANY_REQUESTS')
  expect(refused).toHaveLength(2)
})
