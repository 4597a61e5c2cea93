import { setTimeout as sleep } from 'node:timers/promises'
import { access, applications, enterprises, machines, telemetry, visits } from '@busbar/contract'
import {
  aside,
  countLockWaits,
  failureOf,
  placeMachine,
  type TestMachine,
  type TestUser,
} from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'
import { createLocalBus } from '../../../kernel/bus/bus.ts'
import { silentLogger } from '../../../kernel/logger.ts'
import { createTelemetry } from '../../telemetry/index.ts'
import type { UplinkRecord } from '../../telemetry/uplink-record.ts'
import { lockMachine } from '../grants-store.ts'
import { changeOwner } from './ownership.ts'

const password = 'correct horse'
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const site = useSite()

/** Everything of one time carries its word: names, texts, values, addresses, payloads. */
type Word = 'BEFORE' | 'AFTER'

const sampleOf = (word: Word, time = Date.now(), late = false): UplinkRecord => ({
  kind: 'sample',
  group: 'Oven',
  tag: 'recipe',
  type: 'string',
  value: word,
  quality: 0,
  time,
  late,
})
const alarmOf = (word: Word, state: 'raised' | 'cleared', time = Date.now(), late = false): UplinkRecord => ({
  kind: 'alarm',
  key: word,
  level: 'major',
  text: { '': word },
  state,
  isRepeat: false,
  time,
  late,
})

async function tell(machine: TestMachine, records: readonly UplinkRecord[]): Promise<void> {
  await site.platform.telemetry.append(machine.machineId, records)
}

/**
 * The data that a machine sends by itself: a value with its definition, an alarm, facts, a lost span, a message without
 * meaning.
 */
async function live(machine: TestMachine, word: Word, person: TestUser): Promise<void> {
  const { machineId } = machine
  const now = Date.now()
  const definition = { label: { '': word }, unit: word, scale: null, min: null, max: null }
  await tell(machine, [
    {
      kind: 'tagDefinition',
      group: 'Oven',
      tag: 'recipe',
      type: 'string',
      ...definition,
      readOnly: false,
      isKey: true,
    },
    sampleOf(word),
    alarmOf(word, 'raised'),
    { kind: 'attributes', attributes: { site: word } },
    { kind: 'lost', from: now - 3 * hourMs, to: now - 2 * hourMs, samples: 7 },
  ])
  const credentials = `Basic ${Buffer.from(`${machine.code}:${machine.secret}`).toString('base64')}`
  for (const body of [`{"note":"${word}"}`, `${word}, no JSON`])
    await site.platform.gateway.ingestHttp(credentials, async () => Buffer.from(body), `${word}.address`)
  const [tag] = await site.as(person).call(telemetry.listTags, { machineId })
  await site.db
    .insertInto('visits')
    .values({
      user_id: (await site.createUser({ name: word })).userId,
      session_id: 1,
      machine_id: machineId,
      target: 'page',
      address: word,
      started_at: new Date(now - minuteMs),
      ends_at: new Date(now),
      active_at: new Date(now),
      ended_at: new Date(now),
      end_reason: 'left',
      end_note: word,
    })
    .execute()
  await site.db
    .insertInto('writes')
    .values({
      machine_id: machineId,
      tag_id: tag?.tagId ?? 0,
      user_id: person.userId,
      source: 'console',
      at: new Date(now - minuteMs),
      to_value: JSON.stringify(word),
      state: 'confirmed',
      ended_at: new Date(now),
      note: word,
    })
    .execute()
}

/** Everything that a person can read about a machine, in one text, with decoded messages. */
async function readAll(person: TestUser, machineId: number, tagIds: readonly number[]): Promise<string> {
  const client = site.as(person)
  const to = Date.now() + hourMs
  const span = { from: to - 24 * hourMs, to }
  const raw = await client.call(telemetry.listRawMessages, { machineId })
  const answers = await Promise.all([
    client.call(machines.listMachines, {}),
    client.call(machines.getMachineDetail, { machineID: machineId }),
    client.call(machines.getGeneralAttributes, { deviceId: machineId }),
    client.call(machines.listMachineAlarms, { machineID: machineId }),
    client.call(machines.listTransfers, {}),
    client.call(telemetry.listTags, { machineId }),
    client.call(telemetry.listLatest, { machineId }),
    tagIds.length > 0 &&
      Promise.all(
        (['raw', 'auto', 'last', 'count'] as const).map((agg) =>
          client.call(telemetry.getHistory, { tagIds: [...tagIds], ...span, agg }),
        ),
      ),
    client.call(visits.listVisits, { machineId }),
    client.call(visits.getVisitReport, { machineId, ...span }),
    client.call(visits.listMachineWrites, { machineId }),
    client.call(applications.listApplications, { id: machineId }),
    client.call(applications.listVisitTimes, { deviceId: machineId }),
    client.call(enterprises.listMaintenance, {}),
    client.call(access.listReach, { id: machineId }),
  ])
  return JSON.stringify([answers, raw, raw.map(({ head }) => Buffer.from(head, 'base64').toString())])
}

