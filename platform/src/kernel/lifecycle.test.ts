import { expect, test } from 'vitest'
import { Lifecycle } from './lifecycle.ts'
import type { Module } from './module.ts'

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
  const lifecycle = new Lifecycle(noteSteps(['store', 'web', 'gateway'], steps))
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
  const lifecycle = new Lifecycle(noteSteps(['store', 'web', 'gateway'], steps))
  await lifecycle.stop()
  expect(steps.slice(0, 3)).toEqual(['drain store begins', 'drain web begins', 'drain gateway begins'])
  expect(ended(steps).slice(3)).toEqual(['stop gateway', 'stop web', 'stop store'])
  expect(steps.indexOf('stop web begins')).toBeGreaterThan(steps.indexOf('stop gateway'))
})

test('a platform is ready from the end of its start to the beginning of its stop', async () => {
  const seen: boolean[] = []
  const see = async () => void seen.push(lifecycle.isReady)
  const lifecycle: Lifecycle = new Lifecycle([
    { name: 'one', roles: [], start: see, open: async () => see().then(() => ({})), drain: see, stop: see },
  ])
  await lifecycle.start(ports)
  expect(lifecycle.isReady).toBe(true)
  await lifecycle.stop()
  expect(seen).toEqual([false, false, false, false])
})
