import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../test-support/gateway/test-gateway.ts'
import { LoginThrottle } from './login-throttle.ts'

let test: TestGateway
const minuteMs = 60_000
const address = '10.1.2.3'

beforeAll(async () => {
  test = await startTestGateway()
})

afterAll(() => test.stop())

const check = (code: string, secret: string, from = address) =>
  test.gateway.logins.check({ code, secret: Buffer.from(secret), address: from })

it('one misconfigured device does not block a factory', async () => {
  const forgotten = await test.createMachine()
  const machines = await Promise.all(Array.from({ length: 5 }, () => test.createMachine()))
  for (let tried = 0; tried < 10; tried++) expect(await check(forgotten.code, 'old')).toEqual({ wrong: true })
  for (let tried = 0; tried < 100; tried++) {
    expect(await check(forgotten.code, 'old')).toEqual({ retryIn: expect.any(Number) })
  }
  for (const { code, secret } of machines) expect(await check(code, secret)).toMatchObject({ code })
})

it('machines that were never here sign in at once behind an address that tried hundreds of wrong codes', async () => {
  const scanner = '10.1.2.9'
  const machines = await Promise.all(Array.from({ length: 40 }, () => test.createMachine()))
  const outdated = await Promise.all(Array.from({ length: 60 }, () => test.createMachine()))
  for (const { code } of outdated) expect(await check(code, 'old', scanner)).toEqual({ wrong: true })
  const scan = () =>
    Promise.all(
      Array.from({ length: 300 }, (_, index) => check(`${10n ** 18n + BigInt(index)}`, 'no', scanner)),
    )
  expect(new Set((await scan()).map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"wrong":true}']))
  const scanned = scan()
  const logins = await Promise.all(machines.map(({ code, secret }) => check(code, secret, scanner)))
  expect(logins).toEqual(machines.map(({ code }) => expect.objectContaining({ code })))
  await scanned
})

it('a paused pair is checked again after its minute', () => {
  let now = 0
  const throttle = new LoginThrottle(() => now)
  for (let failed = 0; failed < 9; failed++) throttle.fail(address, 'x'.repeat(10_000))
  expect(throttle.pauseOf(address, 'x'.repeat(10_000))).toBe(0)
  throttle.fail(address, 'x'.repeat(10_000))
  expect(throttle.pauseOf(address, 'x'.repeat(10_000))).toBe(60)
  expect(throttle.pauseOf(address, 'x'.repeat(9_999))).toBe(0)
  expect(throttle.pauseOf('10.1.2.4', 'x'.repeat(10_000))).toBe(0)
  now += minuteMs - 1
  expect(throttle.pauseOf(address, 'x'.repeat(10_000))).toBe(1)
  now += 1
  expect(throttle.pauseOf(address, 'x'.repeat(10_000))).toBe(0)
})
