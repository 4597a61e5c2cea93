import { startFaultLine } from '../../testing/plc/fault-line.ts'
import { startPymodbus } from '../../testing/plc/pymodbus.ts'
import { describeConformance } from '../testing/conformance.ts'
import { modbusTarget } from '../testing/modbus-target.ts'
import { modbusTcpKind } from './modbus-kind.ts'

/** One register less than requested, with header and byte count adjusted. */
function shorten(answer: Buffer): Buffer {
  // A bit's answer, or an exception.
  if (answer.length < 11) return answer
  const shorter = Buffer.from(answer.subarray(0, -2))
  shorter.writeUInt16BE(shorter.readUInt16BE(4) - 2, 4)
  shorter.writeUInt8(shorter.readUInt8(8) - 2, 8)
  return shorter
}

describeConformance('Modbus TCP with pymodbus', modbusTcpKind, async () => {
  const server = await startPymodbus()
  const line = await startFaultLine(server.tcpPort)
  return modbusTarget(server, line, { host: '127.0.0.1', port: line.port }, 7, shorten, async () => {
    await line.close()
    await server.stop()
  })
})
