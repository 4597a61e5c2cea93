import { expect, it } from 'vitest'
import { findForgiving, rankMatch } from './forgiving-search.ts'

it.each([
  ['Safety centre', 'safty'],
  ['Safety centre', 'saftey'],
  ['Safety centre', 'safetyy'],
  ['Safety centre', 'zafety'],
  ['Mould temperature', 'temperture mould'],
  ['America/São_Paulo', 'sao paulo'],
  ['Europe/Isle_of_Man UTC+1', 'isle man'],
  ['主轴转速', '转速'],
  ['UTC\u22125', 'utc-5'],
])('finds "%s" by "%s"', (text, query) => {
  expect(rankMatch(text, query)).toBeGreaterThan(0)
})

it.each([
  ['Safety centre', 'sftyy'],
  ['Safety centre', 'sef'],
  ['Mould temperature', 'mould pressure'],
])('does not take "%s" for "%s"', (text, query) => {
  expect(rankMatch(text, query)).toBe(0)
})

it('puts what begins with the query first, and what needed forgiving last', () => {
  const items = ['Press 1 alarm', 'Alarm log', 'Alasm list', 'Pump']
  expect(findForgiving(items, 'alarm', String)).toEqual(['Alarm log', 'Press 1 alarm', 'Alasm list'])
})
