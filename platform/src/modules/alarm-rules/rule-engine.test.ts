import { minuteMs, sample, useStore } from '@busbar/platform/test-support/telemetry/test-store.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { Facts } from '../../kernel/facts/facts.ts'
import { silentLogger } from '../../kernel/logger.ts'
import type { SampleRecord, Telemetry } from '../telemetry/index.ts'
import type { StoredCondition } from './rule-condition.ts'
import { type EngineDeps, RuleEngine } from './rule-engine.ts'
import { addRules, editRule, type RulesDeps, removeRule } from './rules-service.ts'
import type { RuleBody } from './rules-store.ts'
import { RunningRule } from './running-rule.ts'

const store = useStore()
const engines: RuleEngine[] = []
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop()
})

const over80: StoredCondition = {
  kind: 'threshold',
  tag: { group: '', name: 'temp' },
  op: '>',
  limit: 80,
  deadband: 0,
}
const quiet: StoredCondition = { kind: 'noData', tag: { group: '', name: 'temp' }, seconds: 60 }
const body = (condition: StoredCondition, more: Partial<RuleBody> = {}): RuleBody => ({
  condition,
  level: 'major',
  onDelay: 0,
  offDelay: 0,
  text: { cn: '{tag} {value} 超过 {limit}', en: '{tag} {value} is over {limit}' },
  instruction: null,
  activeHours: null,
  ...more,
})

const factsOf = () =>
  new Facts({ db: store.db, bus: createLocalBus(silentLogger), logger: silentLogger, now: () => store.clock })

function depsOf(): RulesDeps {
  const listTags = (machineId: number) => store.telemetry.listWireTags(machineId, 'cn')
  return { db: store.db, facts: factsOf(), now: () => store.clock, listTags }
}

/** An engine on a store of samples, as a process that begins. */
async function startEngine(
  telemetry: Telemetry = store.telemetry,
  node: { nodeId: string; others?: EngineDeps['others'] } = { nodeId: 'one' },
): Promise<RuleEngine> {
  const engine = new RuleEngine({
    db: store.db,
    telemetry,
    facts: factsOf(),
    logger: silentLogger,
    ...node,
    now: () => store.clock,
  })
  await engine.start()
  engines.push(engine)
  return engine
}

/** A machine whose variable is known, with one rule. */
async function createRule(rule: RuleBody) {
  const machineId = await store.createMachine()
  await store.telemetry.append(machineId, [sample('temp', 20, { time: store.clock - minuteMs })])
  const { ids } = await addRules(depsOf(), machineId, [rule], { skipsKnown: false })
  return { machineId, id: ids[0] as number }
}

const say = (machineId: number, value: number, more: Partial<SampleRecord> = {}) =>
  store.telemetry.append(machineId, [sample('temp', value, { time: store.clock, ...more })])

/** The alarms of a machine, the oldest first. */
async function alarmsOf(machineId: number) {
  const { rows } = await sql<{ text: { en: string }; raised: number; isOpen: boolean; count: number }>`
    select text, (extract(epoch from raised_at) * 1000)::float8 as raised, cleared_at is null as "isOpen", count
    from alarms where machine_id = ${machineId} order by raised_at`.execute(store.db)
  return rows
}

const openOf = async (machineId: number) => (await alarmsOf(machineId)).map(({ isOpen }) => isOpen)

