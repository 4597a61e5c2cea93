import type { Readable } from 'node:stream'
import type { Clock } from '../clock.ts'
import { NmeaReader } from './nmea.ts'
import { readLines } from './read-lines.ts'
import type { PositionSource } from './told.ts'

/** Sentences have 82 characters; makers' own ones more, and tag blocks before them. */
const lineBytesMax = 512

/** A receiver that sends NMEA 0183, by a serial port or TCP. */
export function nmeaSource(name: string, open: () => Promise<Readable>, clock: Clock): PositionSource {
  return {
    name,
    async run(tell, signal) {
      const reader = new NmeaReader(clock, (gps) => tell({ gps }))
      const stream = await open()
      const onLine = (line: string): boolean => {
        const isSentence = reader.take(line)
        if (isSentence) tell({})
        return isSentence
      }
      await readLines(stream, { clock, signal, lineBytesMax, onLine })
    },
  }
}
