import {
  alarmLimits,
  alarms,
  alarmRules as contract,
  enterprises,
  formatCsv,
  parseCsv,
  platformAlarms,
  type RequestOf,
} from '@busbar/contract'
import { RawClient } from '@busbar/platform/test-support/gateway/raw-client.ts'
import { sample } from '@busbar/platform/test-support/telemetry/test-store.ts'
import {
  aside,
  createEnterprise,
  createMachine,
  createUser,
  failureOf,
  grantMachine,
  listMachine,
  startTestPlatform,
  type TestPlatform,
  type TestUser,
} from '@busbar/testkit'
import { countLockWaits } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withTransaction } from '../../kernel/database/database.ts'
import { changeOwner } from '../access/index.ts'

let site: TestPlatform
let owner: TestUser
beforeAll(async () => {
  site = await startTestPlatform()
  owner = await createUser(site.db)
})
afterAll(() => site.stop())

const said = { level: 'major' as const, text: { cn: '过热', en: 'Too hot' }, onDelay: 0, offDelay: 0 }
const over = (tagId: number, limit = 80) => ({
  ...said,
  kind: 'threshold' as const,
  tagId,
  op: '>' as const,
  limit,
})

/** A machine of the owner that has sent values of its variables. */
async function createPress(tags = ['temp', 'pressure']) {
  const machine = await createMachine(site.db, { owner: owner.userId, type: 'press' })
  const { machineId } = machine
  const time = Date.now()
  await site.platform.telemetry.append(machineId, [
    ...tags.map((tag) => sample(tag, 20.5, { time })),
    sample('mode', 'auto', { time }),
  ])
  const known = await site.platform.telemetry.listTags(machineId, 'en')
  return { machineId, machine, tagId: (name: string) => known.find(({ tag }) => tag === name)?.tagId ?? 0 }
}

const client = () => site.as(owner)
const listed = (machineId: number) => client().call(contract.listAlarmRules, { machineId })

