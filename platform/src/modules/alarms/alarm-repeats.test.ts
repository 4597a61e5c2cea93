import { alarmLimits, alarms } from '@busbar/contract'
import type { TestUser } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'

const site = useSite()
let owner: TestUser
beforeAll(async () => {
  owner = await site.createUser()
  const machineIds: number[] = []
  for (let n = 0; n < 3; n++) machineIds.push((await site.createMachine({ owner: owner.userId })).machineId)
  // Few keys, so that each has many repeats; at most one of them stands, the last of its key.
  await sql`
    insert into alarms (machine_id, key, level, text, raised_at, received_at, cleared_at, confirmed_at)
    select (${machineIds}::bigint[])[1 + n % 3], 'E' || n % 5, (array['minor', 'critical', 'info', 'major'])[1 + n * 7 % 4],
           '{}', raised, raised, case when n < 285 or n % 2 = 0 then raised + interval '1 min' end,
           case when n * 11 % 13 > 4 then raised + interval '1 min' end
    from generate_series(1, 300) n, lateral (select now() - (301 - n) / 2 * interval '37 minutes') t (raised)`.execute(
    site.db,
  )
  await sql`
    insert into alarm_shelves (machine_id, kind, scope, key, until, reason, by_user_id, created_at)
    values (${machineIds[0]}, 'shelved', 'alarm', 'E1', now() + interval '1 hour', '', ${owner.userId}, now())`.execute(
    site.db,
  )
})

const dayMs = 86_400_000
const isLate = ({ raisedAt }: Row) => raisedAt >= Date.now() - alarmLimits.alarmRepeatsDays * dayMs

type Row = alarms.AlarmRow
type Asked = Partial<Parameters<typeof alarms.listAlarms.request.parse>[0] & object>

const list = (request: Asked) => site.as(owner).call(alarms.listAlarms, request)

async function listAll(request: Asked): Promise<Row[]> {
  const rows: Row[] = []
  let after: string | undefined
  do {
    const answer = await list({ ...request, ...(after && { after }), pageSize: 4 })
    rows.push(...answer.list)
    after = answer.next ?? undefined
  } while (after !== undefined)
  return rows
}

const nameOf = ({ machineId, ruleId, key }: Row) => `${machineId}/${ruleId}/${key}`
const isLater = (a: Row, b: Row) => a.raisedAt - b.raisedAt || a.alarmId - b.alarmId

/** The rows of a list, from one that has every raising. */
function newestOf(all: readonly Row[]): Row[] {
  return all.filter(
    (row) =>
      row.state === 'active' ||
      !isLate(row) ||
      !all.some(
        (other) =>
          nameOf(other) === nameOf(row) && isLater(other, row) > 0 && (!other.confirmed || row.confirmed),
      ),
  )
}

describe.each(alarms.alarmSorts)('a list by %s whose repeats are one row', (sort) => {
  test.each<Asked>([
    {},
    { state: 'unconfirmed' },
    { state: 'cleared' },
    { state: 'active' },
    { level: ['critical', 'info'] },
    { to: Date.now() - dayMs },
  ])('has the newest of each that match %o, in its order, over all pages', async (filters) => {
    const all = (await list({ ...filters, sort, pageSize: 200 })).list
    const more = await list({ ...filters, sort, pageSize: 200, page: 2 })
    const rows = await listAll({ ...filters, sort, repeats: 'newest' })
    const expected = newestOf([...all, ...more.list])
    expect(rows.map(({ alarmId }) => alarmId)).toEqual(expected.map(({ alarmId }) => alarmId))
    const { total } = await list({ ...filters, sort, repeats: 'newest' })
    expect(total).toBe(rows.length)
  })
})

test('a row counts its repeats and names the last five times; a list of all raisings does neither', async () => {
  const all = await listAll({})
  expect(all.every(({ repeats }) => repeats === undefined)).toBe(true)
  for (const row of await listAll({ repeats: 'newest' })) {
    const own = all.filter(
      (other) => nameOf(other) === nameOf(row) && isLater(other, row) <= 0 && isLate(other),
    )
    const at = own.map(({ raisedAt }) => raisedAt).toSorted((a, b) => b - a)
    expect(row.repeats).toEqual(own.length > 1 ? { count: own.length, at: at.slice(0, 5) } : undefined)
  }
})

describe.each([alarms.confirmAlarms, alarms.confirmManyAlarms])('acknowledging by $path', (route) => {
  test('an earlier repeat came up in place of the acknowledged row; with its repeats it is done', async () => {
    const asked = { state: 'unconfirmed', sort: 'need' } as const
    const rows = await listAll({ ...asked, repeats: 'newest' })
    const unconfirmed = await listAll(asked)
    const lately = unconfirmed.filter(isLate)
    const row = rows.find((one) => lately.filter((other) => nameOf(other) === nameOf(one)).length > 2)
    if (!row) throw new Error('no alarm has unacknowledged repeats')
    const shown = async () =>
      (await listAll({ ...asked, repeats: 'newest' })).find(
        (other) => nameOf(other) === nameOf(row) && isLate(other),
      )
    await site.as(owner).call(route, { ids: [row.alarmId] })
    const earlier = await shown()
    expect(earlier?.raisedAt).toBeLessThanOrEqual(row.raisedAt)
    await site.as(owner).call(route, { ids: [earlier?.alarmId ?? 0], repeats: true })
    expect(await shown()).toBeUndefined()
    const left = await listAll(asked)
    const others = unconfirmed.filter((other) => nameOf(other) !== nameOf(row) || !isLate(other))
    expect(left.map(({ alarmId }) => alarmId)).toEqual(others.map(({ alarmId }) => alarmId))
  })
})
