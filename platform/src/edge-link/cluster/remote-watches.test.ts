import { afterEach, expect, it, vi } from 'vitest'
import type { Bus, TagValueEvent } from '../../kernel/bus/bus.ts'
import { type Cluster, NoAnswer } from '../../kernel/cluster/cluster.ts'
import { silentLogger } from '../../kernel/logger.ts'
import { RemoteWatches } from './remote-watches.ts'

const machineId = 7
const valueAt = (time: number, value: number): TagValueEvent => ({
  tagId: 1,
  value,
  quality: 'good',
  time,
  receivedAt: time,
})

/** A watcher of a machine at another node, whose publications and answers the test gives in its order. */
async function watchAway(latestStored: readonly TagValueEvent[] = []) {
  let publish: (message: unknown) => void = () => undefined
  const questions: PromiseWithResolvers<unknown>[] = []
  let held: (event: { machineId: number }, origin: 'here' | 'elsewhere') => void = () => undefined
  const cluster = {
    subscribe(_subject: string, listener: (message: unknown) => void) {
      publish = listener
      return () => undefined
    },
    ask() {
      const question = Promise.withResolvers<unknown>()
      questions.push(question)
      return question.promise
    },
    onUp: () => () => undefined,
  } as unknown as Cluster
  const bus = {
    subscribe(_kind: string, listener: typeof held) {
      held = listener
      return () => undefined
    },
  } as unknown as Bus
  const watches = new RemoteWatches({
    cluster,
    bus,
    logger: silentLogger,
    latestStored: async () => latestStored,
  })
  watches.start()
  const told: TagValueEvent[] = []
  const watching = watches.watch(machineId, (values) => told.push(...values))
  questions[0]?.resolve([])
  await watching
  cleanups.push(() => watches.stop())
  return {
    told,
    publish: (...values: TagValueEvent[]) => publish(values),
    /** Another node takes the machine; the answer is the question to it. */
    move() {
      held({ machineId }, 'elsewhere')
      return questions.at(-1) as PromiseWithResolvers<unknown>
    },
  }
}

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

it('values that were published after the new node read its answer are the last that watchers get', async () => {
  const { told, publish, move } = await watchAway()
  const question = move()
  publish(valueAt(3, 30))
  question.resolve([valueAt(2, 20), { ...valueAt(2, 5), tagId: 2 }])
  await vi.waitFor(() => expect(told.some(({ tagId }) => tagId === 2)).toBe(true))
  expect(told.filter(({ tagId }) => tagId === 1).map(({ value }) => value)).toEqual([30])
})

it('last values of the former node do not hide the answer of the new one', async () => {
  const { told, publish, move } = await watchAway()
  const question = move()
  publish(valueAt(1, 10))
  question.resolve([valueAt(2, 20)])
  await vi.waitFor(() => expect(told.map(({ value }) => value)).toEqual([10, 20]))
})

it('the stored values of a machine without a node do not follow newer ones', async () => {
  const { told, publish, move } = await watchAway([{ ...valueAt(2, 20), quality: 'stale' }])
  const question = move()
  publish(valueAt(3, 30))
  question.reject(new NoAnswer('nobody'))
  await new Promise((resolve) => setImmediate(resolve))
  expect(told.map(({ value }) => value)).toEqual([30])
})
