import { expect, test } from 'vitest'
import type { Driver } from '../drivers/driver.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { guardDriver } from './guarded-driver.ts'
import { isNetwork, Networks, riskOf } from './networks.ts'

const plant = (addresses: () => readonly string[]) =>
  new Networks(['192.168.0.0/24', 'fd00::/64'], async () => addresses())

const found = (networks: Networks, host: string) =>
  networks.find(host).catch((error: Error) => error.message.split(' is ')[0])

test('a host inside a network is reached, one outside is refused by its address', async () => {
  const networks = plant(() => [])
  expect(await networks.find('192.168.0.7')).toBe('192.168.0.7')
  expect(await networks.find('fd00::7')).toBe('fd00::7')
  for (const host of ['192.168.1.7', '127.0.0.1', '::1', 'fd00:0:0:1::7', '::ffff:192.168.0.7', '0.0.0.0'])
    await expect(networks.find(host), host).rejects.toThrow('outside the networks')
})

test('networks of one address family also accept the other', async () => {
  const six = new Networks(['::/0'])
  expect(await six.find('2001:db8::7')).toBe('2001:db8::7')
  for (const host of ['127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:127.0.0.1'])
    await expect(six.find(host), host).rejects.toThrow('outside the networks')
  const four = new Networks(['0.0.0.0/0'])
  expect(await four.find('10.0.0.1')).toBe('10.0.0.1')
  for (const host of ['::1', '::ffff:a00:1', '::ffff:10.0.0.1'])
    await expect(four.find(host), host).rejects.toThrow('outside the networks')
})

test('a name is refused when one of its addresses lies outside', async () => {
  expect(
    await found(
      plant(() => ['192.168.0.9']),
      'plc',
    ),
  ).toBe('192.168.0.9')
  expect(
    await found(
      plant(() => ['192.168.0.9', '10.0.0.1']),
      'plc',
    ),
  ).toBe('plc leads to 10.0.0.1, which')
  expect(
    await found(
      plant(() => []),
      'plc',
    ),
  ).toBe('plc')
  // Addresses in other notations that the system accepts count as names here, and are checked by the address
  // they lead to.
  expect(
    await found(
      plant(() => ['127.0.0.1']),
      '0x7f.1',
    ),
  ).toBe('0x7f.1 leads to 127.0.0.1, which')
})

test('a network has an address and as many bits as its kind has', () => {
  expect(['10.0.0.0/8', 'fd00::/64', '0.0.0.0/0'].every(isNetwork)).toBe(true)
  expect(['10.0.0.0', '10.0.0.0/33', 'plc/8', 'fd00::/129', '10.0.0.0/-1', ''].some(isNetwork)).toBe(false)
})

test('a network with the gateway, its provider or everything in it is told as too wide', () => {
  for (const network of [
    '0.0.0.0/0',
    '::/0',
    '127.0.0.1/32',
    '0.0.0.0/1',
    '::1/128',
    '::/64',
    '169.254.169.254/32',
  ])
    expect(riskOf(network), network).toBeDefined()
  for (const network of ['128.0.0.0/1', 'fe80::/64', '169.254.0.0/16', '127.0.0.0/8'])
    expect(riskOf(network), network).toBeDefined()
  for (const network of ['10.0.0.0/8', '192.168.0.0/16', 'fd00::/8', '2001:db8::/32', '172.16.0.0/12'])
    expect(riskOf(network), network).toBeUndefined()
})

test('a name that leads outside after the check connects to nothing', async () => {
  const clock = new ManualClock()
  const opened: string[] = []
  let address = '192.168.0.9'
  let isAway = false
  const driver: Driver = {
    poll: async () => [{ index: 0, value: isAway ? null : 1, quality: isAway ? 0 : 192 }],
    read: async () => ({ index: 0, value: 1, quality: 192 }),
    write: async () => undefined,
    close: async () => undefined,
  }
  const guarded = guardDriver({
    host: 'plc',
    name: 'press',
    tagCount: 1,
    networks: plant(() => [address]),
    clock,
    log: () => undefined,
    open: (at) => {
      opened.push(at)
      return driver
    },
  })
  expect((await guarded.poll())[0]?.value).toBe(1)
  address = '10.0.0.1'
  // As long as the controller answers, its address is not looked up again.
  clock.advance(3_600_000)
  expect((await guarded.poll())[0]?.value).toBe(1)
  isAway = true
  clock.advance(61_000)
  await guarded.poll()
  isAway = false
  clock.advance(61_000)
  expect((await guarded.poll())[0]?.value).toBeNull()
  expect(opened).toEqual(['192.168.0.9'])
  await expect(guarded.write(0, 1)).rejects.toThrow('away')
  // Back inside, it is read again.
  address = '192.168.0.10'
  clock.advance(61_000)
  expect((await guarded.poll())[0]?.value).toBe(1)
  expect(opened).toEqual(['192.168.0.9', '192.168.0.10'])
})
