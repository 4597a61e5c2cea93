import { alarms, operator as contract, sims } from '@busbar/contract'
import {
  createEnterprise,
  createEnterpriseMachine,
  failureOf,
  listMachine,
  type TestUser,
} from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withTransaction } from '../../kernel/database/database.ts'
import { ProviderFailed } from '../../kernel/outgoing-http/ask-json.ts'
import { updateOwner } from '../machine-register/index.ts'
import type { Carrier, CarrierCard, CarrierUsage } from './carriers/carrier.ts'
import { addDays, dayOf, planMonthOf } from './plan-month.ts'
import { refreshJob, watchJob } from './refresh-cards.ts'

const site = useSite()
const dayMs = 86_400_000
const account = 'test account'
let boss: TestUser
let owner: TestUser
let drawn = 0
/** A card that no other test has. */
const nextIccid = () => `8986${String(++drawn).padStart(15, '0')}`

beforeAll(async () => {
  boss = await site.createUser()
  await site.db.updateTable('users').set({ is_operator: true }).where('id', '=', boss.userId).execute()
  owner = await site.createUser()
})

const codeOf = async (...call: Parameters<typeof failureOf>) => (await failureOf(...call)).code

/** A plan of the account; the calls know only accounts of the configuration. */
async function createPlan(name: string, totalMb: number | null = 100, of = account): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into sim_plans (name, account, total_mb, cycle, created_at)
    values (${name}, ${of}, ${totalMb}, 'calendar', now()) returning id`.execute(site.db)
  return rows[0]?.id ?? 0
}

const importLines = (lines: readonly string[]) =>
  site.as(boss).call(contract.importCards, { csv: ['iccid,machineCode,plan,expireAt', ...lines].join('\n') })

const read = (reader: TestUser, iccid: string) => site.as(reader).call(sims.getCard, { iccid })
const idOf = async (iccid: string) =>
  (await site.as(boss).call(contract.listAllCards, { search: iccid })).list[0]?.id ?? 0
const openAlarms = async (reader: TestUser) =>
  (await site.as(reader, 'en').call(alarms.listAlarms, {})).list
    .filter(({ key, state }) => key.startsWith('busbar/sim') && state === 'active')
    .map(({ text }) => text)

/* A carrier that answers what a test says. */
const told = new Map<string, { card?: Partial<CarrierCard>; usage?: Partial<CarrierUsage> }>()
let failure: ProviderFailed | undefined
const asked: string[] = []
const carrier: Carrier = {
  limits: {
    callsAtOnceMax: 1,
    callsPerSecondMax: 100,
    detailCardsMax: 10,
    usageCardsMax: 3,
    listEveryMs: 60_000,
  },
  states: { ON: 'working' },
  listChanged: undefined,
  listCards: undefined,
  async details(iccids) {
    if (failure) throw failure
    asked.push(...iccids)
    return iccids.flatMap((iccid) => {
      const one = told.get(iccid)
      const rest = { msisdn: '1440000', stopReason: null, activeAt: null, expireAt: null, imei: '' }
      return one ? [{ iccid, state: 'working', word: 'ON', ...rest, ...one.card } as const] : []
    })
  },
  usage: async (iccids) =>
    iccids.flatMap((iccid) => {
      const usage = told.get(iccid)?.usage
      return usage ? [{ iccid, cycleBytes: null, days: [], asOf: at, card: null, ...usage }] : []
    }),
}

let at = Date.now()
beforeEach(() => {
  // Later than the platform's own clock, by which a new card is due.
  at = Date.now() + 60_000
  failure = undefined
})
const deps = () => ({
  db: site.db,
  facts: site.platform.facts,
  logger: { warn: () => undefined },
  accounts: [
    {
      name: account,
      kind: 'simulator' as const,
      carrier,
      calls: { run: <T>(act: () => Promise<T>) => act() },
    },
  ],
  now: () => at,
})
const run = () => ({ signal: new AbortController().signal, now: at, previous: undefined })
const refresh = () => refreshJob(deps()).run(run())
const watch = () => watchJob(deps()).run(run())

/** A card in a machine of the owner; its carrier tells nothing yet. */
async function createCard(totalMb: number | null = 100) {
  const machine = await site.createMachine({ owner: owner.userId })
  const iccid = nextIccid()
  const plan = `Plan ${iccid}`
  const planId = await createPlan(plan, totalMb)
  expect(await importLines([`${iccid},${machine.code},${plan},`])).toEqual({ created: 1, refused: [] })
  return { iccid, machine, plan, planId }
}

describe('an import', () => {
  test('names each refused line, and overwrites nothing', async () => {
    const { iccid, plan, machine } = await createCard()
    const other = await site.createMachine({ owner: owner.userId })
    const [free, twice] = [nextIccid(), nextIccid()]
    const { created, refused } = await importLines([
      `${free},,${plan},2027-01-31`,
      `${iccid}7,${other.code},${plan},`,
      `${iccid},${machine.code},${plan},`,
      `12345,,${plan},`,
      `${twice},,${plan.toUpperCase()},`,
      `${twice}0,,${plan},`,
      `${nextIccid()},9999999999999999999,${plan},`,
      `${nextIccid()},,no such plan,`,
      `${nextIccid()},,${plan},2027-02-30`,
      `${nextIccid()},,${plan},,more`,
    ])
    expect(created).toBe(2)
    expect(refused).toEqual([
      { line: 3, reason: 'otherMachine' },
      { line: 4, reason: 'twice' },
      { line: 5, reason: 'iccid' },
      { line: 7, reason: 'twice' },
      { line: 8, reason: 'machine' },
      { line: 9, reason: 'plan' },
      { line: 10, reason: 'expireAt' },
      { line: 11, reason: 'columns' },
    ])
    expect(await importLines([`${iccid},${machine.code},${plan},`])).toEqual({
      created: 0,
      refused: [{ line: 2, reason: 'known' }],
    })
    expect((await read(owner, iccid)).machineId).toBe(machine.machineId)
    const [card] = (await site.as(boss).call(contract.listAllCards, { search: free, only: 'unused' })).list
    expect(card?.expireAt).toBe(Date.parse('2027-01-31T23:59:59+08:00'))
  })

  test('takes 20,000 lines at once', async () => {
    const plan = `Large ${nextIccid()}`
    await createPlan(plan, 100, 'nobody asks')
    const lines = Array.from({ length: 20_000 }, () => `${nextIccid()},,${plan},`)
    expect((await importLines(lines)).created).toBe(20_000)
    expect(
      await codeOf(site.as(boss), contract.importCards, {
        csv: ['iccid,machineCode,plan', ...lines, 'x,,,'].join('\n'),
      }),
    ).toBe('12010302')
  })
})

describe('a card', () => {
  test('is shown to those who hold its machine, and is unknown to all others', async () => {
    const { iccid, machine } = await createCard()
    expect(await read(owner, iccid)).toMatchObject({
      iccid,
      status: 9,
      machineId: machine.machineId,
      cards: [iccid],
    })
    // The same card with its check digit.
    expect((await read(owner, `${iccid}0`)).iccid).toBe(iccid)
    const byCode = await site.as(owner).call(sims.readCard, { machineCode: machine.code })
    expect(byCode.iccid).toBe(iccid)
    const stranger = await site.createUser()
    expect(await codeOf(site.as(stranger), sims.getCard, { iccid })).toBe('404')
    expect(await codeOf(site.as(stranger), sims.getCard, { machineCode: machine.code })).toBe('404')
    expect(await codeOf(site.as(owner), sims.getCard, { iccid: nextIccid() })).toBe('404')
    expect((await site.as(stranger).call(sims.listCards, {})).list).toEqual([])
    expect(await codeOf(site.as(owner), sims.getCard, {})).toBe('400')
  })

  test('has its carrier’s state, the traffic of its months, and a forecast', async () => {
    const { iccid } = await createCard()
    at = Date.parse('2027-03-20T04:00:00Z')
    const days = Array.from({ length: 40 }, (_, back) => ({
      day: addDays('2027-03-19', -back),
      bytes: 4_000_000,
    }))
    told.set(iccid, {
      card: { state: 'suspended', word: 'PAUSED', stopReason: 'overThreshold' },
      usage: { days },
    })
    await refresh()
    expect(await read(owner, iccid)).toMatchObject({
      ...{
        status: 3,
        state: 'suspended',
        statusText: 'PAUSED',
        stopReason: 'overThreshold',
        msisdn: '1440000',
      },
      ...{ usedMb: 76, leftMb: 24, asOf: at, failedAt: null },
      forecast: { at: '2027-03-25', earliest: '2027-03-25', latest: '2027-03-25' },
      history: [
        { month: '2027-03', mb: 76 },
        { month: '2027-02', mb: 84 },
      ],
    })
    // A later answer corrects an earlier one.
    told.set(iccid, { usage: { days: [{ day: '2027-03-19', bytes: 10_000_000 }] } })
    at += dayMs
    await refresh()
    expect(await read(owner, iccid)).toMatchObject({ state: 'working', stopReason: null, usedMb: 82 })
  })

  test('that its carrier does not know is in an unknown state', async () => {
    const { iccid } = await createCard()
    told.set(iccid, { usage: {} })
    await refresh()
    expect((await read(owner, iccid)).state).toBe('working')
    told.delete(iccid)
    at += dayMs
    await refresh()
    expect(await read(owner, iccid)).toMatchObject({ state: 'unknown', statusText: '' })
  })

  test('keeps its last good figures while the carrier fails, with the time since when', async () => {
    const { iccid } = await createCard()
    const today = dayOf(at)
    told.set(iccid, { usage: { days: [{ day: today, bytes: 5_000_000 }] } })
    await refresh()
    const { asOf } = await read(owner, iccid)
    failure = new ProviderFailed('timeout', 'carrier.test')
    at += dayMs
    await refresh()
    const failedAt = at
    // It is not asked for again at once.
    asked.length = 0
    failure = undefined
    await refresh()
    expect(asked).not.toContain(iccid)
    expect(await read(owner, iccid)).toMatchObject({ failedAt, asOf, state: 'working' })
    expect((await site.as(boss).call(contract.listAllCards, { only: 'failing', search: iccid })).total).toBe(
      1,
    )
    at += 2 * 3_600_000
    await refresh()
    expect((await read(owner, iccid)).failedAt).toBeNull()
  })

  test('of which its machine reports another is shown with both', async () => {
    const { iccid, machine } = await createCard()
    const { iccid: other } = await createCard()
    await tellIccid(machine.machineId, `${iccid}9`)
    expect((await read(owner, iccid)).toldIccid).toBeNull()
    await tellIccid(machine.machineId, other)
    expect((await read(owner, iccid)).toldIccid).toBe(other)
    const differing = await site.as(boss).call(contract.listAllCards, { only: 'differs', search: iccid })
    expect(differing.list).toMatchObject([{ iccid, toldIccid: other }])
  })

  test('goes with its machine, without the traffic of before', async () => {
    const { iccid, machine } = await createCard()
    const today = dayOf(at)
    const days = [0, 1, 2, 3].map((back) => ({ day: addDays(today, -back), bytes: 1_000_000 }))
    told.set(iccid, { usage: { days } })
    await refresh()
    expect((await read(owner, iccid)).days).toHaveLength(4)
    const next = await site.createUser()
    await site.db
      .updateTable('machines')
      .set({ owner_user_id: next.userId, owned_since: new Date(at - dayMs) })
      .where('id', '=', machine.machineId)
      .execute()
    expect((await read(next, iccid)).days.map(({ day }) => day)).toEqual([today, addDays(today, -1)])
    expect(await codeOf(site.as(owner), sims.getCard, { iccid })).toBe('404')
  })
})

const tellIccid = (machineId: number, iccid: string) =>
  site.db
    .updateTable('machines')
    .set({ attributes: JSON.stringify({ iccid }) })
    .where('id', '=', machineId)
    .execute()

describe('a carrier that lists its cards', () => {
  test('is asked page by page, on from where a run ended, and for no details of cards in its list', async () => {
    const name = 'lists'
    const calls: string[] = []
    const cards = [nextIccid(), nextIccid(), nextIccid()]
    const plan = `Listed ${cards[0]}`
    await createPlan(plan, null, name)
    await importLines(cards.map((iccid) => `${iccid},,${plan},`))
    let word = 'ON'
    let refusal: 'timeout' | 'refused' | undefined = 'timeout'
    const tellOf = (iccid: string): CarrierCard => ({
      ...{ iccid, state: word === 'ON' ? 'working' : 'suspended', word, msisdn: '', stopReason: null },
      ...{ activeAt: null, expireAt: null, imei: '' },
    })
    const listing: Carrier = {
      ...carrier,
      async listCards(page) {
        calls.push(`list ${page}`)
        if (page === '2' && refusal) throw new ProviderFailed(refusal, 'carrier.test')
        const at = Number(page ?? 0)
        const [iccid = ''] = cards.slice(at)
        return { cards: [tellOf(iccid)], next: at === cards.length - 1 ? null : String(at + 1) }
      },
      async details(iccids) {
        calls.push(`details of ${iccids.length}`)
        return iccids.map(tellOf)
      },
      async usage(iccids) {
        calls.push(`usage of ${iccids.length}`)
        return iccids.map((iccid) => ({ iccid, cycleBytes: 1_000_000, days: [], asOf: at, card: null }))
      },
    }
    const askAll = () => {
      calls.length = 0
      return refreshJob({
        ...deps(),
        accounts: deps().accounts.map(({ calls }) => ({ name, carrier: listing, calls })),
      }).run(run())
    }
    const states = async () =>
      (await site.as(boss).call(contract.listAllCards, { carrier: name, sort: 'iccid' })).list.map(
        ({ state }) => state,
      )
    await askAll()
    // Cards without figures are asked for although the list failed.
    expect(calls).toEqual(['list null', 'list 1', 'list 2', 'usage of 3', 'details of 3'])
    refusal = undefined
    await askAll()
    expect(calls).toEqual(['list 2'])
    expect(await states()).toEqual(['working', 'working', 'working'])
    at += dayMs
    word = 'OFF'
    await askAll()
    expect(calls).toEqual(['list null', 'list 1', 'list 2', 'usage of 3'])
    expect(await states()).toEqual(['suspended', 'suspended', 'suspended'])
    await askAll()
    expect(calls).toEqual([])
    // A page that is refused is forgotten, and keeps no figures back.
    at += dayMs
    refusal = 'refused'
    await askAll()
    expect(calls).toEqual(['list null', 'list 1', 'list 2', 'usage of 3'])
    refusal = undefined
    await askAll()
    expect(calls).toEqual(['list null', 'list 1', 'list 2'])
  })
})

test.each([
  ['questionRefused', 3],
  ['refused', 1],
] as const)(
  'a question about one card that fails as %s lets a run ask for %i of three',
  async (reason, askedFor) => {
    const name = `asks ${reason}`
    const cards = [nextIccid(), nextIccid(), nextIccid()]
    const plan = `Asked ${cards[0]}`
    await createPlan(plan, null, name)
    await importLines(cards.map((iccid) => `${iccid},,${plan},`))
    const questions: string[] = []
    const refusing: Carrier = {
      ...carrier,
      limits: { ...carrier.limits, usageCardsMax: 1 },
      async usage(iccids) {
        questions.push(...iccids)
        if (questions.length === 1) throw new ProviderFailed(reason, 'carrier.test')
        return iccids.map((iccid) => ({ iccid, cycleBytes: 1_000_000, days: [], asOf: at, card: null }))
      },
    }
    const accounts = deps().accounts.map(({ calls }) => ({ name, carrier: refusing, calls }))
    await refreshJob({ ...deps(), accounts }).run(run())
    expect(new Set(questions).size).toBe(askedFor)
    const { list } = await site.as(boss).call(contract.listAllCards, { carrier: name })
    const failing = list.filter(({ failedAt }) => failedAt !== null).map(({ iccid }) => iccid)
    expect(failing).toEqual(questions.slice(0, 1))
    expect(list.filter(({ usedMb }) => usedMb !== null)).toHaveLength(askedFor - 1)
  },
)

describe('the people of a machine are told', () => {
  test('at 80, 95 and 100 % of the volume, once each, and not any more in the next month', async () => {
    const { iccid } = await createCard()
    at = Date.parse('2027-05-20T04:00:00Z')
    const use = async (mb: number) => {
      const { from } = planMonthOf(dayOf(at), 'calendar')
      told.set(iccid, { usage: { days: [{ day: from, bytes: mb * 1_000_000 }] } })
      at += dayMs
      await refresh()
      return (await openAlarms(owner)).filter((text) => text.includes(iccid.slice(-4)))
    }
    expect(await use(79.9)).toEqual([])
    expect(await use(80)).toEqual([expect.stringContaining('80 %')])
    expect(await use(94)).toHaveLength(1)
    expect(await use(96)).toEqual([expect.stringContaining('95 %')])
    expect(await use(120)).toEqual([expect.stringContaining('100 %')])
    at = Date.parse('2027-06-02T04:00:00Z')
    expect(await use(1)).toEqual([])
    const { rows } = await sql<{ percent: number }>`
      select (payload ->> 'percent')::int as percent from facts
      where kind = 'sim.usageCrossed' and (payload ->> 'simId')::bigint = ${await idOf(iccid)} order by id`.execute(
      site.db,
    )
    expect(rows.map(({ percent }) => percent)).toEqual([80, 95, 100])
  })

  test('30, 7 and 1 day before the end of the plan, without an answer of its carrier', async () => {
    const { iccid, machine, planId } = await createCard(null)
    const id = await idOf(iccid)
    const end = at + 40 * dayMs
    const fields = { id, machineCode: machine.code, planId, expireAt: end }
    await site.as(boss).call(contract.updateCard, fields)
    const look = async (daysLeft: number) => {
      at = end - daysLeft * dayMs
      await watch()
      return (await openAlarms(owner)).filter((text) => text.includes(iccid.slice(-4)))
    }
    expect(await look(31)).toEqual([])
    expect(await look(29)).toEqual([expect.stringContaining('less than 30 day')])
    expect(await look(6)).toEqual([expect.stringContaining('less than 7 day')])
    expect(await look(0.5)).toEqual([expect.stringContaining('less than 1 day')])
    await site.as(boss).call(contract.updateCard, { ...fields, expireAt: end + 400 * dayMs })
    expect(await look(-1)).toEqual([])
  })

  test('when another machine reports the card, until it does not any more', async () => {
    const { iccid, machine } = await createCard()
    const thief = await site.createMachine({ owner: boss.userId })
    const mine = async () => (await openAlarms(owner)).filter((text) => text.includes(iccid.slice(-4)))
    await tellIccid(machine.machineId, iccid)
    await watch()
    expect(await mine()).toEqual([])
    await tellIccid(thief.machineId, `${iccid}3`)
    await watch()
    await watch()
    const [text, ...others] = await mine()
    expect([text, others]).toEqual([expect.stringContaining('another device'), []])
    // Neither side is told which the other machine is.
    expect(text).not.toContain(thief.code)
    // One that comes and goes raises one alarm, which ends a day after it was last seen.
    for (const reported of [nextIccid(), iccid, nextIccid()]) {
      await tellIccid(thief.machineId, reported)
      at += 13 * 3_600_000
      await watch()
    }
    expect(await mine()).toHaveLength(1)
    at += dayMs
    await watch()
    expect(await mine()).toEqual([])
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from facts
      where kind = 'sim.inOtherMachine' and (payload ->> 'simId')::bigint = ${await idOf(iccid)}`.execute(
      site.db,
    )
    expect(rows).toEqual([{ count: 1 }])
  })

  test('anew where the machine has another owner', async () => {
    const { iccid, machine } = await createCard()
    told.set(iccid, { usage: { cycleBytes: 96_000_000 } })
    await refresh()
    const ofCard = async (reader: TestUser) =>
      (await openAlarms(reader)).filter((text) => text.includes(iccid.slice(-4)))
    expect(await ofCard(owner)).toHaveLength(1)
    const next = await site.createUser()
    await listMachine(site.db, next.userId, machine.machineId)
    at += 60_000
    await withTransaction(site.db, async (trx) => {
      const { machineId } = machine
      await updateOwner(trx, machineId, { userId: next.userId }, new Date(at))
      const [from, to] = [{ userId: owner.userId }, { userId: next.userId }]
      const fact = { kind: 'machine.ownerChanged', machineId, from, to, isFirst: false, at } as const
      await site.platform.facts.record(trx, fact)
    })
    expect(await ofCard(next)).toEqual([])
    at += 60_000
    await watch()
    expect(await ofCard(next)).toEqual([expect.stringContaining('95 %')])
  })

  test('no more of a card that leaves the machine', async () => {
    const { iccid, machine, planId } = await createCard()
    told.set(iccid, { usage: { cycleBytes: 99_000_000 } })
    await refresh()
    const mine = async () => (await openAlarms(owner)).filter((text) => text.includes(iccid.slice(-4)))
    expect(await mine()).toHaveLength(1)
    const other = await site.createMachine({ owner: boss.userId })
    const id = await idOf(iccid)
    await site.as(boss).call(contract.updateCard, { id, machineCode: other.code, planId, expireAt: null })
    expect(await mine()).toEqual([])
    await refresh()
    expect((await openAlarms(boss)).filter((text) => text.includes(iccid.slice(-4)))).toHaveLength(1)
    await site.as(boss).call(contract.deleteCard, { id })
    expect((await openAlarms(boss)).filter((text) => text.includes(iccid.slice(-4)))).toEqual([])
    expect(machine.code).not.toBe(other.code)
  })
})