describe('a rule', () => {
  test('is made, listed, edited and removed', async () => {
    const { machineId, tagId } = await createPress()
    const rule = {
      ...over(tagId('temp')),
      instruction: 'Open the valve',
      activeHours: { days: [1], from: '08:00', to: '18:00' },
    }
    const { id } = await client().call(contract.createAlarmRule, { machineId, ...rule })
    expect(await listed(machineId)).toMatchObject([
      { id, ...rule, tag: 'temp', isActive: false, raisedAt: null },
    ])
    await client().call(contract.updateAlarmRule, { id, ...over(tagId('pressure'), 5) })
    expect(await listed(machineId)).toMatchObject([{ id, tagId: tagId('pressure'), limit: 5 }])
    await client().call(contract.deleteAlarmRule, { id })
    expect(await listed(machineId)).toEqual([])
    expect((await failureOf(client(), contract.deleteAlarmRule, { id })).code).toBe('403')
  })

  test('is shelved before it ever raised an alarm, by the machine it belongs to', async () => {
    const [one, other] = [await createPress(), await createPress()]
    const { id: ruleId } = await client().call(contract.createAlarmRule, {
      machineId: one.machineId,
      ...over(one.tagId('temp')),
    })
    const wish = { ruleId, until: Date.now() + 3_600_000, reason: 'The sensor is worn' }
    const { id } = await client().call(alarms.shelveAlarms, { machineId: one.machineId, ...wish })
    expect(await client().call(alarms.listShelves, { machineId: one.machineId })).toMatchObject([
      { id, scope: 'rule', ruleId },
    ])
    const foreign = { machineId: other.machineId, ...wish }
    expect((await failureOf(client(), alarms.shelveAlarms, foreign)).code).toBe('404')
  })

  test('that is edited or removed ends its alarm with an event that has the reason', async () => {
    const { machineId, tagId } = await createPress()
    const { id } = await client().call(contract.createAlarmRule, { machineId, ...over(tagId('temp'), 10) })
    const isActive = async () => (await listed(machineId))[0]?.isActive
    await expect.poll(isActive).toBe(true)
    await client().call(contract.updateAlarmRule, { id, ...over(tagId('temp'), 15) })
    await expect.poll(isActive).toBe(true)
    await client().call(contract.deleteAlarmRule, { id })
    const { list } = await client().call(alarms.listAlarmJournal, { machineId, kind: ['cleared'] })
    expect(list.map(({ note }) => note)).toEqual(['The rule was deleted', 'The rule was changed'])
  })

  test('ends with its owner: its alarm is over, and it raises nothing for the next owner', async () => {
    const next = await createUser(site.db)
    const { machineId, tagId } = await createPress()
    const { id } = await client().call(contract.createAlarmRule, { machineId, ...over(tagId('temp'), 10) })
    await expect.poll(async () => (await listed(machineId))[0]?.isActive).toBe(true)
    const { facts, telemetry } = site.platform
    await site.db
      .transaction()
      .execute((trx) => changeOwner({ trx, facts }, machineId, { userId: next.userId }, new Date()))
    await listMachine(site.db, next.userId, machineId)
    expect(await site.as(next).call(contract.listAlarmRules, { machineId })).toEqual([])
    const openRules = async () => {
      const open = site.db.selectFrom('alarms').select('rule_id').where('machine_id', '=', machineId)
      return (await open.where('cleared_at', 'is', null).execute()).map((row) => row.rule_id)
    }
    expect(await openRules()).toEqual([])
    // The value crosses the limits of both.
    await telemetry.append(machineId, [sample('temp', 40, { time: Date.now() })])
    const known = await telemetry.listTags(machineId, 'en')
    const theirs = await site.as(next).call(contract.createAlarmRule, {
      machineId,
      ...over(known.find(({ tag }) => tag === 'temp')?.tagId ?? 0, 30),
    })
    await expect.poll(openRules).toEqual([theirs.id])
    expect(theirs.id).not.toBe(id)
  })

  test('leaves no alarm to the next owner if the machine changes hands while it is being written', async () => {
    const next = await createUser(site.db)
    const { machineId, tagId } = await createPress()
    const { id } = await client().call(contract.createAlarmRule, { machineId, ...over(tagId('temp')) })
    const { facts, telemetry } = site.platform
    const owned = Date.now() + 1_000
    let change: Promise<unknown> | undefined
    await withTransaction(
      site.db,
      aside(async (trx) => {
        // The alarm is written after this one is gone.
        await sql`
        insert into alarms (machine_id, key, rule_id, raised_at, received_at, level, text, count)
        values (${machineId}, ${`rule.${id}`}, ${id}, now(), now(), 'major', '{}', 1)`.execute(trx)
        await telemetry.append(machineId, [sample('temp', 90, { time: Date.now() })])
        await expect.poll(() => countLockWaits(site.db), { interval: 5, timeout: 15_000 }).toBe(1)
        change = withTransaction(site.db, (changing) =>
          changeOwner({ trx: changing, facts }, machineId, { userId: next.userId }, new Date(owned)),
        )
        await expect.poll(() => countLockWaits(site.db), { interval: 5, timeout: 15_000 }).toBe(2)
        await sql`delete from alarms where machine_id = ${machineId}`.execute(trx)
      }),
    )
    await change
    const written = site.db.selectFrom('alarms').select(['received_at', 'cleared_at'])
    const [alarm] = await written.where('machine_id', '=', machineId).execute()
    expect(alarm?.received_at.getTime()).toBeLessThan(owned)
    expect(alarm?.cleared_at).not.toBeNull()
  })

  test('names variables of its machine only, in types that can be compared', async () => {
    const [one, other] = [await createPress(), await createPress()]
    const ask = (rule: ReturnType<typeof over>) =>
      failureOf(client(), contract.createAlarmRule, { machineId: one.machineId, ...rule })
    expect((await ask(over(other.tagId('temp')))).code).toBe('RULE_TAG_UNKNOWN')
    expect((await ask(over(one.tagId('mode')))).code).toBe('RULE_TAG_TYPE')
  })

  test('follows its variable when that gets another type', async () => {
    const { machineId, tagId } = await createPress()
    const before = tagId('temp')
    await client().call(contract.createAlarmRule, { machineId, ...over(before) })
    await site.platform.telemetry.append(machineId, [sample('temp', 90n, { time: Date.now() + 1 })])
    const [rule] = await listed(machineId)
    expect(rule?.tagId).not.toBe(before)
    await expect.poll(async () => (await listed(machineId))[0]?.isActive).toBe(true)
  })

  test('is tried on late samples as on live ones, and says from when on', async () => {
    const dayMs = 24 * 3_600_000
    const begin = Date.now() - 7 * dayMs
    const trials = await Promise.all(
      [false, true].map(async (late) => {
        const { machineId, tagId } = await createPress()
        // Above the limit for one hour of each of seven days.
        for (let day = 0; day < 7; day++)
          await sql`insert into samples (tag_id, at, received_at, quality, late, num)
            values (${tagId('temp')}, ${new Date(begin + day * dayMs)}, now(), 192, ${late}, 95),
                   (${tagId('temp')}, ${new Date(begin + day * dayMs + 3_600_000)}, now(), 192, ${late}, 20)`.execute(
            site.db,
          )
        return client().call(contract.tryAlarmRule, { machineId, ...over(tagId('temp')) })
      }),
    )
    for (const trial of trials) {
      expect(trial).toMatchObject({ count: 7, from: begin, samples: 15 })
      expect(trial.spans[0]).toEqual([begin, begin + 3_600_000])
    }
  })

  test('is not said to be tried on 30 days where its values begin just now', async () => {
    const { machineId, tagId } = await createPress()
    const rule = { machineId, ...over(tagId('temp'), 10) }
    const { from, to, samples, count } = await client().call(contract.tryAlarmRule, rule)
    expect({ samples, count }).toEqual({ samples: 1, count: 1 })
    expect(to - from).toBeLessThan(60_000)
  })
})

