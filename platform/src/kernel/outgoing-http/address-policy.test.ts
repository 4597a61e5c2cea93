import { expect, test } from 'vitest'
import { AddressPolicy } from './address-policy.ts'
import { parseAllowedNetworks } from './allowed-networks.ts'

const wish = { space: { enterpriseId: 7 }, host: 'mes.local', port: 8080, isTls: true }
const policy = (allowed = '') => new AddressPolicy(parseAllowedNetworks(allowed))

test('a place allowed to operators is theirs alone', () => {
  const theirs = policy('operator 10.0.0.1:8080')
  const asked = { host: '10.0.0.1', port: 8080, isTls: false }
  expect(theirs.findProblem('10.0.0.1', { ...asked, space: 'operator' })).toBeUndefined()
  expect(theirs.findProblem('10.0.0.1', { ...asked, space: { userId: 1 } })).toBe('private')
  expect(theirs.findProblem('10.0.0.1', { ...asked, space: { enterpriseId: 7 } })).toBe('private')
  const ofEnterprise = policy('enterprise=7 10.0.0.1:8080, person=1 10.0.0.1:8080')
  expect(ofEnterprise.findProblem('10.0.0.1', { ...asked, space: 'operator' })).toBe('private')
  expect(policy('* 10.0.0.1:8080').findProblem('10.0.0.1', { ...asked, space: 'operator' })).toBeUndefined()
})

test.each([
  ['8.8.8.8', undefined],
  ['2606:4700::1111', undefined],
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'unspecified'],
  ['10.0.0.1', 'private'],
  ['100.100.100.200', 'private'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['169.254.169.254', 'linkLocal'],
  ['172.16.0.1', 'private'],
  ['172.32.0.1', undefined],
  ['192.0.0.192', 'reserved'],
  ['192.168.1.1', 'private'],
  ['168.63.129.16', 'reserved'],
  ['198.18.0.1', 'reserved'],
  ['203.0.113.1', 'reserved'],
  ['224.0.0.1', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'multicast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::127.0.0.1', 'embedded'],
  ['::7f00:1', 'reserved'],
  ['::ffff:127.0.0.1', 'embedded'],
  ['::ffff:8.8.8.8', 'embedded'],
  ['::ffff:0:127.0.0.1', 'embedded'],
  ['64:ff9b::7f00:1', 'embedded'],
  ['64:ff9b:1::7f00:1', 'embedded'],
  ['2002:7f00:1::', 'embedded'],
  ['2001::7f00:1', 'embedded'],
  ['2001:db8::1', 'reserved'],
  ['3fff::1', 'reserved'],
  ['4000::1', 'reserved'],
  ['fd00:ec2::254', 'private'],
  ['fe80::1', 'linkLocal'],
  ['fe80::1%eth0', 'linkLocal'],
  ['fec0::1', 'private'],
  ['ff02::1', 'multicast'],
  ['mes.local', 'syntax'],
])('%s: %s', (address, problem) => {
  expect(policy().findProblem(address, wish)).toBe(problem)
})

test('a place is allowed to one space, at one port', () => {
  const { findProblem } = bound('enterprise=7 10.1.0.0/16:8080, person=12 [fd00::/64]:1883')
  expect(findProblem('10.1.2.3', {})).toBeUndefined()
  expect(findProblem('10.2.2.3', {})).toBe('private')
  expect(findProblem('10.1.2.3', { port: 8081 })).toBe('private')
  expect(findProblem('10.1.2.3', { space: { enterpriseId: 8 } })).toBe('private')
  expect(findProblem('10.1.2.3', { space: { userId: 7 } })).toBe('private')
  expect(findProblem('fd00::5', { space: { userId: 12 }, port: 1883 })).toBeUndefined()
  expect(findProblem('fd00:0:0:1::5', { space: { userId: 12 }, port: 1883 })).toBe('private')
})

test('only a place that is allowed is reached without TLS', () => {
  const { findProblem } = bound('* 10.1.2.3:8080, * open.example.com:8080')
  expect(findProblem('8.8.8.8', { isTls: false })).toBe('plain')
  expect(findProblem('10.1.2.3', { isTls: false })).toBeUndefined()
  expect(findProblem('8.8.8.8', { isTls: false, host: 'open.example.com' })).toBeUndefined()
})

test('a name that is allowed leads into private networks, and neither to this machine nor to its cloud', () => {
  const { findProblem } = bound('* mes.local:8080')
  expect(findProblem('192.168.1.5', {})).toBeUndefined()
  expect(findProblem('192.168.1.5', { host: 'other.local' })).toBe('private')
  expect(findProblem('127.0.0.1', {})).toBe('loopback')
  expect(findProblem('169.254.169.254', {})).toBe('linkLocal')
  expect(bound('* 127.0.0.1:8080').findProblem('127.0.0.1', {})).toBeUndefined()
})

test('addresses of nobody cannot be allowed', () => {
  const { findProblem } = bound('* 0.0.0.0/0:8080, * [::/0]:8080')
  expect(findProblem('127.0.0.1', {})).toBeUndefined()
  for (const address of ['0.0.0.0', '::', '224.0.0.1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'])
    expect(findProblem(address, {}), address).toBeDefined()
})

test.each([
  '10.1.0.0/16:1883',
  '* 10.1.0.0/16',
  '* 10.1.0.0/33:1883',
  '* 10.1.0.0/16:0',
  '* 10.1:80',
  '* 2130706433:80',
  '* fd00::1:80',
  'enterprise=0 mes.local:80',
  'enterprise= mes.local:80',
  'eid=7 mes.local:80',
  '* mes.local:8080 mes.local:8081',
  '* http://mes.local:80',
])('“%s” is not a place', (entry) => {
  expect(() => parseAllowedNetworks(`* mes.local:80, ${entry}`)).toThrow(entry)
})

function bound(allowed: string) {
  const made = policy(allowed)
  return {
    findProblem: (address: string, change: Partial<Parameters<AddressPolicy['findProblem']>[1]>) =>
      made.findProblem(address, { ...wish, ...change }),
  }
}
