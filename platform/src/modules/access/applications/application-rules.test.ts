import { applications as contract } from '@busbar/contract'
import { describe, expect, test } from 'vitest'
import {
  answerApplication,
  mayAnswer,
  proposeBkey,
  type Situation,
  stateAt,
  waitOf,
} from './application-rules.ts'

const { akeyAndBkey, akeyAndPassword } = { akeyAndBkey: 0, akeyAndPassword: 1 }

/** The states 0 to 6 after a key's answer, `-` for a key that may not answer. */
const rows: [name: string, Omit<Situation, 'state'>, Record<'A+' | 'A-' | 'B+' | 'B-', string>][] = [
  [
    'bind, both keys, with Bkeys',
    { kind: 'bind', checkType: akeyAndBkey, hasBkeys: true },
    { 'A+': '1153456', 'A-': '3133456', 'B+': '2523456', 'B-': '4423456' },
  ],
  [
    'bind, both keys, the last Bkey is gone',
    { kind: 'bind', checkType: akeyAndBkey, hasBkeys: false },
    { 'A+': '5553456', 'A-': '3133456', 'B+': '2523456', 'B-': '4423456' },
  ],
  [
    'bind, password mode',
    { kind: 'bind', checkType: akeyAndPassword, hasBkeys: true },
    { 'A+': '5553456', 'A-': '3133456', 'B+': '---3456', 'B-': '---3456' },
  ],
  [
    'visit, both keys',
    { kind: 'visit', checkType: akeyAndBkey, hasBkeys: true },
    { 'A+': '5553456', 'A-': '3333456', 'B+': '5553456', 'B-': '4443456' },
  ],
  [
    'visit, password mode',
    { kind: 'visit', checkType: akeyAndPassword, hasBkeys: false },
    { 'A+': '5553456', 'A-': '3333456', 'B+': '5553456', 'B-': '4443456' },
  ],
]

const states = [0, 1, 2, 3, 4, 5, 6] as const
const answers = ['A+', 'A-', 'B+', 'B-'] as const
const parse = (answer: (typeof answers)[number]) => [answer[0] as 'A' | 'B', answer[1] === '+'] as const
/** The states that may follow each state (docs/decisions/0015-applications.md). */
const followers = ['123456', '456', '356', '', '', '', '']

describe('a key’s answer', () => {
  test.each(rows)('%s', (_name, situation, expected) => {
    const led = answers.map((answer) => {
      const [key, passes] = parse(answer)
      return states.map((state) => answerApplication({ ...situation, state }, key, passes) ?? '-').join('')
    })
    expect(Object.fromEntries(answers.map((answer, place) => [answer, led[place]]))).toEqual(expected)
  })

  test('never leads to a state that may not follow', () => {
    for (const [, situation] of rows.slice(0, 3)) {
      for (const state of states) {
        for (const answer of answers) {
          const next = answerApplication({ ...situation, state }, ...parse(answer))
          if (next !== undefined && next !== state) expect(followers[state]).toContain(String(next))
        }
      }
    }
  })

  test('waits for the keys that can decide', () => {
    const bind = rows[0]?.[1] as Omit<Situation, 'state'>
    const waitsFor = (situation: Omit<Situation, 'state'>) =>
      states.map((state) =>
        (['A', 'B'] as const).filter((key) => mayAnswer({ ...situation, state }, key)).join(''),
      )
    expect(waitsFor(bind)).toEqual(['AB', 'B', 'A', '', '', '', ''])
    expect(waitsFor({ ...bind, hasBkeys: false }).slice(0, 3)).toEqual(['AB', 'AB', 'A'])
    expect(waitsFor({ ...bind, checkType: akeyAndPassword }).slice(0, 3)).toEqual(['A', 'A', 'A'])
    expect(waitsFor({ ...bind, kind: 'visit' })[0]).toBe('AB')
  })
})

test('a Bkey’s proposal of a Bkey waits for the Akey, and is refused in password mode', () => {
  expect([proposeBkey(akeyAndBkey, 'A'), proposeBkey(akeyAndPassword, 'A')]).toEqual([5, 5])
  expect([proposeBkey(akeyAndBkey, 'B'), proposeBkey(akeyAndPassword, 'B')]).toEqual([2, undefined])
})

test('an application without an answer in time is over at that moment; an answered one stays as it is', () => {
  const at = (state: number) => stateAt({ state, expiresAt: new Date(1000) }, 1000)
  expect(states.map(at)).toEqual([6, 6, 6, 3, 4, 5, 6])
  expect(stateAt({ state: contract.auditStates.waiting, expiresAt: new Date(1001) }, 1000)).toBe(0)
})

test('asking again waits a minute, after three refusals five', () => {
  const waits = [0, 2, 3, 9].map((refusals) => waitOf({ lastAt: 1000, refusals }, 2000))
  expect(waits).toEqual([59_000, 59_000, 299_000, 299_000])
  expect(waitOf({ lastAt: undefined, refusals: 0 }, 2000)).toBe(0)
  expect(waitOf({ lastAt: 1000, refusals: 0 }, 61_000)).toBe(0)
})