describe('a rule', () => {
  test('raises an alarm with its value when a sample crosses its limit, and clears it', async () => {
    const { machineId } = await createRule(body(over80))
    const engine = await startEngine()
    await say(machineId, 81.5)
    await engine.settled()
    const raised = await alarmsOf(machineId)
    expect(raised).toMatchObject([
      { isOpen: true, raised: store.clock, text: { en: 'temp 81.5 is over 80' } },
    ])
    store.clock += 1_000
    await say(machineId, 79)
    await engine.settled()
    expect(await openOf(machineId)).toEqual([false])
  })

  test('waits for one round trip to the database, not two, before its alarm is checked', async () => {
    const { machineId } = await createRule(body(over80))
    const engine = await startEngine()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    await say(machineId, 81.5)
    await engine.settled()
    const texts = query.mock.calls.map(([config]) =>
      String((config as { text?: string }).text ?? config).trim(),
    )
    query.mockRestore()
    const known = texts.findIndex((text) => text.includes('plan: known-alarms'))
    expect(texts[known - 1]).toMatch(/^begin;\s+with held/)
    expect(texts).not.toContain('begin')
  })

  test('is not moved by late data', async () => {
    const { machineId } = await createRule(body(over80))
    const engine = await startEngine()
    await say(machineId, 99, { time: store.clock - 30_000, late: true })
    await engine.settled()
    expect(await alarmsOf(machineId)).toEqual([])
  })

  test('takes the samples of a message in the order of the machine’s time', async () => {
    const { machineId } = await createRule(body(over80))
    const engine = await startEngine()
    store.clock += 5_000
    await store.telemetry.append(machineId, [
      sample('temp', 20, { time: store.clock }),
      sample('temp', 99, { time: store.clock - 2_000 }),
    ])
    await engine.settled()
    expect(await alarmsOf(machineId)).toMatchObject([{ isOpen: false, raised: store.clock - 2_000 }])
  })

  test('raises at once where the newest value holds when it is made', async () => {
    const machineId = await store.createMachine()
    const engine = await startEngine()
    await say(machineId, 90)
    store.clock += 5_000
    await addRules(depsOf(), machineId, [body(over80)], { skipsKnown: false })
    await engine.reload([machineId])
    await engine.settled()
    expect(await alarmsOf(machineId)).toMatchObject([{ isOpen: true, raised: store.clock }])
  })

  test('that is edited ends its alarm, and begins anew with the other limit', async () => {
    const { machineId, id } = await createRule(body(over80))
    const engine = await startEngine()
    await say(machineId, 90)
    await engine.settled()
    await editRule(depsOf(), machineId, id, body({ ...over80, limit: 95 }))
    expect(await openOf(machineId)).toEqual([false])
    await engine.reload([machineId])
    store.clock += 1_000
    await say(machineId, 94)
    await engine.settled()
    expect(await openOf(machineId)).toEqual([false])
    store.clock += 1_000
    await say(machineId, 96)
    await engine.settled()
    expect(await openOf(machineId)).toEqual([false, true])
  })

  test('that is edited in the millisecond in which its alarm was raised raises it anew', async () => {
    const { machineId, id } = await createRule(body(over80))
    const engine = await startEngine()
    await say(machineId, 90)
    await engine.settled()
    await editRule(depsOf(), machineId, id, body({ ...over80, limit: 85 }))
    await engine.reload([machineId])
    await engine.settled()
    expect(await openOf(machineId)).toEqual([false, true])
  })

  test('that gets another text keeps its alarm, and one that is removed ends it', async () => {
    const { machineId, id } = await createRule(body(over80))
    const engine = await startEngine()
    await say(machineId, 90)
    await engine.settled()
    await editRule(depsOf(), machineId, id, body(over80, { level: 'critical' }))
    await engine.reload([machineId])
    expect(await openOf(machineId)).toEqual([true])
    await removeRule(depsOf(), machineId, id)
    expect(await openOf(machineId)).toEqual([false])
  })

  test('that was removed raises nothing, even before the engine receives the removal', async () => {
    const { machineId, id } = await createRule(body(over80))
    const engine = await startEngine()
    await removeRule(depsOf(), machineId, id)
    await say(machineId, 90)
    await engine.settled()
    expect(await alarmsOf(machineId)).toEqual([])
  })
})

