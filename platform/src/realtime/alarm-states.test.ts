import { accounts, alarms, machines as contract } from '@busbar/contract'
import { PushClient, type TestMachine } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import type { Transaction } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openFacts } from '../../test-support/facts/open-facts.ts'
import type { DB } from '../kernel/database/schema.gen.ts'
import { changeOwner } from '../modules/access/index.ts'
import { alarmKinds } from '../modules/alarms/index.ts'
import type { AlarmRecord } from '../modules/telemetry/index.ts'

const deadline = { timeout: 20_000, interval: 20 }
/** Needs more than one turn. */
const stormMachines = 250

const site = useSite()

const alarm = (key: string, state: 'raised' | 'cleared'): AlarmRecord => ({
  kind: 'alarm',
  key,
  level: key === 'E2' ? 'critical' : 'minor',
  text: { en: 'Mains voltage lost' },
  state,
  isRepeat: false,
  time: Date.now(),
  late: false,
})

const storm = (machines: readonly TestMachine[], ...records: AlarmRecord[]) =>
  Promise.all(machines.map(({ machineId }) => site.platform.telemetry.append(machineId, records)))

/** Facts about alarms as another process follows them, each as `kind machine key`. */
async function followBeside(): Promise<string[]> {
  const told: string[] = []
  const beside = await openFacts(site.db, [
    {
      name: 'test.alarms',
      mode: 'live',
      kinds: alarmKinds,
      follow: (facts) => {
        for (const fact of facts) if ('alarmId' in fact) told.push(nameOf(fact))
      },
    },
  ])
  onTestFinished(() => beside.stop())
  return told
}

const nameOf = (fact: { kind: string; machineId?: number; key: string }) =>
  `${fact.kind} ${fact.machineId} ${fact.key}`

test('each alarm of a storm is delivered once to a follower, and a page has the last state of each machine', async () => {
  const owner = await site.createUser()
  const machines: TestMachine[] = []
  for (let place = 0; place < stormMachines; place++)
    machines.push(await site.createMachine({ owner: owner.userId }))
  const told = await followBeside()
  const { ticket } = await site.as(owner).call(accounts.createPushTicket, {})
  const page = await PushClient.open(site.url, ticket)
  onTestFinished(() => page.close())

  const [cleared, raisedTwice] = [machines.slice(0, 50), machines.slice(50, 100)]
  await storm(machines, alarm('E1', 'raised'))
  await Promise.all([storm(cleared, alarm('E1', 'cleared')), storm(raisedTwice, alarm('E2', 'raised'))])

  const wished = [
    ...machines.map(({ machineId }) => `alarm.raised ${machineId} E1`),
    ...cleared.map(({ machineId }) => `alarm.cleared ${machineId} E1`),
    ...raisedTwice.map(({ machineId }) => `alarm.raised ${machineId} E2`),
  ]
  await expect.poll(() => told.length, deadline).toBeGreaterThanOrEqual(wished.length)
  expect(told.toSorted()).toEqual(wished.toSorted())

  const lastStates = () => {
    const states = new Map<number, string>()
    for (const event of page.events) {
      if (event.scene !== 'machineState') continue
      const { machineId, openAlarms, worstAlarm } = event.state
      states.set(Number(machineId), `${openAlarms} ${worstAlarm}`)
    }
    return states
  }
  await expect.poll(() => lastStates().size, deadline).toBe(stormMachines)
  const right = new Map(machines.map(({ machineId }) => [machineId, '1 minor']))
  for (const { machineId } of cleared) right.set(machineId, '0 ')
  for (const { machineId } of raisedTwice) right.set(machineId, '2 critical')
  await expect.poll(lastStates, deadline).toEqual(right)
})

test('an alarm that is confirmed, or ended by a change of owner, is delivered to followers', async () => {
  const [owner, next] = [await site.createUser(), await site.createUser()]
  const machine = await site.createMachine({ owner: owner.userId })
  const { machineId } = machine
  const told = await followBeside()
  await storm([machine], alarm('E1', 'raised'))
  await site.as(owner).call(contract.confirmAlarms, { machineID: machineId })
  const { facts } = site.platform
  const change = (trx: Transaction<DB>) =>
    changeOwner({ trx, facts }, machineId, { userId: next.userId }, new Date())
  await expect(
    site.db.transaction().execute(async (trx) => {
      await change(trx)
      throw new Error('taken back')
    }),
  ).rejects.toThrow('taken back')
  await site.db.transaction().execute(change)
  await expect
    .poll(() => told, deadline)
    .toEqual(
      ['alarm.raised', 'alarm.confirmed', 'alarm.cleared'].map((kind) =>
        nameOf({ kind, machineId, key: 'E1' }),
      ),
    )
})

test('a shelving, alarms taken out of service and the ends of both reach pages at once', async () => {
  const owner = await site.createUser()
  const { machineId } = await site.createMachine({ owner: owner.userId })
  const { ticket } = await site.as(owner).call(accounts.createPushTicket, {})
  const page = await PushClient.open(site.url, ticket)
  onTestFinished(() => page.close())
  await site.platform.telemetry.append(machineId, [alarm('E1', 'raised')])
  const countStates = () => page.events.filter(({ scene }) => scene === 'machineState').length
  /** Resolves with how the pane shows the alarm after the event of a change. */
  const shownAfter = async (change: () => Promise<unknown>) => {
    const before = countStates()
    await change()
    await expect.poll(countStates, deadline).toBeGreaterThan(before)
    const detail = await site.as(owner).call(contract.getMachineDetail, { machineID: machineId })
    const [shown] = (detail as contract.HeldDetail).openAlarms
    return { shelvedUntil: shown?.shelvedUntil, outOfService: shown?.outOfService }
  }
  await expect.poll(countStates, deadline).toBeGreaterThan(0)
  const until = Date.now() + 3_600_000
  const reason = 'The sensor is worn'
  let id = 0
  const shelve = async () =>
    ({ id } = await site.as(owner).call(alarms.shelveAlarms, { machineId, until, reason }))
  const takeOut = async () =>
    ({ id } = await site.as(owner).call(alarms.takeAlarmsOutOfService, { machineId, reason }))
  const end = () => site.as(owner).call(alarms.endShelve, { id })
  expect(await shownAfter(shelve)).toEqual({ shelvedUntil: until, outOfService: false })
  expect(await shownAfter(end)).toEqual({ shelvedUntil: null, outOfService: false })
  expect(await shownAfter(takeOut)).toEqual({ shelvedUntil: null, outOfService: true })
  expect(await shownAfter(end)).toEqual({ shelvedUntil: null, outOfService: false })
})
