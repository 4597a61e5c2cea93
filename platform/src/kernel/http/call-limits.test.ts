import {
  access,
  accounts,
  coverMs,
  health,
  ingest,
  machines,
  operator,
  type Route,
  rates,
  registration,
  routes,
} from '@busbar/contract'
import { failureOf } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { CallLimits, type LimitedCaller } from './call-limits.ts'
import { type Counter, LocalRateCounters, type RateCounters } from './rate-counters.ts'

const start = 1_800_000_000_000

/** Counters that a test can watch, and turn off. */
class WatchedCounters implements RateCounters {
  readonly taken: Counter[] = []
  refuses = false
  #counters = new LocalRateCounters()

  reset(): void {
    this.taken.length = 0
    this.refuses = false
    this.#counters = new LocalRateCounters()
  }

  async take(counters: readonly Counter[], now: number) {
    this.taken.push(...counters)
    return this.refuses ? { retryIn: 7 } : this.#counters.take(counters, now)
  }

  async giveBack(counters: readonly Counter[], now: number) {
    return this.#counters.giveBack(counters, now)
  }

  takeMark(key: string, now: number) {
    return this.#counters.takeMark(key, now)
  }

  putMark(key: string, until: number) {
    return this.#counters.putMark(key, until)
  }
}

const counters = new WatchedCounters()
const site = useSite({}, { rateCounters: counters })
afterEach(() => counters.reset())

const inject = (method: string, url: string, headers: Record<string, string> = {}) =>
  site.platform.app.inject({ method: method as 'GET', url: url.replace(/:\w+/g, '1'), headers })

describe('every route', () => {
  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'is counted before any look-up: %s',
    async (_, { method, path, aliases = [], aliasMethods = [] }) => {
      counters.refuses = true
      for (const each of [method, ...aliasMethods]) {
        for (const url of [path, ...aliases]) {
          const answer = await inject(each, url, { token: 'invented' })
          expect(answer.statusCode).toBe(429)
          expect(answer.json().hwdata).toEqual({ retryIn: 7 })
        }
      }
    },
  )

  test('and so is a picture', async () => {
    counters.refuses = true
    expect((await inject('GET', '/uploads/0123456789abcdef0123456789abcdef.png')).statusCode).toBe(429)
  })

  test('declares a general rate of its callers', () => {
    expect(health.getOpenApi.limits).toEqual(['publicCalls'])
    expect(ingest.ingestTelemetry.limits).toEqual(['machineCalls'])
    expect(access.addVisitor.limits).toEqual(['calls', 'asks'])
  })
})

describe('the general rate', () => {
  test('one person does not use up the calls of everybody behind the same address', async () => {
    const [rogue, colleague] = [await site.createUser(), await site.createUser()]
    const { method, path } = accounts.selectInfo
    const call = async (token: string) => (await inject(method, path, { token })).statusCode
    expect(await call(rogue.token)).toBe(200)
    const [ofAddress] = counters.taken
    if (ofAddress?.group !== 'calls/address') throw new Error('the address is not counted first')
    for (let left = ofAddress.max; left > 1; left--) await counters.take([ofAddress], start)
    for (let calls = 0; calls < 3; calls++) expect(await call(rogue.token)).toBe(200)
    expect(await call(colleague.token)).toBe(200)
    expect(await call('invented')).toBe(401)
    expect(await call('invented')).toBe(429)
  })

  test('counts invented tokens, operators’ 403 and invalid fields', async () => {
    const user = await site.createUser()
    const groups = async ({ method, path }: Pick<Route, 'method' | 'path'>, token: string) => {
      counters.taken.length = 0
      const answer = await inject(method, path, { token })
      return [answer.statusCode, counters.taken.map(({ group }) => group)]
    }
    expect(await groups(accounts.selectInfo, 'invented')).toEqual([401, ['calls/address']])
    expect(await groups(operator.getOverview, user.token)).toEqual([403, ['calls/address', 'calls/user']])
    const wrong = await groups(machines.checkScannedCode, user.token)
    expect(wrong).toEqual([400, ['calls/address', 'calls/user']])
  })
})

