import type { FrameFormat } from './frame-heads.ts'

// Modbus Messaging on TCP/IP 1.0b, 3.1.3: transaction (2), protocol 0 (2), bytes that follow (2), unit (1), then the
// function and its data (Modbus Application Protocol 1.1b3, 6).

export const prefixBytes = 6
export const headerBytes = 7
/** Unit, function and its data. */
const bodyBytes = { min: 2, max: 254 } as const
export const aduBytesMax = prefixBytes + bodyBytes.max
export const exceptionFlag = 0x80
const functions = { diagnostics: 8, readFileRecord: 20, encapsulated: 43 } as const
const returnQueryData = 0
const readDeviceIdentification = 14
const fileReference = { bytes: 7, type: 6 } as const

const bodyOf = (head: Buffer): number => head.readUInt16BE(4)

/** With unit and function, so that a request of a wrong length can be answered. */
export const requestFormat: FrameFormat = {
  headBytes: aduBytesMax,
  lengthBytes: prefixBytes + bodyBytes.min,
  lengthOf(head) {
    const body = bodyOf(head)
    return body < bodyBytes.min || body > bodyBytes.max ? null : prefixBytes + body
  },
}

/** Of the head only the length; more of it is looked at by who has to know the answer. */
export const answerFormat: FrameFormat = {
  headBytes: prefixBytes,
  lengthBytes: prefixBytes,
  lengthOf: (head) => prefixBytes + bodyOf(head),
}

/**
 * The length of each function that reads (function and data), or whether a request has it. A diagnosis has two bytes of
 * data here, though more are allowed: a device that took it for shorter would read its data as the next request.
 */
const lengths: Readonly<Record<number, number | ((pdu: Buffer) => boolean)>> = {
  1: 5,
  2: 5,
  3: 5,
  4: 5,
  7: 1,
  [functions.diagnostics]: 5,
  17: 1,
  [functions.readFileRecord]: isFileRequest,
  24: 3,
  [functions.encapsulated]: 4,
}

function isFileRequest(pdu: Buffer): boolean {
  const bytes = pdu.length - 2
  if (bytes <= 0 || bytes % fileReference.bytes !== 0 || pdu[1] !== bytes) return false
  for (let at = 2; at < pdu.length; at += fileReference.bytes)
    if (pdu[at] !== fileReference.type) return false
  return true
}

/** By its first bytes. */
export function isReading(pdu: Buffer): boolean {
  const code = pdu[0] ?? 0
  if (code === functions.diagnostics) return pdu.length >= 3 && pdu.readUInt16BE(1) === returnQueryData
  if (code === functions.encapsulated) return pdu[1] === readDeviceIdentification
  return lengths[code] !== undefined
}

/** Understood to its last byte, and reading. */
export function isReadingRequest(adu: Buffer): boolean {
  const pdu = adu.subarray(headerBytes)
  const length = lengths[pdu[0] ?? 0]
  const isWhole = typeof length === 'function' ? length(pdu) : length === pdu.length
  return isWhole && isReading(pdu) && adu.readUInt16BE(2) === 0
}
