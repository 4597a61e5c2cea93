import { agentServiceLimits } from '@busbar/link'
import { expect, test } from 'vitest'
import { ManualClock } from '../testing/manual-clock.ts'
import { KeptLog } from './kept-log.ts'
import { proxyOf } from './proxy.ts'

test('lines stay for an hour, and the oldest go when there are too many', () => {
  const clock = new ManualClock()
  const kept = new KeptLog(clock)
  const log = kept.follow(() => undefined)
  log('warn', 'uplink.unreachable', { reason: 'ECONNREFUSED' })
  clock.advance(3_600_001)
  log('info', 'uplink.online')
  expect(kept.lines).toMatchObject({ lines: [{ event: 'uplink.online' }], isCut: false })
  expect(kept.lineFailures).toMatchObject([{ reason: 'ECONNREFUSED' }])
  const long = 'x'.repeat(10_000)
  for (let line = 0; line < 120; line++) log('warn', 'controller.away', { connection: 'plc', reason: long })
  expect(kept.lines.isCut).toBe(true)
  expect(JSON.stringify(kept.lines.lines).length).toBeLessThanOrEqual(agentServiceLimits.logBytesMax)
  expect(kept.failureOf('plc')?.reason).toHaveLength(agentServiceLimits.failureCharactersMax)
})

test('the proxy of an address, without its password', () => {
  const env = { HTTPS_PROXY: 'http://me:word@proxy.plant:3128', NO_PROXY: 'local.plant, .example.com' }
  expect(proxyOf('wss://cloud.example.org/mqtt', env)).toBe('http://proxy.plant:3128')
  expect(proxyOf('wss://a.example.com/mqtt', env)).toBe(null)
  expect(proxyOf('ws://cloud.example.org/mqtt', env)).toBe(null)
})