describe('a rule on absence', () => {
  const away = { ...said, kind: 'away' as const, minutes: 10 }
  const minuteMs = 60_000

  /** A machine that was connected at these times; null: it still is. */
  async function createSeen(...spans: (readonly [from: number, to: number | null])[]) {
    const { machineId, machine } = await createPress()
    const now = Date.now()
    for (const [from, to] of spans)
      await sql`insert into machine_connections (machine_id, protocol, address, started_at, last_seen_at, ended_at)
        values (${machineId}, 'mqtt', '::1', ${new Date(now + from * minuteMs)}, now(),
          ${to === null ? null : new Date(now + to * minuteMs)})`.execute(site.db)
    return { machineId, machine }
  }

  test('is made without a variable, copied, kept as a template, and leaves as a file', async () => {
    const [{ machineId }, { machineId: other }] = [await createSeen(), await createSeen()]
    const { id } = await client().call(contract.createAlarmRule, { machineId, ...away })
    expect(await listed(machineId)).toMatchObject([{ id, ...away, tag: null }])
    const copied = { machineId, ids: [id], machineIds: [other] }
    expect(await client().call(contract.copyAlarmRules, copied)).toEqual({ created: 1, refused: [] })
    const { csv } = await client().call(contract.exportAlarmRules, { machineId: other })
    await client().call(contract.deleteAlarmRule, { id })
    expect(await client().call(contract.importAlarmRules, { machineId, csv })).toEqual({
      created: 1,
      refused: [],
    })
    const [rule] = await listed(machineId)
    expect(rule).toMatchObject(away)
    const template = { machineId, name: 'Absence', ids: [rule?.id ?? 0] }
    const { id: templateId } = await client().call(contract.saveAlarmRuleTemplate, template)
    const { machineId: third } = await createSeen()
    const applied = { id: templateId, machineId: third }
    expect(await client().call(contract.applyAlarmRuleTemplate, applied)).toMatchObject({ created: 1 })
    expect(await listed(third)).toMatchObject([away])
    await client().call(contract.deleteAlarmRuleTemplate, { id: templateId, machineId })
  })

  test('raises the alarm of the platform, which a shelving of the rule covers and the return of the machine clears', async () => {
    const { machineId, machine } = await createSeen([-600, -20])
    const { id: ruleId } = await client().call(contract.createAlarmRule, { machineId, ...away })
    const found = async () => (await client().call(alarms.listAlarms, { machineId })).list
    await expect.poll(found).toMatchObject([{ key: 'busbar/away', ruleId, state: 'active' }])
    const wish = { ruleId, until: Date.now() + 3_600_000, reason: 'Holidays' }
    await client().call(alarms.shelveAlarms, { machineId, ...wish })
    expect(await found()).toMatchObject([{ stage: 'shelved' }])
    const connected = await RawClient.login(site.mqttPort, machine)
    await expect.poll(found).toMatchObject([{ state: 'cleared' }])
    connected.socket.destroy()
  })

  test('is tried on the connections of the last 30 days; without any it cannot be', async () => {
    const tried = async ({ machineId }: { machineId: number }) =>
      client().call(contract.tryAlarmRule, { machineId, ...away })
    const { count, spans, from, to } = await tried(
      await createSeen([-600, -500], [-495, -400], [-300, -100], [-60, -30]),
    )
    expect(spans.map((span) => span.map((at) => at && Math.round((at - to) / minuteMs)))).toEqual([
      [-390, -300],
      [-90, -60],
      [-20, null],
    ])
    expect([count, Math.round((from - to) / minuteMs)]).toEqual([3, -600])
    expect(await tried(await createSeen([-600, -500], [-495, null]))).toMatchObject({ count: 0, spans: [] })
    const never = await tried(await createSeen())
    expect(never).toEqual({ count: 0, spans: [], from: never.to, to: never.to, samples: 0 })
  })

  test('comes to the new devices of an enterprise, until that is switched off', async () => {
    const { eid, owner } = await createEnterprise(site.db)
    const asOwner = site.as(owner)
    const add = async () => {
      const password = 'label 4711'
      const { code, machineId } = await createMachine(site.db, { password })
      await asOwner.call(enterprises.addEnterpriseMachine, { eid, machineCode: code, name: code, password })
      return asOwner.call(contract.listAlarmRules, { machineId })
    }
    const rule = { kind: 'away', minutes: 10, level: 'major', text: platformAlarms.away.text }
    expect(await add()).toMatchObject([rule])
    expect(await asOwner.call(enterprises.getEnterprise, { eid })).toMatchObject({ awayRules: true })
    await asOwner.call(enterprises.updateEnterprise, { eid, awayRules: false })
    expect(await asOwner.call(enterprises.getEnterprise, { eid })).toMatchObject({ awayRules: false })
    expect(await add()).toEqual([])
    const { detail } = await site.db
      .selectFrom('audit_entries')
      .select('detail')
      .where('action', '=', 'enterprise.update')
      .where('target', '=', String(eid))
      .executeTakeFirstOrThrow()
    expect(detail).toMatchObject({ awayRules: false })
  })

  test('comes with a device that is transferred to an enterprise, in place of the rules of its former owner', async () => {
    const { eid, owner: next } = await createEnterprise(site.db)
    const { machineId, tagId } = await createPress()
    await client().call(contract.createAlarmRule, { machineId, ...over(tagId('temp')) })
    const { facts } = site.platform
    await withTransaction(site.db, (trx) =>
      changeOwner({ trx, facts }, machineId, { enterpriseId: eid }, new Date()),
    )
    expect(await site.as(next).call(contract.listAlarmRules, { machineId })).toMatchObject([{ kind: 'away' }])
  })

  test('cannot be a part of a combination', async () => {
    const { machineId, tagId } = await createPress()
    const rules = [away, over(tagId('temp'))]
    const body = { machineId, ...said, kind: 'all' as const, rules }
    expect((await failureOf(client(), contract.createAlarmRule, body)).code).toBe('400')
  })
})

