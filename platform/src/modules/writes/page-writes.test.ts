import { visits } from '@busbar/contract'
import { rawValue, SparkplugDatatype, type SparkplugMetric } from '@busbar/link'
import { failureOf, type PushClient, type TestMachine, type TestUser } from '@busbar/testkit'
import { describe, expect, test } from 'vitest'
import { fillDiskOf } from '../../../test-support/full-disk.ts'
import {
  inNamedGroup,
  writableMetric as metric,
  useWriteSite,
} from '../../../test-support/writes/write-site.ts'

const { double, boolean, string } = SparkplugDatatype

const here = useWriteSite()

describe('writes on the machine’s own page', () => {
  const text = (value: string) => ({ type: string, raw: { kind: 'string' as const, value } })
  const told = (visit: string, to: number, more: Partial<SparkplugMetric> = {}): SparkplugMetric => ({
    name: 'sp',
    raw: rawValue(to, double),
    ...more,
    properties: {
      readBack: { type: boolean, raw: { kind: 'boolean', value: true } },
      visit: text(visit),
      writtenFrom: { type: double, raw: rawValue(1, double) },
      writtenTo: { type: double, raw: rawValue(to, double) },
      ...more.properties,
    },
  })

  async function createVisit(
    user: TestUser,
    of: TestMachine,
    fields: { startedAt: number; endedAt?: number },
  ) {
    const row = await here.site.db
      .insertInto('visits')
      .values({
        user_id: user.userId,
        session_id: user.sessionId,
        machine_id: of.machineId,
        target: 'page',
        address: '127.0.0.1',
        started_at: new Date(fields.startedAt),
        ends_at: new Date(fields.startedAt + 3_600_000),
        active_at: new Date(fields.startedAt),
        ended_at: fields.endedAt === undefined ? null : new Date(fields.endedAt),
        end_reason: fields.endedAt === undefined ? null : 'left',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }

  test('are kept where the tag’s group has a name for people', async () => {
    const node = await here.openNode()
    await node.publish('NBIRTH', [inNamedGroup(metric('Hold/sp', double, 1))])
    await here.tagOf('sp')
    await node.publish('NDATA', [told('', 2, { name: 'Hold/sp' })])
    const [entry] = await here.until(async () => {
      const rows = await here.log()
      return rows.length > 0 ? rows : undefined
    }, 'write')
    expect(entry).toMatchObject({ tag: 'sp', to: 2, state: 'confirmed' })
  })

  test('are kept when the disk has room again', async () => {
    const node = await here.openNode()
    await node.publish('NBIRTH', [metric('sp', double, 1)])
    await here.tagOf('sp')
    const disk = await fillDiskOf(here.site.db, 'writes')
    await node.publish('NDATA', [told('', 2)])
    await disk.met()
    await disk.giveRoom()
    const [entry] = await here.until(async () => {
      const rows = await here.log()
      return rows.length > 0 ? rows : undefined
    }, 'write')
    expect(entry).toMatchObject({ tag: 'sp', to: 2, state: 'confirmed' })
  })

  test('are in the log of the visit they came by; a visit that is over or of another machine does not count', async () => {
    const visitor = await here.site.createHolder(
      here.machine.machineId,
      { role: 'visitor' },
      { name: 'Guest' },
    )
    const other = await here.site.createMachine({ owner: here.owner.userId })
    const hourMs = 3_600_000
    const live = await createVisit(visitor, here.machine, { startedAt: here.now() - 1_000 })
    const over = await createVisit(visitor, here.machine, {
      startedAt: here.now() - hourMs,
      endedAt: here.now() - hourMs / 2,
    })
    const elsewhere = await createVisit(here.owner, other, { startedAt: here.now() - 1_000 })
    const inside = await here.openPage(visitor)
    const node = await here.openNode()
    await node.publish('NBIRTH', [metric('sp', double, 1)])
    await here.tagOf('sp')
    await node.publish('NDATA', [told(String(live), 2)])
    await node.publish('NDATA', [told(String(over), 3)])
    await node.publish('NDATA', [told(String(elsewhere), 4)])
    await node.publish('NDATA', [told('', 5)])
    const refused = { properties: { writeError: text('illegal data value (Modbus exception 3)') } }
    await node.publish('NDATA', [told('1 or 1=1', 6, refused)])
    const entries = await here.until(async () => {
      const rows = await here.log()
      return rows.length === 5 ? rows : undefined
    }, 'five writes')
    expect(entries.map(({ to, user, sessionId, state }) => [to, user, sessionId, state])).toEqual([
      [6, '', null, 'failed'],
      [5, '', null, 'confirmed'],
      [4, '', null, 'confirmed'],
      [3, '', null, 'confirmed'],
      [2, 'Guest', live, 'confirmed'],
    ])
    expect(entries[0]?.reason).toBe('illegal data value (Modbus exception 3)')

    // The open log of a key updates; the writer gets their own writes.
    const toldTo = ({ events }: PushClient) =>
      events.flatMap((event) => (event.scene === 'writeResult' ? [Number(event.result.commandId)] : []))
    const ids = entries.map(({ id }) => id).reverse()
    await here.until(() => (toldTo(here.page).length === ids.length ? true : undefined), 'five results')
    expect(toldTo(here.page)).toEqual(ids)
    expect(toldTo(inside)).toEqual(ids.slice(0, 1))

    const own = await here.site.as(visitor).call(visits.listVisitWrites, { sessionId: live })
    expect(own).toMatchObject([{ from: 1, to: 2 }])
    expect(await here.site.as(here.owner).call(visits.listVisitWrites, { sessionId: live })).toHaveLength(1)
    const stranger = await here.site.createUser()
    for (const sessionId of [live, 999_999]) {
      expect(await here.site.refusalOf(stranger, visits.listVisitWrites, { sessionId })).toBe('404')
    }
    const notKey = await failureOf(here.site.as(visitor), visits.listMachineWrites, {
      machineId: here.machine.machineId,
    })
    expect(notKey.code).toBe('403')
  })

  test('repeated after an outage are one write, and end none of the platform’s', async () => {
    const node = await here.openNode()
    await node.publish('NBIRTH', [metric('sp', double, 1)])
    const commandId = await here.write('sp', 8)
    const at = here.now()
    await node.publish('NDATA', [told('', 2, { timestamp: at })])
    await node.publish('NDATA', [told('', 2, { timestamp: at, isHistorical: true })])
    await node.publish('NDATA', [told('', 8, { timestamp: at - 60_000, isHistorical: true })])
    await here.until(async () => ((await here.log()).length === 3 ? true : undefined), 'three writes')
    expect((await here.log()).map(({ to, state }) => [to, state])).toEqual([
      [8, 'confirmed'],
      [2, 'confirmed'],
      [8, 'sent'],
    ])
    here.aheadMs += 10_000
    expect((await here.resultOf(commandId)).state).toBe('failed')
  })
})
