import { alarms } from '@busbar/contract'
import {
  createMachine,
  createUser,
  grantMachine,
  startTestPlatform,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const hourMs = 3_600_000

let site: TestPlatform
let owner: TestUser
let machineIds: number[]
beforeAll(async () => {
  site = await startTestPlatform()
  owner = await createUser(site.db)
  // One more than in the first read, and only few have alarms.
  machineIds = []
  for (const name of ['Pump 10', 'Pump 2', 'Press', 'Oven'])
    machineIds.push((await createMachine(site.db, { owner: owner.userId, name })).machineId)
  await sql`
    insert into alarms (machine_id, key, level, text, raised_at, received_at, cleared_at, confirmed_at)
    select (${machineIds}::bigint[])[1 + n % 3], 'E' || n, (array['minor', 'critical', 'info', 'major'])[1 + n % 4],
           jsonb_build_object('en', 'Trouble ' || n), raised, raised, case when n % 5 > 1 then raised + n % 7 * interval '1 min' end,
           case when n % 2 = 0 then raised + interval '1 min' end
    from generate_series(1, 60) n, lateral (select now() - (n / 2) * interval '1 hour') t (raised)`.execute(
    site.db,
  )
  // Some of each state, and of each level, are covered.
  await sql`
    insert into alarm_shelves (machine_id, kind, scope, key, until, reason, by_user_id, created_at)
    select machine_id, case when id % 14 = 0 then 'outOfService' else 'shelved' end, 'alarm', key,
           case when id % 14 > 0 then now() + interval '1 hour' end, '', ${owner.userId}, now()
    from alarms where id % 7 = 0`.execute(site.db)
})
afterAll(() => site.stop())

type Row = alarms.AlarmRow
const needs = ['activeUnacknowledged', 'activeAcknowledged', 'clearedUnacknowledged', 'shelved', 'normal']
const needOf = ({ stage }: Row) => needs.indexOf(stage === 'outOfService' ? 'shelved' : stage)
const levels = ['critical', 'major', 'minor', 'info']
const stateOf = ({ state, confirmed }: Row) => (state === 'active' ? 0 : 2) + (confirmed ? 1 : 0)
const names = new Intl.Collator('en', { numeric: true })
const latest = (a: Row, b: Row) => b.raisedAt - a.raisedAt || b.alarmId - a.alarmId

/** The expected order of a list, with all rows at hand. */
const models: Record<alarms.AlarmSort, (a: Row, b: Row, sign: number) => number> = {
  need: (a, b, sign) =>
    sign * (needOf(a) - needOf(b) || levels.indexOf(a.level) - levels.indexOf(b.level) || latest(a, b)),
  raised: (a, b, sign) => -sign * latest(a, b),
  cleared: (a, b, sign) => {
    if (a.clearedAt === null || b.clearedAt === null)
      return Number(a.clearedAt === null) - Number(b.clearedAt === null) || latest(a, b)
    return sign * (a.clearedAt - b.clearedAt || a.alarmId - b.alarmId)
  },
  level: (a, b, sign) => sign * (levels.indexOf(a.level) - levels.indexOf(b.level)) || latest(a, b),
  machine: (a, b, sign) => sign * names.compare(a.machineName, b.machineName) || latest(a, b),
  state: (a, b, sign) => sign * (stateOf(a) - stateOf(b)) || latest(a, b),
}

const list = (request: object, user = owner) => site.as(user).call(alarms.listAlarms, request)

describe.each(Object.keys(models) as alarms.AlarmSort[])('a list by %s', (sort) => {
  test.each(['asc', 'desc'] as const)(
    'is ordered %s over all pages, by `next` as by page',
    async (direction) => {
      const { list: all } = await list({ pageSize: 200 })
      const sign = direction === 'asc' ? 1 : -1
      const expected = all.toSorted((a, b) => models[sort](a, b, sign)).map(({ alarmId }) => alarmId)
      expect(expected).toHaveLength(60)

      const [byNext, byPage]: [number[], number[]] = [[], []]
      let after: string | undefined
      for (let page = 1; page <= 9; page++) {
        const asked = { sort, direction, pageSize: 7 }
        const answer = await list({ ...asked, ...(after && { after }) })
        byNext.push(...answer.list.map(({ alarmId }) => alarmId))
        byPage.push(...(await list({ ...asked, page })).list.map(({ alarmId }) => alarmId))
        expect(answer.next === null).toBe(page === 9)
        after = answer.next ?? undefined
      }
      expect(byNext).toEqual(expected)
      expect(byPage).toEqual(expected)
    },
  )
})

test('a list by machine is found behind many machines without alarms', async () => {
  const other = await createUser(site.db)
  for (let n = 0; n < 70; n++) await createMachine(site.db, { owner: other.userId, name: `A ${n}` })
  await grantMachine(site.db, other.userId, machineIds[0] ?? 0, { role: 'visitor' })
  const answer = await list({ sort: 'machine', pageSize: 200 }, other)
  expect(answer.list).toHaveLength(20)
  expect(answer.next).toBeNull()
})

test('a cursor names no alarm of a stranger, and one of another form is refused', async () => {
  const stranger = await createUser(site.db)
  await createMachine(site.db, { owner: stranger.userId })
  const { next } = await list({ pageSize: 7, sort: 'level' })
  expect((await list({ sort: 'level', after: next }, stranger)).list).toEqual([])
  await expect(list({ after: 'x' })).rejects.toThrow()
})

describe('an act on many alarms', () => {
  test('is done to those that the caller may act on, and answers for each', async () => {
    const [holder, stranger] = [await createUser(site.db), await createUser(site.db)]
    const { machineId } = await createMachine(site.db, { owner: stranger.userId })
    await sql`insert into alarms (machine_id, key, level, text, raised_at, received_at)
      values (${machineId}, 'S', 'major', '{}', now(), now())`.execute(site.db)
    const { list: hidden } = await list({}, stranger)
    await grantMachine(site.db, holder.userId, machineIds[1] ?? 0, { role: 'visitor' })
    const { list: seen } = await list({ state: 'unconfirmed', pageSize: 3 }, holder)
    const ids = [...seen.map(({ alarmId }) => alarmId), hidden[0]?.alarmId ?? 0, 999_999_999]
    const confirm = async () =>
      (await site.as(holder).call(alarms.confirmManyAlarms, { ids, note: 'seen' })).list.map(
        ({ result, code }) => code || result,
      )
    expect(await confirm()).toEqual(['done', 'done', 'done', '404', '404'])
    expect(await confirm()).toEqual(['already', 'already', 'already', '404', '404'])
    const { list: rows } = await list({ machineId: machineIds[1], state: 'confirmed', pageSize: 200 }, holder)
    expect(rows.filter(({ note }) => note === 'seen')).toHaveLength(3)
    expect((await list({}, stranger)).list[0]?.confirmed).toBe(false)

    const until = Date.now() + hourMs
    const shelve = async (user: TestUser) =>
      (await site.as(user).call(alarms.shelveManyAlarms, { ids, until, reason: 'worn' })).list.map(
        ({ result, code }) => code || result,
      )
    // A visitor sees alarms, and shelves none.
    expect(await shelve(holder)).toEqual(['403', '403', '403', '404', '404'])
    expect(await shelve(owner)).toEqual(['done', 'done', 'done', '404', '404'])
    const shelves = await site.as(owner).call(alarms.listShelves, { machineId: machineIds[1] ?? 0 })
    const ofAct = shelves.filter(({ reason }) => reason === 'worn')
    expect(ofAct.map(({ reason, scope }) => [reason, scope])).toEqual(Array(3).fill(['worn', 'alarm']))
    const late = site.as(owner).call(alarms.shelveManyAlarms, { ids, until: 1, reason: 'worn' })
    await expect(late).rejects.toMatchObject({ code: 'SHELVE_SPAN' })
  })

  test('a read-only key shelved many alarms at once, and was offered it; acknowledging is theirs', async () => {
    const watcher = await createUser(site.db)
    await grantMachine(site.db, watcher.userId, machineIds[2] ?? 0, { role: 'bkey', readOnly: true })
    const { list: seen } = await list({ state: 'unconfirmed', pageSize: 2 }, watcher)
    expect(seen.map(({ mayShelve }) => mayShelve)).toEqual([false, false])
    const ids = seen.map(({ alarmId }) => alarmId)
    const shelve = { ids, until: Date.now() + hourMs, reason: 'worn' }
    const shelved = await site.as(watcher).call(alarms.shelveManyAlarms, shelve)
    expect(shelved.list.map(({ code }) => code)).toEqual(['403', '403'])
    const confirmed = await site.as(watcher).call(alarms.confirmManyAlarms, { ids })
    expect(confirmed.list.map(({ result }) => result)).toEqual(['done', 'done'])
  })
})
