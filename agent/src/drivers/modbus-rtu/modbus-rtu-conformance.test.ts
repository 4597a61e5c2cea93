import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFaultLine } from '../../testing/plc/fault-line.ts'
import { startPymodbus } from '../../testing/plc/pymodbus.ts'
import { describeConformance } from '../testing/conformance.ts'
import { modbusTarget } from '../testing/modbus-target.ts'
import kind from './driver-file.ts'
import { crc16 } from './rtu-frame.ts'

/** One register less, with a byte count and a checksum that fit. */
function shorten(answer: Buffer): Buffer {
  // A bit's answer, or an exception.
  if (answer.length < 7) return answer
  const shorter = Buffer.from(answer.subarray(0, -2))
  shorter.writeUInt8(shorter.readUInt8(2) - 2, 2)
  shorter.writeUInt16LE(crc16(shorter.subarray(0, -2)), shorter.length - 2)
  return shorter
}

describeConformance('Modbus RTU over TCP with pymodbus', kind, async () => {
  const server = await startPymodbus()
  const line = await startFaultLine(server.rtuPort)
  return modbusTarget(server, line, { host: '127.0.0.1', port: line.port }, 1, shorten, async () => {
    await line.close()
    await server.stop()
  })
})

describeConformance('Modbus RTU on a serial port with pymodbus', kind, async () => {
  const server = await startPymodbus()
  const line = await startFaultLine(server.rtuPort)
  const folder = await mkdtemp(join(tmpdir(), 'busbar-serial-'))
  const serialPort = join(folder, 'port')
  const cable = serialCable(serialPort, line.port)
  await cable.plugIn()
  // The line ends by TCP behind the port: unplugged is a port that is gone, as of an adapter that is pulled.
  const plugged = {
    ...{ unplug: () => cable.unplug(), plugIn: () => cable.plugIn(), close: () => line.close() },
    drop: () => line.drop(),
    get open() {
      return process.getActiveResourcesInfo().filter((kind) => kind === 'TTYWrap').length
    },
  }
  const faults = new Proxy(line, {
    get: (of, key) => Reflect.get(key in plugged ? plugged : of, key),
  })
  const connection = { serialPort, baudRate: 115_200, stopBits: 2 }
  return modbusTarget(server, faults, connection, 1, shorten, async () => {
    await cable.unplug()
    await line.close()
    await server.stop()
    await rm(folder, { recursive: true })
  })
})

/** A serial port made by socat, whose other end is a TCP port. It comes back when that connection ends. */
function serialCable(serialPort: string, port: number) {
  let program: ChildProcess | null = null
  let plugged = false
  function start(): void {
    const tcp = `TCP:127.0.0.1:${port},nodelay,forever,interval=0.02`
    program = spawn(process.env.BUSBAR_SOCAT ?? 'socat', [`pty,rawer,link=${serialPort}`, tcp], {
      stdio: 'ignore',
    })
    program.once('exit', () => plugged && start())
  }
  return {
    async plugIn() {
      plugged = true
      start()
      while (!existsSync(serialPort)) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    async unplug() {
      plugged = false
      const ended = program && program.exitCode === null && once(program, 'exit')
      program?.kill('SIGTERM')
      await ended
    },
  }
}
