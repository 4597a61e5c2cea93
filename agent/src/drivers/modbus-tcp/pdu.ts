import type { ModbusArea } from './address.ts'

/** A request and the bytes of its answer, without what a transport puts around them. */
export interface ModbusRequest {
  pdu: Buffer
  answerBytes: number
}

/** The requests that change something, by their function code in the protocol. */
export type ModbusWrite =
  | { function: 5 | 15; address: number; on: boolean }
  | { function: 6; address: number; register: number }
  | { function: 16; address: number; registers: number[] }
  /** The register becomes (it and `and`) or (`or` and not `and`). */
  | { function: 22; address: number; and: number; or: number }

const readFunctions: Record<ModbusArea, number> = { coil: 1, discrete: 2, holding: 3, input: 4 }

/** An exception: function and code. */
export const exceptionBytes = 2
export const exceptionFlag = 0x80

/** The request of `count` registers or bits (Modbus Application Protocol 1.1b3, 6.1 to 6.4). */
export function readRequest(area: ModbusArea, start: number, count: number): ModbusRequest {
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
export function writeRequest(change: ModbusWrite): ModbusRequest {
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

/** Whether an answer names the address that was written; another one answers an earlier write. */
export function isEcho(answer: Buffer, pdu: Buffer): boolean {
  return answer.readUInt16BE(1) === pdu.readUInt16BE(1)
}

/** The exception's code, or null for a regular answer. */
export function exceptionOf(answer: Buffer): number | null {
  return (answer.readUInt8(0) & exceptionFlag) === 0 ? null : answer.readUInt8(1)
}
