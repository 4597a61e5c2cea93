import { configDefaults } from '../../config/config.ts'
import type { Fields } from '../../config/fields.ts'
import type { DriverKind } from '../driver-kind.ts'
import { driverInterface } from '../driver-kind.ts'
import type { ModbusTag, ReadingOptions } from '../modbus-tcp/modbus-connection.ts'
import { exploreRegisters } from '../modbus-tcp/modbus-explorer.ts'
import { openModbusDriver } from '../modbus-tcp/modbus-protocol.ts'
import { parseModbusTag, parseReading } from '../modbus-tcp/parse-modbus-tag.ts'
import { parities, parseBaudRate } from '../serial-port.ts'
import type { RtuOptions } from './rtu-transport.ts'
import { openRtuTransport } from './rtu-transport.ts'

/** Unit 0 is a broadcast without an answer; those above are reserved (Modbus over Serial Line 1.02, 2.2). */
const unitMost = 247

function parseConnection(fields: Fields): RtuOptions & ReadingOptions {
  const reading = parseReading(fields)
  const unit = fields.integer('unit', 1, unitMost) ?? configDefaults.modbusUnit
  return { ...reading, unit, line: parseLine(fields) }
}

/** A serial port, or a gateway by TCP. */
function parseLine(fields: Fields): RtuOptions['line'] {
  if (fields.has('serialPort') && fields.has('host'))
    fields.problem('host', 'and serialPort are both there; a line is one or the other')
  if (!fields.has('serialPort')) {
    if (!fields.has('host')) fields.problem('serialPort', 'is missing; write it, or the host of a gateway')
    return {
      host: fields.text('host', 255) ?? '',
      port: fields.integer('port', 1, 65_535) ?? configDefaults.modbusPort,
    }
  }
  const serialPort = fields.requiredText('serialPort', 255)
  if (!serialPort.startsWith('/')) fields.problem('serialPort', 'has to be a path, as in /dev/ttyS0')
  return {
    serialPort,
    baudRate: parseBaudRate(fields),
    parity: fields.oneOf('parity', parities) ?? 'none',
    stopBits: fields.integer('stopBits', 1, 2) ?? 1,
  }
}

/** Controllers with Modbus RTU, on a serial line or behind a gateway that passes RTU frames on over TCP. */
const modbusRtuKind: DriverKind<RtuOptions & ReadingOptions, ModbusTag> = {
  driverInterface,
  kind: 'modbus-rtu',
  parseConnection,
  parseTag: parseModbusTag,
  open: (connection, deps) => openModbusDriver(connection, () => openRtuTransport(connection), deps),
  explore: (connection) => exploreRegisters(connection, () => openRtuTransport(connection)),
}

export default modbusRtuKind
