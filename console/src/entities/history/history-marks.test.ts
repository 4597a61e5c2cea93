import type { visits } from '@busbar/contract'
import { expect, it } from 'vitest'
import { alarmKey, groupMarks, listMarks, nextInGroup, spanOfAlarm, worstOf } from './history-marks.ts'
import { shareLink } from './history-span.ts'

const alarm = (id: number, at: number, clearedAt: number | null = null) => ({
  ...{ id, at, clearedAt },
  level: 'major' as const,
  text: 'Too cold',
})
const write = (id: number, at: number): visits.WriteLogEntry => ({
  ...{ id, at, user: 'Ming Li', sessionId: null, tagId: 31, tag: 'Target' },
  ...{ from: 75, to: 72.5, state: 'confirmed', kept: 72.5, reason: '', note: '' },
})

it('marks alarms and writes of the range on one axis, an alarm of two lists once', () => {
  const marks = listMarks([alarm(1, 50), alarm(1, 50, 80), alarm(2, 500)], [write(7, 20), write(8, 5)], {
    from: 10,
    to: 100,
  })
  expect(marks.map(({ key }) => key)).toEqual(['w7', 'a1'])
  expect(marks[1]).toMatchObject({ kind: 'alarm', alarm: { clearedAt: 80 } })
})

it('groups marks that would stand on one another, and steps through a group', () => {
  const marks = listMarks([alarm(1, 10), alarm(2, 14), alarm(3, 40)], [], { from: 0, to: 100 })
  const groups = groupMarks(marks, 10)
  expect(groups.map((group) => group.map(({ key }) => key))).toEqual([['a1', 'a2'], ['a3']])
  const [both = []] = groups
  expect(nextInGroup(both, undefined)?.key).toBe('a1')
  expect(nextInGroup(both, 'a1')?.key).toBe('a2')
  expect(nextInGroup(both, 'a2')?.key).toBe('a1')
})

it('a group shows its worst alarm: a critical one hid under the glyph of the first', () => {
  const critical = { ...alarm(2, 14), level: 'critical' as const }
  const marks = listMarks([alarm(1, 10), critical], [write(7, 9)], { from: 0, to: 100 })
  expect(worstOf(marks)?.key).toBe('a2')
  expect(worstOf(listMarks([], [write(7, 9), write(8, 11)], { from: 0, to: 100 }))?.key).toBe('w7')
})

it('shows an alarm in the middle of its hour, and no future', () => {
  const at = 10_000_000
  expect(spanOfAlarm(at, at + 7_200_000)).toEqual({ from: at - 1_800_000, to: at + 1_800_000 })
  expect(spanOfAlarm(at, at + 60_000)).toEqual({ from: at + 60_000 - 3_600_000, to: at + 60_000 })
  expect(alarmKey(5)).toBe('a5')
})

it('shares the time that is seen, not the latest one', () => {
  const link = shareLink('https://busbar.test/index/?machine=3&tab=history&tags=1,2&last=3600000', {
    from: 1_000.4,
    to: 2_000,
  })
  const { searchParams } = new URL(link)
  expect([searchParams.get('last'), searchParams.get('from'), searchParams.get('until')]).toEqual([
    null,
    '1000',
    '2000',
  ])
  expect(searchParams.get('tags')).toBe('1,2')
})
