import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { every } from './every.ts'

const sources = join(import.meta.dirname, '..')

test('work that throws or rejects is logged, and its next turn comes', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const error = vi.fn()
  const turns = [
    () => {
      throw new Error('thrown')
    },
    () => Promise.reject(new Error('rejected')),
    () => undefined,
  ]
  let turn = 0
  const timer = every(1_000, () => turns[turn++]?.(), { error })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(turn).toBe(3)
  expect(error.mock.calls).toEqual([
    [{ err: new Error('thrown') }, 'timer.failed'],
    [{ err: new Error('rejected') }, 'timer.failed'],
  ])
  clearInterval(timer)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(turn).toBe(3)
})

test('nothing in the platform repeats by a timer whose error would end the process', () => {
  const bare = readdirSync(sources, { recursive: true })
    .map(String)
    .filter((file) => /(?<!\.test)\.ts$/.test(file) && file !== 'kernel/every.ts')
    .filter((file) => /\bsetInterval\(/.test(readFileSync(join(sources, file), 'utf8')))
  expect(bare).toEqual([])
})
