import { simStates, simStatus, simStopReasons } from '@busbar/contract'
import { expect, test, vi } from 'vitest'
import type { ProviderFailed } from '../../../kernel/outgoing-http/ask-json.ts'
import { openSimulator, type SimulatorFault } from './simulator.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const noon = Date.parse('2026-11-30T04:00:00Z')

/** A card by the last three of its 19 characters. */
const cardOf = (end: string) => `8986112233445566${end}`

function start(cycle: 'calendar' | 'day27' = 'calendar') {
  const clock = { now: noon }
  let fault: SimulatorFault | undefined
  const carrier = openSimulator({ now: () => clock.now, cycle, fault: () => fault })
  const detailsOf = async (end: string) => (await carrier.details([cardOf(end)]))[0]
  const usageOf = async (end: string, since = clock.now - 40 * dayMs) => {
    const [usage] = await carrier.usage([cardOf(end)], since)
    if (!usage) throw new Error('no usage')
    return usage
  }
  const fail = (wished: SimulatorFault | undefined) => {
    fault = wished
  }
  return { carrier, clock, detailsOf, usageOf, fail }
}

test('a card of each state is named by its last characters, and the others work', async () => {
  const { detailsOf } = start()
  for (const state of simStates)
    expect((await detailsOf(`09${simStatus(state) % 10}`))?.state, state).toBe(state)
  for (const end of ['000', '123', '456', 'AFF']) expect((await detailsOf(end))?.state).toBe('working')
})

test('a stopped card says why where its third last character names a reason', async () => {
  const { detailsOf } = start()
  for (const [index, reason] of simStopReasons.entries())
    expect(await detailsOf(`${index + 1}93`)).toMatchObject({ state: 'suspended', stopReason: reason })
  expect(await detailsOf('094')).toMatchObject({ state: 'disconnected', stopReason: null })
  expect(await detailsOf('196')).toMatchObject({ state: 'working', stopReason: null })
})

test('another process tells the same of a card', async () => {
  const [one, other] = [start(), start()]
  for (const end of ['000', '097', '182', '270']) {
    expect(await other.detailsOf(end)).toEqual(await one.detailsOf(end))
    expect(await other.usageOf(end)).toEqual(await one.usageOf(end))
  }
  expect((await one.detailsOf('001'))?.imei).not.toBe((await one.detailsOf('002'))?.imei)
})

test('a card is the same with its check digit', async () => {
  const { carrier } = start()
  const [card] = await carrier.details([cardOf('000')])
  expect(await carrier.details([`${cardOf('000')}7`])).toEqual([{ ...card, iccid: `${cardOf('000')}7` }])
})

test('figures are six to twelve hours old, by the card', async () => {
  const { clock, usageOf } = start()
  const ages = new Set<number>()
  for (let n = 0; n < 100; n++) {
    clock.now = noon + (n % 10) * 7 * 60_000
    const { asOf } = await usageOf(String(100 + n))
    expect(clock.now - asOf).toBeGreaterThanOrEqual(6 * hourMs)
    expect(clock.now - asOf).toBeLessThanOrEqual(12 * hourMs)
    expect(asOf % hourMs).toBe(0)
    if (clock.now === noon) ages.add(clock.now - asOf)
  }
  expect(ages.size).toBeGreaterThan(1)
})

test('traffic of a day grows until its end and stays, and the cycle is the sum of its days', async () => {
  const { clock, usageOf } = start()
  const before = await usageOf('000')
  clock.now += 2 * hourMs
  const after = await usageOf('000')
  const byDay = (usage: typeof before) => new Map(usage.days.map(({ day, bytes }) => [day, bytes]))
  const last = before.days.at(-1)
  expect(byDay(after).get(last?.day ?? '')).toBeGreaterThan(last?.bytes ?? 0)
  for (const { day, bytes } of before.days.slice(1, -1)) expect(byDay(after).get(day), day).toBe(bytes)
  const inMonth = before.days.filter(({ day }) => day.startsWith('2026-11'))
  expect(before.cycleBytes).toBe(inMonth.reduce((sum, { bytes }) => sum + bytes, 0))
})

