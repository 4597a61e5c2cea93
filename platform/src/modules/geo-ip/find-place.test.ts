import { expect, test } from 'vitest'
import { findPlace } from './find-place.ts'

test.each([
  ['120.24.78.68', '广东省深圳市', 'Guangdong, China'],
  ['::ffff:120.24.78.68', '广东省深圳市', 'Guangdong, China'],
  ['202.96.209.5', '上海市', 'Shanghai, China'],
  ['240e:47d:c20:1627:30a3:ba0d:a5e6:ec19', '广东省广州市', 'Guangdong, China'],
])('the place of %s is %s', (address, cn, en) => {
  expect(findPlace(address, 'cn')).toBe(cn)
  expect(findPlace(address, 'en')).toBe(en)
})

test('a foreign address has its country, in the reader’s language', () => {
  expect(findPlace('8.8.8.8', 'cn')).toBe('美国')
  expect(findPlace('8.8.8.8', 'en')).toBe('United States')
})

test.each(['127.0.0.1', '192.168.1.20', '::1', 'fe80::1%eth0', '255.255.255.255', '0.0.0.0', '', 'x'])(
  'an address without a place gets an empty one: %j',
  (address) => {
    expect(findPlace(address, 'cn')).toBe('')
    expect(findPlace(address, 'en')).toBe('')
  },
)
