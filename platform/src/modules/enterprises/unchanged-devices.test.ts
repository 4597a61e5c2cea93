import { enterprises as contract } from '@busbar/contract'
import type { TestEnterprise, TestMachine } from '@busbar/testkit'
import { placeMachine } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createProject } from '../../../test-support/project-data/project-rig.ts'

const hourMs = 3_600_000

let aheadMs = 0
const now = () => Date.now() + aheadMs
const site = useSite({}, { now })

interface Scene {
  readonly enterprise: TestEnterprise
  readonly machine: TestMachine
}

type Change = (scene: Scene) => Promise<unknown>

const setMachine =
  (values: object): Change =>
  ({ machine }) =>
    site.db.updateTable('machines').set(values).where('id', '=', machine.machineId).execute()

const setDevice =
  (values: object): Change =>
  ({ machine }) =>
    site.db
      .updateTable('enterprise_machines')
      .set(values)
      .where('machine_id', '=', machine.machineId)
      .execute()

const changes: Record<string, Change> = {
  'a device is added': ({ enterprise }) => site.createEnterpriseMachine(enterprise.eid),
  'a device goes': ({ machine }) =>
    site.db.deleteFrom('enterprise_machines').where('machine_id', '=', machine.machineId).execute(),
  'a device is renamed': setDevice({ name: 'Oven 2' }),
  'a remark is written': setDevice({ remark: 'by the door' }),
  'a device gets a password': setMachine({ password_hash: 'hash' }),
  'a device moves': ({ machine }) => placeMachine(site.db, machine.machineId, { lat: 31.24 }),
  'the reader hides the map': ({ enterprise }) =>
    site.db.updateTable('users').set({ hide_map: true }).where('id', '=', enterprise.owner.userId).execute(),
  'a device tells another platform': setMachine({ attributes: sql`'{"platform": "arm64"}'::jsonb` }),
  'a device comes to another process': ({ machine }) =>
    site.db
      .insertInto('machine_connections')
      .values({
        machine_id: machine.machineId,
        protocol: 'mqtt',
        address: '',
        started_at: new Date(),
        last_seen_at: new Date(),
        node_id: 'another',
      })
      .execute(),
  'an alarm is raised': ({ machine }) =>
    site.db
      .insertInto('alarms')
      .values({
        machine_id: machine.machineId,
        key: 'hot',
        level: 'major',
        text: JSON.stringify({ en: 'Hot' }),
        raised_at: new Date(),
        received_at: new Date(),
      })
      .execute(),
  'a value is shown': ({ machine }) =>
    site.db
      .insertInto('tags')
      .values({ machine_id: machine.machineId, group_name: '', name: 'speed', type: 'float64' })
      .execute(),
  'a project of the caller gets the device': ({ enterprise, machine }) =>
    createProject(site.db, enterprise.owner.userId, [machine]),
  'the caller gets another role': ({ enterprise }) =>
    site.db
      .updateTable('enterprise_members')
      .set({ role: 'member', rights: [] })
      .where('user_id', '=', enterprise.owner.userId)
      .execute(),
}

const groupNames: Change = async ({ enterprise, machine }) => {
  const group = await site.db
    .insertInto('enterprise_groups')
    .values({ enterprise_id: enterprise.eid, name: 'Hall' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setDevice({ group_id: group.id })({ enterprise, machine })
}

async function createScene(): Promise<Scene> {
  const enterprise = await site.createEnterprise()
  const machine = await site.createEnterpriseMachine(enterprise.eid)
  await placeMachine(site.db, machine.machineId)
  return { enterprise, machine }
}

const ask = ({ enterprise }: Scene, version: string, type: 1 | 2 = 1) =>
  site.as(enterprise.owner).call(contract.listEnterpriseMachines, { eid: enterprise.eid, version, type })

async function readVersion(scene: Scene, type: 1 | 2 = 1): Promise<string> {
  const answer = await ask(scene, '', type)
  if ('notModified' in answer) throw new Error('the list of no version is unchanged')
  return answer.version
}

function remembered(): number {
  const metric = site.platform.metrics().find(({ name }) => name === 'busbar_lists_unchanged_total')
  return metric && 'samples' in metric ? (metric.samples[0]?.value ?? 0) : Number.NaN
}

describe('an enterprise’s list of devices', () => {
  test('is answered as unchanged without reading it', async () => {
    const scene = await createScene()
    const version = await readVersion(scene)
    const before = remembered()
    await setMachine({ last_seen_at: new Date() })(scene)
    expect(await ask(scene, version)).toEqual({ notModified: true })
    expect(remembered()).toBe(before + 1)
  })

  test.each(Object.entries(changes))('is not when %s', async (_, change) => {
    const scene = await createScene()
    const version = await readVersion(scene)
    expect(await ask(scene, version)).toEqual({ notModified: true })
    await change(scene)
    expect(await ask(scene, version)).not.toEqual({ notModified: true })
  })

  test('is not when a group is renamed', async () => {
    const scene = await createScene()
    await groupNames(scene)
    const version = await readVersion(scene)
    await site.db
      .updateTable('enterprise_groups')
      .set({ name: 'Yard' })
      .where('enterprise_id', '=', scene.enterprise.eid)
      .execute()
    expect(await ask(scene, version)).not.toEqual({ notModified: true })
  })

  test('names the caller’s project, and is not unchanged when it is renamed or its enterprise has none', async () => {
    const scene = await createScene()
    const { eid, owner } = scene.enterprise
    const { projectId } = await createProject(site.db, owner.userId, [scene.machine])
    const version = await readVersion(scene)
    const setProject = (values: object) =>
      site.db.updateTable('projects').set(values).where('id', '=', projectId).execute()
    const setEnterprise = (enable_project: boolean) =>
      site.db.updateTable('enterprises').set({ enable_project }).where('id', '=', eid).execute()
    const read = async (given: string) => {
      const answer = await ask(scene, given)
      if ('notModified' in answer) throw new Error('the list is unchanged')
      return { version: answer.version, project: answer.list[0]?.project }
    }
    expect(await read('')).toEqual({ version, project: 'ERP' })
    await setProject({ name: 'MES' })
    const renamed = await read(version)
    expect(renamed.project).toBe('MES')
    await setProject({ user_id: null, enterprise_id: eid, type: 1 })
    await setEnterprise(true)
    const shown = await read(renamed.version).catch(() => renamed)
    expect(shown.project).toBe('MES')
    await setEnterprise(false)
    expect((await read(shown.version)).project).toBe('')
    await setEnterprise(true)
    expect((await read('')).project).toBe('MES')
    // Another member takes no part in it.
    const member = await site.createMember(eid, 'member', ['view', 'manage'])
    const answer = await site.as(member).call(contract.listEnterpriseMachines, { eid, version: '', type: 1 })
    expect('list' in answer && answer.list.map(({ project }) => project)).toEqual([''])
  })

  test('is not when a maintenance window ends by itself', async () => {
    const scene = await createScene()
    const { machineId } = await site.createMachine()
    await site.openWindow({ eid: scene.enterprise.eid, machineId, stop: now() + hourMs })
    const version = await readVersion(scene, 2)
    expect(await ask(scene, version, 2)).toEqual({ notModified: true })
    aheadMs += hourMs
    expect(await ask(scene, version, 2)).not.toEqual({ notModified: true })
  })
})
