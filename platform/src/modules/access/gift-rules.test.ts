import { describe, expect, test } from 'vitest'
import { type Access, noAccess } from './access-rules.ts'
import { everything, nothing, type Share, shareOf, weighGift } from './gift-rules.ts'

const early = new Date(1_000_000)
const late = new Date(2_000_000)
const last = new Date(3_000_000)
const watches: Share = { ...everything, readOnly: true }
const deaf: Share = { ...everything, alarms: false }
const ends: Share = { ...everything, until: late }

/** A few of every mode, bit and end of time. */
const shares: Share[] = [true, false].flatMap((readOnly) =>
  [true, false].flatMap((alarms) => [early, late, null].map((until) => ({ readOnly, alarms, until }))),
)
const isWithin = (part: Share, whole: Share): boolean =>
  (part.readOnly || !whole.readOnly) &&
  (!part.alarms || whole.alarms) &&
  (whole.until === null || (part.until !== null && part.until <= whole.until))

describe('a person can give only rights that they have', () => {
  test.each([
    ['the mode', watches, 'GIVER_READ_ONLY', { ...everything, readOnly: true }],
    ['alarms', deaf, 'GIVER_WITHOUT_ALARMS', { ...everything, alarms: false }],
    ['time', ends, 'GIVER_ENDS_EARLIER', { ...everything, until: late }],
  ] as const)('%s', (_, giver, lack, given) => {
    expect(weighGift(giver, everything)).toEqual({ given, lacks: [lack] })
  })

  test('a receiver with nothing gets at most the giver’s rights, and everything that was wished if nothing is lacking', () => {
    for (const giver of shares) {
      for (const wished of shares) {
        const { given, lacks } = weighGift(giver, wished)
        expect(isWithin(given, giver) && isWithin(given, wished)).toBe(true)
        expect(lacks.length === 0).toBe(isWithin(wished, giver))
      }
    }
  })

  test('rights that the receiver already has are not given', () => {
    for (const giver of shares)
      for (const held of shares) expect(weighGift(giver, held, held)).toEqual({ given: held, lacks: [] })
  })

  test('a longer time gives the mode and the alarms anew', () => {
    const held = { ...everything, until: early }
    expect(weighGift(watches, { ...held, until: late }, held).lacks).toEqual(['GIVER_READ_ONLY'])
    expect(weighGift(deaf, { ...held, until: late }, held).lacks).toEqual(['GIVER_WITHOUT_ALARMS'])
    expect(weighGift(watches, { ...held, until: early }, { ...held, until: late }).lacks).toEqual([])
  })

  test('a time the giver lacks leaves a longer one in the same mode, and none in another', () => {
    const held = { ...watches, until: last }
    const { given, lacks } = weighGift(ends, { ...watches, until: null }, held)
    expect({ until: given.until, lacks }).toEqual({ until: last, lacks: ['GIVER_ENDS_EARLIER'] })
    expect(weighGift(ends, everything, held).given.until).toEqual(late)
  })
})

describe('a person’s share of a machine', () => {
  const bkey: Access = {
    ...noAccess,
    level: 2,
    role: 'bkey',
    readOnly: true,
    rights: new Set(['holder', 'bkey+']),
    endsAt: early.getTime(),
  }

  test('is complete for an Akey, whose own bits do not limit it', () => {
    expect(shareOf({ ...bkey, rights: new Set(['holder', 'bkey+', 'akey']) })).toEqual(everything)
  })

  test('is limited by a Bkey’s bits and time, and empty without a right', () => {
    expect(shareOf(bkey)).toEqual({ readOnly: true, alarms: false, until: early })
    expect(shareOf(noAccess)).toEqual(nothing)
  })
})
