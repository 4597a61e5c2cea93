import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { drawSeed, pickStories, pickTurns } from './turns.ts'

beforeEach(() => void vi.stubEnv('BUSBAR_TEST_LONG', ''))
afterEach(() => void vi.unstubAllEnvs())

const setTurn = (turn: number) => void vi.stubEnv('BUSBAR_TEST_TURN', String(turn))
const cases = ['a', 'b', 'c', 'd', 'e']

test('every case has its turn, as many in each run', () => {
  const seen = new Set<string>()
  for (const [turn] of cases.entries()) {
    setTurn(turn)
    const taken = pickTurns('a story', cases, 2)
    expect(new Set(taken).size).toBe(2)
    for (const each of taken) seen.add(each)
  }
  expect([...seen].sort()).toEqual(cases)
})

test('the same turn takes the same cases and draws the same seed', () => {
  setTurn(3_735_928_559)
  expect(pickTurns('a story', cases, 2)).toEqual(pickTurns('a story', cases, 2))
  expect(drawSeed(1_000)).toBe(559)
})

test('in one run one story takes the first of its cases, another one the second', () => {
  setTurn(0)
  const taken = ['visit', 'fleet', 'session', 'offline'].map(
    (story) => pickTurns(story, cases.slice(0, 2))[0],
  )
  expect(new Set(taken).size).toBe(2)
})

test('a long run takes all of them', () => {
  setTurn(7)
  vi.stubEnv('BUSBAR_TEST_LONG', '1')
  expect(pickTurns('a story', cases, 1)).toEqual(cases)
})

test('each story takes its turn together with each of its cases', () => {
  const looks = ['cn', 'en']
  const met = new Set<string>()
  for (let turn = 0; turn < 24; turn++) {
    setTurn(turn)
    const stories = pickStories([
      ['boards', 'reports'],
      ['history', 'offline'],
    ])
    expect(stories).toHaveLength(2)
    for (const story of stories) met.add(`${story} ${pickTurns(story, looks)}`)
  }
  expect(met.size).toBe(4 * looks.length)
  vi.stubEnv('BUSBAR_TEST_LONG', '1')
  expect(pickStories([['boards', 'reports']])).toEqual(['boards', 'reports'])
})
