import { applyOne } from '@busbar/platform/test-support/alarm-histories/apply-one.ts'
import { createMachine } from '@busbar/testkit/builders.ts'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLocalBus } from '../../kernel/bus/bus.ts'
import { Facts } from '../../kernel/facts/facts.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { createTelemetry } from '../telemetry/index.ts'
import { type AlarmChange, type AlarmEvent, type AlarmFacts, openAlarmsMax, writeAlarms } from './index.ts'

const minuteMs = 60_000
const clock = Date.UTC(2026, 10, 20, 12)

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await createTestDatabase()
})

afterAll(async () => {
  await database.drop()
})

beforeEach(async () => {
  client = new pg.Client({
    connectionString: database.url,
    types: {
      getTypeParser: (oid) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid)),
    },
  })
  await client.connect()
})

afterEach(async () => {
  await client.end()
})

const addMachine = async () => (await createMachine(database.db)).machineId

function event(
  machineId: number,
  state: AlarmEvent['state'],
  minute: number,
  more: Partial<AlarmEvent> = {},
) {
  return {
    machineId,
    key: 'E1',
    level: 'major',
    text: { en: 'Oil pressure low' },
    state,
    isRepeat: false,
    late: false,
    at: clock + minute * minuteMs,
    receivedAt: clock + minute * minuteMs,
    standing: undefined,
    ...more,
  } satisfies AlarmEvent
}

