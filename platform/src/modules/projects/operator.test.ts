import { projects } from '@busbar/contract'
import { fromBinary, MassTextSchema, Scene } from '@busbar/contract/push'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'

const site = useSite()

async function createOwner() {
  const owner = await site.createUser()
  const client = site.as(owner)
  const { id } = await client.call(projects.createProject, { name: 'Portal' })
  const getProject = async () => (await client.call(projects.listProjects, { id }))[0]
  return { owner, client, id, getProject }
}

describe('an operator', () => {
  test('finds every project, stops it, and adds servers to report to', async () => {
    const own = await createOwner()
    const person = await site.createUser()
    await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', person.userId).execute()
    const boss = site.as(person)
    const { list } = await boss.call(projects.listAllProjects, { search: 'PORT' })
    expect(list).toContainEqual(expect.objectContaining({ id: own.id, machines: 0, rows: 0, stopped: false }))
    await boss.call(projects.stopProject, { id: own.id, stopped: true })
    expect((await own.getProject())?.state).toBe('stopped')
    const relay = { name: 'Relay', host: 'relay.example', port: 8_883 }
    const { id: server } = await boss.call(projects.createReportingServer, relay)
    expect(await own.client.call(projects.getServer, {})).toMatchObject([{ id: 1 }, { id: server, ...relay }])
    await own.client.call(projects.updateProject, { id: own.id, server })
    expect((await own.getProject())?.server).toBe(server)
    expect(await own.client.call(projects.getServer, { id: own.id })).toMatchObject({
      mqtt: { host: relay.host, port: null, tlsPort: relay.port, username: String(own.id) },
    })
    await boss.call(projects.deleteReportingServer, { id: server })
    expect((await own.getProject())?.server).toBe(1)
    const unknown = { id: own.id, server }
    expect(await site.refusalOf(own.owner, projects.updateProject, unknown)).toBe('REPORTING_SERVER_UNKNOWN')
    expect(await own.client.call(projects.getServer, { id: own.id })).toMatchObject({
      mqtt: { username: String(own.id), topicUp: `data/${own.id}/#` },
      http: { url: expect.stringMatching(/\/api\/project\/v1\/data$/) },
    })
  })
})

test('a project alarm is pushed with its text, in the reader’s language, and the number of unread messages', async () => {
  const { owner, client, id } = await createOwner()
  const { machineId } = await site.createMachine({ owner: owner.userId })
  await client.call(projects.addProjectMachine, { id, machineId })
  await site.db.updateTable('users').set({ lang: 'en' }).where('id', '=', owner.userId).execute()
  await site.db.transaction().execute((trx) => site.platform.projects.quota.take(trx, id, 80_000))
  const events = await site.db
    .selectFrom('user_events')
    .select('body')
    .where('user_id', '=', owner.userId)
    .where('scene', '=', Scene.PROJECT_ALARM)
    .execute()
  expect(events.map(({ body }) => fromBinary(MassTextSchema, body))).toMatchObject([
    { content: 'The project “Portal” has used 80% of its rows of this month', totalUnreadMsg: 1 },
  ])
})
