import { type ToldCell, type ToldWifi, toldSignalsMax } from '@busbar/link'
import type { Gps, Radio, Told } from './told.ts'
import { isPosition, roundedGps, vagueMetres } from './told.ts'

const radios = ['gsm', 'wcdma', 'lte', 'nr'] as const satisfies Radio[]

/**
 * Reads what a program of the computer knows, as JSON. `writtenAt` is the time of a fix without one of its own. Throws with
 * the first field that is wrong. Of longer lists the cells in use and the strongest signals count.
 */
export function parseTold(text: string, writtenAt: number): Told {
  const { gps, cells, wifi } = recordOf(JSON.parse(text), 'it')
  return {
    ...(isMissing(gps) ? {} : parseGps(gps, writtenAt)),
    ...(isMissing(cells)
      ? {}
      : { cells: strongest(listOf(cells, 'cells').map(parseCell), toldSignalsMax.cells) }),
    ...(isMissing(wifi)
      ? {}
      : { wifi: strongest(listOf(wifi, 'wifi').map(parseNetwork), toldSignalsMax.wifi) }),
  }
}

function parseGps(input: unknown, writtenAt: number): { gps?: Gps } {
  const gps = recordOf(input, 'gps')
  const lat = numberOf(gps.lat, 'gps.lat', -90, 90)
  const lng = numberOf(gps.lng, 'gps.lng', -180, 180)
  // Where there is no fix.
  if (!isPosition(lat, lng)) return {}
  const accuracy = isMissing(gps.accuracy)
    ? vagueMetres
    : numberOf(gps.accuracy, 'gps.accuracy', 0, 40_000_000)
  const at = typeof gps.at === 'string' ? Date.parse(gps.at) : gps.at
  return {
    gps: roundedGps({
      lat,
      lng,
      accuracy,
      at: isMissing(at) ? writtenAt : numberOf(at, 'gps.at', 0, 2 ** 53),
    }),
  }
}

/** The largest of each code that its networks have: 16 bits, 24 bits, 28 bits, 36 bits (3GPP TS 23.003). */
const codeMax = {
  mcc: 999,
  mnc: 999,
  lac: 0xffff,
  tac: 0xff_ffff,
  cellId: 0xfff_ffff,
  nci: 2 ** 36 - 1,
} as const

function parseCell(input: unknown, index: number): ToldCell {
  const name = `cells[${index}]`
  const cell = recordOf(input, name)
  const code = (field: keyof typeof codeMax): number =>
    wholeOf(cell[field], `${name}.${field}`, 0, codeMax[field])
  const optional = (field: keyof typeof codeMax) => (isMissing(cell[field]) ? {} : { [field]: code(field) })
  if (isMissing(cell.lac) && isMissing(cell.tac)) throw new Error(`${name} has neither lac nor tac`)
  if (isMissing(cell.cellId) && isMissing(cell.nci)) throw new Error(`${name} has neither cellId nor nci`)
  const radio = radios.find((known) => known === cell.radio)
  if (radio === undefined) throw new Error(`${name}.radio is none of ${radios.join(', ')}`)
  return {
    mcc: code('mcc'),
    mnc: code('mnc'),
    ...optional('lac'),
    ...optional('tac'),
    ...optional('cellId'),
    ...optional('nci'),
    radio,
    ...(isMissing(cell.signalDbm) ? {} : { signalDbm: signalOf(cell, name) }),
    ...(typeof cell.serving === 'boolean' ? { serving: cell.serving } : {}),
  }
}

function parseNetwork(input: unknown, index: number): ToldWifi {
  const name = `wifi[${index}]`
  const network = recordOf(input, name)
  const digits = String(network.mac).replace(/[:-]/g, '').toLowerCase()
  if (!/^[0-9a-f]{12}$/.test(digits)) throw new Error(`${name}.mac is no address like 00:11:22:aa:bb:cc`)
  return { mac: digits.replace(/..(?!$)/g, '$&:'), signalDbm: signalOf(network, name) }
}

function signalOf({ signalDbm }: Readonly<Record<string, unknown>>, name: string): number {
  return numberOf(signalDbm, `${name}.signalDbm`, -200, 0)
}

interface Heard {
  readonly serving?: boolean | undefined
  readonly signalDbm?: number | undefined
}

function strongest<One extends Heard>(heard: readonly One[], most: number): One[] {
  const rank = ({ serving, signalDbm = -200 }: Heard): number => (serving ? 1 : signalDbm)
  return [...heard].sort((a, b) => rank(b) - rank(a)).slice(0, most)
}

function isMissing(input: unknown): boolean {
  return input === undefined || input === null
}

function recordOf(input: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return { ...input }
  throw new Error(`${name} has to be an object`)
}

function listOf(input: unknown, name: string): readonly unknown[] {
  if (Array.isArray(input)) return input
  throw new Error(`${name} has to be a list`)
}

function numberOf(input: unknown, name: string, least: number, most: number): number {
  if (typeof input === 'number' && input >= least && input <= most) return input
  throw new Error(`${name} has to be a number from ${least} to ${most}`)
}

function wholeOf(input: unknown, name: string, least: number, most: number): number {
  // Some programs write codes as text, because those of operators may begin with 0.
  const number = typeof input === 'string' && /^\d{1,11}$/.test(input) ? Number(input) : input
  if (Number.isInteger(number)) return numberOf(number, name, least, most)
  throw new Error(`${name} has to be a whole number from ${least} to ${most}`)
}
