import { isUnderstood, portKinds, portLimits } from '@busbar/link'
import { configLimits, type PortConfig } from './config.ts'
import type { Fields } from './fields.ts'
import { parseLocalName } from './parse-local-name.ts'

const addressCharactersMax = 260
const notHostPort = 'which does not look like host:port'

/** `tcp`: the ports that the platform may open, each `host:port` or fields. */
export function parsePorts(root: Fields): PortConfig[] {
  const ports = new Map<string, PortConfig>()
  for (const entry of root.listOrTexts('tcp', configLimits.portsMax, addressCharactersMax)) {
    const port = typeof entry === 'string' ? unnamedPort(entry) : parsePort(entry)
    if (port === null) {
      root.problem('tcp', `has "${entry}", ${notHostPort}`)
      continue
    }
    // An address alone may be there twice: it says nothing else.
    if (typeof entry !== 'string' && ports.has(port.name))
      entry.problem('name', `"${port.name}" is there twice`)
    ports.set(port.name, port)
  }
  return [...ports.values()]
}

/** A port without fields: people type its address. Null for anything else than `host:port`. */
export function unnamedPort(address: string): PortConfig | null {
  const place = parseHostPort(address)
  if (place === null) return null
  return {
    ...place,
    ...{ name: address, kind: 'other', note: '', look: 'nobody', connections: portLimits.connections },
  }
}

function parsePort(fields: Fields): PortConfig {
  const name = parseLocalName(fields)
  const address = fields.requiredText('address', addressCharactersMax)
  const place = parseHostPort(address)
  if (address !== '' && place === null) fields.problem('address', `is "${address}", ${notHostPort}`)
  const kind = fields.requiredOneOf('kind', portKinds)
  const note = fields.text('note', configLimits.textCharactersMax) ?? ''
  const connections =
    fields.integer('connections', 1, configLimits.portConnectionsMax) ?? portLimits.connections
  const isLookable = isUnderstood(kind)
  if (!isLookable) fields.refuse('look', 'is for modbus and s7: requests of other kinds are not understood')
  const look = isLookable ? (fields.oneOf('look', ['users', 'visitors', 'nobody']) ?? 'users') : 'nobody'
  fields.finish()
  return { ...(place ?? { host: '', port: 0 }), name, kind, note, look, connections }
}

/** `host:port`, with an address of IPv6 in brackets; null for anything else. */
export function parseHostPort(address: string): { host: string; port: number } | null {
  const [, host = '', digits] = /^([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\]):(\d{1,5})$/.exec(address) ?? []
  const port = Number(digits)
  if (!(port >= 1 && port <= 65_535) || !URL.canParse(`tcp://${address}`)) return null
  return { host: host.replace(/^\[|\]$/g, ''), port }
}
