import type { Clock } from '../clock.ts'
import type { PositionConfig } from '../config/config.ts'
import { openSocket } from '../drivers/open-socket.ts'
import { openSerialPort } from '../drivers/serial-port.ts'
import { fileSource } from './file-source.ts'
import { gpsdSource } from './gpsd-source.ts'
import { modemSource } from './modem-source.ts'
import { nmeaSource } from './nmea-source.ts'
import type { PositionSource } from './told.ts'

const connectMs = 10_000

export function openSource(config: PositionConfig, clock: Clock): PositionSource {
  switch (config.kind) {
    case 'serial': {
      const { path: serialPort, baudRate } = config
      const open = () => openSerialPort({ serialPort, baudRate, parity: 'none', stopBits: 1 })
      return nmeaSource(serialPort, open, clock)
    }
    case 'tcp':
      return nmeaSource(nameOf(config), () => openSocket({ ...config, timeoutMs: connectMs }), clock)
    case 'gpsd':
      return gpsdSource(nameOf(config), () => openSocket({ ...config, timeoutMs: connectMs }), clock)
    case 'modem':
      return modemSource(config.modem, clock)
    case 'file':
      return fileSource(config.path, clock)
  }
}

function nameOf({ kind, host, port }: { kind: string; host: string; port: number }): string {
  return `${kind} ${host}:${port}`
}