describe('time alone', () => {
  const idsOf = async (machineId: number) => {
    const { rows } = await sql<{ rule: number; raised: number }>`
      select rule_id as rule, (extract(epoch from raised_at) * 1000)::float8 as raised
      from alarms where machine_id = ${machineId} and cleared_at is null order by rule_id`.execute(store.db)
    return rows
  }

  test('raises the alarm of a delay when it is over, and clears it so, without another value', async () => {
    const { machineId, id } = await createRule(body(over80, { onDelay: 10, offDelay: 5 }))
    // Raised before the other's delay is over: the engine has checked the time by then.
    const { ids } = await addRules(depsOf(), machineId, [body(over80, { onDelay: 9 })], { skipsKnown: false })
    await startEngine()
    const metAt = store.clock
    await say(machineId, 90)
    store.clock += 9_500
    const sooner = { rule: ids[0], raised: metAt + 9_000 }
    await expect.poll(() => idsOf(machineId), { interval: 10 }).toEqual([sooner])
    store.clock += 500
    const later = { rule: id, raised: metAt + 10_000 }
    await expect.poll(() => idsOf(machineId), { interval: 10 }).toEqual([later, sooner])
    await say(machineId, 20)
    await expect.poll(() => idsOf(machineId), { interval: 10 }).toEqual([later])
    store.clock += 5_000
    await expect.poll(() => idsOf(machineId), { interval: 10 }).toEqual([])
  })

  test('raises an alarm where a variable falls silent, and the next value clears it', async () => {
    const { machineId, id } = await createRule(body(quiet))
    const engine = await startEngine()
    store.clock += 1_000
    await say(machineId, 21)
    const raised = store.clock + 60_000
    store.clock += 60_000
    await expect.poll(() => idsOf(machineId), { interval: 10 }).toEqual([{ rule: id, raised }])
    store.clock += 1_000
    await say(machineId, 22)
    await engine.settled()
    expect(await idsOf(machineId)).toEqual([])
  })

  test('is checked for rules that are due, and for no others', async () => {
    const { machineId } = await createRule(body(over80, { onDelay: 10 }))
    await addRules(depsOf(), machineId, [body(quiet)], { skipsKnown: false })
    const { ids } = await addRules(depsOf(), machineId, [body(over80, { onDelay: 1 })], { skipsKnown: false })
    await startEngine()
    const raised = store.clock + 1_000
    await say(machineId, 90)
    const passed = vi.spyOn(RunningRule.prototype, 'pass')
    try {
      store.clock += 1_000
      await expect.poll(() => idsOf(machineId), { interval: 10 }).toEqual([{ rule: ids[0], raised }])
      expect(passed.mock.contexts.map((rule) => (rule as RunningRule).row.id)).toEqual(ids)
    } finally {
      passed.mockRestore()
    }
  })

  test('counts on as silence while the machine is offline, and runs no delay', async () => {
    const { machineId, id } = await createRule(body(quiet))
    await addRules(depsOf(), machineId, [body(over80, { onDelay: 10 })], { skipsKnown: false })
    await startEngine()
    store.clock += 1_000
    await say(machineId, 90)
    const raised = store.clock + 60_000
    store.telemetry.markStale(machineId)
    store.clock += 60_000
    await expect.poll(() => idsOf(machineId), { interval: 10 }).toEqual([{ rule: id, raised }])
  })
})

