import { describe, expect, test } from 'vitest'
import { changeFilter, chosenOf, narrowsFurther, passesFilter, passesSearch, rangeOf } from './filter.ts'

describe('a filter', () => {
  test('by text ignores case, width and accents', () => {
    expect(passesFilter('Zoë Ｍüller', { kind: 'text', text: 'zoe mu' })).toBe(true)
    expect(passesFilter('水泵 3', { kind: 'text', text: '泵' })).toBe(true)
    expect(passesFilter(null, { kind: 'text', text: 'a' })).toBe(false)
  })

  test('by choice lets each of the chosen pass', () => {
    const filter = { kind: 'choice', chosen: ['locked', 'leaving'] } as const
    expect(['active', 'locked', 'leaving'].filter((state) => passesFilter(state, filter))).toEqual([
      'locked',
      'leaving',
    ])
  })

  test('by dates has its beginning in and its end out', () => {
    const filter = { kind: 'dateRange', from: 100, to: 200 } as const
    expect([99, 100, 199, 200].map((at) => passesFilter(at, filter))).toEqual([false, true, true, false])
    expect(passesFilter(null, filter)).toBe(false)
  })

  test('by numbers has both ends in, and may have one of them only', () => {
    expect([1, 2, 3].map((n) => passesFilter(n, { kind: 'number', min: 2 }))).toEqual([false, true, true])
    expect([1, 2, 3].map((n) => passesFilter(n, { kind: 'number', min: 1, max: 2 }))).toEqual([
      true,
      true,
      false,
    ])
  })

  test('that narrows nothing is taken away', () => {
    const filters = changeFilter({}, 'state', { kind: 'choice', chosen: ['locked'] })
    expect(chosenOf(filters, 'state')).toBe('locked')
    expect(changeFilter(filters, 'state', { kind: 'choice', chosen: [] })).toEqual({})
    expect(changeFilter({}, 'at', { kind: 'dateRange' })).toEqual({})
    expect(changeFilter({}, 'name', { kind: 'text', text: ' ' })).toEqual({})
  })

  test('of several choices stays in the console, because the platform accepts one', () => {
    expect(chosenOf({ state: { kind: 'choice', chosen: ['a', 'b'] } }, 'state')).toBeUndefined()
  })

  test('of dates says the ends it has', () => {
    expect(rangeOf({ at: { kind: 'dateRange', from: 5 } }, 'at')).toEqual({ from: 5 })
    expect(rangeOf({}, 'at')).toEqual({})
  })
})

describe('a search', () => {
  test('finds a row whose texts hold each of its words', () => {
    expect(passesSearch(['Lin Zhao', 'lin@forge.test'], 'zhao FORGE')).toBe(true)
    expect(passesSearch(['Lin Zhao', 'lin@forge.test'], 'zhao press')).toBe(false)
    expect(passesSearch(['Lin Zhao'], '  ')).toBe(true)
  })

  test.each([
    ['王', ['王芳']],
    ['8000', ['王芳']],
    ['mingli', ['Ming Li']],
    ['MING  LI', ['Ming Li']],
    ['@example', ['Ming Li']],
    ['nobody', []],
  ])('for a person, “%s”, finds %j', (search, names) => {
    const people = [
      { name: '王芳', account: '138****8000' },
      { name: 'Ming Li', account: 'm***@example.com' },
    ]
    const found = people.filter(({ name, account }) => passesSearch([name, account], search))
    expect(found.map(({ name }) => name)).toEqual(names)
  })
})

describe('the offer to clear filters', () => {
  const open = { only: { kind: 'choice', chosen: ['open'] } } as const

  test('is not made while a list shows its preset, however that was chosen', () => {
    expect(narrowsFurther(open, open)).toBe(false)
    expect(narrowsFurther({ only: { kind: 'choice', chosen: ['open'] } }, open)).toBe(false)
    expect(narrowsFurther({}, open)).toBe(false)
  })

  test('is made for another choice, and for another filter', () => {
    expect(narrowsFurther({ only: { kind: 'choice', chosen: ['answered'] } }, open)).toBe(true)
    expect(narrowsFurther({ ...open, name: { kind: 'text', text: 'a' } }, open)).toBe(true)
  })
})
