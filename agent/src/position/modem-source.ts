import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ToldCell } from '@busbar/link'
import type { Clock } from '../clock.ts'
import { NmeaReader } from './nmea.ts'
import { pause } from './pause.ts'
import type { Gps, PositionSource, Radio, Told } from './told.ts'

const everyMs = 60_000
const answerMs = 10_000
const answerBytesMax = 256 * 1_024
/** `access-technologies` of ModemManager, by the radio that they are of; the best of several stands first. */
const radioPatterns: readonly [Radio, RegExp][] = [
  ['nr', /5gnr/],
  ['lte', /lte/],
  ['wcdma', /umts|hs[ud]?pa/],
  ['gsm', /gsm|gprs|edge/],
]

/**
 * The cell of a modem that ModemManager runs, and the position of its receiver where `--location-enable-gps-nmea` was set.
 * mmcli asks it; nothing is set or switched.
 */
export function modemSource(modem: string, clock: Clock, command = 'mmcli'): PositionSource {
  const ask = async (...more: string[]): Promise<unknown> => {
    const limits = { timeout: answerMs, maxBuffer: answerBytesMax }
    const { stdout } = await promisify(execFile)(command, ['-m', modem, ...more, '-J'], limits).catch(saidBy)
    return JSON.parse(stdout)
  }
  return {
    name: `modem ${modem}`,
    async run(tell, signal) {
      while (!signal.aborted) {
        const location = at(await ask('--location-get'), 'modem', 'location')
        const technologies = at(await ask(), 'modem', 'generic', 'access-technologies')
        tell(readLocation(location, technologies, clock))
        await pause(everyMs, clock, signal)
      }
    },
  }
}

function readLocation(location: unknown, technologies: unknown, clock: Clock): Told {
  let gps: Gps | null = null
  const reader = new NmeaReader(clock, (fix) => {
    gps = fix
  })
  const sentences = at(location, 'gps', 'nmea')
  for (const line of Array.isArray(sentences) ? sentences : [])
    if (typeof line === 'string') reader.take(line)
  const cell = readCell(at(location, '3gpp'), String(technologies))
  return { ...(gps === null ? {} : { gps }), ...(cell === null ? {} : { cells: [cell] }) }
}

/** The codes of country and operator are decimal, the others hexadecimal; one without a value is `--` or 0. */
function readCell(answer: unknown, technologies: string): ToldCell | null {
  const code = (field: string, base: number): number => {
    const text = at(answer, field)
    const number = typeof text === 'string' && /^[0-9A-F]{1,9}$/i.test(text) ? Number.parseInt(text, base) : 0
    return Number.isNaN(number) ? 0 : number
  }
  const [mcc, mnc] = [code('mcc', 10), code('mnc', 10)]
  const [lac, tac, cid] = [code('lac', 16), code('tac', 16), code('cid', 16)]
  if (mcc === 0 || cid === 0) return null
  const radio =
    radioPatterns.find(([, pattern]) => pattern.test(technologies))?.[0] ?? (tac === 0 ? 'gsm' : 'lte')
  const area = radio === 'lte' || radio === 'nr' ? { tac } : { lac }
  return { mcc, mnc, ...area, ...(radio === 'nr' ? { nci: cid } : { cellId: cid }), radio, serving: true }
}

/** The field of nested objects; undefined where one of them is missing. */
function at(json: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (object, key) =>
      typeof object === 'object' && object !== null ? (object as Record<string, unknown>)[key] : undefined,
    json,
  )
}

/** The program's own words, which say more than that it failed. */
function saidBy(error: unknown): never {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().slice(0, 200) : ''
  throw said === '' ? error : new Error(said)
}
