import { access, accounts, alarms, machines } from '@busbar/contract'
import {
  createEnterprise,
  createEnterpriseMachine,
  createMachine,
  createMember,
  createUser,
  failureOf,
  grantMachine,
  listMachine,
  proveSession,
  startTestPlatform,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withTransaction } from '../../kernel/database/database.ts'
import { type AlarmEvent, writeAlarms } from './index.ts'
import { endDueShelves } from './shelves-service.ts'

const minuteMs = 60_000
const hourMs = 3_600_000

let site: TestPlatform
beforeAll(async () => {
  site = await startTestPlatform()
})
afterAll(() => site.stop())

/** Writes events as the ingest does, on a plain client. */
async function write(events: readonly AlarmEvent[]): Promise<number[]> {
  const changes = await withTransaction(site.db, async (trx) => {
    const client = {
      query: async (text: string, values: unknown[]) =>
        trx.executeQuery({ sql: text, parameters: values } as never),
    }
    return writeAlarms(client as never, events, site.platform.facts)
  })
  return [...new Set(changes.map(({ alarmId }) => alarmId))]
}

function raise(machineId: number, key: string, at: number, more: Partial<AlarmEvent> = {}): AlarmEvent {
  return {
    machineId,
    key,
    level: 'major',
    text: { en: `Trouble ${key}`, cn: `故障 ${key}` },
    state: 'raised',
    isRepeat: false,
    late: false,
    at,
    receivedAt: at,
    standing: undefined,
    ...more,
  }
}

async function createOwned(name?: string) {
  const owner = await createUser(site.db)
  const machine = await createMachine(site.db, { owner: owner.userId, ...(name && { name }) })
  return { owner, ...machine }
}

const factsOf = async (machineId: number) => {
  const facts = site.db.selectFrom('facts').select(['kind', 'payload', 'user_id'])
  return facts.where('machine_id', '=', machineId).where('kind', 'like', 'alarm.%').orderBy('id').execute()
}

const listOf = (user: TestUser, request = {}) => site.as(user).call(alarms.listAlarms, request)