describe('a rule on absence', () => {
  const away5 = body(
    { kind: 'away', minutes: 5 },
    { text: { cn: '离线 {limit} 分钟', en: 'Offline for {limit} min' } },
  )

  /** A machine with the rule; its connections are written as presence does. */
  async function createWatched(rule = away5) {
    const machineId = await store.createMachine()
    const { ids } = await addRules(depsOf(), machineId, [rule], { skipsKnown: false })
    return { machineId, id: ids[0] as number }
  }
  const connect = (machineId: number, at = store.clock) =>
    sql`insert into machine_connections (machine_id, protocol, address, started_at, last_seen_at, node_id)
      values (${machineId}, 'mqtt', '::1', ${new Date(at)}, ${new Date(at)}, 'one')`.execute(store.db)
  const disconnect = (machineId: number, at = store.clock) =>
    sql`update machine_connections set ended_at = ${new Date(at)}
      where machine_id = ${machineId} and ended_at is null`.execute(store.db)
  /** Waits until time has passed for the engine. */
  async function pass(engine: RuleEngine, ms: number) {
    store.clock += ms
    // Ticks come by the process's clock.
    await new Promise((resolve) => setTimeout(resolve, 450))
    await engine.settled()
  }

  test('raises when the machine has been away for so long, and clears when it is back', async () => {
    const { machineId } = await createWatched()
    const engine = await startEngine()
    await connect(machineId)
    engine.notice([machineId])
    await pass(engine, 10 * minuteMs)
    expect(await alarmsOf(machineId)).toEqual([])
    const goneAt = store.clock
    await disconnect(machineId)
    engine.notice([machineId])
    await pass(engine, 4 * minuteMs)
    expect(await alarmsOf(machineId)).toEqual([])
    await pass(engine, minuteMs)
    expect(await alarmsOf(machineId)).toMatchObject([
      { isOpen: true, raised: goneAt + 5 * minuteMs, text: { cn: '离线 5 分钟', en: 'Offline for 5 min' } },
    ])
    const { rows } = await sql`select key, value, limit_value from alarms`.execute(store.db)
    expect(rows).toContainEqual({ key: 'busbar/away', value: null, limit_value: null })
    store.clock += 1_000
    await connect(machineId)
    engine.notice([machineId])
    await engine.settled()
    expect(await openOf(machineId)).toEqual([false])
  })

  test('raises nothing for a machine that never connected, nor one that came back unheard', async () => {
    const never = await createWatched()
    const { machineId } = await createWatched()
    const engine = await startEngine()
    await connect(machineId)
    await disconnect(machineId)
    engine.notice([machineId])
    await engine.settled()
    store.clock += 1_000
    await connect(machineId)
    await pass(engine, 10 * minuteMs)
    expect([await alarmsOf(never.machineId), await alarmsOf(machineId)]).toEqual([[], []])
  })

  test('goes on after the platform was away: machines have a minute to come back', async () => {
    const [back, gone] = [await createWatched(), await createWatched()]
    for (const { machineId } of [back, gone]) await connect(machineId)
    const before = await startEngine()
    await before.stop()
    for (const { machineId } of [back, gone]) await disconnect(machineId)
    store.clock += 30 * minuteMs
    const engine = await startEngine()
    await pass(engine, 10_000)
    await connect(back.machineId)
    engine.notice([back.machineId])
    await pass(engine, 49_000)
    expect([await alarmsOf(back.machineId), await alarmsOf(gone.machineId)]).toEqual([[], []])
    await pass(engine, 2_000)
    expect(await openOf(gone.machineId)).toEqual([true])
    expect(await alarmsOf(back.machineId)).toEqual([])
    await engine.stop()
    store.clock += minuteMs
    await connect(gone.machineId)
    await (await startEngine()).settled()
    expect(await openOf(gone.machineId)).toEqual([false])
  })

  test('that is made for a machine which is away raises at once, and ends with its removal', async () => {
    const machineId = await store.createMachine()
    await connect(machineId)
    await disconnect(machineId)
    const engine = await startEngine()
    store.clock += minuteMs * 60
    const madeAt = store.clock
    const { ids } = await addRules(depsOf(), machineId, [away5], { skipsKnown: false })
    await engine.reload([machineId])
    await pass(engine, 10)
    expect(await alarmsOf(machineId)).toMatchObject([{ isOpen: true, raised: madeAt + 1 }])
    await removeRule(depsOf(), machineId, ids[0] as number)
    expect(await openOf(machineId)).toEqual([false])
    await engine.reload([machineId])
    await pass(engine, 10 * minuteMs)
    expect(await openOf(machineId)).toEqual([false])
  })

  test('starts anew with the next owner: the connections of the former one count for nothing', async () => {
    const { machineId } = await createWatched()
    await connect(machineId)
    await disconnect(machineId)
    store.clock += 1_000
    await sql`update machines set owned_since = ${new Date(store.clock)} where id = ${machineId}`.execute(
      store.db,
    )
    const engine = await startEngine()
    await pass(engine, 10 * minuteMs)
    expect(await alarmsOf(machineId)).toEqual([])
  })

  test('goes with its machine to another node, which alone clears and raises', async () => {
    const { machineId } = await createWatched()
    const holders = new Map([[machineId, 'one']])
    const othersOf = (nodeId: string): EngineDeps['others'] => ({
      isHere: (id) => holders.get(id) === nodeId,
      listLiving: async () => ['one', 'two'],
    })
    await connect(machineId)
    const one = await startEngine(store.telemetry, { nodeId: 'one', others: othersOf('one') })
    const two = await startEngine(store.telemetry, { nodeId: 'two', others: othersOf('two') })
    one.arrive(machineId)
    await one.settled()
    await disconnect(machineId)
    holders.delete(machineId)
    for (const engine of [one, two]) engine.notice([machineId])
    await pass(one, 6 * minuteMs)
    expect(await openOf(machineId)).toEqual([true])
    await sql`insert into machine_connections (machine_id, protocol, address, started_at, last_seen_at, node_id)
      values (${machineId}, 'mqtt', '::1', ${new Date(store.clock)}, ${new Date(store.clock)}, 'two')`.execute(
      store.db,
    )
    holders.set(machineId, 'two')
    two.arrive(machineId)
    for (const engine of [one, two]) engine.notice([machineId])
    await Promise.all([one.settled(), two.settled()])
    expect(await openOf(machineId)).toEqual([false])
    await disconnect(machineId)
    holders.delete(machineId)
    for (const engine of [one, two]) engine.notice([machineId])
    await pass(two, 6 * minuteMs)
    await one.settled()
    expect(await alarmsOf(machineId)).toMatchObject([
      { isOpen: false, count: 1 },
      { isOpen: true, count: 1 },
    ])
  })
})

