import { parseBaudRate } from '../drivers/serial-port.ts'
import type { PositionConfig } from './config.ts'
import { configLimits } from './config.ts'
import type { Fields } from './fields.ts'
import { parseHostPort } from './parse-ports.ts'

const kinds = ['serial', 'tcp', 'gpsd', 'modem', 'file'] as const
const pathCharactersMax = 255

/** `position`: the sources that know where the machine is, in their order, each with one field that says its kind. */
export function parsePosition(root: Fields): PositionConfig[] {
  return root.list('position', configLimits.positionSourcesMax).map((fields) => {
    const source = parseSource(fields)
    fields.finish()
    return source
  })
}

function parseSource(fields: Fields): PositionConfig {
  const [kind = 'file', second] = kinds.filter((known) => fields.has(known))
  if (!fields.has(kind)) fields.problem(null, `has to be one of ${kinds.join(', ')}`)
  if (second !== undefined) fields.problem(second, `and ${kind} are both there; each is a source of its own`)
  if (kind === 'serial') return { kind, path: parsePath(fields, kind), baudRate: parseBaudRate(fields) }
  if (kind === 'file') return { kind, path: parsePath(fields, kind) }
  if (kind === 'modem') return { kind, modem: parseModem(fields) }
  const address = fields.text(kind, 260) ?? ''
  const place = parseHostPort(address)
  if (place === null) fields.problem(kind, `is "${address}", which does not look like host:port`)
  return { kind, ...(place ?? { host: '', port: 0 }) }
}

function parsePath(fields: Fields, kind: 'serial' | 'file'): string {
  const path = fields.text(kind, pathCharactersMax) ?? ''
  const example = kind === 'serial' ? '/dev/ttyUSB1' : '/run/position.json'
  if (fields.has(kind) && !path.startsWith('/')) fields.problem(kind, `has to be a path, as in ${example}`)
  return path
}

/** As mmcli takes it: its number, or `any` for the only one. */
function parseModem(fields: Fields): string {
  const modem = fields.text('modem', 8) ?? ''
  if (!/^(any|\d{1,3})$/.test(modem)) fields.problem('modem', 'has to be any, or the number of a modem')
  return modem
}
