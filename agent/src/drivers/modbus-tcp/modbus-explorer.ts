import { errorReason } from '../../log.ts'
import type { Explorer } from '../explorer.ts'
import type { ModbusDriver } from './modbus-protocol.ts'
import type { ModbusTransport } from './transport.ts'
import { ModbusException } from './transport.ts'

/**
 * Reads registers of a device on request: over the line of a driver that reads it, since many devices take one
 * connection only; without one it connects at the first request, and again after a fault.
 */
export function exploreRegisters(
  { timeoutMs }: { timeoutMs: number },
  open: () => Promise<ModbusTransport>,
  findDriver: () => ModbusDriver | undefined = () => undefined,
): Explorer {
  let device: ModbusTransport | null = null
  return {
    async readRegisters(area, address, count) {
      try {
        const driver = findDriver()
        if (driver !== undefined) {
          device?.close()
          return Array.from(await driver.borrow((line) => line.read(area, address, count)))
        }
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