describe('after a crash', () => {
  /** Samples that were acknowledged while no engine evaluated them: it was killed right after their commit. */
  const sayUnheard = (machineId: number, value: number, more: Partial<SampleRecord> = {}) => {
    store.telemetry.watch({ find: () => undefined, take: () => undefined, lose: () => undefined })
    store.telemetry.rewatch(machineId)
    return say(machineId, value, more)
  }

  test('a machine that went on sending raises no alarm of silence', async () => {
    const { machineId } = await createRule(body(quiet))
    const engine = await startEngine()
    await say(machineId, 0)
    await engine.reload([machineId])
    // Values alone do not write the state of a rule about silence.
    for (let said = 1; said <= 6; said++) {
      store.clock += 20_000
      await say(machineId, said)
    }
    await engine.stop()
    store.clock += 1_000
    await sayUnheard(machineId, 7)
    await (await startEngine(await store.open())).settled()
    expect(await alarmsOf(machineId)).toEqual([])
  })

  test('an alarm whose sample was acknowledged is raised, and none is raised twice', async () => {
    const { machineId } = await createRule(body(over80))
    await (await startEngine()).stop()
    store.clock += 1_000
    await sayUnheard(machineId, 90)
    for (let start = 0; start < 3; start++) {
      store.clock += 1_000
      const engine = await startEngine(await store.open())
      await engine.settled()
      expect(await alarmsOf(machineId)).toMatchObject([{ isOpen: true, count: 1 }])
    }
  })

  test('a value that came and went is raised and cleared', async () => {
    const { machineId } = await createRule(body(over80))
    await (await startEngine()).stop()
    for (const value of [90, 20]) {
      store.clock += 1_000
      await sayUnheard(machineId, value)
    }
    await (await startEngine(await store.open())).settled()
    expect(await alarmsOf(machineId)).toMatchObject([{ isOpen: false, count: 1 }])
  })

  test('a delay goes on, and the next value raises the alarm where it still holds', async () => {
    const { machineId } = await createRule(body(over80, { onDelay: 10 }))
    await (await startEngine()).stop()
    store.clock += 1_000
    await sayUnheard(machineId, 90)
    store.clock += minuteMs
    const telemetry = await store.open()
    const engine = await startEngine(telemetry)
    await engine.settled()
    expect(await alarmsOf(machineId)).toEqual([])
    await telemetry.append(machineId, [sample('temp', 91, { time: store.clock })])
    await engine.settled()
    expect(await alarmsOf(machineId)).toMatchObject([{ isOpen: true, raised: store.clock }])
  })
})

