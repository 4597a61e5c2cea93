import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Duplex } from 'node:stream'
import { ReadStream } from 'node:tty'
import { promisify } from 'node:util'
import type { Fields } from '../config/fields.ts'

export const parities = ['none', 'even', 'odd'] as const
const baudRates = [1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 57_600, 115_200] as const
const defaultBaudRate = 9_600

export interface SerialOptions {
  /** `/dev/ttyS0`, or better a name that stays: `/dev/serial/by-id/…`. */
  serialPort: string
  baudRate: number
  parity: (typeof parities)[number]
  stopBits: number
}

export function parseBaudRate(fields: Fields): number {
  const baudRate = fields.number('baudRate') ?? defaultBaudRate
  if (!baudRates.some((rate) => rate === baudRate))
    fields.problem('baudRate', `is ${baudRate}; possible are ${baudRates.join(', ')}`)
  return baudRate
}

const parityWords = { none: ['-parenb'], even: ['parenb', '-parodd'], odd: ['parenb', 'parodd'] }
const settingMs = 5_000

/**
 * Opens a serial port, with 8 data bits as RTU and receivers need them. The terminal layer of the system does the work, and stty, a
 * program of every Linux, sets it up: no native module is needed.
 */
export async function openSerialPort(options: SerialOptions): Promise<Duplex> {
  const { serialPort } = options
  await setUp(options)
  // Without the no-delay option, opening waits for a modem.
  const file = await open(serialPort, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK)
  try {
    // The terminal's handle opens the port once more for itself.
    return new ReadStream(file.fd, { writable: true })
  } finally {
    await file.close()
  }
}

async function setUp({ serialPort, baudRate, parity, stopBits }: SerialOptions): Promise<void> {
  const words = ['raw', '-echo', 'cs8', 'cread', 'clocal', '-crtscts', '-hupcl']
  const stop = stopBits === 2 ? 'cstopb' : '-cstopb'
  const args = ['-F', serialPort, String(baudRate), ...words, stop, ...parityWords[parity]]
  try {
    await promisify(execFile)('stty', args, { timeout: settingMs })
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw said === '' ? error : new Error(said)
  }
}