describe('rules', () => {
  test('are copied to the machines that have the variables and are the caller’s', async () => {
    const source = await createPress()
    const bare = await createPress(['temp'])
    const foreign = await createMachine(site.db, { owner: (await createUser(site.db)).userId })
    const ids: number[] = []
    for (const tag of ['temp', 'pressure']) {
      const rule = { machineId: source.machineId, ...over(source.tagId(tag)) }
      ids.push((await client().call(contract.createAlarmRule, rule)).id)
    }
    const copy = { machineId: source.machineId, ids, machineIds: [bare.machineId, foreign.machineId] }
    expect(await client().call(contract.copyAlarmRules, copy)).toEqual({
      created: 1,
      refused: [
        { machineId: bare.machineId, id: ids[1], reason: 'tagUnknown' },
        { machineId: foreign.machineId, id: null, reason: 'noRight' },
      ],
    })
    expect(await listed(bare.machineId)).toMatchObject([{ tagId: bare.tagId('temp'), limit: 80 }])
    expect((await client().call(contract.copyAlarmRules, copy)).refused[0]?.reason).toBe('exists')
  })

  test('were copied to a machine whose key may only read', async () => {
    const source = await createPress(['temp'])
    const target = await createPress(['temp'])
    const { machineId } = source
    const { id } = await client().call(contract.createAlarmRule, { machineId, ...over(source.tagId('temp')) })
    const keeper = await createUser(site.db)
    await grantMachine(site.db, keeper.userId, machineId, { role: 'bkey' })
    await grantMachine(site.db, keeper.userId, target.machineId, { role: 'bkey', readOnly: true })
    const copy = { machineId, ids: [id], machineIds: [target.machineId] }
    expect(await site.as(keeper).call(contract.copyAlarmRules, copy)).toEqual({
      created: 0,
      refused: [{ machineId: target.machineId, id: null, reason: 'noRight' }],
    })
    expect(await listed(target.machineId)).toEqual([])
  })

  test('are kept as a template of the owner for the type of the machine', async () => {
    const source = await createPress()
    const { machineId } = source
    const { id } = await client().call(contract.createAlarmRule, { machineId, ...over(source.tagId('temp')) })
    await client().call(contract.saveAlarmRuleTemplate, { machineId, name: 'Presses', ids: [id] })
    const target = await createPress()
    const [template] = await client().call(contract.listAlarmRuleTemplates, { machineId: target.machineId })
    expect(template).toMatchObject({ name: 'Presses', machineType: 'press', rules: 1 })
    const apply = { id: template?.id ?? 0, machineId: target.machineId }
    expect(await client().call(contract.applyAlarmRuleTemplate, apply)).toEqual({ created: 1, refused: [] })
    const pump = await createMachine(site.db, { owner: owner.userId, type: 'pump' })
    expect(await client().call(contract.listAlarmRuleTemplates, { machineId: pump.machineId })).toEqual([])
    await client().call(contract.deleteAlarmRuleTemplate, apply)
    expect(await client().call(contract.listAlarmRuleTemplates, { machineId })).toEqual([])
  })

  test('leave as a file and come back the same; refused lines are named', async () => {
    const source = await createPress()
    const { machineId } = source
    const both = {
      ...said,
      kind: 'all' as const,
      rules: [
        { kind: 'threshold' as const, tagId: source.tagId('temp'), op: '<' as const, limit: -5 },
        { kind: 'state' as const, tagId: source.tagId('mode'), equals: 'auto' },
      ],
    }
    await client().call(contract.createAlarmRule, { machineId, ...over(source.tagId('temp')) })
    await client().call(contract.createAlarmRule, { machineId, ...both })
    const { csv } = await client().call(contract.exportAlarmRules, { machineId })
    const target = await createPress()
    const read = (text: string) =>
      client().call(contract.importAlarmRules, { machineId: target.machineId, csv: text })
    expect(await read(csv)).toEqual({ created: 2, refused: [] })
    expect((await client().call(contract.exportAlarmRules, { machineId: target.machineId })).csv).toBe(csv)
    const wrong = formatCsv([
      ['tag', 'kind', 'op', 'limit', 'level', 'cn', 'en'],
      ['temp', 'threshold', '>', 'hot', 'major', '热', 'Hot'],
      ['speed', 'threshold', '>', '5', 'major', '快', 'Fast'],
      ['temp', 'threshold', '>', '70', 'major', '', ''],
      ['temp', 'threshold', '>', '70', 'major', '热', 'Hot'],
    ])
    expect(await read(wrong)).toEqual({
      created: 1,
      refused: [
        { line: 2, reason: 'line', column: 'limit' },
        { line: 3, reason: 'tagUnknown', column: 'tag' },
        { line: 4, reason: 'line', column: 'cn' },
      ],
    })
    expect((await read(csv)).refused).toMatchObject([
      { line: 2, reason: 'exists' },
      { line: 3, reason: 'exists' },
    ])
    const unreadable = { machineId: target.machineId, csv: 'a,b\n1,2' }
    expect((await failureOf(client(), contract.importAlarmRules, unreadable)).code).toBe(
      'RULE_FILE_UNREADABLE',
    )
  })

  test('a German Excel’s file of rules was refused, and its FALSCH was true', async () => {
    const source = await createPress()
    const { machineId } = source
    const rule = { ...over(source.tagId('temp')), limit: 80.5 }
    const bit = { ...said, kind: 'state' as const, tagId: source.tagId('pressure'), bit: 2, isSet: false }
    const text = { ...said, kind: 'state' as const, tagId: source.tagId('mode'), equals: '1,50' }
    for (const one of [rule, bit, text]) await client().call(contract.createAlarmRule, { machineId, ...one })
    const { csv } = await client().call(contract.exportAlarmRules, { machineId })
    const german = parseCsv(csv)
      .map(({ cells }) => cells.map((cell) => ({ '80.5': '80,5', false: 'FALSCH' })[cell] ?? cell))
      .map((cells) => cells.map((cell) => (cell.includes(';') ? `"${cell}"` : cell)).join(';'))
    const target = await createPress()
    const done = await client().call(contract.importAlarmRules, {
      machineId: target.machineId,
      csv: german.join('\r\n'),
    })
    expect(done).toEqual({ created: 3, refused: [] })
    expect((await client().call(contract.exportAlarmRules, { machineId: target.machineId })).csv).toBe(csv)
    const odd = 'tag;kind;bit;isSet;level;cn;en\npressure;state;2;perhaps;major;位;Bit'
    const { refused } = await client().call(contract.importAlarmRules, {
      machineId: target.machineId,
      csv: odd,
    })
    expect(refused).toEqual([{ line: 2, reason: 'line', column: 'isSet' }])
  })

  test('a file with more lines than can be used is refused before they are checked', async () => {
    const { machineId } = await createPress()
    const endless = `kind,level\n${'x\n'.repeat(alarmLimits.alarmRuleFileLines + 1)}`
    const failure = await failureOf(client(), contract.importAlarmRules, { machineId, csv: endless })
    expect(failure.code).toBe('RULE_FILE_TOO_LONG')
    const most = `kind,level\n${'x\n'.repeat(alarmLimits.alarmRuleFileLines)}`
    const { refused } = await client().call(contract.importAlarmRules, { machineId, csv: most })
    expect(refused).toHaveLength(alarmLimits.alarmRuleFileLines)
  })
})