describe('at several nodes', () => {
  let holder = 'one'
  let living = ['one', 'two']
  const nodeOf = (nodeId: string) => ({
    nodeId,
    others: { isHere: () => holder === nodeId, listLiving: async () => living },
  })

  test('a rule goes with its machine to another node, and the former one raises nothing any more', async () => {
    holder = 'one'
    living = ['one', 'two']
    const { machineId } = await createRule(body(over80, { onDelay: 10 }))
    const elsewhere = await store.open({ nodeId: 'two', listLivingNodes: async () => ['main', 'two'] })
    try {
      const two = await startEngine(elsewhere, nodeOf('two'))
      expect(two.stats().rules).toBe(0)
      const one = await startEngine(store.telemetry, nodeOf('one'))
      await one.reload([machineId])
      expect(one.stats().rules).toBe(1)
      await say(machineId, 85)
      await one.settled()
      holder = 'two'
      two.arrive(machineId)
      await two.settled()
      expect(two.stats().rules).toBe(1)
      store.clock += 1_000
      await elsewhere.append(machineId, [sample('temp', 20, { time: store.clock })])
      store.clock += 20_000
      // It still has a value over the limit: it tries to raise the alarm.
      await expect.poll(() => one.stats().rules, { timeout: 10_000 }).toBe(0)
      expect(await alarmsOf(machineId)).toEqual([])
      await elsewhere.append(machineId, [sample('temp', 90, { time: store.clock })])
      store.clock += 11_000
      await expect.poll(() => openOf(machineId), { timeout: 10_000 }).toEqual([true])
    } finally {
      for (const engine of engines.splice(0)) await engine.stop()
      await elsewhere.stop()
    }
  })

  test.each([
    { lost: 'the answer to its commit was lost', at: /^commit/i },
    {
      lost: 'the database was away before it was read',
      at: /join machines on machines.id = rules.machine_id/,
    },
    { lost: 'the database was away before its samples were read', at: /from tags/ },
  ])('a rule that was taken over is evaluated although $lost', async ({ at }) => {
    holder = 'one'
    living = ['one', 'two']
    const { machineId } = await createRule(body(over80))
    const one = await startEngine(store.telemetry, nodeOf('one'))
    await one.reload([machineId])
    // The former node had evaluated until here.
    await one.stop()
    await say(machineId, 85)
    const two = await startEngine(store.telemetry, nodeOf('two'))
    expect(two.stats().rules).toBe(0)
    holder = 'two'
    let failures = 1
    const { query } = pg.Client.prototype
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...given: Parameters<typeof query>
    ) {
      const answer = Reflect.apply(query, this, given) as unknown as Promise<unknown>
      const [config] = given as readonly unknown[]
      if (failures === 0 || !at.test(String((config as { text?: string }).text ?? config).trim()))
        return answer as never
      failures--
      const lost = async () => {
        await answer
        throw new Error('Connection terminated unexpectedly')
      }
      return lost() as never
    })
    onTestFinished(() => spy.mockRestore())
    two.arrive(machineId)
    await expect.poll(() => openOf(machineId), { timeout: 10_000 }).toEqual([true])
    expect(failures).toBe(0)
  })

  test('a node does not take rules of a machine that went elsewhere without its notice', async () => {
    living = ['one', 'two']
    const { machineId } = await createRule(body(over80))
    // It holds a connection that is broken and not ended.
    const holding = (nodeId: string) => ({ nodeId, others: { ...nodeOf(nodeId).others, isHere: () => true } })
    const two = await startEngine(store.telemetry, holding('two'))
    await two.reload([machineId])
    expect(two.stats().rules).toBe(1)
    const one = await startEngine(store.telemetry, holding('one'))
    const at = new Date(store.clock)
    const connection = { machine_id: machineId, protocol: 'mqtt', address: '', node_id: 'one' }
    await store.db
      .insertInto('machine_connections')
      .values({ ...connection, started_at: at, last_seen_at: at })
      .execute()
    one.arrive(machineId)
    await one.settled()
    expect(one.stats().rules).toBe(1)
    two.reclaim()
    await two.settled()
    await say(machineId, 90)
    await one.settled()
    expect(await openOf(machineId)).toEqual([true])
    // It read which nodes live before the other one came back.
    living = ['three']
    const three = await startEngine(store.telemetry, holding('three'))
    expect(three.stats().rules).toBe(0)
  })

  test('a node takes rules back that it lost although their machine is there', async () => {
    holder = 'one'
    living = ['one', 'two']
    const { machineId } = await createRule(body(over80))
    await startEngine(store.telemetry, nodeOf('two'))
    const one = await startEngine(store.telemetry, nodeOf('one'))
    await one.reload([machineId])
    await sql`update alarm_rules set node_id = 'two' where machine_id = ${machineId}`.execute(store.db)
    await say(machineId, 90)
    await expect.poll(() => openOf(machineId), { timeout: 10_000 }).toEqual([true])
    expect(one.stats().rules).toBe(1)
  })

  test('the rules of a node that is gone are evaluated by one that begins, silence too', async () => {
    holder = 'nobody'
    living = ['one']
    const { machineId } = await createRule(body(quiet))
    await (await startEngine(store.telemetry, { nodeId: 'gone' })).stop()
    const one = await startEngine(store.telemetry, nodeOf('one'))
    expect(one.stats().rules).toBe(1)
    store.clock += 2 * minuteMs
    await expect.poll(() => openOf(machineId), { timeout: 10_000 }).toEqual([true])
  })

  /** A machine's samples at a node that does not evaluate its rules. */
  async function sayAt(nodeId: string, machineId: number, values: readonly number[]): Promise<void> {
    const elsewhere = await store.open({ nodeId, listLivingNodes: async () => ['main', nodeId] })
    for (const value of values) {
      store.clock += 100
      await elsewhere.append(machineId, [sample('temp', value, { time: store.clock })])
    }
    await elsewhere.stop()
  }

  const connect = async (machineId: number, nodeId: string) => {
    const at = new Date(store.clock)
    const connection = { machine_id: machineId, protocol: 'mqtt', address: '', node_id: nodeId }
    await sql`update machine_connections set ended_at = ${at} where machine_id = ${machineId}`.execute(
      store.db,
    )
    const times = { started_at: at, last_seen_at: at }
    await store.db
      .insertInto('machine_connections')
      .values({ ...connection, ...times })
      .execute()
  }

  /** From now on statements whose text matches fail, until the answer is called. */
  function failStatements(at: RegExp): () => void {
    const { query } = pg.Client.prototype
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...given: Parameters<typeof query>
    ) {
      const [config] = given as readonly unknown[]
      const text = String((config as { text?: string }).text ?? config)
      if (at.test(text)) return Promise.reject(new Error('Connection terminated unexpectedly')) as never
      return Reflect.apply(query, this, given) as never
    })
    onTestFinished(() => spy.mockRestore())
    return () => spy.mockRestore()
  }

  test('a rule that no node evaluated gets the samples since it was made', async () => {
    holder = 'one'
    living = ['one', 'two']
    const one = await startEngine(store.telemetry, nodeOf('one'))
    const { machineId } = await createRule(body(over80))
    // The database failed before the claim: these were acknowledged, and their rules were nobody's.
    await sayAt('main', machineId, [90, 20])
    const two = await startEngine(store.telemetry, nodeOf('two'))
    store.clock += 8_000
    holder = 'two'
    two.arrive(machineId)
    await two.settled()
    expect(await openOf(machineId)).toEqual([false])
    expect(one.stats().rules).toBe(0)
  })

  test('a rule that was edited while its machine sent values is evaluated with them by the node that takes it', async () => {
    holder = 'one'
    living = ['one']
    const { machineId, id } = await createRule(body({ ...over80, limit: 99 }))
    const one = await startEngine(store.telemetry, nodeOf('one'))
    await one.reload([machineId])
    await editRule(depsOf(), machineId, id, body(over80))
    store.clock += 1_000
    await say(machineId, 90)
    store.clock += 6_000
    // The node ends before it reads the edit, but not before it moves its position.
    await one.stop()
    living = ['two']
    await (await startEngine(store.telemetry, nodeOf('two'))).settled()
    expect(await openOf(machineId)).toEqual([true])
  })

  test('a node that ends before it repeated the samples of rules it claimed leaves them to the next', async () => {
    holder = 'one'
    living = ['one', 'two']
    const { machineId } = await createRule(body(over80))
    const one = await startEngine(store.telemetry, nodeOf('one'))
    await one.reload([machineId])
    await one.stop()
    await sayAt('main', machineId, [90, 20])
    store.clock += 5_000
    const two = await startEngine(store.telemetry, nodeOf('two'))
    const mend = failStatements(/from tags|sample_log/)
    holder = 'two'
    two.arrive(machineId)
    const nodeOfRule = async () =>
      (await sql<{ node: string }>`select node_id as node from alarm_rules`.execute(store.db)).rows[0]?.node
    await expect.poll(nodeOfRule, { timeout: 10_000 }).toBe('two')
    // Its position as it would be written every five seconds.
    await two.stop()
    mend()
    living = ['three']
    await (await startEngine(store.telemetry, nodeOf('three'))).settled()
    expect(await openOf(machineId)).toEqual([false])
  })

  test('a node repeats what it evaluated of rules that another one adopted meanwhile', async () => {
    holder = 'one'
    living = ['one', 'two']
    const { machineId } = await createRule(body(over80))
    const one = await startEngine(store.telemetry, nodeOf('one'))
    await one.reload([machineId])
    store.clock += 2_000
    // It cannot write the alarm before the other one, for which it was dead, has the rule and has moved on.
    const mend = failStatements(/plan: (known-alarms|rule-states)/)
    await say(machineId, 90)
    store.clock += 100
    await say(machineId, 20)
    const later = new Date(store.clock + 5_000)
    await sql`with taken as (update alarm_rules set node_id = 'two')
      insert into alarm_rule_positions values ('two', ${later}, ${later})`.execute(store.db)
    mend()
    await expect.poll(() => openOf(machineId), { timeout: 10_000 }).toEqual([false])
    expect(await alarmsOf(machineId)).toMatchObject([{ count: 1 }])
  })

  test('a rule’s node does not move on past the samples that its machine sent to another node', async () => {
    holder = 'one'
    living = ['one', 'two']
    const { machineId } = await createRule(body(over80))
    await connect(machineId, 'one')
    const one = await startEngine(store.telemetry, nodeOf('one'))
    await one.reload([machineId])
    const two = await startEngine(store.telemetry, nodeOf('two'))
    await sayAt('main', machineId, [20])
    // The machine comes to the other node; its connection is not written for a while.
    holder = 'two'
    two.arrive(machineId)
    await two.settled()
    await sayAt('other', machineId, [90, 20])
    store.clock += 5_000
    await one.stop()
    await connect(machineId, 'two')
    two.arrive(machineId)
    await two.settled()
    expect(await openOf(machineId)).toEqual([false])
  })

  test.each([
    { end: 'comes back', isBack: true },
    { end: 'is away', isBack: false },
  ])('samples at a node that ended are evaluated where their machine $end', async ({ isBack }) => {
    holder = 'one'
    living = ['one', 'two']
    const { machineId } = await createRule(body(over80))
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const one = await startEngine(store.telemetry, nodeOf('one'))
    await one.reload([machineId])
    // The other one was killed: nothing says that the machine was there.
    const at = new Date(store.clock)
    await sql`insert into alarm_rule_positions values ('two', ${at}, ${at})`.execute(store.db)
    holder = 'nobody'
    await sayAt('two', machineId, [90, 20])
    living = ['one']
    store.clock += 25_000
    if (isBack) {
      holder = 'one'
      one.arrive(machineId)
      await say(machineId, 30)
    } else vi.advanceTimersByTime(10_000)
    await expect.poll(() => openOf(machineId), { timeout: 10_000 }).toEqual([false])
  })
})
