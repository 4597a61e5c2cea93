import { describe, expect, test } from 'vitest'
import { decideLink, forecast, type LinkFacts, levelReached, monthOf, parseOrigin } from './projects-rules.ts'

const well: LinkFacts = {
  stop: null,
  isOpen: true,
  isReporting: true,
  person: 'active',
  isMember: true,
  isDevice: true,
  hasKey: true,
}

describe('a machine of a project', () => {
  test.each<[string, Partial<LinkFacts>, boolean, boolean, LinkFacts['stop']]>([
    ['reports', {}, true, true, null],
    ['is held but silent while reporting is off', { isReporting: false }, true, false, null],
    ['waits while the enterprise has no projects', { isOpen: false }, false, false, null],
    ['waits for a locked person, whatever else', { person: 'away', hasKey: false }, false, false, null],
    [
      'waits where the enterprise is locked, which takes every key',
      { isOpen: false, hasKey: false, isMember: false },
      false,
      false,
      null,
    ],
    ['ends with a person who is gone', { person: 'gone' }, false, false, 'memberLeft'],
    [
      'ends with the membership, before the right',
      { isMember: false, hasKey: false },
      false,
      false,
      'memberLeft',
    ],
    ['ends with the key', { hasKey: false }, false, false, 'rightLost'],
    ['ends when it is no device any more', { isDevice: false }, false, false, 'rightLost'],
    ['stays ended when the right is back', { stop: 'ownerChanged' }, false, false, 'ownerChanged'],
  ])('%s', (_, change, isHeld, isReporting, stop) => {
    expect(decideLink({ ...well, ...change })).toEqual({ isHeld, isReporting, stop })
  })
})

test.each([
  ['https://portal.example', 'https://portal.example'],
  ['https://Portal.Example:8443/', 'https://portal.example:8443'],
  ['https://例子.测试', 'https://xn--fsqu00a.xn--0zwm56d'],
  ['http://portal.example', undefined],
  ['https://portal.example/path', undefined],
  ['https://*.example', undefined],
  ['https://user@portal.example', undefined],
  ['https://192.0.2.7', undefined],
  ['https://3221225479', undefined],
  ['https://0x7f.1', undefined],
  ['https://[2001:db8::1]', undefined],
  ['https://portal.example?x', undefined],
  ['https://PORTAL.example:443', 'https://portal.example'],
  ['https://portal.example.', undefined],
  ['https://my_portal.example', undefined],
  ["https://portal.example;script-src'self'", undefined],
  ['https://portal.example,b.example', undefined],
  ['null', undefined],
  ['portal.example', undefined],
])('the origin %s', (text, origin) => {
  expect(parseOrigin(text)).toBe(origin)
})

describe('a quota', () => {
  const now = Date.UTC(2026, 10, 21)
  const usage = { rows: 0, rowsMax: 200_000, machines: 2, everyS: 30 }

  test('lasts at the default interval', () => {
    expect(forecast({ ...usage, rows: 115_200, perDay: 5_760 }, now)).toEqual({
      endsAt: null,
      lastingEveryS: null,
    })
  })

  test('ends on a day, and lasts at a longer interval', () => {
    const at10s = { ...usage, rows: 140_000, perDay: 17_280, everyS: 10 }
    const { endsAt, lastingEveryS } = forecast(at10s, now)
    expect(new Date(endsAt ?? 0).toISOString().slice(0, 10)).toBe('2026-11-24')
    expect(lastingEveryS).toBe(30)
  })

  test('with each change told begins with the mean distance of rows', () => {
    const each = { ...usage, rows: 0, perDay: 172_800, everyS: 0 }
    expect(forecast(each, now).lastingEveryS).toBe(10)
  })

  test('that is used up ends now, and no interval helps', () => {
    expect(forecast({ ...usage, rows: 200_000, perDay: 5_760 }, now)).toEqual({
      endsAt: now,
      lastingEveryS: null,
    })
  })

  test('is of a month of UTC, also at the end of a year', () => {
    const to = Date.UTC(2027, 0)
    expect(monthOf(to - 1)).toEqual({ from: Date.UTC(2026, 11), to })
  })

  test.each([
    [79_999, 0, undefined],
    [80_000, 0, 80],
    [94_999, 80, undefined],
    [95_000, 80, 95],
    [100_000, 0, 100],
    [100_000, 100, undefined],
  ])('of 100,000 rows with %i used, %i %% told', (rows, told, level) => {
    expect(levelReached(rows, 100_000, told)).toBe(level)
  })

  test('without machines reaches nothing', () => {
    expect(levelReached(0, 0, 0)).toBeUndefined()
  })
})
