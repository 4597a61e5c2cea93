import type { FaultLine } from '../../testing/plc/fault-line.ts'
import type { Pymodbus } from '../../testing/plc/pymodbus.ts'
import type { ModbusTag } from '../modbus-tcp/modbus-connection.ts'
import type { RegisterFormat } from '../modbus-tcp/registers.ts'
import { decodeRegisters, encodeRegisters } from '../modbus-tcp/registers.ts'
import type { ConformanceTarget, ConformanceValues } from './conformance.ts'

const format = (fields: Partial<ModbusTag>): RegisterFormat => ({
  type: 'int16',
  wordOrder: 'ABCD',
  stringBytes: 0,
  ...fields,
  bit: null,
})
const whole = format({})
const real = format({ type: 'float32', wordOrder: 'CDAB' })
const text = format({ type: 'string', stringBytes: 8 })

const encode = (value: number | string, of: RegisterFormat): number[] => encodeRegisters(value, of) ?? []

/** A server of pymodbus behind a line, with what the suite of the drivers needs. */
export function modbusTarget(
  server: Pymodbus,
  line: FaultLine,
  connection: Record<string, unknown>,
  /** Where a request has its function code. */
  functionAt: number,
  shorten: (answer: Buffer) => Buffer,
  stop: () => Promise<void>,
): ConformanceTarget {
  return {
    line,
    connection,
    tags: {
      whole: { address: 'holding:0', type: 'int16' },
      real: { address: 'holding:2', type: 'float32', wordOrder: 'CDAB' },
      flag: { address: 'coil:5' },
      text: { address: 'holding:10', type: 'string:8' },
      // The server has fewer registers.
      refused: { address: 'holding:20000' },
    },
    refusal: /illegal data address \(Modbus exception 2\)/,
    async set(values: Partial<ConformanceValues>) {
      if (values.whole !== undefined) await server.set('holding', 0, encode(values.whole, whole))
      if (values.real !== undefined) await server.set('holding', 2, encode(values.real, real))
      if (values.flag !== undefined) await server.set('coil', 5, [values.flag ? 1 : 0])
      if (values.text !== undefined) await server.set('holding', 10, encode(values.text, text))
    },
    async peek() {
      const registers = await server.poll('holding', 0, 14)
      const [flag] = await server.poll('coil', 5, 1)
      return {
        whole: Number(decodeRegisters(registers, 0, whole)),
        real: Number(decodeRegisters(registers, 2, real)),
        flag: flag === 1,
        text: String(decodeRegisters(registers, 10, text)),
      }
    },
    asksForFlag: (request) => request[functionAt] === 1,
    shorten,
    stop,
  }
}
