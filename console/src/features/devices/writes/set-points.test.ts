import { ApiError } from '@busbar/contract'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WriteEvent } from '../../../shared/api/push-messages.ts'
import type { SetPoints } from './set-points.ts'

vi.mock('../../../shared/api/live.ts', () => ({ push: { on: () => () => {} } }))

let Desk: typeof SetPoints
beforeAll(async () => {
  Desk = (await import('./set-points.ts')).SetPoints
})

const machineId = 3
const tagId = 31

/** A platform in the test's hands: writes are answered when told, results come when told. */
function openDesk() {
  const answers: { resolve(answer: { commandId: number }): void; reject(error: Error): void }[] = []
  const followed = new Set<number>()
  let tell: (event: WriteEvent) => void = () => {}
  const desk = new Desk({
    write: () => new Promise((resolve, reject) => answers.push({ resolve, reject })),
    onResult: (listener) => {
      tell = listener
      return () => {}
    },
    follow: (_, commandId) => {
      followed.add(commandId)
      return () => followed.delete(commandId)
    },
  })
  const result = (commandId: number, state: WriteEvent['state'], change: Partial<WriteEvent> = {}) =>
    tell({ commandId, machineId, tagId, state, kept: undefined, reason: '', ...change })
  const answer = async (place: number, commandId: number) => {
    answers[place]?.resolve({ commandId })
    await vi.advanceTimersByTimeAsync(0)
  }
  return { desk, answers, answer, result, followed, kind: () => desk.get(tagId)?.kind }
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('a set-point on its way', () => {
  it('is not confirmed before the machine said so, and says so for a moment', async () => {
    const { desk, answer, result, kind } = openDesk()
    const taken = desk.write(machineId, tagId, 76.5)
    expect(kind()).toBe('sending')
    await answer(0, 11)
    expect(await taken).toBe(true)
    expect(kind()).toBe('sending')
    result(11, 'confirmed')
    expect(kind()).toBe('confirmed')
    await vi.advanceTimersByTimeAsync(5_000)
    expect(kind()).toBeUndefined()
  })

  it('is followed until its result arrives, another write replaces it, or time runs out', async () => {
    const { desk, answer, result, followed } = openDesk()
    void desk.write(machineId, tagId, 1)
    await answer(0, 11)
    expect([...followed]).toEqual([11])
    result(11, 'confirmed')
    expect([...followed]).toEqual([])
    void desk.write(machineId, tagId, 2)
    await answer(1, 12)
    void desk.write(machineId, tagId, 3)
    await answer(2, 13)
    expect([...followed]).toEqual([13])
    await vi.advanceTimersByTimeAsync(15_000)
    expect([...followed]).toEqual([])
  })

  it('is not missed when the result comes before the answer that names it', async () => {
    const { desk, answer, result, kind } = openDesk()
    void desk.write(machineId, tagId, true)
    result(11, 'confirmed')
    expect(kind()).toBe('sending')
    await answer(0, 11)
    expect(kind()).toBe('confirmed')
  })

  it('keeps saying what went wrong until the next write', async () => {
    const { desk, answer, result } = openDesk()
    void desk.write(machineId, tagId, 90)
    await answer(0, 11)
    const kept = { tagId, value: 80, quality: 'good' as const, time: 1, receivedAt: 1 }
    result(11, 'failed', { kept, reason: 'interlock' })
    await vi.advanceTimersByTimeAsync(600_000)
    expect(desk.get(tagId)).toEqual({ kind: 'failed', kept, reason: 'interlock' })
  })

  it('ends without a reply after 15 s, and still takes one that comes later', async () => {
    const { desk, answer, result, kind } = openDesk()
    void desk.write(machineId, tagId, 1)
    await answer(0, 11)
    await vi.advanceTimersByTimeAsync(14_999)
    expect(kind()).toBe('sending')
    await vi.advanceTimersByTimeAsync(1)
    expect(kind()).toBe('noReply')
    result(11, 'timedOut')
    expect(kind()).toBe('timedOut')
  })

  it('is not mistaken for the one before it', async () => {
    const { desk, answer, result, kind } = openDesk()
    void desk.write(machineId, tagId, 1)
    await answer(0, 11)
    void desk.write(machineId, tagId, 2)
    result(11, 'confirmed')
    expect(kind()).toBe('sending')
    await answer(1, 12)
    result(12, 'failed')
    expect(kind()).toBe('failed')
  })

  it('that the platform refuses says why, and resolves as not taken', async () => {
    const { desk, answers } = openDesk()
    const taken = desk.write(machineId, tagId, 1)
    const error = new ApiError({ http: 200, hwcode: 420, code: 'CONTROL_TAKEN', message: '' })
    answers[0]?.reject(error)
    expect(await taken).toBe(false)
    expect(desk.get(tagId)).toEqual({ kind: 'refused', value: 1, error })
  })

  it('draws only those who follow its tag', async () => {
    const { desk } = openDesk()
    const own = vi.fn()
    const other = vi.fn()
    desk.subscribe(tagId, own)
    desk.subscribe(32, other)
    void desk.write(machineId, tagId, 1)
    expect(own).toHaveBeenCalledOnce()
    expect(other).not.toHaveBeenCalled()
  })
})
