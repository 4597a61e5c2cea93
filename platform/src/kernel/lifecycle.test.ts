import { expect, test, vi } from 'vitest'
import { Lifecycle } from './lifecycle.ts'
import { silentLogger } from './logger.ts'
import type { Module } from './module.ts'
import {
  drainMsMax,
  endsWithin,
  moduleStopMsMax,
  modulesStopMsMax,
  stopBudget,
  stopMsMax,
} from './stop-budget.ts'

const ports = { web: 1, mqtt: 2 }

/** Modules that note each step in `steps`; a step takes a turn of the event loop. */
function noteSteps(names: readonly string[], steps: string[]): Module[] {
  const note = async (step: string) => {
    steps.push(`${step} begins`)
    await new Promise((resolve) => setImmediate(resolve))
    steps.push(step)
  }
  return names.map((name) => ({
    name,
    roles: [],
    start: () => note(`start ${name}`),
    open: async () => {
      await note(`open ${name}`)
      return name === 'web' ? { webPort: 8080 } : { mqttPort: 1883 }
    },
    drain: () => note(`drain ${name}`),
    stop: () => note(`stop ${name}`),
  }))
}

const ended = (steps: readonly string[]) => steps.filter((step) => !step.endsWith('begins'))

test('nothing listens before every module has started, and the web port listens last', async () => {
  const steps: string[] = []
  const lifecycle = new Lifecycle(noteSteps(['store', 'web', 'gateway'], steps), silentLogger)
  const listening = await lifecycle.start(ports)
  expect(ended(steps)).toEqual([
    'start store',
    'start web',
    'start gateway',
    'open gateway',
    'open web',
    'open store',
  ])
  expect(listening).toEqual({ webPort: 8080, mqttPort: 1883, mqttsPort: undefined })
})

test('modules drain at the same time and then stop in reverse, one after the other', async () => {
  const steps: string[] = []
  const lifecycle = new Lifecycle(noteSteps(['store', 'web', 'gateway'], steps), silentLogger)
  await lifecycle.stop()
  expect(steps.slice(0, 3)).toEqual(['drain store begins', 'drain web begins', 'drain gateway begins'])
  expect(ended(steps).slice(3)).toEqual(['stop gateway', 'stop web', 'stop store'])
  expect(steps.indexOf('stop web begins')).toBeGreaterThan(steps.indexOf('stop gateway'))
})

test('a platform is ready from the end of its start to the beginning of its stop', async () => {
  const seen: boolean[] = []
  const see = async () => void seen.push(lifecycle.isReady)
  const lifecycle: Lifecycle = new Lifecycle(
    [{ name: 'one', roles: [], start: see, open: async () => see().then(() => ({})), drain: see, stop: see }],
    silentLogger,
  )
  await lifecycle.start(ports)
  expect(lifecycle.isReady).toBe(true)
  await lifecycle.stop()
  expect(seen).toEqual([false, false, false, false])
})

test('the parts of a stop take less time together than the process gives itself', () => {
  const sum = Object.values(stopBudget).reduce((all, ms) => all + ms)
  expect(sum).toBeLessThan(stopMsMax)
  expect(drainMsMax + modulesStopMsMax).toBeLessThan(stopBudget.platform)
  expect(moduleStopMsMax).toBeLessThan(modulesStopMsMax)
})

test('hanging work is not waited for, and failing work is logged', async () => {
  expect(await endsWithin(5, () => new Promise(() => {}))).toBe(false)
  expect(await endsWithin(1_000, async () => {})).toBe(true)
  await expect(endsWithin(1_000, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})

test('modules that hang or fail keep no other from stopping, and the stop stays within its time', async () => {
  const stopped: string[] = []
  const module = (name: string, stop: () => Promise<void>): Module => ({
    name,
    roles: [],
    stop: () => {
      stopped.push(name)
      return stop()
    },
  })
  const hang = () => new Promise<void>(() => {})
  const lines: string[] = []
  const logger = {
    ...silentLogger,
    warn: (fields: object, line: string) =>
      void lines.push(`${line} ${(fields as { module: string }).module}`),
    error: (fields: object, line: string) =>
      void lines.push(`${line} ${(fields as { module: string }).module}`),
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const lifecycle = new Lifecycle(
      [
        module('store', async () => {}),
        module('hung', hang),
        module('broken', () => Promise.reject(new Error('broken'))),
        module('hung too', hang),
      ],
      logger,
    )
    const stopping = lifecycle.stop()
    await vi.advanceTimersByTimeAsync(modulesStopMsMax)
    await stopping
  } finally {
    vi.useRealTimers()
  }
  expect(stopped).toEqual(['hung too', 'broken', 'hung', 'store'])
  expect(lines).toEqual(['module.endLate hung too', 'module.endFailed broken', 'module.endLate hung'])
})
