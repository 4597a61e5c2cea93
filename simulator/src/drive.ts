import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Clock } from '@busbar/agent/clock.ts'
import { nmeaChecksum } from '@busbar/agent/position/nmea.ts'

const secondMs = 1_000
/** A fix of so long ago is told at once. */
const leadMs = 20 * secondMs

/**
 * The drives in this folder are made, not recorded: sentences of a receiver in a lorry on the roads between two cities, there
 * and back, so that it can go round and round.
 */
const drivesFolder = join(import.meta.dirname, 'drives')

/** The sentences of one fix, by the time since the first. */
interface Fix {
  readonly offsetMs: number
  readonly bodies: readonly string[]
}

/** A drive that begins again when it ends. */
export interface Drive {
  /** The sentences of the fixes after `fromAt` and until `untilAt`, with the date and time that they have then. */
  between(fromAt: number, untilAt: number): string[]
}

export async function loadDrive(name: string): Promise<Drive> {
  return readDrive(await readFile(join(drivesFolder, `${name}.nmea`), 'utf8'))
}

/** The drive of a file, in which the sentences of a fix follow one another and a day does not end. */
export function readDrive(text: string): Drive {
  const fixes: { offsetMs: number; bodies: string[] }[] = []
  let firstMs: number | undefined
  for (const line of text.trim().split(/\r?\n/)) {
    const body = line.slice(1, line.lastIndexOf('*'))
    const timeMs = timeOf(body)
    firstMs ??= timeMs
    const last = fixes.at(-1)
    if (last?.offsetMs === timeMs - firstMs) last.bodies.push(body)
    else fixes.push({ offsetMs: timeMs - firstMs, bodies: [body] })
  }
  const [first, second] = fixes
  if (!first || !second) throw new Error('a drive has two fixes or more')
  // From the last fix to the first it takes as long as from the first to the second.
  const lengthMs = (fixes.at(-1) as Fix).offsetMs + second.offsetMs
  return {
    between(fromAt, untilAt) {
      const sentences: string[] = []
      const rounds = Math.floor(untilAt / lengthMs)
      // After a sleep of the computer one round is enough.
      const sinceAt = Math.max(fromAt, untilAt - lengthMs)
      for (let round = Math.floor(sinceAt / lengthMs); round <= rounds; round++)
        for (const { offsetMs, bodies } of fixes) {
          const at = round * lengthMs + offsetMs
          if (at > sinceAt && at <= untilAt) sentences.push(...bodies.map((body) => sentenceAt(body, at)))
        }
      return sentences
    },
  }
}

/** The time of day of RMC and GGA, which is their first field. */
function timeOf(body: string): number {
  const [, hours, minutes, seconds] = /^..(?:RMC|GGA),(\d\d)(\d\d)(\d\d)/.exec(body) ?? []
  if (seconds === undefined) throw new Error(`this is not a sentence of a drive: ${body}`)
  return (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * secondMs
}

/** The sentence as the receiver sends it at another time. */
function sentenceAt(body: string, at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T')
  const fields = body.split(',')
  fields[1] = time.replace(/[:Z]/g, '').slice(0, 9)
  if (body.slice(2, 5) === 'RMC') fields[9] = date.slice(2).split('-').reverse().join('')
  const sealed = fields.join(',')
  return `$${sealed}*${nmeaChecksum(sealed).toString(16).toUpperCase().padStart(2, '0')}`
}

/** The sentences of a receiver that takes part in a drive, from a fix that it had a moment ago. */
export function playDrive(drive: Drive, clock: Pick<Clock, 'now' | 'after'>): Readable {
  let cancel = (): void => undefined
  const stream = new Readable({
    read: () => undefined,
    destroy(error, done) {
      cancel()
      done(error)
    },
  })
  const play = (fromAt: number): void => {
    const at = clock.now()
    for (const sentence of drive.between(fromAt, at)) stream.push(`${sentence}\r\n`)
    cancel = clock.after(secondMs, () => play(at))
  }
  play(clock.now() - leadMs)
  return stream
}
