import { accounts } from '@busbar/contract'
import { PushClient } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { describe, expect, test } from 'vitest'

const site = useSite()

const valuesOf = (machineId: number) => (event: PushClient['events'][number]) =>
  event.scene === 'values' && event.machineId === String(machineId) ? event.values : undefined

/** Sends plain JSON as the machine, over HTTP: answered after the commit. */
async function send(machine: { code: string; secret: string }, values: object): Promise<void> {
  const response = await fetch(`${site.url}/api/v1/ingest`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${machine.code}:${machine.secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(values),
  })
  expect(response.status).toBe(200)
}

async function openPage(user: { token: string }): Promise<PushClient> {
  const { ticket } = await site.as(user).call(accounts.createPushTicket, {})
  return PushClient.open(site.url, ticket)
}

describe('watching a machine', () => {
  test('shows the present values at once, then every change', async () => {
    const user = await site.createUser()
    const machine = await site.createMachine({ owner: user.userId })
    await send(machine, { temp: 21.5 })
    const page = await openPage(user)
    page.watch(machine.machineId)
    const first = await page.find(valuesOf(machine.machineId))
    expect(first[0]?.value).toEqual({ case: 'numberValue', value: 21.5 })
    await send(machine, { temp: 22.25 })
    await page.find((event) =>
      valuesOf(machine.machineId)(event)?.find(
        (value) => value.value.case === 'numberValue' && value.value.value === 22.25,
      ),
    )
    page.close()
  })

  test('a stranger who watches gets no values', async () => {
    const [owner, stranger] = [await site.createUser(), await site.createUser()]
    const machine = await site.createMachine({ owner: owner.userId })
    await send(machine, { temp: 1 })
    const page = await openPage(stranger)
    page.watch(machine.machineId)
    await send(machine, { temp: 2 })
    // The answer to a heartbeat comes after everything sent before it.
    page.heartbeat()
    await page.find((event) => (event.scene === 'heartbeat' ? true : undefined))
    expect(page.events.filter((event) => event.scene === 'values')).toEqual([])
    page.close()
  })

  test('a right taken away stops the values at once', async () => {
    const [owner, visitor] = [await site.createUser(), await site.createUser()]
    const machine = await site.createMachine({ owner: owner.userId })
    await site.grantMachine(visitor.userId, machine.machineId, { role: 'visitor' })
    await send(machine, { temp: 1 })
    const page = await openPage(visitor)
    page.watch(machine.machineId)
    await page.find(valuesOf(machine.machineId))

    const other = await openPage(owner)
    other.watch(machine.machineId)
    await other.find(valuesOf(machine.machineId))

    await site.db.transaction().execute(async (trx) => {
      await trx.deleteFrom('machine_grants').where('user_id', '=', visitor.userId).execute()
      await trx
        .insertInto('right_changes')
        .values({ user_id: visitor.userId, machine_id: machine.machineId, reason: 'test' })
        .execute()
    })
    // The hub was not woken: it finds the change in the table by itself.
    await expect.poll(() => site.platform.hub.stats().watches, { timeout: 10_000 }).toBe(1)
    const before = page.events.length
    await send(machine, { temp: 3 })
    await other.find((event) =>
      valuesOf(machine.machineId)(event)?.find(
        (value) => value.value.case === 'numberValue' && value.value.value === 3,
      ),
    )
    expect(page.events.slice(before).filter(({ scene }) => scene === 'values')).toEqual([])
    page.close()
    other.close()
  })

  test('only the requested tags', async () => {
    const user = await site.createUser()
    const machine = await site.createMachine({ owner: user.userId })
    await send(machine, { temp: 1, pressure: 2 })
    const tag = await site.db
      .selectFrom('tags')
      .select('id')
      .where('machine_id', '=', machine.machineId)
      .where('name', '=', 'pressure')
      .executeTakeFirstOrThrow()
    const page = await openPage(user)
    page.watch(machine.machineId, [tag.id])
    const values = await page.find(valuesOf(machine.machineId))
    expect(values.map((value) => value.tagId)).toEqual([String(tag.id)])
    page.close()
  })
})

describe('a page', () => {
  test('that missed a change of state gets it after Resume, in order and once', async () => {
    const user = await site.createUser()
    const machine = await site.createMachine({ owner: user.userId })
    const page = await openPage(user)
    site.platform.bus.publish('presence', { machineId: machine.machineId, online: true, at: Date.now() })
    const first = await page.find((event) => (event.scene === 'machineState' ? event : undefined))
    page.close()
    await site.platform.facts.record(site.db, {
      kind: 'alarm.raised',
      ...{ machineId: machine.machineId, alarmId: 1, key: 'E1', level: 'minor', text: {}, count: 1 },
      at: Date.now(),
    })
    await expect
      .poll(
        () => site.db.selectFrom('user_events').select('id').where('user_id', '=', user.userId).execute(),
        { timeout: 10_000 },
      )
      .toHaveLength(2)
    const again = await openPage(user)
    again.resume(first.id)
    const missed = await again.find((event) => (event.scene === 'machineState' ? event : undefined))
    expect(Number(missed.id)).toBe(Number(first.id) + 1)
    again.close()
  })

  test('with a wrong sid is closed with 4401', async () => {
    const page = await PushClient.open(site.url, 'wrong')
    expect((await page.waitForClose()).code).toBe(4401)
  })

  test.each([
    ['text', 'hello'],
    ['bytes that are no message', Buffer.from([0xff, 0xff, 0xff])],
  ])('that sends %s is closed, and nobody else notices', async (_, data) => {
    const user = await site.createUser()
    const [bad, good] = [await openPage(user), await openPage(user)]
    bad.sendRaw(data)
    expect((await bad.waitForClose()).code).toBe(4400)
    good.heartbeat()
    await good.find((event) => (event.scene === 'heartbeat' ? true : undefined))
    good.close()
  })
})
