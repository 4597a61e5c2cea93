import { once } from 'node:events'
import { rates } from '@busbar/contract'
import { callHost, navigation, openTestTunnel } from '@busbar/testkit'
import { useSite } from '@busbar/testkit/test-site.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Counter, LocalRateCounters, type RateCounters } from './rate-counters.ts'

/** Counters that a test can read and use up by group. */
class AddressCounters extends LocalRateCounters implements RateCounters {
  readonly usedUp = new Set<string>()
  readonly taken: string[] = []
  isAway = false

  override async take(counters: readonly Counter[], now: number) {
    this.taken.push(...counters.map(({ group }) => group))
    if (this.isAway) throw new Error('the counters are away')
    if (counters.some(({ group }) => this.usedUp.has(group))) return { retryIn: 7 }
    return super.take(counters, now)
  }
}

const counters = new AddressCounters()
const site = useSite({}, { rateCounters: counters })
afterEach(() => {
  counters.usedUp.clear()
  counters.taken.length = 0
  counters.isAway = false
})

/** The status an upgrade is answered; 101 where it opens. */
async function statusOf(path: string, protocol?: string): Promise<number> {
  const ws = new WebSocket(`${site.url.replace('http', 'ws')}${path}`, protocol ? [protocol] : [])
  ws.on('error', () => {})
  const refused = once(ws, 'unexpected-response').then(([, response]) => response.statusCode as number)
  const status = await Promise.race([once(ws, 'open').then(() => 101), refused])
  ws.terminate()
  return status
}

describe('sockets', () => {
  test('pages, machines and tunnels behind one address do not use up each other’s sockets', async () => {
    counters.usedUp.add('pushSockets/address')
    expect(await statusOf('/echo.io')).toBe(429)
    expect(await statusOf('/mqtt', 'mqtt')).toBe(101)
    const machine = await site.createMachine()
    await openTestTunnel(site, machine, (stream) => stream.close())
    // A line without a ticket opens, to be told so.
    expect(await statusOf('/visitPort')).toBe(101)
    expect(counters.taken).toEqual([
      'pushSockets/address',
      'mqttSockets/address',
      'tunnels/address',
      'visitPorts/address',
    ])
    counters.usedUp.clear()
    counters.usedUp.add('mqttSockets/address')
    expect(await statusOf('/mqtt', 'mqtt')).toBe(429)
    expect(await statusOf('/echo.io')).toBe(101)
    counters.usedUp.add('visitPorts/address')
    expect(await statusOf('/visitPort')).toBe(429)
  })

  test('10,000 machines behind one address come back within a minute', () => {
    expect(rates.mqttSockets.callsPerAddressMax / rates.mqttSockets.windowMs).toBeGreaterThan(10_000 / 60_000)
    expect(rates.tunnels.callsPerAddressMax / rates.tunnels.windowMs).toBeGreaterThan(10_000 / 60_000)
  })

  test('that cannot be counted are not opened', async () => {
    counters.isAway = true
    expect(await statusOf('/mqtt', 'mqtt')).toBe(503)
  })
})

describe('the way into a machine’s page', () => {
  test('counts its steps with the counters of all calls', async () => {
    const { code } = await site.createMachine()
    const call = (host: string, path: string) =>
      callHost(site, { host: `${host}:${site.webPort}`, path, headers: navigation })
    const begin = () => call(`${code}.visit.localhost`, '/')
    const enter = () => call(`${code}.visit.localhost`, '/.busbar/enter?code=x&state=y')
    const ask = () => call('localhost', '/visit/authorize')
    expect((await begin()).status).toBe(303)
    expect((await enter()).status).toBe(400)
    expect((await ask()).status).toBe(400)
    expect(counters.taken).toEqual(['visitStarts/address', 'visitCodes/address', 'visitAsks/address'])
    for (const group of counters.taken) counters.usedUp.add(group)
    for (const step of [begin, enter, ask]) expect((await step()).status).toBe(429)
    counters.isAway = true
    for (const step of [begin, enter]) expect((await step()).status).toBe(503)
  })
})
