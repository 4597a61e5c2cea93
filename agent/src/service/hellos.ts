import type { ScanKind } from '@busbar/link'

/** How a kind of controller is recognized: by what it answers to its protocol's first words. */
export interface Hello {
  readonly kind: ScanKind
  readonly request: Buffer
  /** A controller of this kind, with its name where it tells one; null while more bytes are needed, false for another. */
  recognize(answer: Buffer): { readonly name?: string } | null | false
  /** It may tell its name after its first words. */
  readonly tellsName: boolean
}

const mbap = (transaction: number, unit: number, ...pdu: number[]): Buffer =>
  Buffer.from([0, transaction, 0, 0, 0, 1 + pdu.length, unit, ...pdu])

const deviceIdentification = 0x2b
const nameMax = 128

/**
 * Modbus TCP: the device's identification (Modbus Application Protocol 1.1b3, 6.21) as the units that devices have, and
 * one register. Any answer will do, a refusal too.
 */
const modbus: Hello = {
  kind: 'modbus-tcp',
  tellsName: true,
  request: Buffer.concat([
    mbap(1, 1, deviceIdentification, 0x0e, 1, 0),
    mbap(2, 255, deviceIdentification, 0x0e, 1, 0),
    mbap(3, 1, 3, 0, 0, 0, 1),
  ]),
  recognize(answer) {
    let isModbus = false
    for (let at = 0; at + 8 <= answer.length; ) {
      const length = answer.readUInt16BE(at + 4)
      const transaction = answer.readUInt16BE(at)
      if (
        answer.readUInt16BE(at + 2) !== 0 ||
        transaction < 1 ||
        transaction > 3 ||
        length < 3 ||
        length > 254
      )
        return false
      if (answer.length < at + 6 + length) break
      isModbus = true
      const name = readIdentification(answer.subarray(at + 7, at + 6 + length))
      if (name !== '') return { name }
      at += 6 + length
    }
    return isModbus ? {} : null
  },
}

/** Vendor, product and revision; empty for another answer. */
function readIdentification(pdu: Buffer): string {
  if (pdu[0] !== deviceIdentification || pdu.length < 7) return ''
  const texts: string[] = []
  let at = 7
  for (let left = pdu[6] ?? 0; left > 0 && at + 2 <= pdu.length; left--) {
    const end = at + 2 + (pdu[at + 1] ?? 0)
    if (end > pdu.length) break
    texts.push(pdu.toString('latin1', at + 2, end))
    at = end
  }
  return texts
    .join(' ')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, nameMax)
}

/** A request of ISO transport for the usual slot of an S7-1200 (RFC 1006): a refusal tells the protocol as well. */
const s7: Hello = {
  kind: 's7',
  tellsName: false,
  request: Buffer.from('0300001611e00000000100c1020100c2020101c0010a', 'hex'),
  recognize(answer) {
    if (answer.length < 6) return null
    const type = (answer[5] ?? 0) & 0xf0
    return answer[0] === 3 && answer[1] === 0 && (type === 0xd0 || type === 0x80) ? {} : false
  },
}

/** Hello of OPC UA's connection protocol (OPC 10000-6, 7.1.2.3), answered by an acknowledgement or an error. */
function opcuaHello(): Buffer {
  const url = Buffer.from('opc.tcp://localhost:4840')
  const head = Buffer.alloc(32)
  head.write('HELF', 'latin1')
  head.writeUInt32LE(32 + url.length, 4)
  // Sizes of both buffers; the others are without a limit.
  head.writeUInt32LE(65_536, 12)
  head.writeUInt32LE(65_536, 16)
  head.writeUInt32LE(url.length, 28)
  return Buffer.concat([head, url])
}

const opcua: Hello = {
  kind: 'opcua',
  tellsName: false,
  request: opcuaHello(),
  recognize(answer) {
    if (answer.length < 4) return null
    return ['ACKF', 'ERRF'].includes(answer.toString('latin1', 0, 4)) ? {} : false
  },
}

export const hellos: readonly Hello[] = [modbus, s7, opcua]
