import { setTimeout as wait } from 'node:timers/promises'
import { Refused } from '../driver.ts'
import type { OpenLine } from '../polled/protocol.ts'
import type { ModbusArea } from './address.ts'
import type { ModbusRequest, ModbusWrite } from './pdu.ts'
import { exceptionOf, readRequest, readValues, writeRequest } from './pdu.ts'

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
export class ModbusException extends Refused {
  readonly exceptionCode: number

  constructor(exceptionCode: number) {
    super(`${exceptionTexts[exceptionCode] ?? 'refused'} (Modbus exception ${exceptionCode})`)
    this.name = 'ModbusException'
    this.exceptionCode = exceptionCode
  }
}

/** An open connection to one Modbus device. One request at a time. */
export interface ModbusTransport extends OpenLine {
  /**
   * `count` registers (or bits as 0 and 1) from `start`. Rejects with `ModbusException` if the device
   * refuses, with any other error if the connection can no longer be trusted.
   */
  read(area: ModbusArea, start: number, count: number): Promise<ArrayLike<number>>
  /** One request that changes something; rejects as `read` does. */
  write(request: ModbusWrite): Promise<void>
}

/** The part in which TCP and serial lines differ. */
export interface ModbusExchange extends OpenLine {
  /** The answer's own bytes, an exception too. */
  ask(request: ModbusRequest): Promise<Buffer>
  /** From an answer to the next request. */
  pauseMs: number
}

export function modbusTransport(exchange: ModbusExchange): ModbusTransport {
  let isFirst = true

  async function ask(request: ModbusRequest): Promise<Buffer> {
    if (!isFirst && exchange.pauseMs > 0) await wait(exchange.pauseMs)
    isFirst = false
    const answer = await exchange.ask(request)
    const code = exceptionOf(answer)
    if (code !== null) throw new ModbusException(code)
    return answer
  }

  return {
    isOpen: () => exchange.isOpen(),
    read: async (area, start, count) => readValues(area, count, await ask(readRequest(area, start, count))),
    async write(change) {
      await ask(writeRequest(change))
    },
    close: () => exchange.close(),
  }
}
