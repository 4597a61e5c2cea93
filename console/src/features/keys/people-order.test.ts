import type { access } from '@busbar/contract'
import { describe, expect, it } from 'vitest'
import { sortReach, sortVisitors } from './people-order.ts'

const now = 1_800_000_000_000
const hour = 3_600_000
const collator = new Intl.Collator('en', { numeric: true })

const visitor = (name: string, visitTime: number): access.Visitor => ({
  id: 1,
  userId: name.length,
  name,
  phone: '',
  email: '',
  visitTime,
  visitTimeId: 1,
  limitRead: 1,
  limitAlarm: 0,
  leaving: false,
  mode: 'ro',
})

describe('the order of visitors', () => {
  it('the next to end is on top, those whose time is over at the bottom', () => {
    const list = [
      visitor('Over', 0),
      visitor('Ever', -1),
      visitor('Late', now + 5 * hour),
      visitor('Soon', now + 1),
    ]
    expect(sortVisitors(list, now, collator).map(({ name }) => name)).toEqual([
      'Soon',
      'Late',
      'Ever',
      'Over',
    ])
    expect(sortVisitors(list, now + 1, collator).map(({ name }) => name)).toEqual([
      'Late',
      'Ever',
      'Over',
      'Soon',
    ])
  })
})

describe('people with access now', () => {
  const reach = (name: string, by: access.Reach['by'], until: number): access.Reach => ({
    userId: name.length,
    name,
    phone: '',
    email: '',
    by,
    mode: 'rw',
    until,
  })

  it('never shows a visitor whose time has ended since the answer', () => {
    const list = [reach('Visitor', 'visitor', now + hour), reach('Akey', 'akey', -1)]
    expect(sortReach(list, now, collator).map(({ name }) => name)).toEqual(['Akey', 'Visitor'])
    expect(sortReach(list, now + hour, collator).map(({ name }) => name)).toEqual(['Akey'])
  })

  it('keys come before visitors, visitors with an end before those without', () => {
    const list = [
      reach('Ever', 'visitor', -1),
      reach('Soon', 'visitor', now + hour),
      reach('Bkey', 'bkey', -1),
      reach('Akey', 'akey', -1),
    ]
    expect(sortReach(list, now, collator).map(({ name }) => name)).toEqual(['Akey', 'Bkey', 'Soon', 'Ever'])
  })
})
