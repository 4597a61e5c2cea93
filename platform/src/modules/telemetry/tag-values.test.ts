import { openFacts } from '@busbar/platform/test-support/facts/open-facts.ts'
import { sample, useStore } from '@busbar/platform/test-support/telemetry/test-store.ts'
import {
  aside,
  createEnterprise,
  createEnterpriseMachine,
  createMachine,
  createMember,
  createTeam,
  createUser,
} from '@busbar/testkit'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { changeOwner } from '../access/index.ts'
import type { UplinkRecord } from './index.ts'
import { ownerFollower } from './next-owner.ts'

const store = useStore()

/** The people who were notified of a machine's tag limit. */
async function listTold(): Promise<number[]> {
  const rows = await store.db
    .selectFrom('messages')
    .select('user_id')
    .where('type', '=', 'tagLimit')
    .execute()
  return rows.map((message) => message.user_id)
}

describe('values', () => {
  it('stores NaN, infinities, too long texts and too big integers as bad without a value', async () => {
    const machineId = await store.createMachine()
    await store.telemetry.append(machineId, [
      sample('nan', Number.NaN),
      sample('inf', Number.POSITIVE_INFINITY),
      sample('long', '汉'.repeat(342)),
      sample('nul', 'a\0b'),
      sample('big', 2n ** 63n),
      sample('fits', '汉'.repeat(341)),
    ])
    const rows = await store.rowsOf(machineId)
    expect(rows.slice(0, 5).map((row) => [row.quality, row.num, row.int, row.text])).toEqual(
      Array(5).fill([0, null, null, null]),
    )
    expect(rows[5]).toMatchObject({ quality: 192, text: '汉'.repeat(341) })
    expect(await store.latestOf(machineId, 'nan')).toMatchObject({ value: null, quality: 'bad' })
  })

  it('makes a new version of a tag that changes its type', async () => {
    const machineId = await store.createMachine()
    await store.telemetry.append(machineId, [sample('a', 1)])
    const [first] = await store.telemetry.listTags(machineId, 'en')
    await store.telemetry.append(machineId, [sample('a', true, { time: store.clock + 1 })])
    const tags = await store.telemetry.listTags(machineId, 'en')
    expect(tags).toMatchObject([{ tag: 'a', type: 'bool' }])
    expect(tags[0]?.tagId).not.toBe(first?.tagId)
    expect((await store.rowsOf(machineId)).map((row) => [row.version, row.num, row.int])).toEqual([
      [1, 1, null],
      [2, null, '1'],
    ])
  })

  it('makes both versions when a tag changes its type within one message', async () => {
    const machineId = await store.createMachine()
    await store.telemetry.append(machineId, [
      sample('a', 1),
      sample('a', 'x'),
      sample('a', true),
      sample('b', 1),
    ])
    expect((await store.rowsOf(machineId)).map((row) => [row.name, row.version])).toEqual([
      ['a', 1],
      ['b', 1],
      ['a', 2],
      ['a', 3],
    ])
    expect((await store.telemetry.listTags(machineId, 'en')).map((tag) => tag.type).sort()).toEqual([
      'bool',
      'float64',
    ])
  })

  it('never refuses the newest value of a tag that keeps changing its type, and tells its keys', async () => {
    const owner = await createUser(store.db)
    const { machineId } = await createMachine(store.db, { owner: owner.userId })
    let stored = 0
    for (let round = 0; round < 130; round++) {
      const values = round % 10 === 0 ? [round, 'x', round + 0.5, true] : [round % 2 === 0 ? round : 'on']
      const records = values.map((value, place) => sample('a', value, { time: store.clock + place }))
      expect(await store.telemetry.append(machineId, records)).toEqual([])
      stored += values.length
      expect(await store.latestOf(machineId, 'a')).toMatchObject({ value: values.at(-1), quality: 'good' })
      store.clock += 1_000
      if (round === 120) await store.restart()
    }
    expect(await store.rowsOf(machineId)).toHaveLength(stored)
    const tags = await store.db.selectFrom('tags').select(['version', 'retired_at']).execute()
    expect(tags).toHaveLength(100)
    expect(tags.filter(({ retired_at: at }) => at === null)).toHaveLength(1)
    await store.telemetry.settled()
    const told = await store.db.selectFrom('messages').select(['user_id', 'type', 'params']).execute()
    expect(told).toMatchObject([{ user_id: owner.userId, type: 'tagTypes', params: { tags: ['a'] } }])
  })

  it('observes a guess anew after a restart: its type changes later, and no value is lost', async () => {
    const machineId = await store.createMachine()
    const send = async (value: string | number) => {
      const one = { ...sample('a', value, { time: store.clock }), isTypeGuess: true }
      expect(await store.telemetry.append(machineId, [one])).toEqual([])
      store.clock += 2 * 60_000
      return store.latestOf(machineId, 'a')
    }
    await send('starting')
    await send(1)
    await store.restart()
    expect(await send(2)).toMatchObject({ value: '2', quality: 'good' })
    expect(await send(3)).toMatchObject({ value: '3', quality: 'good' })
    expect(await send(4)).toMatchObject({ value: 4, quality: 'good' })
    expect(await store.rowsOf(machineId)).toHaveLength(5)
  })

  it('stores the first 5,000 tags and notifies the keys once that there are more', async () => {
    const machineId = await store.createMachine()
    const user = await store.db
      .insertInto('users')
      .values({ name: 'Wang Fang', email: 'wang@example.com', password_hash: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await store.db
      .updateTable('machines')
      .set({ owner_user_id: user.id })
      .where('id', '=', machineId)
      .execute()
    const records: UplinkRecord[] = Array.from({ length: 5_002 }, (_, index) => sample(`t${index}`, index))
    expect(await store.telemetry.append(machineId, records)).toEqual(['t5000', 't5001'])
    expect(await store.telemetry.append(machineId, [sample('t5003', 1), sample('t0', 2)])).toEqual(['t5003'])
    expect(await store.rowsOf(machineId)).toHaveLength(5_001)
    await store.telemetry.settled()
    const messages = await store.db
      .selectFrom('messages')
      .select(['user_id', 'tab', 'type', 'params'])
      .execute()
    expect(messages).toEqual([
      {
        user_id: user.id,
        tab: 'device',
        type: 'tagLimit',
        params: { max: 5000, refused: ['t5000', 't5001'], machine: expect.any(String) },
      },
    ])
  })

  it('also tells the maintainers of an enterprise’s machine of the limit, but no locked account', async () => {
    const { db } = store
    const enterprise = await createEnterprise(db)
    const { machineId } = await createEnterpriseMachine(db, enterprise.eid)
    const [manager, locked] = [
      await createMember(db, enterprise.eid, 'member', ['manage']),
      await createMember(db, enterprise.eid, 'admin'),
    ]
    await createTeam(db, {
      eid: enterprise.eid,
      kind: 'manage',
      memberIds: [manager.userId],
      machineIds: [machineId],
    })
    await db.updateTable('users').set({ state: 'locked' }).where('id', '=', locked.userId).execute()
    await store.telemetry.append(
      machineId,
      Array.from({ length: 5_001 }, (_, index) => sample(`t${index}`, index)),
    )
    await store.telemetry.settled()
    expect(new Set(await listTold())).toEqual(new Set([enterprise.owner.userId, manager.userId]))
  })

  it('does not notify the next owner of tags that were refused for the former one', async () => {
    const { db } = store
    const [ann, ben] = [await createUser(db), await createUser(db)]
    const { machineId } = await createMachine(db, { owner: ann.userId })
    await store.telemetry.append(
      machineId,
      Array.from({ length: 5_000 }, (_, index) => sample(`t${index}`, index)),
    )
    // The message of Ann's agent arrives before the change of owner, and is written after it.
    const { facts, stop } = await openFacts(db, [ownerFollower])
    await db
      .transaction()
      .execute((trx) => changeOwner({ trx, facts }, machineId, ben, new Date(store.clock + 5)))
    await stop()
    expect(await store.telemetry.append(machineId, [sample('recipe of Ann', 1)])).toEqual([])
    await store.telemetry.settled()
    expect(await listTold()).toEqual([])
  })

  it('is acknowledged while the notice of its limit cannot be written, and the notice follows later', async () => {
    const { db } = store
    const owner = await createUser(db)
    const { machineId } = await createMachine(db, { owner: owner.userId })
    const { machineId: another } = await createMachine(db)
    const records = Array.from({ length: 5_001 }, (_, index) => sample(`t${index}`, index))
    await db.transaction().execute(
      aside(async (trx) => {
        await sql`lock table messages in exclusive mode`.execute(trx)
        expect(await store.telemetry.append(machineId, records)).toEqual(['t5000'])
        expect(await store.telemetry.append(another, [sample('flow', 1)])).toEqual([])
        expect(await listTold()).toEqual([])
      }),
    )
    await store.telemetry.settled()
    expect(await listTold()).toEqual([owner.userId])
  })

  it('applies the machine’s description of a tag', async () => {
    const machineId = await store.createMachine()
    const definition = {
      kind: 'tagDefinition',
      group: 'oven',
      tag: 'temp',
      type: 'float64',
      label: { cn: '温度', en: 'Temperature' },
      unit: '°C',
      scale: 1,
      min: 0,
      max: 300,
      readOnly: false,
      isKey: true,
    } as const
    await store.telemetry.append(machineId, [definition, sample('temp', 200, { group: 'oven' })])
    expect(await store.telemetry.listTags(machineId, 'cn')).toMatchObject([
      { group: 'oven', tag: 'temp', name: '温度', unit: '°C', scale: 1, min: 0, max: 300, readOnly: false },
    ])
    await store.telemetry.append(machineId, [definition])
    await store.telemetry.append(machineId, [{ ...definition, unit: 'K' }])
    expect(store.events.tags).toHaveLength(2)
    expect((await store.telemetry.listTags(machineId, 'en'))[0]).toMatchObject({
      name: 'Temperature',
      unit: 'K',
    })
    const row = await store.db.selectFrom('tags').select(['unit', 'is_key']).executeTakeFirst()
    expect(row).toEqual({ unit: 'K', is_key: true })
  })
})
