import { isIPv4, isIPv6, type Socket, SocketAddress } from 'node:net'

/** The first line of version 1, with its end; the specification allows no more (PROXY protocol 2.1). */
const lineBytesMax = 107
/** A header of version 2 with its TLVs. */
const headerBytesMax = 4_096
/** A proxy sends its header first of all, in one packet. */
const headerMsMax = 5_000
const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const linePrefix = Buffer.from('PROXY ', 'latin1')
const fixedBytes = signature.length + 4
/** TCP over each family: the length of one address, and of both with their ports (2.2). */
const families: Readonly<Record<number, { family: 'ipv4' | 'ipv6'; addressBytes: number; bytes: number }>> = {
  17: { family: 'ipv4', addressBytes: 4, bytes: 12 },
  33: { family: 'ipv6', addressBytes: 16, bytes: 36 },
}
/** No address, or those of a socket on the proxy's host: the receiver takes those of the connection. */
const addressless = new Set([0x00, 0x31])

export interface ProxyHeader {
  /** Bytes of the connection before those of the client. */
  readonly bytes: number
  /** The client's address; undefined where the proxy speaks for itself. */
  readonly address: string | undefined
}

/** The bytes of a proxy do not begin with a header. The message says why. */
export class ProxyHeaderFault extends Error {
  override name = 'ProxyHeaderFault'
}

/**
 * Reads the header of the PROXY protocol, version 1 or 2, at the beginning of a connection. Undefined: it has not come
 * whole. TLVs are skipped.
 * @throws ProxyHeaderFault
 */
export function parseProxyHeader(bytes: Buffer): ProxyHeader | undefined {
  if (beginsLike(bytes, signature)) return bytes.length < fixedBytes ? undefined : parseBinary(bytes)
  if (beginsLike(bytes, linePrefix)) return parseLine(bytes)
  throw new ProxyHeaderFault('there is no header')
}

/** Whether the bytes are the beginning of a text, or begin with it. */
function beginsLike(bytes: Buffer, text: Buffer): boolean {
  const length = Math.min(bytes.length, text.length)
  return bytes.compare(text, 0, length, 0, length) === 0
}

function parseBinary(bytes: Buffer): ProxyHeader | undefined {
  const versionAndCommand = bytes.readUInt8(signature.length)
  const kind = bytes.readUInt8(signature.length + 1)
  const restBytes = bytes.readUInt16BE(signature.length + 2)
  const length = fixedBytes + restBytes
  const isLocal = versionAndCommand === 0x20
  if (!isLocal && versionAndCommand !== 0x21) throw new ProxyHeaderFault('unknown version or command')
  if (length > headerBytesMax) throw new ProxyHeaderFault('the header is too long')
  const known = families[kind]
  if (!isLocal && !known && !addressless.has(kind)) throw new ProxyHeaderFault('unknown address family')
  if (!isLocal && known && restBytes < known.bytes) throw new ProxyHeaderFault('the addresses are cut')
  if (bytes.length < length) return undefined
  if (isLocal || !known) return { bytes: length, address: undefined }
  const raw = bytes.subarray(fixedBytes, fixedBytes + known.addressBytes)
  const address = known.family === 'ipv4' ? [...raw].join('.') : compress(raw.toString('hex'))
  return { bytes: length, address }
}

function parseLine(bytes: Buffer): ProxyHeader | undefined {
  const end = bytes.indexOf('\r\n')
  if (end < 0 || end + 2 > lineBytesMax) {
    if (end < 0 && bytes.length < lineBytesMax) return undefined
    throw new ProxyHeaderFault('the header is too long')
  }
  const [, kind, from = '', to = '', ...ports] = bytes.toString('latin1', 0, end).split(' ')
  if (kind === 'UNKNOWN') return { bytes: end + 2, address: undefined }
  const isAddress = kind === 'TCP4' ? isIPv4 : kind === 'TCP6' ? isPlainIPv6 : () => false
  const arePorts =
    ports.length === 2 && ports.every((port) => /^(0|[1-9]\d{0,4})$/.test(port) && +port <= 65_535)
  if (!isAddress(from) || !isAddress(to) || !arePorts)
    throw new ProxyHeaderFault('the header is not readable')
  return { bytes: end + 2, address: kind === 'TCP6' ? compress(from) : from }
}

/** Without the zone that Node's check allows. */
const isPlainIPv6 = (text: string): boolean => isIPv6(text) && !text.includes('%')

/** The form in which sockets tell an IPv6 address, of any form or of its 32 hexadecimal digits. */
function compress(text: string): string {
  const address = text.includes(':') ? text : (text.match(/.{4}/g) ?? []).join(':')
  return new SocketAddress({ address, family: 'ipv6' }).address
}

/**
 * Takes the header from a connection of a proxy, before anybody reads it; the bytes behind it remain to be read. Resolves
 * to undefined where the other side closed without a byte, as a health check does.
 * @throws ProxyHeaderFault also when it takes longer than 5 s
 */
export async function takeProxyHeader(socket: Socket): Promise<ProxyHeader | undefined> {
  let taken = Buffer.alloc(0)
  const timer = setTimeout(
    () => socket.destroy(new ProxyHeaderFault('the header did not come in time')),
    headerMsMax,
  )
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      taken = Buffer.concat([taken, chunk as Buffer])
      const header = parseProxyHeader(taken)
      if (!header) continue
      if (taken.length > header.bytes) socket.unshift(taken.subarray(header.bytes))
      return header
    }
    if (taken.length > 0) throw new ProxyHeaderFault('the connection ended within the header')
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
