import { expect, onTestFinished, test, vi } from 'vitest'
import { createLocalBus } from '../kernel/bus/bus.ts'
import { silentLogger } from '../kernel/logger.ts'
import { MachineStates, type MachineStatesDeps } from './machine-states.ts'

test('alarms in quick succession are published to lists in one write', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const writings: unknown[] = []
  // The write fails at once, and reports its number of machines.
  const logger = { ...silentLogger, warn: (fields: object) => writings.push({ ...fields, err: undefined }) }
  const deps = { db: {}, bus: createLocalBus(silentLogger), logger, now: Date.now }
  const states = new MachineStates(deps as unknown as MachineStatesDeps)
  onTestFinished(() => states.stop())
  const raise = (machineId: number) =>
    states.follower.follow([{ id: machineId, kind: 'alarm.raised', machineId, at: 0 } as never])
  for (const machineId of [1, 2, 3]) {
    await raise(machineId)
    await vi.advanceTimersByTimeAsync(20)
  }
  expect(states.waiting).toBe(3)
  expect(writings).toEqual([])
  await vi.advanceTimersByTimeAsync(40)
  expect(writings).toEqual([{ err: undefined, count: 3 }])
  await states.follower.follow([{ id: 4, kind: 'control.taken', machineId: 4, at: 0 } as never])
  expect(states.waiting).toBeGreaterThan(0)
})
