import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'

/** A fix of a receiver: WGS-84, and its time, epoch milliseconds. */
export interface ReceivedFix {
  readonly lat: number
  readonly lng: number
  /** Now, if it is missing. */
  readonly at?: number
}

/** A receiver for satellites that sends NMEA 0183 by TCP. */
export interface GpsReceiver {
  /** Of `127.0.0.1`. */
  readonly port: number
  /** The fix that it tells every 100 ms from now on. */
  show(fix: ReceivedFix): void
  close(): void
}

export async function startGpsReceiver(first: ReceivedFix): Promise<GpsReceiver> {
  let shown = first
  const server = createServer((socket) => {
    const timer = setInterval(() => socket.write(sentenceOf(shown)), 100)
    socket.on('close', () => clearInterval(timer)).on('error', () => undefined)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    port: (server.address() as AddressInfo).port,
    show(fix) {
      shown = fix
    },
    close: () => void server.close(),
  }
}

/** RMC, with the time in whole seconds. */
function sentenceOf({ lat, lng, at = Date.now() }: ReceivedFix): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T')
  const where = [degrees(lat, 2), lat < 0 ? 'S' : 'N', degrees(lng, 3), lng < 0 ? 'W' : 'E'].join()
  const [clock, day] = [time.slice(0, 8).replaceAll(':', ''), date.slice(2).split('-').reverse().join('')]
  const body = `GNRMC,${clock},A,${where},43.2,90.0,${day},,,A`
  const sum = Buffer.from(body).reduce((xor, byte) => xor ^ byte, 0)
  return `$${body}*${sum.toString(16).toUpperCase().padStart(2, '0')}\r\n`
}

/** Degrees in so many digits, then minutes to four decimals. */
function degrees(value: number, digits: number): string {
  const inMinutes = Math.round(Math.abs(value) * 600_000)
  const minutes = ((inMinutes % 600_000) / 10_000).toFixed(4).padStart(7, '0')
  return `${String(Math.floor(inMinutes / 600_000)).padStart(digits, '0')}${minutes}`
}
