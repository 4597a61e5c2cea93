import { pickSeeds } from '@busbar/testkit/seeds.ts'
import { describe, expect, it, test } from 'vitest'
import { createRandom } from '../../../test-support/histories/random.ts'
import { ProxyHeaderFault, parseProxyHeader } from './proxy-header.ts'

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')
const v4 = Buffer.from('c0000201c633640a1f9020fb', 'hex')
const v6 = Buffer.from(`20010db8${'00'.repeat(11)}01${'00'.repeat(16)}1f9020fb`, 'hex')

/** A header of version 2, by its specification (2.2). */
function binary(versionAndCommand: number, kind: number, rest: Buffer): Buffer {
  const fixed = Buffer.from([versionAndCommand, kind, rest.length >> 8, rest.length & 255])
  return Buffer.concat([signature, fixed, rest])
}

const tlvs = Buffer.from('0300046a6f686e05000261620400020000', 'hex')

const headers: [name: string, bytes: Buffer, address: string | undefined][] = [
  ['TCP4', Buffer.from('PROXY TCP4 192.0.2.1 198.51.100.10 8080 8443\r\n'), '192.0.2.1'],
  ['TCP6', Buffer.from('PROXY TCP6 2001:DB8:0:0::1 2001:db8::2 1 65535\r\n'), '2001:db8::1'],
  ['UNKNOWN', Buffer.from('PROXY UNKNOWN\r\n'), undefined],
  ['UNKNOWN with addresses', Buffer.from('PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n'), undefined],
  ['version 2, TCP4', binary(0x21, 0x11, v4), '192.0.2.1'],
  ['version 2, TCP4 and TLVs', binary(0x21, 0x11, Buffer.concat([v4, tlvs])), '192.0.2.1'],
  ['version 2, TCP6', binary(0x21, 0x21, v6), '2001:db8::1'],
  ['version 2, LOCAL', binary(0x20, 0, Buffer.alloc(0)), undefined],
  ['version 2, LOCAL with bytes to skip', binary(0x20, 0x11, v4), undefined],
  ['version 2, UNSPEC', binary(0x21, 0, tlvs), undefined],
  ['version 2, a socket of the host', binary(0x21, 0x31, Buffer.alloc(216)), undefined],
]

describe.each(headers)('%s', (_, bytes, address) => {
  it('is read whole, however it is cut, and nothing behind it', () => {
    for (let cut = 1; cut < bytes.length; cut++)
      expect(parseProxyHeader(bytes.subarray(0, cut))).toBeUndefined()
    expect(parseProxyHeader(bytes)).toEqual({ bytes: bytes.length, address })
    const behind = Buffer.concat([bytes, Buffer.from('\x10\r\n')])
    expect(parseProxyHeader(behind)).toEqual({ bytes: bytes.length, address })
  })
})

test.each([
  ['a CONNECT', Buffer.from([0x10, 0x0c, 0, 4])],
  ['a TLS hello', Buffer.from([0x16, 3, 1])],
  ['version 1 in small letters', Buffer.from('proxy TCP4 192.0.2.1 192.0.2.2 1 2\r\n')],
  ['version 3', binary(0x31, 0x11, v4)],
  ['another command', binary(0x22, 0x11, v4)],
  ['UDP', binary(0x21, 0x12, v4)],
  ['addresses that are cut', binary(0x21, 0x11, v4.subarray(0, 11))],
  ['more than 4,096 bytes', binary(0x21, 0x11, Buffer.alloc(4_081)).subarray(0, 16)],
  ['a line without end', Buffer.from(`PROXY TCP4 ${'1'.repeat(96)}`)],
  ['a line of more than 107 bytes', Buffer.from(`PROXY UNKNOWN ${'1'.repeat(92)}\r\n`)],
  ['a name', Buffer.from('PROXY TCP4 localhost 192.0.2.2 1 2\r\n')],
  ['IPv6 as TCP4', Buffer.from('PROXY TCP4 ::1 192.0.2.2 1 2\r\n')],
  ['an address with a zone', Buffer.from('PROXY TCP6 fe80::1%eth0 ::1 1 2\r\n')],
  ['a port too large', Buffer.from('PROXY TCP4 192.0.2.1 192.0.2.2 1 65536\r\n')],
  ['two spaces', Buffer.from('PROXY TCP4  192.0.2.1 192.0.2.2 1 2\r\n')],
  ['an unknown protocol', Buffer.from('PROXY UDP4 192.0.2.1 192.0.2.2 1 2\r\n')],
])('%s is refused', (_, bytes) => {
  expect(() => parseProxyHeader(bytes)).toThrow(ProxyHeaderFault)
})

it.each(pickSeeds())(
  'any bytes are a header of at most 4,096 bytes, or incomplete and short, or a fault: seed %i',
  (seed) => {
    const random = createRandom(seed)
    for (let tried = 0; tried < 20_000; tried++) {
      const [, whole = signature] = headers[random.below(headers.length)] ?? []
      const bytes = Buffer.concat([whole, Buffer.alloc(random.below(120))])
      for (let changed = random.below(4); changed >= 0; changed--)
        bytes[random.below(bytes.length)] = random.below(256)
      const given = bytes.subarray(0, random.below(bytes.length + 1))
      try {
        const header = parseProxyHeader(given)
        if (header) expect(header.bytes, `seed ${seed}`).toBeLessThanOrEqual(Math.min(given.length, 4_096))
        else expect(given.length, `seed ${seed}`).toBeLessThan(4_096)
      } catch (error) {
        expect(error, `seed ${seed}: ${given.toString('hex')}`).toBeInstanceOf(ProxyHeaderFault)
      }
    }
  },
)
