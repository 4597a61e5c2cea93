import { configDefaults } from '../../config/config.ts'
import type { DriverKind } from '../driver-kind.ts'
import { driverInterface } from '../driver-kind.ts'
import type { ModbusTag, ReadingOptions } from './modbus-connection.ts'
import { createModbusDriver } from './modbus-driver.ts'
import { exploreRegisters } from './modbus-explorer.ts'
import { parseModbusTag, parseReading } from './parse-modbus-tag.ts'
import type { ModbusTcpOptions } from './tcp-transport.ts'
import { openTcpTransport } from './tcp-transport.ts'

/** Controllers with Modbus TCP. */
export const modbusTcpKind: DriverKind<ModbusTcpOptions & ReadingOptions, ModbusTag> = {
  driverInterface,
  kind: 'modbus-tcp',
  parseConnection: (fields) => ({
    host: fields.requiredText('host', 255),
    port: fields.integer('port', 1, 65_535) ?? configDefaults.modbusPort,
    unit: fields.integer('unit', 0, 255) ?? configDefaults.modbusUnit,
    ...parseReading(fields),
  }),
  parseTag: parseModbusTag,
  open: (connection, { clock, log }) =>
    createModbusDriver(connection, () => openTcpTransport(connection), clock, log),
  explore: (connection) => exploreRegisters(connection, () => openTcpTransport(connection)),
}