describe('a list', () => {
  test('filters, sorts and sums the cards of a person or an enterprise', async () => {
    const { eid, owner: chief } = await createEnterprise(site.db)
    const plan = `Fleet ${nextIccid()}`
    const planId = await createPlan(plan, 1_000)
    const cards: string[] = []
    for (const days of [5, 50, 500]) {
      const machine = await createEnterpriseMachine(site.db, eid)
      const iccid = nextIccid()
      cards.push(iccid)
      const end = new Date(at + days * dayMs).toISOString().slice(0, 10)
      await importLines([`${iccid},${machine.code},${plan},${end}`])
      told.set(iccid, {
        usage: { cycleBytes: days * 1_000_000 },
        card: { state: days === 5 ? 'suspended' : 'working' },
      })
    }
    await refresh()
    const list = (filter: object) => site.as(chief).call(sims.listCards, { eid, ...filter })
    const [first, second, third] = cards
    const all = await list({})
    expect(all.list.map(({ iccid }) => iccid)).toEqual([first, second, third])
    expect(all).toMatchObject({
      total: 3,
      sums: {
        usedMb: 555,
        totalMb: 3_000,
        byState: [
          { state: 'suspended', count: 1 },
          { state: 'working', count: 2 },
        ],
      },
      plans: [{ planId, name: plan }],
      carriers: [account],
    })
    const found = async (filter: object) => (await list(filter)).list.map(({ iccid }) => iccid)
    expect(await found({ sort: 'usedMb', order: 'desc' })).toEqual([third, second, first])
    expect(await found({ state: 'suspended' })).toEqual([first])
    expect(await found({ daysLeft: 60 })).toEqual([first, second])
    expect(await found({ usedPercent: 50 })).toEqual([third])
    expect(await found({ search: second })).toEqual([second])
    expect(await found({ page: 2, pageSize: 2 })).toEqual([third])
    expect(await codeOf(site.as(owner), sims.listCards, { eid })).toBe('403')
    expect((await site.as(chief).call(sims.listCards, {})).list).toEqual([])
  })
})

