import type { ModbusArea } from './address.ts'

/** Words for the exceptions of the protocol (section 7). */
const exceptionTexts: Record<number, string> = {
  1: 'illegal function',
  2: 'illegal data address',
  3: 'illegal data value',
  4: 'device failure',
  5: 'accepted, not done yet',
  6: 'device busy',
  8: 'memory parity error',
  10: 'gateway path unavailable',
  11: 'the device behind the gateway does not answer',
}

/** The device answered with a refusal (Modbus Application Protocol 1.1b3, section 7). */
export class ModbusException extends Error {
  readonly exceptionCode: number

  constructor(exceptionCode: number) {
    super(`${exceptionTexts[exceptionCode] ?? 'refused'} (Modbus exception ${exceptionCode})`)
    this.name = 'ModbusException'
    this.exceptionCode = exceptionCode
  }
}

/** An open connection to one Modbus device. One request at a time. */
export interface ModbusTransport {
  /** False as soon as the other side has closed. */
  isOpen(): boolean
  /**
   * `count` registers (or bits as 0 and 1) from `start`. Rejects with `ModbusException` if the device
   * refuses, with any other error if the connection can no longer be trusted.
   */
  read(area: ModbusArea, start: number, count: number): Promise<ArrayLike<number>>
  /** One request that changes something; rejects as `read` does. */
  write(request: ModbusWrite): Promise<void>
  close(): void
}

/** The requests that change something, by their function code in the protocol. */
export type ModbusWrite =
  | { function: 5 | 15; address: number; on: boolean }
  | { function: 6; address: number; register: number }
  | { function: 16; address: number; registers: number[] }
  /** The register becomes (it and `and`) or (`or` and not `and`). */
  | { function: 22; address: number; and: number; or: number }