async function transfer(machineId: number, from: TestUser, to: TestUser): Promise<void> {
  await site.proveSession(from.sessionId)
  const offer = { machineID: machineId, account: to.email }
  const { applyId } = await site.as(from).call(machines.offerMachine, offer)
  await site.as(to).call(machines.answerTransfer, { applyId, action: 'accept' })
}

describe('the next owner', () => {
  /** A machine with a past: an owner, a Bkey, an applicant, and an enterprise that maintains it. */
  async function createPast() {
    const ann = await site.createUser({ name: 'Ann' })
    const machine = await site.createMachine({ owner: ann.userId, password })
    const { machineId } = machine
    await live(machine, 'BEFORE', ann)
    await tell(machine, [alarmOf('BEFORE', 'cleared'), alarmOf('BEFORE', 'raised', Date.now() + 1)])
    const asker = await site.createUser({ name: 'BEFORE' })
    const { eid } = await site.createEnterprise('BEFORE')
    await site.openWindow({ eid, machineId })
    const at = new Date()
    const ago = (hours: number) => new Date(at.getTime() - hours * hourMs)
    const longAgo = { ...alarmOf('BEFORE', 'raised', ago(7).getTime(), true), key: 'long ago' }
    await tell(machine, [
      longAgo as UplinkRecord,
      { ...longAgo, state: 'cleared', time: ago(5).getTime() } as UplinkRecord,
    ])
    // The connection it has when it changes hands is hours old.
    const connection = site.db
      .updateTable('machine_connections')
      .set({ started_at: ago(9) })
      .where('machine_id', '=', machineId)
      .where('ended_at', 'is', null)
    const isWritten = async () => (await connection.executeTakeFirst()).numUpdatedRows
    await expect.poll(isWritten, { timeout: 10_000 }).toBe(1n)
    await site.db
      .insertInto('applications')
      .values({
        kind: 'visit',
        machine_id: machineId,
        user_id: asker.userId,
        message: 'BEFORE',
        created_at: at,
        expires_at: new Date(at.getTime() + hourMs),
      })
      .execute()
    await site.db
      .updateTable('machines')
      .set({
        project_image: '/BEFORE.png',
        check_type: 1,
      })
      .where('id', '=', machineId)
      .execute()
    await placeMachine(site.db, machineId, { as_typed: 'BEFORE', type: 1, fixed_at: at })
    const tagIds = (await site.as(ann).call(telemetry.listTags, { machineId })).map((tag) => tag.tagId)
    expect(await readAll(ann, machineId, tagIds)).toContain('BEFORE')
    return { ann, machine, tagIds }
  }

  /** Expects no data from before the change, and all data from after it. */
  async function expectFresh(owner: TestUser, machine: TestMachine, formerTagIds: readonly number[]) {
    const { machineId } = machine
    const changedAt = Date.now()
    const client = site.as(owner)
    expect(await readAll(owner, machineId, [])).not.toContain('BEFORE')
    const detail = (await client.call(machines.getMachineDetail, {
      machineID: machineId,
    })) as machines.HeldDetail
    expect(detail).toMatchObject({ lastSeen: null, connection: null, clock: null, machine_lat: null })
    expect(detail).toMatchObject({ machine_check_type: 0, attributes: {}, openAlarms: [] })
    // The last hour is the one it changed hands in.
    expect(detail.strip24h.slice(0, -1)).toEqual(Array(23).fill(machines.stripStates.unknown))
    expect(detail.strip24h.at(-1)).not.toBe(machines.stripStates.fault)
    const span = { from: changedAt - 24 * hourMs, to: changedAt + hourMs }
    const former = await failureOf(client, telemetry.getHistory, { tagIds: [...formerTagIds], ...span })
    expect(former.code).toBe('403')

    await live(machine, 'AFTER', owner)
    // By a clock that is behind: not before, but at its arrival.
    await tell(machine, [sampleOf('AFTER', changedAt - minuteMs)])
    // Data that the machine's agent had kept for later, and a raising that was over by then.
    await tell(machine, [
      sampleOf('BEFORE', changedAt - hourMs, true),
      alarmOf('BEFORE', 'raised', changedAt - hourMs, true),
      { kind: 'lost', from: changedAt - 9 * hourMs, to: changedAt - 8 * hourMs, samples: 99 },
    ])
    // An alarm that is active since before is shown, but not its start.
    const standing = { ...alarmOf('AFTER', 'raised', changedAt - hourMs), key: 'door', isRepeat: true }
    await tell(machine, [standing as UplinkRecord])
    const alarms = await client.call(machines.listMachineAlarms, { machineID: machineId })
    expect(alarms.list.map(({ clearedAt }) => clearedAt)).toEqual([null, null])
    expect(alarms.list.every(({ created_at }) => created_at > changedAt - hourMs)).toBe(true)
    const tags = await client.call(telemetry.listTags, { machineId })
    expect(tags.some(({ tagId }) => formerTagIds.includes(tagId))).toBe(false)
    const tagIds = tags.map((tag) => tag.tagId)
    const told = await readAll(owner, machineId, tagIds)
    expect(told).not.toContain('BEFORE')
    expect(told.split('AFTER').length).toBeGreaterThan(10)
    const history = await client.call(telemetry.getHistory, { tagIds, ...span, agg: 'raw' })
    const times = history.series.flatMap(({ points }) => points.map(([at]) => at))
    expect(times.every((at) => at >= changedAt)).toBe(true)
    expect(history.lost).toEqual([])
  }

  test('by transfer sees no data from before, and all data from then on', async () => {
    const { ann, machine, tagIds } = await createPast()
    const ben = await site.createUser({ name: 'Ben' })
    await transfer(machine.machineId, ann, ben)
    await expectFresh(ben, machine, tagIds)
  })

  test('of a machine that was given up sees no data from before, nor from the time without an owner', async () => {
    const { ann, machine, tagIds } = await createPast()
    await site.as(ann).call(machines.removeMachine, { delMachineID: machine.machineId })
    await tell(machine, [sampleOf('BEFORE'), alarmOf('BEFORE', 'raised')])
    const ben = await site.createUser({ name: 'Ben' })
    const added = { machineName: 'Oven', machineCode: machine.code, machinePwd: password }
    await site.as(ben).call(machines.addMachine, added)
    await expectFresh(ben, machine, tagIds)
  })

  test('gets no older value from a platform that restarts after a crash', async () => {
    const { ann, machine, tagIds } = await createPast()
    const { machineId } = machine
    const ben = await site.createUser()
    await transfer(machineId, ann, ben)
    await live(machine, 'AFTER', ben)
    // As if nothing had been flushed for long.
    await site.db.deleteFrom('tag_latest').execute()
    await site.db.updateTable('sample_log_positions').set({ latest_seq: 0 }).execute()
    const bus = createLocalBus(silentLogger)
    const revived = createTelemetry({
      db: site.db,
      bus,
      logger: silentLogger,
      now: Date.now,
      nodeId: 'other',
    })
    await revived.start()
    const latest = await revived.listLatest(machineId)
    await revived.stop()
    expect(latest.map(({ value }) => value)).toContain('AFTER')
    expect(latest.map(({ value }) => value)).not.toContain('BEFORE')
    const rebuilt = await site.db.selectFrom('tag_latest').select('tag_id').execute()
    expect(rebuilt.some((row) => tagIds.includes(row.tag_id))).toBe(false)
  })

  // Longer than a commit waits for a lock, and shorter than its tries: neither is the fault of the records.
  test.each([
    ['', 0],
    [', even after its commit met a lock', 400],
  ])(
    'gets no fact that was still on its way to the database when the machine changed hands%s',
    async (_, heldMs) => {
      const [ann, ben] = await Promise.all([site.createUser(), site.createUser()])
      const machine = await site.createMachine({ owner: ann.userId })
      const { machineId } = machine
      await tell(machine, [sampleOf('BEFORE')])
      const other = { ...sampleOf('BEFORE'), tag: 'other' } as UplinkRecord
      let told: Promise<void> | undefined
      await site.db.transaction().execute(
        aside(async (trx) => {
          await lockMachine(trx, machineId)
          told = tell(machine, [alarmOf('BEFORE', 'raised'), other])
          await expect.poll(() => countLockWaits(site.db), { timeout: 10_000 }).toBe(1)
          await sleep(heldMs)
          await changeOwner(
            { trx, facts: site.platform.facts },
            machineId,
            { userId: ben.userId },
            new Date(Date.now() + 1),
          )
        }),
      )
      await told
      expect(await site.as(ben).call(telemetry.listTags, { machineId })).toEqual([])
      const alarms = await site.as(ben).call(machines.listMachineAlarms, { machineID: machineId })
      expect(alarms.total).toBe(0)
    },
  )
})