test('a cycle of the 27th begins on the 27th', async () => {
  const { clock, usageOf } = start('day27')
  const sumSince = async (begin: string) => {
    const { cycleBytes, days } = await usageOf('000')
    const sum = days.filter(({ day }) => day >= begin).reduce((total, { bytes }) => total + bytes, 0)
    return { cycleBytes, sum }
  }
  const late = await sumSince('2026-11-27')
  expect(late.cycleBytes).toBe(late.sum)
  clock.now = Date.parse('2026-11-26T08:00:00Z')
  const early = await sumSince('2026-10-27')
  expect(early.cycleBytes).toBe(early.sum)
})

test('tells days since the one that was asked for, at most of six months', async () => {
  const { clock, usageOf } = start()
  expect((await usageOf('000', clock.now - 2 * dayMs)).days.map(({ day }) => day)).toEqual([
    '2026-11-28',
    '2026-11-29',
    ...((await usageOf('000')).days.at(-1)?.day === '2026-11-30' ? ['2026-11-30'] : []),
  ])
  expect((await usageOf('000', 0)).days).toHaveLength(181)
})

test('a card that is not in use has no traffic', async () => {
  const { usageOf } = start()
  const { cycleBytes, days } = await usageOf('091')
  expect([cycleBytes, ...days.map(({ bytes }) => bytes)].every((bytes) => bytes === 0)).toBe(true)
})

test('the end of a card is ahead while it works, and behind it when it is over', async () => {
  const { clock, detailsOf } = start()
  expect((await detailsOf('000'))?.expireAt).toBeGreaterThan(clock.now)
  expect((await detailsOf('097'))?.expireAt).toBeLessThanOrEqual(clock.now)
  expect((await detailsOf('091'))?.activeAt).toBeNull()
})

test('a card is in another device each second day', async () => {
  const { clock, detailsOf } = start()
  const imeis: (string | undefined)[] = []
  for (let day = 0; day < 4; day++) {
    imeis.push((await detailsOf('080'))?.imei)
    clock.now += dayMs
  }
  expect(new Set(imeis).size).toBe(2)
  expect([imeis[2], imeis[3]]).toEqual([imeis[0], imeis[1]])
})

test('lists cards that it knows and that changed, page by page', async () => {
  const { carrier, clock, detailsOf } = start()
  expect(await carrier.listChanged?.(0, null)).toEqual({ iccids: [], next: null })
  const ends = Array.from({ length: 60 }, (_, n) => `${n % 10}7${Math.floor(n / 10)}`)
  for (const end of [...ends, '000']) await detailsOf(end)
  const first = (await detailsOf('070'))?.state
  const since = clock.now
  expect((await carrier.listChanged?.(since, null))?.iccids).toEqual([])
  clock.now += hourMs
  const page = await carrier.listChanged?.(since, null)
  expect(page?.iccids).toHaveLength(50)
  const rest = await carrier.listChanged?.(since, page?.next ?? null)
  expect(rest?.next).toBeNull()
  expect([...(page?.iccids ?? []), ...(rest?.iccids ?? [])]).toEqual(ends.map(cardOf))
  const states = [first, (await detailsOf('070'))?.state]
  expect(states.sort()).toEqual(['suspended', 'working'])
})

test.each([
  ['wrong', 'wrongAnswer'],
  ['huge', 'wrongAnswer'],
  ['slow', 'timeout'],
] as const)('is %s when asked to be', async (fault, reason) => {
  vi.useFakeTimers()
  try {
    const { carrier, fail } = start()
    fail(fault)
    for (const ask of [
      () => carrier.details([cardOf('000')]),
      () => carrier.usage([cardOf('000')], 0),
      () => carrier.listChanged?.(0, null) as Promise<unknown>,
    ]) {
      const failure = ask().then(
        () => 'answered',
        (error) => (error as ProviderFailed).reason,
      )
      await vi.advanceTimersByTimeAsync(10_000)
      expect(await failure).toBe(reason)
    }
    fail(undefined)
    expect(await carrier.details([cardOf('000')])).toHaveLength(1)
  } finally {
    vi.useRealTimers()
  }
})

test('tells a state that nobody knows when asked to', async () => {
  const { detailsOf, fail } = start()
  fail('unknownState')
  expect(await detailsOf('000')).toMatchObject({ state: 'unknown', word: 'HIBERNATED' })
})
