import { expect, test } from 'vitest'
import { addressKey } from './client-address.ts'

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
