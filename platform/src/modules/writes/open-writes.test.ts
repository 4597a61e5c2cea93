import { describe, expect, test } from 'vitest'
import type { ReadBack, TagValueEvent } from '../../kernel/bus/bus.ts'
import { type OpenWrite, OpenWrites } from './open-writes.ts'

const sentAt = 1_800_000_000_000
const machineId = 3

function buildWrite(fields: Partial<OpenWrite> = {}): OpenWrite {
  const tag = { group: 'Tank', tag: 'level_sp', type: 'float64', scale: 1 } as const
  return { commandId: 1, machineId, tagId: 8, ...tag, value: 50, userId: 2, sentAt, ...fields }
}

const came = (value: number, fields: Partial<TagValueEvent> = {}) => ({
  machineId,
  values: [
    { tagId: 8, value, quality: 'good' as const, time: sentAt + 5, receivedAt: sentAt + 10, ...fields },
  ],
})

const readBack = (value: number | null, fields: Partial<ReadBack> = {}): ReadBack => ({
  group: 'Tank',
  tag: 'level_sp',
  value,
  at: sentAt + 10,
  error: '',
  wished: null,
  page: undefined,
  ...fields,
})

function openWith(...writes: OpenWrite[]): OpenWrites {
  const open = new OpenWrites()
  for (const write of writes) open.add(write)
  return open
}

const short = (outcomes: ReturnType<OpenWrites['expire']>) =>
  outcomes.map(({ write, state, kept, reason }) => [write.commandId, state, kept?.value, reason])

describe('a machine that only sends its values', () => {
  test('a sample that was under way before the write does not fail it; the value that follows confirms', () => {
    const open = openWith(buildWrite())
    expect(open.valuesCame(came(40))).toEqual([])
    expect(short(open.valuesCame(came(50)))).toEqual([[1, 'confirmed', 50, '']])
    expect(open.count).toBe(0)
  })

  test('at the time-out another value means that the machine kept it, and no value that the outcome is unknown', () => {
    const open = openWith(buildWrite(), buildWrite({ commandId: 2, tagId: 9 }))
    open.valuesCame(came(40))
    expect(open.expire(sentAt + 9_999)).toEqual([])
    expect(short(open.expire(sentAt + 10_000))).toEqual([
      [1, 'failed', 40, ''],
      [2, 'timedOut', undefined, ''],
    ])
  })

  test('a value from before the write, repeated or without quality, confirms nothing', () => {
    const open = openWith(buildWrite())
    expect(open.valuesCame(came(50, { receivedAt: sentAt - 1 }))).toEqual([])
    expect(open.valuesCame(came(50, { quality: 'stale' }))).toEqual([])
    expect(open.valuesCame(came(50, { quality: 'bad' }))).toEqual([])
    expect(open.valuesCame({ ...came(50), machineId: 4 })).toEqual([])
    expect(short(open.expire(sentAt + 10_000))).toEqual([[1, 'timedOut', undefined, '']])
  })

  test('a clock that is off does not keep a write from its confirmation', () => {
    const open = openWith(buildWrite())
    expect(open.valuesCame(came(50, { quality: 'uncertain', time: sentAt - 3_600_000 }))).toHaveLength(1)
  })

  test('one value confirms both of two equal writes: a machine reports a change once', () => {
    const open = openWith(buildWrite(), buildWrite({ commandId: 2 }))
    expect(short(open.valuesCame(came(50)))).toEqual([
      [1, 'confirmed', 50, ''],
      [2, 'confirmed', 50, ''],
    ])
  })
})

describe('a machine that reads back', () => {
  test('a read-back decides at once, either way', () => {
    const open = openWith(buildWrite(), buildWrite({ commandId: 2, tagId: 9, tag: 'temp_sp' }))
    expect(short(open.readBackCame(machineId, readBack(50)))).toEqual([[1, 'confirmed', 50, '']])
    const refused = readBack(40, { tag: 'temp_sp', error: 'illegal data value (Modbus exception 3)' })
    expect(short(open.readBackCame(machineId, refused))).toEqual([
      [2, 'failed', 40, 'illegal data value (Modbus exception 3)'],
    ])
  })

  test('two writes to one tag end each by its own read-back, in order', () => {
    const open = openWith(buildWrite({ value: 50 }), buildWrite({ commandId: 2, value: 60 }))
    // The machine limits to 55: the first read-back comes as a value and as a read-back.
    expect(short(open.valuesCame(came(50)))).toEqual([[1, 'confirmed', 50, '']])
    expect(open.readBackCame(machineId, readBack(50, { wished: 50 }))).toEqual([])
    expect(short(open.readBackCame(machineId, readBack(55, { wished: 60 })))).toEqual([[2, 'failed', 55, '']])
  })

  test('the late answer to a write that was given up does not fail the next one', () => {
    const open = openWith(buildWrite({ value: 60, commandId: 2 }))
    expect(open.readBackCame(machineId, readBack(40, { wished: 50 }))).toEqual([])
    expect(open.count).toBe(1)
  })

  test('taken, but not read again: a later value may still confirm it', () => {
    const open = openWith(buildWrite())
    expect(open.readBackCame(machineId, readBack(null))).toEqual([])
    expect(open.valuesCame(came(50))).toHaveLength(1)
  })
})

test('a plain JSON machine that answers an error fails its own command, and only an error decides', () => {
  const open = openWith(buildWrite(), buildWrite({ commandId: 2 }))
  expect(open.answerCame({ machineId, request: 1, error: null })).toEqual([])
  expect(open.answerCame({ machineId: 4, request: 2, error: 'locked' })).toEqual([])
  expect(short(open.answerCame({ machineId, request: 2, error: 'locked' }))).toEqual([
    [2, 'failed', undefined, 'locked'],
  ])
})