test('a list adds up the usage of plans with a limit and of those without', async () => {
  const { eid, owner: chief } = await createEnterprise(site.db)
  for (const [totalMb, usedMb] of [
    [1_000, 250],
    [null, 7_000],
  ] as const) {
    const plan = `Sum ${nextIccid()}`
    await createPlan(plan, totalMb)
    const iccid = nextIccid()
    await importLines([`${iccid},${(await createEnterpriseMachine(site.db, eid)).code},${plan},`])
    told.set(iccid, { usage: { cycleBytes: usedMb * 1_000_000 } })
  }
  await refresh()
  const { sums: found } = await site.as(chief).call(sims.listCards, { eid })
  expect(found).toMatchObject({ usedMb: 250, totalMb: 1_000, openMb: 7_000 })
})

describe('plans', () => {
  test('have one name each, an account that exists, and stay while cards use them', async () => {
    const plan = { name: `Own ${nextIccid()}`, carrier: account, totalMb: 30, cycle: 'day27' } as const
    expect(await codeOf(site.as(boss), contract.createPlan, plan)).toBe('SIM_CARRIER_UNKNOWN')
    const { planId, plan: name } = await createCard()
    expect(await codeOf(site.as(boss), contract.deletePlan, { id: planId })).toBe('SIM_PLAN_USED')
    expect((await site.as(boss).call(contract.listPlans, { search: name })).list).toMatchObject([
      { id: planId, cards: 1 },
    ])
  })
})
