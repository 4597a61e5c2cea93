import type { TagValue } from '../../tag.ts'
import { ValueMisfit } from '../value-misfit.ts'
import type { ModbusTag } from './modbus-connection.ts'
import type { ModbusWrite } from './pdu.ts'
import { bitMask, encodeRegisters } from './registers.ts'
import type { ModbusTransport } from './transport.ts'
import { ModbusException } from './transport.ts'

const illegalFunction = 1

/**
 * Writes tags of one device. A function that the device does not know (exception 1) is replaced for good by another:
 * many know only one of FC 5 and 15, of FC 6 and 16, and few know FC 22.
 */
export class ModbusWriter {
  #coilFunction: 5 | 15 = 5
  #registerFunction: 6 | 16 = 6
  #knowsMask = true

  /** Rejects with `ModbusException`, `ValueMisfit`, or the error that broke the connection. */
  async write(transport: ModbusTransport, tag: ModbusTag, raw: TagValue): Promise<void> {
    const { area, address, bit } = tag.address
    if (area === 'coil') return this.#writeCoil(transport, address, raw === true)
    if (bit !== null) return this.#writeBit(transport, tag, raw === true)
    const registers = encodeRegisters(raw, { ...tag, bit })
    if (registers === null) throw new ValueMisfit(`the value does not fit ${roomOf(tag)}`)
    const [only] = registers
    if (registers.length === 1 && only !== undefined) {
      await this.#writeRegister(transport, address, only)
    } else {
      await transport.write({ function: 16, address, registers })
    }
  }

  async #writeCoil(transport: ModbusTransport, address: number, on: boolean): Promise<void> {
    const other = this.#coilFunction === 5 ? 15 : 5
    if (await knows(transport.write({ function: this.#coilFunction, address, on }))) return
    await transport.write({ function: other, address, on })
    this.#coilFunction = other
  }

  async #writeRegister(transport: ModbusTransport, address: number, register: number): Promise<void> {
    const single: ModbusWrite = { function: 6, address, register }
    const multiple: ModbusWrite = { function: 16, address, registers: [register] }
    const isSingle = this.#registerFunction === 6
    if (await knows(transport.write(isSingle ? single : multiple))) return
    await transport.write(isSingle ? multiple : single)
    this.#registerFunction = isSingle ? 16 : 6
  }

  async #writeBit(transport: ModbusTransport, tag: ModbusTag, on: boolean): Promise<void> {
    const { address } = tag.address
    const mask = bitMask({ ...tag, bit: tag.address.bit })
    if (this.#knowsMask && (await this.#maskWrite(transport, address, mask, on))) return
    // Between the two requests the controller may change another bit of the register, which this write would
    // then undo, so it is only used for devices without mask write.
    const register = (await transport.read('holding', address, 1))[0] ?? 0
    await this.#writeRegister(transport, address, on ? register | mask : register & ~mask)
  }

  async #maskWrite(transport: ModbusTransport, address: number, mask: number, on: boolean): Promise<boolean> {
    const and = 0xffff & ~mask
    // A device that ignores unknown functions costs one write, not every one.
    this.#knowsMask = false
    try {
      await transport.write({ function: 22, address, and, or: on ? mask : 0 })
    } catch (error) {
      if (!(error instanceof ModbusException)) throw error
      if (error.exceptionCode === illegalFunction) return false
      this.#knowsMask = true
      throw error
    }
    this.#knowsMask = true
    return true
  }
}

const roomOf = ({ type, registerType, stringBytes }: ModbusTag): string =>
  type === 'string' ? `${stringBytes} bytes` : (registerType ?? type)

/** False when the device does not know the function; other refusals reject. */
async function knows(answer: Promise<void>): Promise<boolean> {
  try {
    await answer
    return true
  } catch (error) {
    if (error instanceof ModbusException && error.exceptionCode === illegalFunction) return false
    throw error
  }
}
