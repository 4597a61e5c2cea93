import type { ModbusTransport } from '../modbus-tcp/transport.ts'
import { modbusTransport } from '../modbus-tcp/transport.ts'
import { openSocket } from '../open-socket.ts'
import type { SerialOptions } from '../serial-port.ts'
import { openSerialPort } from '../serial-port.ts'
import type { LineOptions } from './rtu-line.ts'
import { RtuLine } from './rtu-line.ts'

/** A line by TCP, to a gateway that passes RTU frames on as they are. */
export interface TcpLine {
  host: string
  port: number
}

export interface RtuOptions {
  line: SerialOptions | TcpLine
  unit: number
  timeoutMs: number
  pauseMs: number
}

/** Start, data, parity or a second stop bit, stop: eleven bits a byte (Modbus over Serial Line 1.02, 2.5.1). */
const bitsOfByte = 11
const silentBytes = 3.5
/** Above 19,200 baud it is fixed (2.5.1.1). */
const silenceMsMin = 1.75
/** A gateway keeps the silence on its line itself; this pause separates late answers. */
const tcpSilenceMs = 2

/** Lines in use, or from which a late answer may come, by what they lead to: connections to several units of one line share it. */
const lines = new Map<string, { line: RtuLine; settings: string }>()

/** A connection to one unit of a line, which others may have opened. */
export async function openRtuTransport({
  line: where,
  unit,
  timeoutMs,
  pauseMs,
}: RtuOptions): Promise<ModbusTransport> {
  const name = 'host' in where ? `${where.host}:${where.port}` : where.serialPort
  const settings = JSON.stringify(where)
  for (const [other, { line }] of lines) if (line.isIdle) lines.delete(other)
  const known = lines.get(name)
  if (known !== undefined && known.settings !== settings && known.line.users > 0)
    throw new Error(`${name} is used with other settings by another connection`)
  const { line } = known?.settings === settings ? known : { line: new RtuLine(lineOptions(where, timeoutMs)) }
  lines.set(name, { line, settings })
  line.join()
  let open = true
  const close = (): void => {
    if (open) line.leave()
    open = false
  }
  try {
    await line.open()
  } catch (error) {
    close()
    throw error
  }

  return modbusTransport({
    pauseMs,
    isOpen: () => open && line.isOpen,
    ask: (request) => line.ask(unit, request, timeoutMs),
    close,
  })
}

function lineOptions(where: SerialOptions | TcpLine, timeoutMs: number): LineOptions {
  if ('host' in where) {
    return { open: () => openSocket({ ...where, timeoutMs }), silenceMs: tcpSilenceMs, byteMs: 0 }
  }
  const byteMs = (bitsOfByte * 1_000) / where.baudRate
  return {
    open: () => openSerialPort(where),
    silenceMs: Math.max(silenceMsMin, silentBytes * byteMs),
    byteMs,
  }
}
