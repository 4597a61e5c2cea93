import { alarmRules, telemetry } from '@busbar/contract'
import { plainTopic } from '@busbar/link'
import { createMachine, createUser, startTestPlatformOn, type TestPlatform } from '@busbar/testkit'
import { createTestDatabase } from '@busbar/testkit/database.ts'
import { expect, onTestFinished, test } from 'vitest'
import { RawClient } from '../../test-support/gateway/raw-client.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const outageS = 600
/** Every so often the value is above the limit for one second. */
const periodS = 10

test('values that a plain MQTT machine kept through an outage of ten minutes are stored at their times, and no alarm of it is lost', async () => {
  const database = await createTestDatabase({ poolMax: 12 })
  let aheadMs = 0
  const now = () => Date.now() + aheadMs
  const sites: TestPlatform[] = []
  onTestFinished(async () => {
    for (const site of sites) await site.stop()
    await database.drop()
  })
  const begin = async () => {
    const site = await startTestPlatformOn(database, {}, { now })
    sites.push(site)
    return site
  }

  const before = await begin()
  const owner = await createUser(before.db)
  const machine = await createMachine(before.db, { owner: owner.userId })
  const { machineId } = machine
  const send = async (client: RawClient, messages: readonly [topic: string, body: object][]) => {
    for (const [place, [topic, body]] of messages.entries())
      client.publish(topic, JSON.stringify(body), { messageId: place + 1 })
    for (const _ of messages) await client.next('puback')
  }
  const reading = (ts: number, temp: number): [string, object] => [
    plainTopic.telemetry,
    { ts, values: { temp } },
  ]

  const first = await RawClient.login(before.mqttPort, machine)
  const leftAt = now()
  await send(first, [reading(leftAt, 20)])
  const tags = await before.as(owner).call(telemetry.listTags, { machineId })
  const tagId = tags[0]?.tagId ?? 0
  const rule = {
    kind: 'threshold',
    tagId,
    op: '>',
    limit: 80,
    level: 'major',
    onDelay: 0,
    offDelay: 0,
  } as const
  await before
    .as(owner)
    .call(alarmRules.createAlarmRule, { machineId, ...rule, text: { cn: '过热', en: 'Hot' } })
  await before.stop()

  aheadMs += outageS * secondMs + minuteMs
  const after = await begin()
  const second = await RawClient.login(after.mqttPort, machine)
  const kept = Array.from({ length: outageS }, (_, s) =>
    reading(leftAt + (s + 1) * secondMs, s % periodS === 0 ? 90 : 20),
  )
  const ownAt = leftAt + 3 * minuteMs
  const own: [string, object] = [plainTopic.alarms, { id: 'E7', state: 'raised', text: 'Oil', ts: ownAt }]
  await send(second, [...kept.slice(0, 180), own, ...kept.slice(180), reading(now(), 21)])

  const client = after.as(owner)
  const history = await client.call(telemetry.getHistory, {
    machineId,
    tagIds: [tagId],
    from: leftAt,
    to: leftAt + outageS * secondMs + 1,
    points: 5_000,
    agg: 'raw',
  } as never)
  expect(history.series[0]?.points.map(([at]) => at)).toEqual(
    Array.from({ length: outageS + 1 }, (_, s) => leftAt + s * secondMs),
  )
  expect(await client.call(telemetry.listLatest, { machineId })).toMatchObject([
    { value: 21, quality: 'good' },
  ])

  const raisedAt = async () => {
    const rows = await after.db
      .selectFrom('alarms')
      .select(['raised_at', 'rule_id'])
      .where('machine_id', '=', machineId)
      .orderBy('raised_at')
      .execute()
    return rows.map(({ raised_at, rule_id }) => [raised_at.getTime(), rule_id === null ? 'own' : 'rule'])
  }
  const crossings = Array.from({ length: outageS / periodS }, (_, place) => [
    leftAt + (place * periodS + 1) * secondMs,
    'rule',
  ])
  const expected = [...crossings, [ownAt, 'own']].sort((a, b) => Number(a[0]) - Number(b[0]))
  await expect.poll(raisedAt, { timeout: 10_000 }).toEqual(expected)
  second.destroy()
})
