import { AlarmModel } from '@busbar/platform/test-support/alarm-histories/alarm-model.ts'
import { createMachine, createUser } from '@busbar/testkit/builders.ts'
import { createTestDatabase, type TestDatabase } from '@busbar/testkit/database.ts'
import { pickSeeds } from '@busbar/testkit/seeds.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withTransaction } from '../../kernel/database/database.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import type { AlarmChange, ShelveChange } from './alarm-change.ts'
import type { AlarmFacts } from './alarm-facts.ts'
import { stageOf } from './alarm-stage.ts'
import { createAlarmsModule } from './alarms-module.ts'
import { confirmAlarms } from './alarms-store.ts'
import { countOpen, listAlarmRows, type Space } from './centre-store.ts'
import { presentAlarm } from './centre-views.ts'
import { type AlarmEvent, writeAlarms } from './index.ts'
import { listJournal } from './journal-store.ts'
import { endDueShelves, endShelve, shelve } from './shelves-service.ts'

/*
 * Random histories of three machines: raised, counted, cleared, confirmed, shelved, taken out of service and given to
 * another owner. A model of a few lines gives the expected alarms, counts and journal.
 */

const stepsOfRun = 250
const hourMs = 3_600_000

let database: TestDatabase
let client: pg.Client
beforeAll(async () => {
  database = await createTestDatabase()
  client = new pg.Client({
    connectionString: database.url,
    types: {
      getTypeParser: (oid) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid)),
    },
  })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/** Numbers from 0 to 1 that are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed * 7_919
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const sorted = (lines: readonly string[]) => [...lines].sort()

test.each(pickSeeds())(
  'states, counts and journal of history %i are those of the model',
  async (seed) => {
    const { db } = database
    const random = randomFrom(seed)
    const pick = <T>(...choices: readonly T[]) => choices[Math.floor(random() * choices.length)] as T
    const person = await createUser(db)
    const machineIds: number[] = []
    for (let n = 0; n < 3; n++) machineIds.push((await createMachine(db, { owner: person.userId })).machineId)
    const told: (AlarmChange | ShelveChange)[] = []
    const facts: AlarmFacts = {
      // The ends of shelvings by time are recorded for the machines of other histories, too.
      recordAll: async (_, changes) =>
        void told.push(...changes.filter(({ machineId }) => machineIds.includes(machineId))),
    }
    const tags = { listTagNames: async () => new Map() }
    const findRuleMachine = async () => undefined
    const [ownerFollower] =
      createAlarmsModule({ db, facts } as unknown as Kernel, { access: {} as never, tags, findRuleMachine })
        .follows ?? []
    const deps = { db, facts, tags, findRuleMachine }
    const model = new AlarmModel()
    let now = Date.UTC(2026, 10, 20, 12)

    const steps: Record<string, () => Promise<void>> = {
      async events() {
        const batch = Array.from({ length: Math.ceil(random() * 6) }, (): AlarmEvent => {
          now += Math.ceil(random() * 20_000)
          const ruleId = pick(undefined, undefined, 7, 8)
          return {
            machineId: pick(...machineIds),
            // A rule and a machine may use the same key.
            key: ruleId === undefined ? pick('A', 'B', 'C') : 'A',
            ...(ruleId !== undefined && { ruleId }),
            level: 'major',
            text: { en: 'Trouble' },
            state: pick('raised', 'raised', 'cleared'),
            isRepeat: random() < 0.2,
            late: false,
            at: now,
            receivedAt: now,
            standing: undefined,
          }
        })
        await client.query('begin')
        await writeAlarms(client, batch, facts)
        await client.query('commit')
        model.apply(batch)
      },
      async confirm() {
        const machineId = pick(...machineIds)
        const rows = await confirmAlarms(
          db,
          { machineId },
          { who: { userId: person.userId }, at: new Date(now) },
        )
        const unseen = model.alarms.filter((one) => one.machineId === machineId && !one.isConfirmed)
        expect(rows.length).toBe(unseen.length)
        for (const alarm of unseen) {
          alarm.isConfirmed = true
          model.events.push({ machineId, kind: 'confirmed', at: now, raisings: 0 })
        }
      },
      async shelve() {
        const machineId = pick(...machineIds)
        const isForAWhile = random() < 0.7
        const until = isForAWhile ? now + Math.ceil(random() * hourMs) : Number.POSITIVE_INFINITY
        const target = pick(undefined, ...model.alarms.filter((one) => one.machineId === machineId))
        const { id: alarmId } = target
          ? await db
              .selectFrom('alarms')
              .select('id')
              .where('machine_id', '=', machineId)
              .where('key', '=', target.key)
              .where('raised_at', '=', new Date(target.raisedAt))
              .executeTakeFirstOrThrow()
          : { id: undefined }
        model.endDue(now)
        await endDueShelves(deps, now)
        const request = { machineId, alarmId, until: isForAWhile ? until : undefined, reason: 'worn' }
        const id = await shelve(deps, request, { userId: person.userId, now })
        const covered = !target
          ? { scope: 'machine' as const }
          : target.ruleId === null
            ? { scope: 'alarm' as const, key: target.key }
            : { scope: 'rule' as const, ruleId: target.ruleId }
        model.shelve({ id, machineId, ...covered, until, at: now })
      },
      async unshelve() {
        const one = pick(undefined, ...model.shelves)
        if (!one) return
        await endShelve(deps, one.id, { userId: person.userId, now })
        model.endShelve(one, Math.min(one.until, now))
      },
      async time() {
        now += Math.ceil(random() * hourMs)
        if (random() < 0.5) return
        model.endDue(now)
        await endDueShelves(deps, now)
      },
      async owner() {
        if (random() < 0.8) return
        const machineId = pick(...machineIds)
        now += 1_000
        await withTransaction(db, async (trx) => {
          const fact = { id: 1, kind: 'machine.ownerChanged', machineId, at: now, isFirst: false }
          if (ownerFollower?.mode === 'during') await ownerFollower.follow(trx, [fact as never], {})
          await sql`update machines set owned_since = ${new Date(now + 1)} where id = ${machineId}`.execute(
            trx,
          )
        })
        model.changeOwner(machineId)
        now += 1_000
      },
    }

    const space: Space = {
      userId: person.userId,
      eid: undefined,
      machines: machineIds.map((machineId) => ({ machineId, ownedSince: Number.POSITIVE_INFINITY })),
    }
    const slice = { offset: 0, limit: 10_000, countMax: 10_000 }
    const compare = async (step: number) => {
      const at = new Date(now)
      const place = `seed ${seed}, step ${step}`
      const { rows, total } = await listAlarmRows(db, space, {}, slice, at)
      expect(total, place).toBe(model.alarms.length)
      const words = { userId: person.userId, lang: 'en', tags: new Map(), own: undefined } as const
      const shown = rows.map((row) => presentAlarm(row, words))
      const lineOf = (
        one: { machineId: number; key: string; ruleId: number | null; raisedAt: number; count: number },
        stage: string,
      ) => `${one.machineId} ${one.ruleId} ${one.key} ${one.raisedAt} ${one.count} ${stage}`
      expect(sorted(shown.map((row) => lineOf(row, row.stage))), place).toEqual(
        sorted(model.alarms.map((one) => lineOf(one, model.stageOf(one, now)))),
      )
      const open = (await countOpen(db, space, at)).reduce((sum, { count }) => sum + count, 0)
      expect(open, place).toBe(model.alarms.filter(({ isOpen }) => isOpen).length)
      const journal = await listJournal(db, space, {}, slice)
      expect(
        sorted(journal.rows.map((row) => `${row.machine_id} ${row.kind} ${row.at.getTime()}`)),
        place,
      ).toEqual(sorted(model.events.map((event) => `${event.machineId} ${event.kind} ${event.at}`)))
    }

    for (let step = 1; step <= stepsOfRun; step++) {
      now += Math.ceil(random() * 1_000)
      await steps[
        pick('events', 'events', 'events', 'events', 'confirm', 'shelve', 'unshelve', 'time', 'owner')
      ]?.()
      if (step % 50 === 0 || step === stepsOfRun) await compare(step)
    }
    // For everything ever written: the raisings of an alarm's events equal its count, and each change was recorded as a
    // fact.
    const { rows: sums } = await sql<{ wrong: number }>`
    select count(*)::int as wrong from alarms
    where machine_id = any(${machineIds}::bigint[])
      and count <> (select sum(raisings) from alarm_events event where event.alarm_id = alarms.id)`.execute(
      db,
    )
    expect(sums[0]?.wrong).toBe(0)
    const { rows: events } = await sql<{ count: number }>`
    select count(*)::int as count from alarm_events where machine_id = any(${machineIds}::bigint[])`.execute(
      db,
    )
    expect(told.length).toBe((events[0]?.count ?? 0) - (await countConfirmed(machineIds)))
  },
  120_000,
)

/** Confirmations, which this test writes without recording them. */
async function countConfirmed(machineIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from alarm_events
    where machine_id = any(${[...machineIds]}::bigint[]) and kind = 'confirmed'`.execute(database.db)
  return rows[0]?.count ?? 0
}

test('a state is one of ISA-18.2 whatever is true of an alarm', () => {
  const booleans = [true, false]
  const stages = booleans.flatMap((isActive) =>
    booleans.flatMap((isConfirmed) =>
      booleans.flatMap((isShelved) =>
        booleans.map((isOutOfService) => stageOf({ isActive, isConfirmed, isShelved, isOutOfService })),
      ),
    ),
  )
  expect(new Set(stages).size).toBe(6)
})
