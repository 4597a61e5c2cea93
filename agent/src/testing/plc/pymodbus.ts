import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '../../../../testkit/src/free-port.ts'
import type { ServerProgram } from './server-program.ts'
import { startServerProgram } from './server-program.ts'

type RegisterArea = 'holding' | 'input' | 'coil' | 'discrete'

/** Servers of pymodbus: Modbus TCP, and RTU frames over TCP, over one memory. */
export interface Pymodbus {
  tcpPort: number
  rtuPort: number
  set(area: RegisterArea, address: number, values: readonly number[], unit?: number): Promise<void>
  /** The values as another client sees them: mbpoll, by Modbus TCP. */
  poll(area: 'holding' | 'coil', address: number, count: number, unit?: number): Promise<number[]>
  stop(): Promise<void>
}

/** With units from 1 to `units`. */
export async function startPymodbus(units = 1): Promise<Pymodbus> {
  const [tcpPort, rtuPort] = [await findFreePort(), await findFreePort()]
  const script = join(import.meta.dirname, 'modbus-server.py')
  const python = process.env.BUSBAR_PYTHON ?? '/usr/bin/python3'
  const program: ServerProgram = await startServerProgram(python, [
    script,
    ...[tcpPort, rtuPort, units].map(String),
  ])
  return {
    tcpPort,
    rtuPort,
    async set(area, address, values, unit = 1) {
      await program.tell(`set ${unit} ${area} ${address} ${values.join(' ')}`)
    },
    poll: (area, address, count, unit = 1) =>
      pollOnce(['-m', 'tcp', '-p', String(tcpPort)], { area, address, count, unit }),
    stop: () => program.stop(),
  }
}

/** Asks once by mbpoll, a client of others; its references count from 1. */
async function pollOnce(
  way: readonly string[],
  asked: { area: 'holding' | 'coil'; address: number; count: number; unit: number },
): Promise<number[]> {
  const kind = asked.area === 'coil' ? '0' : '4:hex'
  const { stdout } = await promisify(execFile)(process.env.BUSBAR_MBPOLL ?? 'mbpoll', [
    ...way,
    ...['-a', String(asked.unit), '-t', kind, '-r', String(asked.address + 1), '-c', String(asked.count)],
    ...['-1', '-q', '127.0.0.1'],
  ])
  return [...stdout.matchAll(/^\[\d+\]:\s+(\S+)/gm)].map(([, word = '']) => Number(word))
}