describe('the list of alarms', () => {
  test('shows only alarms of the caller’s machines, the latest first, and none of a former owner', async () => {
    const [mine, others] = [await createOwned('Press 1'), await createOwned('Press 2')]
    const now = Date.now()
    await write([raise(mine.machineId, 'old', now - 3 * hourMs), raise(others.machineId, 'foreign', now)])
    await site.db
      .updateTable('machines')
      .set({ owned_since: new Date(now - hourMs) })
      .where('id', '=', mine.machineId)
      .execute()
    await write([
      raise(mine.machineId, 'A', now - 3 * minuteMs),
      raise(mine.machineId, 'B', now - 2 * minuteMs, { level: 'critical' }),
      raise(mine.machineId, 'A', now - minuteMs, { state: 'cleared' }),
    ])
    const { list, total } = await listOf(mine.owner)
    expect(total).toBe(2)
    expect(list.map(({ key, state, stage, machineName }) => [key, state, stage, machineName])).toEqual([
      ['B', 'active', 'activeUnacknowledged', 'Press 1'],
      ['A', 'cleared', 'clearedUnacknowledged', 'Press 1'],
    ])
    expect(list[0]).toMatchObject({
      level: 'critical',
      text: 'Trouble B',
      mayShelve: true,
      ruleId: null,
      value: null,
    })
    const keys = async (request: Parameters<typeof listOf>[1]) =>
      (await listOf(mine.owner, request)).list.map(({ key }) => key)
    expect(await keys({ state: 'active' })).toEqual(['B'])
    expect(await keys({ state: 'cleared' })).toEqual(['A'])
    expect(await keys({ level: ['critical'] })).toEqual(['B'])
    expect(await keys({ text: '故障 a' })).toEqual(['A'])
    expect(await keys({ text: 'rouble %' })).toEqual([])
    expect(await keys({ from: now - 2.5 * minuteMs })).toEqual(['B'])
    expect(await keys({ to: now - 2.5 * minuteMs })).toEqual(['A'])
    expect(await keys({ page: 2, pageSize: 1 })).toEqual(['A'])
    expect(await keys({ machineId: others.machineId })).toEqual([])
  })

  test('a tile of some devices had only those among the 50 worst alarms of the space', async () => {
    const [first, second, foreign] = [
      await createOwned('Press 1'),
      await createOwned('Press 2'),
      await createOwned('Press 3'),
    ]
    await listMachine(site.db, first.owner.userId, foreign.machineId)
    await grantMachine(site.db, first.owner.userId, second.machineId, { role: 'bkey' })
    const now = Date.now()
    await write([
      ...Array.from({ length: 3 }, (_, n) => raise(first.machineId, `W${n}`, now, { level: 'critical' })),
      raise(second.machineId, 'L', now, { level: 'info' }),
      raise(foreign.machineId, 'F', now),
    ])
    const keys = async (machineIds: number[], request = {}) =>
      (await listOf(first.owner, { machineIds, ...request })).list.map(({ key }) => key).sort()
    expect(await keys([second.machineId], { pageSize: 3 })).toEqual(['L'])
    expect(await keys([second.machineId, first.machineId])).toEqual(['L', 'W0', 'W1', 'W2'])
    expect(await keys([foreign.machineId])).toEqual([])
    expect((await listOf(first.owner, { machineIds: [second.machineId] })).total).toBe(1)
  })

  test('of an enterprise is shown to members who may watch or handle alarms', async () => {
    const { eid } = await createEnterprise(site.db)
    const { machineId } = await createEnterpriseMachine(site.db, eid)
    await write([raise(machineId, 'E1', Date.now())])
    const total = async (user: TestUser) => (await listOf(user, { eid })).total
    expect(await total(await createMember(site.db, eid, 'member', ['alarm']))).toBe(1)
    expect(await total(await createMember(site.db, eid, 'member', ['view']))).toBe(1)
    expect(await total(await createMember(site.db, eid, 'member', ['sms']))).toBe(0)
    expect(await total(await createUser(site.db))).toBe(0)
  })

  test('fills a rule’s text with the value, limit, unit and variable, as it was raised', async () => {
    const { owner, machineId } = await createOwned('Press 3')
    const tag = await site.db
      .insertInto('tags')
      .values({
        machine_id: machineId,
        group_name: 'Oil',
        name: 'oil_t',
        type: 'float64',
        unit: '°C',
        label: JSON.stringify({ en: 'Oil temperature', cn: '油温' }),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const ofRule = {
      ruleId: 77,
      tagId: tag.id,
      value: 81.5,
      limit: 80,
      instruction: { en: 'Open the valve', cn: '打开阀门' },
      text: { en: 'Oil temperature 81.5 °C, more than 80', cn: '油温过高：81.5 °C' },
    }
    // A machine's own alarm of the same key is another one.
    const now = Date.now()
    const [id] = await write([raise(machineId, 'hot', now - 2, ofRule), raise(machineId, 'hot', now - 1)])
    const { list } = await listOf(owner, { ruleId: 77 })
    expect(list).toMatchObject([
      {
        text: 'Oil temperature 81.5 °C, more than 80',
        tag: 'Oil temperature',
        unit: '°C',
        value: 81.5,
        limit: 80,
      },
    ])
    const detail = await site.as(owner).call(alarms.getAlarm, { id: id ?? 0 })
    expect(detail).toMatchObject({ instruction: 'Open the valve', group: 'Oil', maySeeKeys: true })
    expect((await listOf(owner, { state: 'active' })).total).toBe(2)
    expect((await factsOf(machineId))[0]).toMatchObject({
      kind: 'alarm.raised',
      payload: { ruleId: 77, tagId: tag.id, value: 81.5, limit: 80 },
    })
  })
})

describe('confirming', () => {
  test('records who, when and why, once, in the journal and as a fact', async () => {
    const { owner, machineId } = await createOwned()
    const ids = await write([raise(machineId, 'A', Date.now() - 2), raise(machineId, 'B', Date.now() - 1)])
    const confirm = () => site.as(owner).call(alarms.confirmAlarms, { ids, note: 'Filter changed' })
    expect(await confirm()).toEqual({ confirmed: 2 })
    expect(await confirm()).toEqual({ confirmed: 0 })
    const { list } = await listOf(owner)
    expect(list[0]).toMatchObject({ confirmed: true, note: 'Filter changed', stage: 'activeAcknowledged' })
    expect(list[0]?.confirmedBy).toBeTruthy()
    const journal = await site.as(owner).call(alarms.listAlarmJournal, { alarmId: ids[0] ?? 0 })
    expect(journal.list.map(({ kind, note }) => [kind, note])).toEqual([
      ['confirmed', 'Filter changed'],
      ['raised', ''],
    ])
    const confirmed = (await factsOf(machineId)).filter(({ kind }) => kind === 'alarm.confirmed')
    expect(confirmed).toMatchObject([{ user_id: owner.userId }, { user_id: owner.userId }])
    expect(JSON.stringify(confirmed)).not.toContain('Filter')
  })

  test('an alarm of a stranger’s machine, or of a former owner, is refused as one that does not exist', async () => {
    const [mine, others] = [await createOwned(), await createOwned()]
    const [foreign = 0] = await write([raise(others.machineId, 'A', Date.now())])
    const [former = 0] = await write([raise(mine.machineId, 'A', Date.now() - hourMs)])
    await sql`update machines set owned_since = now() where id = ${mine.machineId}`.execute(site.db)
    for (const id of [foreign, former, 999_999_999]) {
      expect((await failureOf(site.as(mine.owner), alarms.confirmAlarms, { ids: [id] })).code).toBe('403')
      expect((await failureOf(site.as(mine.owner), alarms.getAlarm, { id })).code).toBe('403')
    }
  })
})

describe('shelving', () => {
  const reason = 'Sensor is replaced'

  test('covers the alarms of a name until its end, is seen by everybody, and ends by itself', async () => {
    const { owner, machineId } = await createOwned()
    const visitor = await createUser(site.db)
    await grantMachine(site.db, visitor.userId, machineId, { role: 'visitor' })
    const [alarmId = 0] = await write([raise(machineId, 'A', Date.now()), raise(machineId, 'B', Date.now())])
    const until = Date.now() + hourMs
    const { id } = await site.as(owner).call(alarms.shelveAlarms, { machineId, alarmId, until, reason })
    const stages = async (user: TestUser) =>
      Object.fromEntries((await listOf(user)).list.map(({ key, stage }) => [key, stage]))
    expect(await stages(visitor)).toEqual({ A: 'shelved', B: 'activeUnacknowledged' })
    expect(await site.as(visitor).call(alarms.countAlarms, {})).toMatchObject({
      active: 1,
      shelved: 1,
      unconfirmed: 2,
    })
    expect((await listOf(visitor, { state: 'shelved' })).list.map(({ key }) => key)).toEqual(['A'])
    expect((await listOf(visitor)).list.every(({ mayShelve }) => !mayShelve)).toBe(true)
    const shelves = await site.as(visitor).call(alarms.listShelves, { machineId })
    expect(shelves).toMatchObject([
      { id, key: 'A', scope: 'alarm', until, reason, mayEnd: false, text: 'Trouble A' },
    ])

    // Its time is over: readers see it ended even before a job ends it, and the end is recorded once, with that time.
    const over = new Date(Date.now() - 1)
    await site.db.updateTable('alarm_shelves').set({ until: over }).where('id', '=', id).execute()
    expect(await stages(visitor)).toEqual({ A: 'activeUnacknowledged', B: 'activeUnacknowledged' })
    expect(await site.as(owner).call(alarms.listShelves, { machineId })).toEqual([])
    const { facts } = site.platform
    expect(await endDueShelves({ db: site.db, facts }, Date.now())).toBe(1)
    expect(await endDueShelves({ db: site.db, facts }, Date.now())).toBe(0)
    const journal = await site.as(owner).call(alarms.listAlarmJournal, { alarmId })
    expect(
      journal.list.map(({ kind, at, by, note }) => [kind, kind === 'unshelved' ? at : 0, by !== null, note]),
    ).toEqual([
      ['unshelved', over.getTime(), false, ''],
      ['shelved', 0, true, reason],
      ['raised', 0, false, ''],
    ])
    const kinds = (await factsOf(machineId)).map(({ kind }) => kind)
    expect(kinds.slice(2)).toEqual(['alarm.shelved', 'alarm.unshelved'])
  })

  test('out of service lasts until a person ends it, and covers the whole machine', async () => {
    const { owner, machineId } = await createOwned()
    await write([raise(machineId, 'A', Date.now())])
    const { id } = await site.as(owner).call(alarms.takeAlarmsOutOfService, { machineId, reason })
    await write([raise(machineId, 'B', Date.now())])
    expect((await listOf(owner)).list.map(({ stage, outOfService }) => [stage, outOfService])).toEqual([
      ['outOfService', true],
      ['outOfService', true],
    ])
    expect(
      await endDueShelves({ db: site.db, facts: site.platform.facts }, Date.now() + 400 * 24 * hourMs),
    ).toBe(0)
    await site.as(owner).call(alarms.endShelve, { id })
    await site.as(owner).call(alarms.endShelve, { id })
    expect((await listOf(owner)).list.map(({ stage }) => stage)).toEqual([
      'activeUnacknowledged',
      'activeUnacknowledged',
    ])
    const kinds = (await factsOf(machineId)).map(({ kind }) => kind)
    expect(kinds).toEqual(['alarm.raised', 'alarm.outOfService', 'alarm.raised', 'alarm.inService'])
  })

  test('refuses an end in the past or too late, two scopes, and things of other machines', async () => {
    const [mine, others] = [await createOwned(), await createOwned()]
    const [alarmId = 0] = await write([raise(others.machineId, 'A', Date.now())])
    const refused = async (request: object) =>
      (
        await failureOf(site.as(mine.owner), alarms.shelveAlarms, {
          machineId: mine.machineId,
          until: Date.now() + hourMs,
          reason,
          ...request,
        })
      ).code
    expect(await refused({ until: Date.now() - 1 })).toBe('SHELVE_SPAN')
    expect(await refused({ until: Date.now() + 31 * 24 * hourMs })).toBe('SHELVE_SPAN')
    expect(await refused({ ruleId: 1, tagId: 1 })).toBe('SHELVE_SCOPE')
    expect(await refused({ alarmId })).toBe('404')
    expect(await refused({ tagId: 999_999_999 })).toBe('404')
    expect(await refused({ ruleId: 999_999_999 })).toBe('404')
  })

  test('ends when the machine changes hands, and is missing in the next owner’s journal', async () => {
    const { owner, machineId } = await createOwned()
    const next = await createUser(site.db)
    await site.as(owner).call(alarms.shelveAlarms, { machineId, until: Date.now() + hourMs, reason })
    await write([raise(machineId, 'A', Date.now())])
    await proveSession(site.db, owner.sessionId)
    const { applyId } = await site
      .as(owner)
      .call(machines.offerMachine, { machineID: machineId, account: next.email })
    await site.as(next).call(machines.answerTransfer, { applyId, action: 'accept' })
    expect(await site.as(next).call(alarms.listShelves, { machineId })).toEqual([])
    const journal = await site.as(next).call(alarms.listAlarmJournal, { machineId })
    // The ends of the shelving and of the alarm are missing, too.
    expect(journal.list).toEqual([])
    expect((await listOf(next, { machineId })).total).toBe(0)
  })
})

describe('the counts', () => {
  test('are of the days of the reader’s time zone', async () => {
    const { owner, machineId } = await createOwned('Press 5')
    const zone = 'Pacific/Kiritimati'
    await site.as(owner).call(accounts.updateLocale, { timeZone: zone })
    const dayOf = (at: number) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at)
    const now = Date.now()
    let midnight = now
    while (dayOf(midnight - 1) === dayOf(now)) midnight -= minuteMs
    while (dayOf(midnight) !== dayOf(now)) midnight += 1_000
    await write([
      raise(machineId, 'A', midnight - 1_000 * 60),
      raise(machineId, 'A', Math.max(midnight, now - 1_000)),
      raise(machineId, 'B', now, { level: 'minor' }),
    ])
    const counts = await site.as(owner).call(alarms.countAlarms, {})
    expect(counts).toMatchObject({
      active: 2,
      unconfirmed: 2,
      today: 2,
      byLevel: { critical: 0, major: 1, minor: 1, info: 0 },
      topMachines: [{ machineId, machineName: 'Press 5', raised: 3 }],
    })
    expect(counts.byDay.map(({ raised }) => raised)).toEqual([0, 0, 0, 0, 0, 1, 2])
  })
})

describe('the quality of alarms', () => {
  test('finds floods, chattering, alarms active for too long and the worst ones', async () => {
    const { owner, machineId } = await createOwned()
    const to = Date.now()
    const from = to - 2 * 24 * hourMs
    const events: AlarmEvent[] = [raise(machineId, 'stands', from + minuteMs)]
    // Twelve within ten minutes, one of them four times within a minute.
    for (let n = 0; n < 8; n++) events.push(raise(machineId, `F${n}`, from + 30 * hourMs + n * 1_000))
    for (let n = 0; n < 4; n++) {
      const at = from + 30 * hourMs + 20_000 + n * 5_000
      events.push(
        raise(machineId, 'chatters', at),
        raise(machineId, 'chatters', at + 1_000, { state: 'cleared' }),
      )
    }
    await write(events)
    const quality = await site.as(owner).call(alarms.getAlarmQuality, { from, to })
    expect(quality).toMatchObject({
      raised: 13,
      byLevel: [{ level: 'major', raised: 13 }],
      perTenMinutes: { highest: 12, rating: 'acceptable' },
      perDay: { average: 6.5 },
      floodsCount: 1,
      floods: [{ raised: 12, peak: 12 }],
      chatteringCount: 1,
      chattering: [{ key: 'chatters', peak: 4, raised: 4 }],
      worst: [
        { key: 'chatters', raised: 4, percent: 30.8 },
        ...Array.from({ length: 9 }, () => ({ raised: 1 })),
      ],
    })
    expect(quality.standing.map(({ key }) => key)).toEqual(['stands'])
    expect(quality.byDay.reduce((sum, { raised }) => sum + raised, 0)).toBe(13)
    const { csv } = await site.as(owner).call(alarms.exportAlarmQuality, { from, to })
    expect(csv).toContain('Floods,1')
    const refused = await failureOf(site.as(owner), alarms.getAlarmQuality, {
      from: to - 100 * 24 * hourMs,
      to,
    })
    expect(refused.code).toBe('ALARM_SPAN')
  })
})

test('the files have a line for each alarm and event, and texts that are formulas stay texts', async () => {
  const { owner, machineId } = await createOwned()
  await write([
    raise(machineId, 'A', Date.now(), { text: { en: '=1+1' } }),
    raise(machineId, 'B', Date.now()),
  ])
  const list = await site.as(owner).call(alarms.exportAlarms, {})
  expect([list.lines, list.isCut]).toEqual([2, false])
  expect(list.csv).toContain("'=1+1")
  expect((await site.as(owner).call(alarms.exportAlarmJournal, { machineId })).lines).toBe(2)
  // In the form that the person selected, and each time with its offset.
  const { csv } = await site.as(owner).call(alarms.exportAlarms, { delimiter: 'semicolon' })
  expect(csv.split('\r\n')[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d;;/)
})

test('the file of alarms has the order of the list', async () => {
  const { owner, machineId } = await createOwned()
  const begin = Date.now() - 10_000
  await write([
    raise(machineId, 'B', begin, { level: 'minor', text: { en: 'second' } }),
    raise(machineId, 'A', begin + 1_000, { level: 'info', text: { en: 'third' } }),
    raise(machineId, 'C', begin + 2_000, { level: 'critical', text: { en: 'first' } }),
  ])
  const orderOf = async (request: { sort?: 'level' | 'raised'; direction?: 'asc' | 'desc' }) => {
    const { csv } = await site.as(owner).call(alarms.exportAlarms, request)
    return csv.match(/first|second|third/g)
  }
  expect(await orderOf({})).toEqual(['first', 'second', 'third'])
  expect(await orderOf({ sort: 'raised' })).toEqual(['first', 'third', 'second'])
  expect(await orderOf({ sort: 'level', direction: 'asc' })).toEqual(['first', 'second', 'third'])
  expect(await orderOf({ sort: 'level', direction: 'desc' })).toEqual(['third', 'second', 'first'])
  expect(await orderOf({ sort: 'raised', direction: 'asc' })).toEqual(['second', 'third', 'first'])
})

test('a person who lost the right no longer sees the alarm', async () => {
  const { owner, machineId } = await createOwned()
  const visitor = await createUser(site.db)
  const grant = await grantMachine(site.db, visitor.userId, machineId, { role: 'visitor' })
  await write([raise(machineId, 'A', Date.now())])
  expect((await listOf(visitor)).total).toBe(1)
  await site.as(owner).call(access.removeVisitor, { visitTimeId: grant })
  expect((await listOf(visitor)).total).toBe(0)
})

describe('the calls of the alarm centre', () => {
  test('answer a POST at their paths as they answer a GET, and at the short path of the counts', async () => {
    const { owner, machineId } = await createOwned()
    await write([raise(machineId, 'A', Date.now()), raise(machineId, 'B', Date.now(), { level: 'minor' })])
    const ask = async (method: 'GET' | 'POST', path: string, body?: object) => {
      const answer = await site.platform.app.inject({
        method,
        url: `/api/v1/devices/${path}`,
        headers: { token: owner.token, host: new URL(site.url).host },
        ...(body && { payload: body }),
      })
      expect(answer.statusCode).toBe(200)
      return answer.json().hwdata
    }
    const counts = await ask('GET', 'alarmCount/kanban')
    expect(counts).toMatchObject({ active: 2 })
    for (const method of ['GET', 'POST'] as const) expect(await ask(method, 'alarmCount')).toEqual(counts)
    expect(await ask('POST', 'alarmCount/kanban', {})).toEqual(counts)
    const found = await ask('POST', 'alarmList/kanban', { machineId, level: ['minor'] })
    expect(found.list.map(({ key }: { key: string }) => key)).toEqual(['B'])
  })
})
