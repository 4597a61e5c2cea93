import type { ModbusRequest } from '../modbus-tcp/pdu.ts'
import { exceptionBytes, exceptionFlag, isEcho } from '../modbus-tcp/pdu.ts'

/** Unit and checksum around a request or answer. */
const envelopeBytes = 3

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
export function findAnswer(bytes: Buffer, unit: number, { pdu, answerBytes }: ModbusRequest): Buffer | null {
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

/** The answer without unit and checksum, if `count` bytes of it have arrived and the checksum fits. */
function frameAt(bytes: Buffer, at: number, count: number): Buffer | null {
  const end = at + 1 + count
  if (end + 2 > bytes.length) return null
  return crc16(bytes.subarray(at, end)) === bytes.readUInt16LE(end) ? bytes.subarray(at + 1, end) : null
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
