import { messages, projects } from '@busbar/contract'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { FreshCounters } from '../../../test-support/http/fresh-counters.ts'

const counters = new FreshCounters()
const site = useSite({}, { rateCounters: counters })

async function createProject() {
  const owner = await site.createUser()
  const client = site.as(owner)
  const { id } = await client.call(projects.createProject, { name: 'Portal' })
  const [project] = await client.call(projects.listProjects, { id })
  return { owner, client, id, key: project?.secret_key ?? '' }
}
const alarmsOf = async (client: Awaited<ReturnType<typeof createProject>>['client']) =>
  (await client.call(messages.listMessages, { scene: 'project' })).list
const check = (id: number, key: string, from: string) =>
  site.platform.projects.keys.check(id, key, { from }).then(
    () => 'right',
    ({ code }: { code: string }) => code,
  )

describe('a key of a project', () => {
  test('works for its project alone, and says where it was last used', async () => {
    const { id, key, client } = await createProject()
    const other = await createProject()
    expect(await check(id, key, '192.0.2.1')).toBe('right')
    expect(await check(other.id, key, '192.0.2.2')).toBe('PROJECT_KEY_WRONG')
    expect(await check(999_999, key, '192.0.2.2')).toBe('PROJECT_KEY_WRONG')
    expect(await check(Number.NaN, key, '192.0.2.2')).toBe('PROJECT_KEY_WRONG')
    expect(await client.call(projects.listProjectKeys, { id })).toMatchObject([
      { endsAt: null, lastUsedFrom: '192.0.2.1', lastUsedAt: expect.any(Number) },
    ])
  })

  test('works for a day after it was changed, or ends at once', async () => {
    const { owner, id, key, client } = await createProject()
    expect(await site.refusalOf(owner, projects.resetProjectKey, { id })).toBe('PROOF_NEEDED')
    await site.proveSession(owner.sessionId)
    const { secret_key: second } = await client.call(projects.resetProjectKey, { id })
    expect(second).not.toBe(key)
    expect([await check(id, key, '::1'), await check(id, second, '::1')]).toEqual(['right', 'right'])
    // Two are valid at most: the one before ends with the next change.
    const { secret_key: third } = await client.call(projects.resetProjectKey, { id })
    expect(await client.call(projects.listProjectKeys, { id })).toHaveLength(2)
    expect(await check(id, key, '::1')).toBe('PROJECT_KEY_WRONG')
    await sql`update project_keys set ends_at = now() - interval '1 s' where ends_at is not null and project_id = ${id}`.execute(
      site.db,
    )
    expect([await check(id, second, '::1'), await check(id, third, '::1')]).toEqual([
      'PROJECT_KEY_WRONG',
      'right',
    ])
    await client.call(projects.resetProjectKey, { id, endNow: true })
    expect(await check(id, third, '::1')).toBe('PROJECT_KEY_WRONG')
  })

  test('that is wrong is refused from the eleventh on, by its address alone, and its owner is told once', async () => {
    counters.begin()
    const { id, key, client } = await createProject()
    const tries = await Promise.all(
      Array.from({ length: 200 }, () => check(id, 'f'.repeat(64), '198.51.100.7')),
    )
    expect(tries.filter((code) => code === 'PROJECT_KEY_WRONG')).toHaveLength(10)
    expect(tries.filter((code) => code === '429')).toHaveLength(190)
    expect(await check(id, 'f'.repeat(64), '198.51.100.8')).toBe('PROJECT_KEY_WRONG')
    // A neighbour behind the same address who has the key is not shut out.
    expect(await check(id, key, '198.51.100.7')).toBe('right')
    expect(await alarmsOf(client)).toMatchObject([
      { type: 'projectAlarm', projectId: id, title: 'Wrong project keys' },
    ])
  })
})

describe('a quota', () => {
  const take = (id: number, rows: number) =>
    site.db.transaction().execute((trx) => site.platform.projects.quota.take(trx, id, rows))

  test('of a month counts up to its end, tells each level once, and grows with a machine', async () => {
    const { owner, id, client } = await createProject()
    const addMachine = async () => {
      const { machineId } = await site.createMachine({ owner: owner.userId })
      await client.call(projects.addProjectMachine, { id, machineId })
    }
    expect(await take(id, 1)).toBe(0)
    await addMachine()
    expect(await take(id, 79_999)).toBe(79_999)
    expect(await alarmsOf(client)).toEqual([])
    expect(await take(id, 1)).toBe(1)
    expect(await take(id, 30_000)).toBe(20_000)
    expect(await take(id, 30_000)).toBe(0)
    const percents = (await alarmsOf(client)).map(({ title }) => title)
    expect(percents).toEqual(['Quota used up', 'Quota running out'])
    const [project] = await client.call(projects.listProjects, { id })
    expect(project).toMatchObject({ report_count: 100_000, available_count: 0, state: 'quotaOver' })
    expect(await site.platform.projects.quota.listLeft(site.db, [id])).toEqual(new Map([[id, 0]]))
    // More than is left lasts until the end of no month.
    const askedAt = Date.now()
    expect((await client.call(projects.getProjectUsage, { id })).endsAt).toBeGreaterThanOrEqual(askedAt)
    await addMachine()
    expect(await take(id, 30_000)).toBe(30_000)
    const usage = await client.call(projects.getProjectUsage, { id })
    expect(usage).toMatchObject({ rows: 130_000, rowsMax: 200_000, perDay: 130_000 })
    expect(usage.minutes.reduce((sum, { rows }) => sum + rows, 0)).toBe(130_000)
  })

  test('tells each level to those who belong to the project, once a month', async () => {
    const { owner, id, client } = await createProject()
    const { machineId } = await site.createMachine({ owner: owner.userId })
    await client.call(projects.addProjectMachine, { id, machineId })
    const join = async (acceptedAt: Date | null) => {
      const person = await site.createUser()
      const member = { project_id: id, user_id: person.userId, level: 2, invited_by: owner.userId }
      await site.db
        .insertInto('project_members')
        .values({ ...member, invited_at: new Date(), accepted_at: acceptedAt })
        .execute()
      return site.as(person)
    }
    const [member, invited] = [await join(new Date()), await join(null)]
    const told = async (of: typeof client) =>
      (await alarmsOf(of)).map(({ title, body }) => /\d+%/.exec(body)?.[0] ?? title)
    for (const [rows, levels] of [
      [79_999, []],
      [1, ['80%']],
      [14_999, ['80%']],
      [1, ['95%', '80%']],
      [4_999, ['95%', '80%']],
      [1, ['Quota used up', '95%', '80%']],
      [1, ['Quota used up', '95%', '80%']],
    ] as const) {
      await take(id, rows)
      for (const each of [client, member]) expect(await told(each)).toEqual(levels)
    }
    expect(await told(invited)).toEqual([])
    await sql`update project_usage set month = month - interval '1 month' where project_id = ${id}`.execute(
      site.db,
    )
    await take(id, 80_000)
    expect(await told(member)).toEqual(['80%', 'Quota used up', '95%', '80%'])
  })

  test('that sixteen senders count at once is not exceeded', async () => {
    const { owner, id, client } = await createProject()
    const { machineId } = await site.createMachine({ owner: owner.userId })
    await client.call(projects.addProjectMachine, { id, machineId })
    const taken = await Promise.all(Array.from({ length: 16 }, () => take(id, 9_999)))
    expect(taken.reduce((sum, rows) => sum + rows, 0)).toBe(100_000)
  })
})
