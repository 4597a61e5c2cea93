import { expect, test } from 'vitest'
import { groupTold, type ToldEscalation, type ToldRow, waitForTold } from './alarm-told.ts'

const minuteMs = 60_000
const row = (more: Partial<ToldRow>): ToldRow => ({
  ...{ id: 1, createTime: 1_000, who: 'u1', name: 'Ann', isContact: false, channel: 'sms', step: 0 },
  ...{ level: 'major', state: 'sent', reason: '', isDigest: false, settledAt: 1_000 },
  ...more,
})
const escalation: ToldEscalation = {
  ...{ end: null, endedAt: null },
  steps: [
    { step: 1, state: 'told', dueAt: null, who: 'keys', how: ['sms'] },
    { step: 2, state: 'next', dueAt: 20 * minuteMs, who: 'members', how: ['sms'] },
  ],
}

test('each step lists its people once, with all their messages, and steps to come are there without any', () => {
  const rows = [
    row({}),
    row({ id: 2, channel: 'email' }),
    row({ id: 3, who: 'c1', isContact: true, step: 1 }),
  ]
  const groups = groupTold(rows, escalation)
  expect(groups.map(({ step, people }) => [step, people.map(({ messages }) => messages.length)])).toEqual([
    [0, [2]],
    [1, [1]],
    [2, []],
  ])
  expect(groups[2]?.plan?.state).toBe('next')
})

test('the list is reloaded soon while a message is on its way, and when the next step is due', () => {
  const told = (rows: ToldRow[], of: ToldEscalation | null = null) => ({ list: rows, escalation: of })
  const now = 19.5 * minuteMs
  expect(waitForTold(told([row({ state: 'queued', settledAt: null })]), now)).toBe(2_000)
  expect(waitForTold(told([row({ settledAt: now - minuteMs })]), now)).toBe(5_000)
  expect(waitForTold(told([row({})]), now)).toBe(30_000)
  expect(waitForTold(told([row({ channel: 'push', settledAt: now })]), now)).toBe(30_000)
  expect(waitForTold(told([row({})], escalation), now + 10_000)).toBe(21_000)
})