describe('asks', () => {
  test('ten tries are shared by all calls that reveal whether something exists', async () => {
    const user = await site.createUser()
    const as = site.as(user)
    const asks = [
      () => failureOf(as, accounts.addFriend, { account: 'nobody@example.test' }),
      () => failureOf(as, registration.getUserId, { account: 'nobody@example.test' }),
      () => failureOf(as, machines.getMachineState, { machineCode: '9999999999999999999' }),
      () => failureOf(as, machines.addMachine, { machineCode: '9999999999999999998', machineName: 'Press' }),
      () => failureOf(as, accounts.scanDeviceCode, { userCode: 'BCDF-GHJK' }),
    ]
    const codes: string[] = []
    for (const ask of [...asks, ...asks]) codes.push((await ask()).code)
    const told = ['01010304', '01010304', '04010102', '04010102', 'DEVICE_CODE_OVER']
    expect(codes).toEqual([...told, ...told])
    for (const ask of asks) {
      const over = await ask()
      expect(over.code).toBe('429')
      expect(over.data).toEqual({ retryIn: expect.any(Number) })
    }
  })
})

describe('adding a machine', () => {
  const limits = new CallLimits(new LocalRateCounters(), () => start)
  const caller = (userId: number, now = start): LimitedCaller => ({
    user: { userId, sessionId: 1 },
    address: `10.0.0.${userId}`,
    now,
  })
  const scan = (userId: number, machineCode: string, now?: number) =>
    limits.take(machines.checkScannedCode, caller(userId, now), { machineCode })
  const add = (userId: number, machineCode: string, now?: number) =>
    limits.take(machines.addMachine, caller(userId, now), { machineCode })
  const use = async (userId: number, tries: number, now?: number) => {
    for (let i = 0; i < tries; i++) await add(userId, `other ${i}`, now)
  }
  const refused = { code: '429' }

  test('is covered once by a scan of the same code, by the same person', async () => {
    await scan(1, 'A')
    await use(1, 9)
    await expect(add(1, 'B')).rejects.toMatchObject(refused)
    await add(1, 'A')
    await expect(add(1, 'A')).rejects.toMatchObject(refused)
    await use(2, 10)
    await expect(add(2, 'A')).rejects.toMatchObject(refused)
  })

  test('is not covered any more after ten minutes', async () => {
    await scan(3, 'A', start + 120_000)
    await use(3, 10, start + 120_000 + coverMs)
    await expect(add(3, 'A', start + 120_000 + coverMs)).rejects.toMatchObject(refused)
  })
})

describe('counters', () => {
  const counter = (key: string, max: number): Counter => ({ group: 'asks/user', key, max, windowMs: 1_000 })

  test('take a try of all or of none, and begin anew with the window', async () => {
    const local = new LocalRateCounters()
    const [one, two] = [counter('one', 1), counter('two', 2)]
    expect(await local.take([one], start)).toBeUndefined()
    expect(await local.take([two, one], start)).toEqual({ retryIn: 1 })
    expect(await local.take([two], start)).toBeUndefined()
    expect(await local.take([two], start)).toBeUndefined()
    expect(await local.take([two], start)).toEqual({ retryIn: 1 })
    expect(await local.take([two, one], start + 1_000)).toBeUndefined()
  })

  test('drop the oldest key beyond their limit', async () => {
    const local = new LocalRateCounters({ keysMax: 2 })
    for (const key of ['a', 'b', 'c']) await local.take([counter(key, 1)], start)
    expect(await local.take([counter('c', 1)], start)).toBeDefined()
    expect(await local.take([counter('a', 1)], start)).toBeUndefined()
  })

  test('share four times the limit within one /48', async () => {
    const limits = new CallLimits(new LocalRateCounters(), () => start)
    const call = (address: string) =>
      limits.take(accounts.login, { user: undefined, address, now: start }, {})
    for (let i = 0; i < 4 * rates.signIns.callsPerAddressMax; i++) await call(`2001:db8:1:${i % 100}::1`)
    await expect(call('2001:db8:1:abc::1')).rejects.toMatchObject({ code: '429' })
    await call('2001:db8:2::1')
  })

  test('let no call pass if they do not answer within a second', async () => {
    const never = new Promise<never>(() => undefined)
    const silent = { take: () => never, giveBack: () => never, takeMark: () => never, putMark: () => never }
    const limits = new CallLimits(silent, () => start)
    const call = limits.take(accounts.login, { user: undefined, address: '10.0.0.1', now: start }, {})
    await expect(call).rejects.toMatchObject({ code: '503', data: { retryIn: 1 } })
  })
})
