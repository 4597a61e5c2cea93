import { errorReason } from '../../log.ts'
import type { Explorer } from '../explorer.ts'
import type { ModbusTransport } from './transport.ts'
import { ModbusException } from './transport.ts'

/** Reads registers of a device on request; connects at the first request, and again after a fault. */
export function exploreRegisters(
  { timeoutMs }: { timeoutMs: number },
  open: () => Promise<ModbusTransport>,
): Explorer {
  let device: ModbusTransport | null = null
  return {
    async readRegisters(area, address, count) {
      try {
        if (!device?.isOpen()) device = await open()
        return Array.from(await device.read(area, address, count))
      } catch (error) {
        if (error instanceof ModbusException) throw error
        device?.close()
        device = null
        throw new Error(`the controller did not answer within ${timeoutMs} ms (${errorReason(error)})`)
      }
    },
    async close() {
      device?.close()
    },
  }
}
