import { expect, test } from 'vitest'
import { LocalRateCounters } from '../../../kernel/http/rate-counters.ts'
import { ProviderFailed } from '../../../kernel/outgoing-http/ask-json.ts'
import type { CarrierLimits } from './carrier.ts'
import { CarrierCalls } from './carrier-calls.ts'

const limits: CarrierLimits = {
  callsAtOnceMax: 1,
  callsPerSecondMax: 5,
  detailCardsMax: 1,
  usageCardsMax: 1,
  listEveryMs: 60_000,
}

/** Time that passes only when the test says so. */
class TestClock {
  #now = 1_000_000
  readonly #sleepers = new Set<{ readonly at: number; readonly wake: () => void }>()

  readonly now = () => this.#now
  readonly sleep = (ms: number, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const sleeper = { at: this.#now + ms, wake: resolve }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper)
        reject(signal.reason)
      })
    })

  get sleepers(): number {
    return this.#sleepers.size
  }

  async pass(ms: number): Promise<void> {
    const end = this.#now + ms
    for (;;) {
      await settle()
      const [next] = [...this.#sleepers].sort((a, b) => a.at - b.at)
      if (!next || next.at > end) break
      this.#now = Math.max(this.#now, next.at)
      this.#sleepers.delete(next)
      next.wake()
    }
    this.#now = end
    await settle()
  }
}

/** Lets everything run that waits for no time. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

function start(more: Partial<CarrierLimits> = {}, waitMsMax = 60_000) {
  const clock = new TestClock()
  const counters = new LocalRateCounters()
  const begun: { readonly name: string; readonly at: number }[] = []
  const ofProcess = () =>
    new CarrierCalls({
      key: 'unicom',
      limits: { ...limits, ...more },
      counters,
      now: clock.now,
      sleep: clock.sleep,
      waitMsMax,
    })
  const calls = ofProcess()
  const call =
    (name: string, answer: Promise<string> = Promise.resolve(name)) =>
    () => {
      begun.push({ name, at: clock.now() - 1_000_000 })
      return answer
    }
  return { clock, calls, begun, call, ofProcess, names: () => begun.map(({ name }) => name) }
}

/** A call that ends when the test says so. */
function hanging() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { answer: promise, end: () => resolve('ended'), fail: reject }
}

const outcomeOf = (run: Promise<unknown>) =>
  run.then(
    () => 'answered',
    (error) => (error instanceof ProviderFailed ? error.reason : String(error)),
  )

test('calls run one at a time, in the order in which they were asked for', async () => {
  const { clock, calls, call, names } = start()
  const [first, second] = [hanging(), hanging()]
  const runs = [
    calls.run(call('first', first.answer)),
    calls.run(call('second', second.answer)),
    calls.run(call('third')),
  ]
  await clock.pass(10_000)
  expect(names()).toEqual(['first'])
  first.end()
  await clock.pass(1_000)
  expect(names()).toEqual(['first', 'second'])
  second.end()
  await clock.pass(1_000)
  expect(await Promise.all(runs)).toEqual(['ended', 'ended', 'third'])
})

test('so many calls run at once as the carrier permits', async () => {
  const { clock, calls, call, names } = start({ callsAtOnceMax: 2 })
  const [first, second] = [hanging(), hanging()]
  const runs = [
    calls.run(call('first', first.answer)),
    calls.run(call('second', second.answer)),
    calls.run(call('third')),
  ]
  await clock.pass(10_000)
  expect(names()).toEqual(['first', 'second'])
  second.end()
  await clock.pass(1_000)
  expect(names()).toEqual(['first', 'second', 'third'])
  first.end()
  await Promise.all(runs)
})

test('no more calls begin in a second than the carrier permits', async () => {
  const { clock, calls, begun, call } = start()
  const runs = Array.from({ length: 12 }, (_, n) => calls.run(call(`${n}`)))
  await clock.pass(5_000)
  await Promise.all(runs)
  expect(begun.map(({ at }) => at)).toEqual(Array.from({ length: 12 }, (_, n) => n * 200))
})

test('two processes begin no more calls in a second than one', async () => {
  const { clock, calls, begun, call, ofProcess } = start()
  const other = ofProcess()
  const runs = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? calls : other).run(call(`${n}`)))
  await clock.pass(30_000)
  expect(await Promise.all(runs)).toHaveLength(20)
  for (let second = 0; second < 30; second++) {
    const within = begun.filter(({ at }) => at >= second * 1_000 && at < (second + 1) * 1_000)
    expect(within.length, `second ${second}`).toBeLessThanOrEqual(5)
  }
})

test('a call whose turn does not come in time is not made, and the carrier did not fail', async () => {
  const { clock, calls, call, names } = start({}, 3_000)
  const first = hanging()
  const run = calls.run(call('first', first.answer))
  const waits = outcomeOf(calls.run(call('waits')))
  await clock.pass(3_001)
  expect(await waits).toBe('busy')
  first.end()
  expect(await run).toBe('ended')
  const next = calls.run(call('next'))
  await clock.pass(1_000)
  expect(await next).toBe('next')
  expect(names()).toEqual(['first', 'next'])
})

test('a call that is withdrawn while it waits is not made, and those behind it go on', async () => {
  const { clock, calls, call, names } = start()
  const first = hanging()
  const run = calls.run(call('first', first.answer))
  await settle()
  const withdrawal = new AbortController()
  const withdrawn = outcomeOf(calls.run(call('withdrawn'), withdrawal.signal))
  const last = calls.run(call('last'))
  await settle()
  withdrawal.abort('the platform stops')
  expect(await withdrawn).toBe('the platform stops')
  first.end()
  await clock.pass(1_000)
  expect(await Promise.all([run, last])).toEqual(['ended', 'last'])
  expect(names()).toEqual(['first', 'last'])
  expect(await outcomeOf(calls.run(call('late'), withdrawal.signal))).toBe('the platform stops')
})

test('a call that is withdrawn while it waits for its second is not made', async () => {
  const { clock, calls, call, names } = start()
  await calls.run(call('first'))
  const withdrawal = new AbortController()
  const withdrawn = outcomeOf(calls.run(call('withdrawn'), withdrawal.signal))
  await settle()
  withdrawal.abort('the platform stops')
  expect(await withdrawn).toBe('the platform stops')
  const next = calls.run(call('next'))
  await clock.pass(1_000)
  expect(await next).toBe('next')
  expect(names()).toEqual(['first', 'next'])
})

test('waits leave no timers behind', async () => {
  const { clock, calls, call } = start()
  const runs = Array.from({ length: 5 }, (_, n) => calls.run(call(`${n}`)))
  await clock.pass(1_000)
  await Promise.all(runs)
  expect(clock.sleepers).toBe(0)
})

test('a carrier that is asked too often is left alone for half a minute', async () => {
  const { clock, calls, begun, call } = start()
  const refused = outcomeOf(calls.run(() => Promise.reject(new ProviderFailed('busy', 'status 429'))))
  expect(await refused).toBe('busy')
  const next = calls.run(call('next'))
  await clock.pass(60_000)
  await next
  expect(begun).toEqual([{ name: 'next', at: 30_000 }])
})

test('a call is refused at once where its second would not come in time', async () => {
  const { clock, calls, call, names } = start({}, 3_000)
  await outcomeOf(calls.run(() => Promise.reject(new ProviderFailed('busy', 'status 429'))))
  expect(await outcomeOf(calls.run(call('too early')))).toBe('busy')
  await clock.pass(27_000)
  const next = calls.run(call('next'))
  await clock.pass(3_000)
  expect(await next).toBe('next')
  expect(names()).toEqual(['next'])
})
