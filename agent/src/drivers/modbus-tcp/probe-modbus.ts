import type { AgentProbed } from '@busbar/link'
import { NoAnswer } from '../polled/protocol.ts'
import { probe } from '../probe-steps.ts'
import type { ModbusTag, ReadingOptions } from './modbus-connection.ts'
import type { ModbusDriver } from './modbus-protocol.ts'
import type { ModbusTcpOptions } from './tcp-transport.ts'
import { openTcpTransport } from './tcp-transport.ts'
import type { ModbusTransport } from './transport.ts'
import { ModbusException } from './transport.ts'

/** A gateway does not reach the unit. */
const gatewayExceptions = new Set([10, 11])
const otherUnits = [1, 255]
const otherUnitMs = 400

type Probed = ModbusTcpOptions & ReadingOptions & { tags: readonly ModbusTag[] }

/**
 * One register of the connection's first tag: over the line of the driver where it is open, since many devices take one
 * connection only. Where the unit is silent, others are asked: a device that answers for those has another number.
 */
export function probeModbus(connection: Probed, driver: ModbusDriver | undefined): Promise<AgentProbed> {
  const { area, address } = connection.tags[0]?.address ?? { area: 'holding' as const, address: 0 }
  const read = (line: ModbusTransport): Promise<unknown> => line.read(area, address, 1)
  const isBusy = driver?.isOpen === true
  return probe<ModbusTransport | null>({
    hello: async () => (isBusy ? null : await openTcpTransport(connection)),
    async read(line) {
      try {
        if (line === null) await driver?.borrow(read)
        else await read(line)
      } catch (error) {
        line?.close()
        if (error instanceof NoAnswer && (await answersForOthers(connection, read)))
          throw new WrongUnit(`unit ${connection.unit} does not answer, and others do`)
        throw error
      }
    },
    close: (line) => line?.close(),
    codeOf(error, step) {
      if (error instanceof ModbusException)
        return gatewayExceptions.has(error.exceptionCode) ? 'wrongUnit' : 'readRefused'
      if (error instanceof WrongUnit || isOtherUnit(error)) return 'wrongUnit'
      if (step === 'read' && error instanceof Error && /none of Modbus|protocol id/.test(error.message))
        return 'notThisProtocol'
      if (step === 'read' && error instanceof Error && error.message === 'connection closed') return 'refused'
      return undefined
    },
  })
}

class WrongUnit extends Error {}

const isOtherUnit = (error: unknown): boolean =>
  error instanceof Error && /^unit \d+ answered for/.test(error.message)

async function answersForOthers(
  connection: Probed,
  read: (line: ModbusTransport) => Promise<unknown>,
): Promise<boolean> {
  for (const unit of otherUnits.filter((other) => other !== connection.unit)) {
    try {
      const line = await openTcpTransport({ ...connection, unit, unitIds: 'check', timeoutMs: otherUnitMs })
      try {
        await read(line)
        return true
      } finally {
        line.close()
      }
    } catch (error) {
      if (error instanceof ModbusException && !gatewayExceptions.has(error.exceptionCode)) return true
    }
  }
  return false
}
