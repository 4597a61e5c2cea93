import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Failure } from './failure.ts'
import { createLoadGates, LoadGate } from './load-gate.ts'

/** Calls that run until the test ends them. */
class Calls {
  readonly running: string[] = []
  readonly refused: string[] = []
  readonly #ends = new Map<string, PromiseWithResolvers<void>>()
  readonly #gate: LoadGate

  constructor(places: number) {
    this.#gate = new LoadGate(places)
  }

  async start(userId: number, name: string): Promise<void> {
    void this.#gate
      .run(userId, async () => {
        this.running.push(name)
        const end = Promise.withResolvers<void>()
        this.#ends.set(name, end)
        await end.promise
      })
      .catch((error) => {
        if (error instanceof Failure) this.refused.push(`${name} ${error.code} ${error.data?.retryIn}`)
      })
    await setImmediate()
  }

  async end(name: string, error?: Error): Promise<void> {
    this.running.splice(this.running.indexOf(name), 1)
    if (error) this.#ends.get(name)?.reject(error)
    else this.#ends.get(name)?.resolve()
    await setImmediate()
  }
}

test('48 heavy calls of one person leave places for others; a call that waits too long gets a time to come back', async () => {
  const calls = new Calls(6)
  for (let number = 1; number <= 48; number++) await calls.start(1, `a${number}`)
  expect(calls.running).toEqual(['a1', 'a2'])
  // Two run and eight wait.
  expect(calls.refused).toHaveLength(38)
  expect(calls.refused[0]).toBe('a11 429 2')
  await calls.start(2, 'b1')
  expect(calls.running).toEqual(['a1', 'a2', 'b1'])
  await expect.poll(() => calls.refused.length).toBe(46)
  await calls.end('a1')
  await calls.start(1, 'late')
  expect(calls.running).toContain('late')
})

test('three people with many calls do not lock out a fourth', async () => {
  const calls = new Calls(3)
  for (const [place, person] of ['a', 'b', 'c'].entries())
    for (let number = 1; number <= 4; number++) await calls.start(place + 1, `${person}${number}`)
  // A second place only while fewer than half are busy.
  expect(calls.running).toEqual(['a1', 'a2', 'b1'])
  await calls.start(4, 'd1')
  await calls.end('a1')
  expect(calls.running).toContain('c1')
  await calls.end('a2')
  expect(calls.running).toContain('d1')
  expect(calls.running).toHaveLength(3)
})

test('a call that fails gives its place back', async () => {
  const calls = new Calls(1)
  await calls.start(1, 'fails')
  await calls.start(2, 'waits')
  await calls.end('fails', new Error('no'))
  expect(calls.running).toEqual(['waits'])
})

test('a call that waits goes with its caller, and another one takes its turn', async () => {
  const gate = new LoadGate(1)
  const end = Promise.withResolvers<void>()
  const first = gate.run(1, () => end.promise)
  const leaving = new AbortController()
  const ran: string[] = []
  const waits = gate.run(2, async () => void ran.push('left'), leaving.signal)
  const stays = gate.run(3, async () => void ran.push('stayed'))
  leaving.abort(new Error('left'))
  await expect(waits).rejects.toThrow('left')
  await expect(gate.run(2, async () => void ran.push('late'), leaving.signal)).rejects.toThrow('left')
  end.resolve()
  await Promise.all([first, stays])
  expect(ran).toEqual(['stayed'])
})

test('histories and reports share places, lists and searches others', async () => {
  const gates = createLoadGates({ history: 1, lists: 1 })
  const end = Promise.withResolvers<void>()
  const ran: string[] = []
  const runs = [
    gates.run('history', 1, () => end.promise),
    gates.run('report', 2, async () => void ran.push('report')),
    gates.run('list', 1, async () => void ran.push('list')),
    gates.run(undefined, 1, async () => void ran.push('light')),
  ]
  await setImmediate()
  expect(ran.sort()).toEqual(['light', 'list'])
  end.resolve()
  await Promise.all(runs)
  expect(ran).toContain('report')
})

test('the error of a statement that takes too long suggests asking for less', async () => {
  const gates = createLoadGates({ history: 1, lists: 1 })
  const run = gates.run('search', 1, () =>
    Promise.reject(Object.assign(new Error('ended'), { code: '57014' })),
  )
  await expect(run).rejects.toMatchObject({ code: 'QUERY_TOO_LARGE' })
})
