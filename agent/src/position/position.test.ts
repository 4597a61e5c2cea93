import { expect, test } from 'vitest'
import { ManualClock } from '../testing/manual-clock.ts'
import { settled } from '../testing/one-controller.ts'
import { startPosition } from './position.ts'
import type { Gps, PositionSource, Told } from './told.ts'

const minuteMs = 60_000
const gps = (lat: number, lng = 11.5, accuracy = 5): Gps => ({ lat, lng, accuracy, at: 0 })
/** A degree of latitude. */
const degreeMetres = 111_195

/** A source that a test plays. */
function playedSource(name: string) {
  const runs: { tell: (told: Told) => void; fail: (reason: string) => void }[] = []
  const source: PositionSource = {
    name,
    run: (tell, signal) =>
      new Promise((resolve, reject) => {
        runs.push({ tell, fail: (reason) => reject(new Error(reason)) })
        signal.addEventListener('abort', () => resolve())
      }),
  }
  return {
    source,
    runs,
    tell: (told: Told) => runs.at(-1)?.tell(told),
    fail: (reason: string) => runs.at(-1)?.fail(reason),
  }
}

function setUp(names: readonly string[] = ['one']) {
  const clock = new ManualClock()
  const played = names.map(playedSource)
  const published: { afterS: number; told: Record<string, unknown> }[] = []
  const logged: unknown[] = []
  const stop = startPosition({
    sources: played.map(({ source }) => source),
    publish: (told) =>
      published.push({
        afterS: clock.monotonic() / 1_000,
        told: Object.fromEntries([...told].map(([part, json]) => [part, JSON.parse(json)])),
      }),
    clock,
    log: (_level, event, fields) => void logged.push([event, fields]),
  })
  return { clock, played, published, logged, stop }
}

/** A machine that tells its place every second; `latOf` by the second. */
function drive(
  { clock, played }: ReturnType<typeof setUp>,
  seconds: number,
  latOf: (second: number) => number,
) {
  for (let second = 0; second < seconds; second++) {
    played[0]?.tell({ gps: { ...gps(latOf(second)), at: second } })
    clock.advance(1_000)
  }
}

test('a machine that stands publishes at once, then every ten minutes', () => {
  const run = setUp()
  // Receivers wander by some metres.
  drive(run, 25 * 60, (second) => 48 + ((second % 7) * 10) / degreeMetres)
  expect(run.published.map(({ afterS }) => afterS)).toEqual([2, 602, 1_202])
})

test('one that moves publishes each hundred metres, and every ten seconds at most', () => {
  const slow = setUp()
  drive(slow, 300, (second) => 48 + (1.01 * second) / degreeMetres)
  expect(slow.published.map(({ afterS }) => afterS)).toEqual([2, 102, 202])
  const fast = setUp()
  drive(fast, 60, (second) => 48 + (1_000 * second) / degreeMetres)
  expect(fast.published.map(({ afterS }) => afterS)).toEqual([2, 12, 22, 32, 42, 52])
})

test('a move east counts by its metres, also over the date line, and a vague fix shows none', () => {
  const run = setUp()
  const publishedAfter = (told: Told) => {
    const before = run.published.length
    run.played[0]?.tell(told)
    run.clock.advance(10_000)
    return run.published.length - before
  }
  expect(publishedAfter({ gps: gps(60, 179.9995) })).toBe(1)
  expect(publishedAfter({ gps: gps(60, -179.9995) })).toBe(0)
  expect(publishedAfter({ gps: gps(60, -179.9985) })).toBe(1)
  expect(publishedAfter({ gps: gps(60.005, -179.9985, 600) })).toBe(0)
  expect(publishedAfter({ gps: gps(60.005, -179.9985, 60) })).toBe(1)
})

test('cells and networks go with the position, and are not told again while they are the same', () => {
  const run = setUp()
  const cells = [{ radio: 'lte', mcc: 262, mnc: 3, tac: 1, cellId: 2 }] as const
  run.played[0]?.tell({ cells })
  run.clock.advance(10_000)
  run.played[0]?.tell({ gps: gps(48), wifi: [{ mac: '00:11:22:aa:bb:cc', signalDbm: -60 }] })
  run.clock.advance(10_000)
  run.played[0]?.tell({ wifi: [{ mac: '00:11:22:aa:bb:cd', signalDbm: -60 }] })
  run.clock.advance(60_000)
  expect(run.published.map(({ told }) => Object.keys(told))).toEqual([['cells'], ['gps', 'wifi']])
  run.clock.advance(9 * minuteMs)
  run.played[0]?.tell({ cells, gps: gps(48), wifi: [{ mac: '00:11:22:aa:bb:cd', signalDbm: -60 }] })
  run.clock.advance(10_000)
  expect(run.published.slice(2).map(({ told }) => Object.keys(told))).toEqual([['wifi']])
})

test('the first source that knows the place tells it, and the next while it is silent', () => {
  const run = setUp(['receiver', 'box'])
  const [receiver, box] = run.played
  receiver?.tell({ gps: gps(48) })
  box?.tell({ gps: gps(20), cells: [] })
  run.clock.advance(10_000)
  expect(run.published.at(-1)?.told).toMatchObject({ gps: { lat: 48 }, cells: [] })
  for (let minutes = 0; minutes < 4; minutes++) {
    box?.tell({ gps: gps(20) })
    run.clock.advance(minuteMs)
  }
  expect(run.published.at(-1)?.told).toMatchObject({ gps: { lat: 20 } })
})

test('a source that fails is tried again with growing waits and named once, and the others go on', async () => {
  const run = setUp(['receiver', 'box'])
  const [receiver, box] = run.played
  const startsAt: number[] = []
  for (let tries = 0; tries < 8; tries++) {
    receiver?.fail('gone')
    await settled()
    const before = receiver?.runs.length
    while (receiver?.runs.length === before) {
      run.clock.advance(1_000)
      await settled()
    }
    startsAt.push(Math.round(run.clock.monotonic() / 1_000))
  }
  const waits = startsAt.map((at, index) => at - (startsAt[index - 1] ?? 0))
  expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
  expect(run.logged).toEqual([['position.failed', { source: 'receiver', reason: 'gone' }]])
  box?.tell({ gps: gps(20) })
  run.clock.advance(10_000)
  expect(run.published).toHaveLength(1)
  // It works for a while: its next failure is news.
  receiver?.tell({})
  run.clock.advance(2 * minuteMs)
  receiver?.tell({})
  receiver?.fail('gone again')
  await settled()
  expect(run.logged.at(-1)).toEqual(['position.failed', { source: 'receiver', reason: 'gone again' }])
})

test('after the stop nothing is published or tried', async () => {
  const run = setUp()
  run.played[0]?.tell({ gps: gps(48) })
  run.stop()
  await settled()
  run.clock.advance(60 * minuteMs)
  await settled()
  expect(run.published).toEqual([])
  expect(run.played[0]?.runs).toHaveLength(1)
  expect(run.logged).toEqual([])
})