test('the first owner of a machine sees the data from before, when it was set up', async () => {
  const machine = await site.createMachine({ password })
  await tell(machine, [sampleOf('AFTER')])
  const ann = await site.createUser()
  const added = { machineName: 'Oven', machineCode: machine.code, machinePwd: password }
  await site.as(ann).call(machines.addMachine, added)
  const latest = await site.as(ann).call(telemetry.listLatest, { machineId: machine.machineId })
  expect(latest).toMatchObject([{ value: 'AFTER' }])
})

describe('a former Akey', () => {
  test('of a transferred machine keeps only its name in the list, and so does everybody they admitted', async () => {
    const [ann, ben, bob, vic] = await Promise.all([1, 2, 3, 4].map(() => site.createUser()))
    if (!ann || !ben || !bob || !vic) throw new Error('nobody')
    const { machineId } = await site.createMachine({ owner: ann.userId })
    await site.grantMachine(bob.userId, machineId, { role: 'bkey' })
    await site.grantMachine(vic.userId, machineId, { role: 'visitor' })
    await site.platform.telemetry.append(machineId, [sampleOf('BEFORE')])
    await transfer(machineId, ann, ben)
    for (const person of [ann, bob, vic]) {
      const answer = await site.as(person).call(machines.listMachines, {})
      if (!('list' in answer)) throw new Error('no list')
      expect(answer.list).toMatchObject([{ machine_id: machineId, limit_authority: 0, overview: null }])
      const refused = await failureOf(site.as(person), telemetry.listLatest, { machineId })
      expect(refused.code).toBe('403')
    }
    const inbox = await site.db
      .selectFrom('messages')
      .select(['user_id', 'type'])
      .where('machine_id', '=', machineId)
      .orderBy('id')
      .execute()
    expect(inbox.map(({ user_id, type }) => [user_id, type])).toEqual(
      expect.arrayContaining([
        [ben.userId, 'transferOffer'],
        [ann.userId, 'transferReply'],
        [bob.userId, 'rightTaken'],
        [vic.userId, 'rightTaken'],
      ]),
    )
    expect(inbox).toHaveLength(4)
  })

  test('a former Akey no longer has the machine, and does not get old rights back by adding it again', async () => {
    const ann = await site.createUser()
    const machine = await site.createMachine({ owner: ann.userId })
    await site.as(ann).call(machines.removeMachine, { delMachineID: machine.machineId })
    const ben = await site.createUser()
    await site.db
      .updateTable('machines')
      .set({ owner_user_id: ben.userId })
      .where('id', '=', machine.machineId)
      .execute()
    const added = { machineName: 'Mine', machineCode: machine.code }
    expect(await site.as(ann).call(machines.addMachine, added)).toMatchObject({ limit_authority: 0 })
  })
})

