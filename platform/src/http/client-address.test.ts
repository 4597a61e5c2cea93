import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { addressKey, createProxyHost } from './client-address.ts'

test.each([
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::2:1', '2001:db8:0:0'],
  ['2001:db8:0:0:1:2:3:4', '2001:db8:0:0'],
  ['2001:db8:0:7::1', '2001:db8:0:7'],
  ['2001:db8:1:2:3::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '::ffff:10.0.0.1'],
])('%s is counted under %s: written short or long, one /64 is one customer', (address, key) => {
  expect(addressKey(address)).toBe(key)
})

test('whose host a request came to is believed of a proxy one trusts, and of nobody else', () => {
  const request = {
    headers: { host: 'inside:8080', 'x-forwarded-host': 'planted.example, brand.example' },
    socket: { remoteAddress: '10.0.0.7' },
  } as unknown as IncomingMessage
  expect(createProxyHost(['10.0.0.7'])(request)).toBe('brand.example')
  expect(createProxyHost(['10.0.0.8'])(request)).toBe('inside:8080')
  expect(createProxyHost([])(request)).toBe('inside:8080')
})
