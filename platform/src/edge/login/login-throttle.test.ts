import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '../../../test-support/gateway/test-gateway.ts'
import { LoginThrottle } from './login-throttle.ts'

let test: TestGateway
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
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

it('a scan of codes does not keep machines out that signed in from there before', async () => {
  const scanner = '10.1.2.9'
  const known = await test.createMachine()
  expect(await check(known.code, known.secret, scanner)).toMatchObject({ code: known.code })
  const scanned = (index: number) => check(`${10n ** 18n + BigInt(index)}`, 'no', scanner)
  for (let index = 0; index < 51; index++) expect(await scanned(index)).toEqual({ wrong: true })
  // One is checked at once, twenty wait for as many seconds, and one is too many.
  const waiting = Array.from({ length: 21 }, (_, index) => scanned(100 + index))
  expect(await scanned(200)).toEqual({ retryIn: expect.any(Number) })
  const heard = check(known.code, known.secret, scanner)
  expect(await Promise.race([...waiting.slice(1), heard])).toMatchObject({ code: known.code })
})

it('an address that tries many codes is checked once a second, twenty wait, and success does not help', () => {
  let now = 0
  const throttle = new LoginThrottle(() => now)
  for (let code = 0; code < 50; code++) throttle.fail(address, String(code))
  expect(throttle.ask(address, 'new')).toEqual({ waitMs: 0 })
  throttle.fail(address, '50')
  throttle.succeed(address, 'good')
  const waits = Array.from({ length: 21 }, (_, index) => throttle.ask(address, `new ${index}`))
  expect(waits).toEqual(Array.from({ length: 21 }, (_, index) => ({ waitMs: index * 1_000 })))
  expect(throttle.ask(address, 'one too many')).toEqual({ retryIn: 21 })
  expect(throttle.ask(address, 'good')).toEqual({ waitMs: 0 })
  expect(throttle.ask('10.1.2.4', 'new')).toEqual({ waitMs: 0 })
  now += minuteMs
  expect(throttle.ask(address, 'new')).toEqual({ waitMs: 0 })
})

it('a code is known for a day, and IPv6 counts by /64', () => {
  let now = 0
  const throttle = new LoginThrottle(() => now)
  throttle.succeed('2001:db8::1', 'good')
  const scan = () => {
    for (let code = 0; code < 51; code++) throttle.fail(`2001:db8::${code}`, String(code))
  }
  now = dayMs - 1
  scan()
  expect(throttle.ask('2001:db8::9', 'new')).toEqual({ waitMs: 0 })
  expect(throttle.ask('2001:db8::9', 'new')).toEqual({ waitMs: 1_000 })
  expect(throttle.ask('2001:db8::9', 'good')).toEqual({ waitMs: 0 })
  now = dayMs + minuteMs
  scan()
  throttle.ask('2001:db8::9', 'new')
  expect(throttle.ask('2001:db8::9', 'good')).toEqual({ waitMs: 1_000 })
})

it('a paused pair is checked again after its minute', () => {
  let now = 0
  const throttle = new LoginThrottle(() => now)
  for (let failed = 0; failed < 9; failed++) throttle.fail(address, 'x'.repeat(10_000))
  expect(throttle.ask(address, 'x'.repeat(10_000))).toEqual({ waitMs: 0 })
  throttle.fail(address, 'x'.repeat(10_000))
  expect(throttle.ask(address, 'x'.repeat(10_000))).toEqual({ retryIn: 60 })
  expect(throttle.ask(address, 'x'.repeat(9_999))).toEqual({ waitMs: 0 })
  now += minuteMs
  expect(throttle.ask(address, 'x'.repeat(10_000))).toEqual({ waitMs: 0 })
})