describe('removing a machine from a list', () => {
  test('is refused to its Akey while others hold a right, and lets them go first', async () => {
    const [ann, bob] = await Promise.all([site.createUser(), site.createUser()])
    const { machineId } = await site.createMachine({ owner: ann.userId })
    const grantId = await site.grantMachine(bob.userId, machineId, { role: 'bkey' })
    const asked = { delMachineID: machineId }
    expect(await site.refusalOf(ann, machines.removeMachine, asked)).toBe('04010301')
    expect(await site.as(ann).call(machines.listMachines, {})).toMatchObject({
      list: [{ limit_authority: 3 }],
    })
    await site.as(ann).call(access.updateLevel, { id: grantId, limit: 0 })
    expect(await site.as(ann).call(machines.removeMachine, asked)).toEqual({ state: 902 })
    const row = await site.db
      .selectFrom('machines')
      .select(['owner_user_id', 'owned_since'])
      .where('id', '=', machineId)
      .executeTakeFirstOrThrow()
    expect(row.owner_user_id).toBeNull()
    expect(row.owned_since).not.toBeNull()
  })

  test('takes a Bkey’s right with it, and leaves the Akey theirs', async () => {
    const [ann, bob] = await Promise.all([site.createUser(), site.createUser()])
    const { machineId } = await site.createMachine({ owner: ann.userId })
    await site.grantMachine(bob.userId, machineId, { role: 'bkey' })
    await site.as(bob).call(machines.removeMachine, { delMachineID: machineId, isAkey: true })
    expect(await site.as(bob).call(machines.listMachines, {})).toMatchObject({ list: [] })
    expect(await site.refusalOf(bob, telemetry.listLatest, { machineId })).toBe('403')
    expect(await site.as(ann).call(access.listReach, { id: machineId })).toHaveLength(1)
    expect(await site.as(ann).call(machines.listMachines, {})).toMatchObject({
      list: [{ limit_authority: 3 }],
    })
  })

  test('answers for foreign machines as for missing ones', async () => {
    const [ann, eve] = await Promise.all([site.createUser(), site.createUser()])
    const { machineId } = await site.createMachine({ owner: ann.userId })
    for (const delMachineID of [machineId, 2 ** 40])
      expect(await site.refusalOf(eve, machines.removeMachine, { delMachineID })).toBe('04010307')
    await site.listMachine(eve.userId, machineId)
    await site.as(eve).call(machines.removeMachine, { delMachineID: machineId })
    const again = await failureOf(site.as(eve), machines.removeMachine, { delMachineID: machineId })
    expect(again.code).toBe('04010307')
  })
})