/** Applies events in a transaction. */
async function write(events: readonly AlarmEvent[], facts?: AlarmFacts): Promise<AlarmChange[]> {
  await client.query('begin')
  try {
    const changes = await writeAlarms(client, events, facts)
    await client.query('commit')
    return changes
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function rowsOf(machineIds: readonly number[]) {
  const rows = await database.db
    .selectFrom('alarms')
    .select(['machine_id', 'key', 'level', 'text', 'raised_at', 'received_at', 'cleared_at', 'count'])
    .select(['raised_told_at', 'cleared_told_at'])
    .where('machine_id', 'in', machineIds)
    .orderBy('id')
    .execute()
  return rows.map(({ machine_id, ...row }) => ({ machine: machineIds.indexOf(machine_id), ...row }))
}

/** Numbers from 0 to 1 that are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

describe('a batch of events', () => {
  it('changes the same as its events one by one', async () => {
    for (let seed = 1; seed <= 15; seed++) {
      const random = randomFrom(seed)
      const pick = <T>(...choices: readonly T[]) => choices[Math.floor(random() * choices.length)] as T
      const single = [await addMachine(), await addMachine()]
      const batched = [await addMachine(), await addMachine()]
      // One more may stand, so that the limit decides.
      if (seed % 5 === 0) await fill([single[0] ?? 0, batched[0] ?? 0], openAlarmsMax - 1)
      for (let batch = 0; batch < 6; batch++) {
        const events = Array.from({ length: Math.ceil(random() * 12) }, (_, place) => {
          const minute = Math.floor(random() * 10)
          const standingAt = pick(undefined, clock + Math.floor(random() * 10) * minuteMs)
          const late = random() < 0.4
          const isRepeat = random() < 0.3
          // The clock of the machine may be another one, and may be set back.
          const told = pick(undefined, minute, minute, Math.floor(random() * 60))
          return {
            machine: pick(0, 0, 1),
            ...event(0, pick('raised', 'raised', 'cleared'), minute, {
              key: pick('E1', 'E1', 'E2', 'E3'),
              level: pick('major', 'major', 'critical'),
              text: pick({ en: 'Oil pressure low' }, { en: 'Oil', cn: '油压低' }),
              isRepeat,
              toldAt: late || isRepeat || told === undefined ? undefined : clock + told * minuteMs,
              late,
              receivedAt: clock + (batch * 12 + place) * 1_000,
              standing:
                late && random() < 0.6
                  ? {
                      state: pick('raised', 'cleared'),
                      time: standingAt,
                      since: standingAt ?? clock + 9 * minuteMs,
                    }
                  : undefined,
            }),
          }
        })
        const changedSingle = new Set<number>()
        for (const { machine, ...one } of events) {
          if (await applyOne(client, { ...one, machineId: single[machine] ?? 0 })) changedSingle.add(machine)
        }
        const changes = await write(
          events.map(({ machine, ...one }) => ({ ...one, machineId: batched[machine] ?? 0 })),
        )
        const changedBatched = new Set(changes.map(({ machineId }) => batched.indexOf(machineId)))
        expect([...changedBatched].sort(), `seed ${seed}, batch ${batch}`).toEqual([...changedSingle].sort())
        expect(await rowsOf(batched), `seed ${seed}, batch ${batch}`).toEqual(await rowsOf(single))
      }
    }
  })

  it('takes as many statements for a thousand alarms of a thousand machines as for one', async () => {
    const { rows: machines } = await sql<{ id: number }>`
      insert into machines (code, type, name, secret_hash)
      select '3' || lpad(n::text, 18, '0'), 'press', 'Press', sha256('secret')
      from generate_series(1, 1000) n returning id`.execute(database.db)
    const ids = machines.map(({ id }) => id)
    const countStatements = async (events: readonly AlarmEvent[]) => {
      let statements = 0
      const counting = {
        query: (...given: Parameters<typeof client.query>) => {
          statements++
          return client.query(...given)
        },
      } as unknown as pg.Client
      expect(await writeAlarms(counting, events)).toHaveLength(events.length)
      return statements
    }
    const one = await addMachine()
    for (const [state, minute] of [
      ['raised', 0],
      ['raised', 1],
      ['cleared', 2],
    ] as const) {
      const ofOne = await countStatements([event(one, state, minute)])
      expect(await countStatements(ids.map((id) => event(id, state, minute)))).toBe(ofOne)
      expect(ofOne).toBeLessThanOrEqual(2)
    }
    const rows = await rowsOf(ids)
    expect(rows).toHaveLength(1_000)
    expect(rows.every(({ count, cleared_at }) => count === 2 && cleared_at !== null)).toBe(true)
  })

  it('answers the changes with all fields that a reader needs', async () => {
    const machineId = await addMachine()
    const changes = await write([
      event(machineId, 'raised', 0),
      event(machineId, 'raised', 1, { level: 'critical' }),
      event(machineId, 'raised', 2, { level: 'critical' }),
      event(machineId, 'raised', 2, { isRepeat: true, level: 'critical' }),
      event(machineId, 'cleared', 3),
      event(machineId, 'cleared', 4),
      event(machineId, 'raised', 5, { key: 'E2', text: { en: 'Door open', cn: '门已打开' } }),
    ])
    const { rows } = await client.query<{ id: number; key: string }>(
      'select id::int, key from alarms where machine_id = $1 order by id',
      [machineId],
    )
    const [first, second] = rows
    const ofFirst = { machineId, alarmId: first?.id, key: 'E1', text: { en: 'Oil pressure low' } }
    const at = (minute: number) => clock + minute * minuteMs
    expect(changes).toEqual([
      { ...ofFirst, kind: 'alarm.raised', level: 'major', count: 1, at: at(0) },
      { ...ofFirst, kind: 'alarm.counted', level: 'critical', count: 3, at: at(2) },
      { ...ofFirst, kind: 'alarm.cleared', level: 'critical', count: 3, at: at(3) },
      {
        kind: 'alarm.raised',
        machineId,
        alarmId: second?.id,
        key: 'E2',
        level: 'major',
        text: { en: 'Door open', cn: '门已打开' },
        count: 1,
        at: at(5),
      },
    ])
    expect(await write([event(machineId, 'raised', 5, { key: 'E2', isRepeat: true })])).toMatchObject([
      { kind: 'alarm.changed', alarmId: second?.id, count: 1 },
    ])
    // Sent after an outage: it changes no active alarm.
    const past = { key: 'E2', late: true }
    expect(
      await write([event(machineId, 'raised', -9, past), event(machineId, 'cleared', -8, past)]),
    ).toMatchObject([
      { kind: 'alarm.filled', at: at(-9), until: at(-9) },
      { kind: 'alarm.filled', at: at(-9), until: at(-8) },
    ])
  })

  it('records the changes in its own transaction', async () => {
    const machineId = await addMachine()
    const recorded: AlarmChange[][] = []
    const facts: AlarmFacts = {
      recordAll: async (_, changes) => {
        recorded.push([...changes] as AlarmChange[])
      },
    }
    const changes = await write([event(machineId, 'raised', 0)], facts)
    await write([event(machineId, 'raised', 0)], facts)
    expect(recorded).toEqual([changes])
    const failing: AlarmFacts = { recordAll: () => Promise.reject(new Error('no room')) }
    await expect(write([event(machineId, 'cleared', 1)], failing)).rejects.toThrow('no room')
    expect(await rowsOf([machineId])).toMatchObject([{ cleared_at: null }])
  })

  it('leaves no fact after a rollback', async () => {
    const machineId = await addMachine()
    const options = {
      db: database.db,
      bus: createLocalBus(silentLogger),
      logger: silentLogger,
      now: () => clock,
    }
    const facts = new Facts(options)
    const listFacts = () =>
      database.db
        .selectFrom('facts')
        .select(['kind', 'payload', 'at'])
        .where('machine_id', '=', machineId)
        .orderBy('id')
        .execute()
    const failing: AlarmFacts = {
      async recordAll(recorder, changes) {
        await facts.recordAll(recorder, changes)
        throw new Error('no room')
      },
    }
    await expect(write([event(machineId, 'raised', 0)], failing)).rejects.toThrow('no room')
    expect(await rowsOf([machineId])).toEqual([])
    expect(await listFacts()).toEqual([])
    const [raised] = await write([event(machineId, 'raised', 0)], facts)
    const { alarmId, key, level, text, count } = raised as AlarmChange
    expect(await listFacts()).toEqual([
      { kind: 'alarm.raised', payload: { alarmId, key, level, text, count }, at: new Date(clock) },
    ])
  })
})

describe('an event that is sent again', () => {
  const told = (machineId: number, state: AlarmEvent['state'], minute: number, arrives = minute) =>
    event(machineId, state, arrives, { toldAt: clock + minute * minuteMs })
  const statesOf = async (machineId: number) =>
    (await rowsOf([machineId])).map(
      ({ count, cleared_at }) => `${count} ${cleared_at === null ? 'open' : 'over'}`,
    )

  it('does not count an open alarm again, however long after', async () => {
    const machineId = await addMachine()
    const sent = [told(machineId, 'raised', 0), told(machineId, 'raised', 1), told(machineId, 'raised', 2)]
    for (const one of sent) await write([one])
    // An outage later its time is not believed, so that it counts from its arrival.
    const again = [0, 1, 2].map((minute) => told(machineId, 'raised', minute, 60))
    expect(await write(again)).toEqual([])
    expect(await statesOf(machineId)).toEqual(['3 open'])
    await write([told(machineId, 'raised', 3, 60)])
    expect(await statesOf(machineId)).toEqual(['4 open'])
  })

  it('does not raise an alarm that ended, and does not end its next one', async () => {
    const machineId = await addMachine()
    const sent = [
      told(machineId, 'raised', 0),
      told(machineId, 'raised', 1),
      told(machineId, 'cleared', 2),
      told(machineId, 'raised', 3),
    ]
    for (const place of [3, 4]) {
      for (const one of sent.slice(0, place)) await write([one])
      for (const one of sent.slice(0, place)) expect(await write([one])).toEqual([])
      for (const { state, at } of sent.slice(0, place))
        expect(await write([event(machineId, state, 90, { toldAt: at })])).toEqual([])
    }
    expect(await statesOf(machineId)).toEqual(['2 over', '1 open'])
  })

  it('is distinguished from others that came at the same instant after an outage', async () => {
    const machineId = await addMachine()
    const kinds = ['raised', 'cleared', 'raised', 'raised', 'cleared', 'raised'] as const
    const sent = kinds.map((state, minute) => told(machineId, state, minute, 60))
    await write(sent)
    expect(await statesOf(machineId)).toEqual(['1 over', '2 over', '1 open'])
    for (const one of sent) expect(await write([one])).toEqual([])
    expect(await statesOf(machineId)).toEqual(['1 over', '2 over', '1 open'])
  })

  it('counts as another one if the clock of the machine was set back, or the machine sends no time', async () => {
    const machineId = await addMachine()
    await write([told(machineId, 'raised', 0)])
    await write([told(machineId, 'cleared', -60, 1)])
    expect(await statesOf(machineId)).toEqual(['1 over'])
    await write([
      told(machineId, 'raised', -59, 2),
      event(machineId, 'raised', 3),
      event(machineId, 'raised', 4),
    ])
    expect(await statesOf(machineId)).toEqual(['1 over', '3 open'])
  })

  it('of the same second as its opposite is not a repeat', async () => {
    const machineId = await addMachine()
    await write([told(machineId, 'raised', 0), told(machineId, 'cleared', 0)])
    expect(await statesOf(machineId)).toEqual(['1 over'])
    expect(await write([told(machineId, 'raised', 0), told(machineId, 'cleared', 0)])).toEqual([])
  })
})

it('raises of one alarm by two processes at the same moment are counted', async () => {
  const machineId = await addMachine()
  const telemetry = createTelemetry({
    db: database.db,
    bus: createLocalBus(silentLogger),
    logger: silentLogger,
    now: () => clock,
  })
  await telemetry.start()
  try {
    await client.query('begin')
    await writeAlarms(client, [event(machineId, 'raised', -1)])
    const { text, level, key } = event(machineId, 'raised', 0)
    const appended = telemetry.append(machineId, [
      { kind: 'alarm', key, level, text, state: 'raised', isRepeat: false, late: false, time: clock },
    ])
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          database.db,
        )
        return rows.length
      })
      .toBe(1)
    await client.query('commit')
    await appended
    expect(await rowsOf([machineId])).toMatchObject([{ key: 'E1', count: 2, cleared_at: null }])
  } finally {
    await telemetry.stop()
  }
})

async function fill(machineIds: readonly number[], count: number): Promise<void> {
  await sql`
    insert into alarms (machine_id, key, level, text, raised_at, received_at)
    select machine_id, 'other ' || n, 'info', '{}', ${new Date(clock)}, ${new Date(clock)}
    from generate_series(1, ${count}::int) n, unnest(${[...machineIds]}::bigint[]) machine_id`.execute(
    database.db,
  )
}