describe('the rules of all devices', () => {
  test('are listed with the names of devices and variables, searched, filtered, sorted and counted', async () => {
    const person = await createUser(site.db)
    const mine = (name: string) => createMachine(site.db, { owner: person.userId, name })
    const [oven, press] = [await mine('Oven'), await mine('Press')]
    const all = (request: Partial<RequestOf<typeof contract.listAllAlarmRules>> = {}) =>
      site.as(person).call(contract.listAllAlarmRules, request)
    const rule = async ({ machineId }: { machineId: number }, level: 'minor' | 'critical') => {
      await site.platform.telemetry.append(machineId, [sample('temp', 20.5, { time: Date.now() })])
      const [tag] = await site.platform.telemetry.listTags(machineId, 'en')
      const fields = { ...over(tag?.tagId ?? 0), level }
      return site.as(person).call(contract.createAlarmRule, { machineId, ...fields })
    }
    const [minor, critical] = [await rule(oven, 'minor'), await rule(press, 'critical')]

    const found = await all()
    expect(found).toMatchObject({ total: 2, isCut: false })
    expect(found.list).toMatchObject([
      { id: minor.id, machineName: 'Oven', tag: 'temp', tags: [{ tag: 'temp' }], mayEdit: true },
      { id: critical.id, machineName: 'Press', machineId: press.machineId, isActive: false },
    ])
    const ids = async (request: Parameters<typeof all>[0]) => (await all(request)).list.map(({ id }) => id)
    expect(await ids({ search: 'PRES' })).toEqual([critical.id])
    expect(await ids({ search: 'temp' })).toHaveLength(2)
    expect(await ids({ search: 'threshold' })).toEqual([])
    expect(await ids({ level: 'minor' })).toEqual([minor.id])
    expect(await ids({ state: 'active' })).toEqual([])
    expect(await ids({ sort: 'level' })).toEqual([critical.id, minor.id])
    expect(await ids({ sort: 'device', order: 'desc' })).toEqual([critical.id, minor.id])
    expect(await ids({ page: 2, pageSize: 1 })).toEqual([critical.id])
  })

  test('of a device of others are seen by those who handle its alarms, and changed by its keys', async () => {
    const { machineId, tagId } = await createPress()
    const { id } = await client().call(contract.createAlarmRule, { machineId, ...over(tagId('temp')) })
    const [stranger, visitor] = [await createUser(site.db), await createUser(site.db)]
    await listMachine(site.db, stranger.userId, machineId)
    await grantMachine(site.db, visitor.userId, machineId, { role: 'visitor' })
    const list = async (user: TestUser) => (await site.as(user).call(contract.listAllAlarmRules, {})).list
    expect(await list(stranger)).toEqual([])
    expect(await list(visitor)).toMatchObject([{ id, mayEdit: false }])
  })
})
