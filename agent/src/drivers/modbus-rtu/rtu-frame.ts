import type { ModbusArea } from '../modbus-tcp/address.ts'
import type { ModbusWrite } from '../modbus-tcp/transport.ts'

/** A request, and the length of its answer; both without unit and checksum. */
export interface RtuRequest {
  pdu: Buffer
  answerBytes: number
}

const readFunctions: Record<ModbusArea, number> = { coil: 1, discrete: 2, holding: 3, input: 4 }

/** Unit and checksum around a request or answer. */
const envelopeBytes = 3
/** An exception: function and code. */
const exceptionBytes = 2
const exceptionFlag = 0x80

/** The request of `count` registers or bits (Modbus Application Protocol 1.1b3, 6.1 to 6.4). */
export function readRequest(area: ModbusArea, start: number, count: number): RtuRequest {
  const pdu = Buffer.alloc(5)
  pdu.writeUInt8(readFunctions[area], 0)
  pdu.writeUInt16BE(start, 1)
  pdu.writeUInt16BE(count, 3)
  const dataBytes = area === 'coil' || area === 'discrete' ? Math.ceil(count / 8) : count * 2
  return { pdu, answerBytes: 2 + dataBytes }
}

/** Registers, or bits as 0 and 1, of the answer to `readRequest`. */
export function readValues(area: ModbusArea, count: number, answer: Buffer): number[] {
  return Array.from({ length: count }, (_, index) =>
    area === 'coil' || area === 'discrete'
      ? (answer.readUInt8(2 + (index >> 3)) >> (index & 7)) & 1
      : answer.readUInt16BE(2 + index * 2),
  )
}

/** A request that changes something; its answer repeats its function and address (6.5, 6.6, 6.11, 6.12, 6.16). */
export function writeRequest(change: ModbusWrite): RtuRequest {
  const { address } = change
  switch (change.function) {
    case 5:
      return { pdu: wordsOf(5, [address, change.on ? 0xff00 : 0]), answerBytes: 5 }
    case 6:
      return { pdu: wordsOf(6, [address, change.register]), answerBytes: 5 }
    case 15: {
      const pdu = Buffer.concat([wordsOf(15, [address, 1]), Buffer.from([1, change.on ? 1 : 0])])
      return { pdu, answerBytes: 5 }
    }
    case 16: {
      const { registers } = change
      const head = Buffer.concat([
        wordsOf(16, [address, registers.length]),
        Buffer.from([registers.length * 2]),
      ])
      return { pdu: Buffer.concat([head, wordsOf(0, registers).subarray(1)]), answerBytes: 5 }
    }
    case 22:
      return { pdu: wordsOf(22, [address, change.and, change.or]), answerBytes: 7 }
  }
}

function wordsOf(functionCode: number, words: readonly number[]): Buffer {
  const pdu = Buffer.alloc(1 + words.length * 2)
  pdu.writeUInt8(functionCode, 0)
  words.forEach((word, index) => {
    pdu.writeUInt16BE(word, 1 + index * 2)
  })
  return pdu
}

/** A frame as it goes over the line: unit, request, checksum with its low byte first. */
export function encodeFrame(unit: number, pdu: Buffer): Buffer {
  const frame = Buffer.alloc(pdu.length + envelopeBytes)
  frame.writeUInt8(unit, 0)
  pdu.copy(frame, 1)
  frame.writeUInt16LE(crc16(frame.subarray(0, -2)), frame.length - 2)
  return frame
}

/**
 * Looks for the answer of `unit` to `request` in the received bytes, past noise and late answers to other
 * requests. Null until it is complete; throws if the answer has another length.
 */
export function findAnswer(bytes: Buffer, unit: number, { pdu, answerBytes }: RtuRequest): Buffer | null {
  const functionCode = pdu.readUInt8(0)
  for (let at = 0; at + exceptionBytes + envelopeBytes <= bytes.length; at++) {
    if (bytes[at] !== unit) continue
    const answered = bytes[at + 1]
    if (answered === (functionCode | exceptionFlag)) {
      const exception = frameAt(bytes, at, exceptionBytes)
      if (exception !== null) return exception
    }
    if (answered !== functionCode) continue
    const whole = frameAt(bytes, at, answerBytes)
    if (whole !== null && (functionCode > 4 ? isEcho(whole, pdu) : whole[1] === answerBytes - 2)) return whole
    const told = 2 + (bytes[at + 2] ?? 0)
    if (functionCode <= 4 && told !== answerBytes && frameAt(bytes, at, told) !== null)
      throw new Error(`an answer of ${told} bytes where ${answerBytes} were asked for`)
  }
  return null
}

/** Whether an answer names the address that was written; another one answers an earlier write. */
function isEcho(answer: Buffer, pdu: Buffer): boolean {
  return answer.readUInt16BE(1) === pdu.readUInt16BE(1)
}

/** The answer without unit and checksum, if `count` bytes of it have arrived and the checksum fits. */
function frameAt(bytes: Buffer, at: number, count: number): Buffer | null {
  const end = at + 1 + count
  if (end + 2 > bytes.length) return null
  return crc16(bytes.subarray(at, end)) === bytes.readUInt16LE(end) ? bytes.subarray(at + 1, end) : null
}

/** The exception's code, or null for a regular answer. */
export function exceptionOf(answer: Buffer): number | null {
  return (answer.readUInt8(0) & exceptionFlag) === 0 ? null : answer.readUInt8(1)
}

/** CRC-16 of Modbus (Modbus over Serial Line 1.02, 6.2.2). */
export function crc16(bytes: Uint8Array): number {
  let crc = 0xffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >> 1) ^ 0xa001 : crc >> 1
  }
  return crc
}
