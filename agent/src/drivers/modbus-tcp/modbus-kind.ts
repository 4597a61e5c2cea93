import { configDefaults } from '../../config/config.ts'
import type { DriverKind } from '../driver-kind.ts'
import { driverInterface } from '../driver-kind.ts'
import type { ModbusTag, ReadingOptions } from './modbus-connection.ts'
import { exploreRegisters } from './modbus-explorer.ts'
import type { ModbusDriver } from './modbus-protocol.ts'
import { openModbusDriver } from './modbus-protocol.ts'
import { modbusTagAt } from './modbus-tag-at.ts'
import { parseModbusTag, parseReading } from './parse-modbus-tag.ts'
import { probeModbus } from './probe-modbus.ts'
import type { ModbusTcpOptions } from './tcp-transport.ts'
import { idChecks, openTcpTransport } from './tcp-transport.ts'

/** The drivers that read, by their device. */
const running = new Map<string, ModbusDriver>()

/** Controllers with Modbus TCP. */
export const modbusTcpKind: DriverKind<ModbusTcpOptions & ReadingOptions, ModbusTag> = {
  driverInterface,
  kind: 'modbus-tcp',
  parseConnection: (fields) => ({
    host: fields.requiredText('host', 255),
    port: fields.integer('port', 1, 65_535) ?? configDefaults.modbusPort,
    unit: fields.integer('unit', 0, 255) ?? configDefaults.modbusUnit,
    transactionIds: fields.oneOf('transactionIds', idChecks) ?? 'check',
    protocolIds: fields.oneOf('protocolIds', idChecks) ?? 'check',
    unitIds: fields.oneOf('unitIds', idChecks) ?? 'check',
    ...parseReading(fields),
  }),
  parseTag: parseModbusTag,
  open(connection, deps) {
    const key = keyOf(connection)
    const driver = openModbusDriver(connection, () => openTcpTransport(connection), {
      ...deps,
      onClose: () => running.get(key) === driver && running.delete(key),
    })
    running.set(key, driver)
    return driver
  },
  explore: (connection) =>
    exploreRegisters(
      connection,
      () => openTcpTransport(connection),
      () => running.get(keyOf(connection)),
    ),
  tagAt: modbusTagAt,
  probe: (connection) => probeModbus(connection, running.get(keyOf(connection))),
}

const keyOf = ({ host, port, unit }: ModbusTcpOptions): string => `${host}:${port} ${unit}`
