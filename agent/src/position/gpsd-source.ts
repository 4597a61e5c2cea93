import type { Duplex } from 'node:stream'
import type { Clock } from '../clock.ts'
import { readLines } from './read-lines.ts'
import type { Gps, PositionSource } from './told.ts'
import { isPosition, roundedGps, vagueMetres } from './told.ts'

/** A report on all satellites is the longest line. */
const lineBytesMax = 16 * 1_024
const watch = '?WATCH={"enable":true,"json":true}\n'
/** `status` of dead reckoning, with and without satellites, and of a simulation. */
const unseenStatuses = new Set<unknown>([5, 6, 8])

/** gpsd by its JSON protocol (gpsd_json(5)), which it speaks to every client that asks for it. */
export function gpsdSource(name: string, open: () => Promise<Duplex>, clock: Clock): PositionSource {
  return {
    name,
    async run(tell, signal) {
      const stream = await open()
      stream.write(watch)
      const onLine = (line: string): boolean => {
        const report = parseReport(line)
        if (report === null) return false
        const gps = report.class === 'TPV' ? fixOf(report, clock.now()) : null
        tell(gps === null ? {} : { gps })
        return true
      }
      await readLines(stream, { clock, signal, lineBytesMax, onLine })
    },
  }
}

type Report = Readonly<Record<string, unknown>>

function parseReport(line: string): Report | null {
  if (!line.startsWith('{')) return null
  try {
    const report = JSON.parse(line) as Report
    return typeof report.class === 'string' ? report : null
  } catch {
    return null
  }
}

/** `mode` 2 and 3 are fixes in the plane and in space; the horizontal error is `eph`, before 3.20 `epx` and `epy`. */
function fixOf(report: Report, now: number): Gps | null {
  const { mode, status, lat, lon, eph, epx, epy, time } = report
  if ((mode !== 2 && mode !== 3) || unseenStatuses.has(status)) return null
  if (typeof lat !== 'number' || typeof lon !== 'number' || !isPosition(lat, lon)) return null
  const ofAxes = isError(epx) && isError(epy) ? Math.hypot(epx, epy) : vagueMetres
  const accuracy = isError(eph) ? eph : ofAxes
  const at = typeof time === 'string' ? Date.parse(time) : now
  return roundedGps({ lat, lng: lon, accuracy, at: Number.isNaN(at) ? now : at })
}

/** Metres; `1e400` in JSON becomes infinite, which JSON cannot tell on. */
const isError = (metres: unknown): metres is number =>
  typeof metres === 'number' && metres >= 0 && Number.isFinite(metres)
