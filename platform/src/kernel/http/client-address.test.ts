import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { addressKey, addressKeys, createProxyHost } from './client-address.ts'

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

test('an IPv6 address is counted under its /48 too, with four times the limit', () => {
  expect(addressKeys('2001:db8:1:2::9')).toEqual([
    { net: 'address', key: '2001:db8:1:2', times: 1 },
    { net: 'net48', key: '2001:db8:1', times: 4 },
  ])
  expect(addressKeys('10.0.0.1')).toEqual([{ net: 'address', key: '10.0.0.1', times: 1 }])
})

test('the host header of a proxy counts only if the proxy is trusted', () => {
  const request = {
    headers: { host: 'inside:8080', 'x-forwarded-host': 'planted.example, brand.example' },
    socket: { remoteAddress: '10.0.0.7' },
  } as unknown as IncomingMessage
  expect(createProxyHost(['10.0.0.7'])(request)).toBe('brand.example')
  expect(createProxyHost(['10.0.0.8'])(request)).toBe('inside:8080')
  expect(createProxyHost([])(request)).toBe('inside:8080')
})
