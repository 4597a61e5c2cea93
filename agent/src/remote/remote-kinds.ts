import type { DriverConnection } from '../drivers/driver-kind.ts'

const lineFields = ['timeoutMs', 'pauseMs', 'closeAfterPoll']
const readingFields = [
  ...lineFields,
  'wordOrder',
  'textEncoding',
  'gapRegistersMax',
  'gapBitsMax',
  'blockRegistersMax',
  'blockBitsMax',
]

/**
 * The fields of a connection that may come from the platform, by the kind of driver. Serial ports and certificates are
 * files, passwords are secrets: they are not among them.
 */
export const remoteFields: Partial<Record<string, readonly string[]>> = {
  'modbus-tcp': ['host', 'port', 'unit', 'transactionIds', 'protocolIds', 'unitIds', ...readingFields],
  'modbus-rtu': ['host', 'port', 'unit', ...readingFields],
  opcua: ['url', 'security', 'policy', 'fingerprint', 'trust', 'timeoutMs', 'samplingIntervalMs', 'times'],
  s7: [
    ...['host', 'port', 'rack', 'slot', 'connection', 'localTsap', 'remoteTsap'],
    ...lineFields,
    ...['gapBytesMax', 'textEncoding'],
  ],
}

/** The kind of explorer for controllers of a driver. */
export const explored: Partial<Record<string, 'nodes' | 'registers'>> = {
  'modbus-tcp': 'registers',
  'modbus-rtu': 'registers',
  opcua: 'nodes',
}

/** The fields in which kinds of drivers keep their host. */
interface WithHost {
  readonly host?: string
  readonly line?: { readonly host?: string }
  readonly url?: string
}

/** The host of a checked connection; an IPv6 address without its brackets. */
export function hostOf(connection: object): string {
  const { host, line, url } = connection as WithHost
  if (url !== undefined) return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
  return host ?? line?.host ?? ''
}

/** The same connection to an address. */
export function leadTo<C extends DriverConnection>(connection: C, address: string): C {
  const { line, url } = connection as WithHost
  if (url !== undefined) {
    const at = new URL(url)
    // Not a scheme of the web: its host cannot be set by the property in each runtime.
    const authority = `${address.includes(':') ? `[${address}]` : address}${at.port === '' ? '' : `:${at.port}`}`
    return { ...connection, url: `${at.protocol}//${authority}${at.pathname}${at.search}` }
  }
  if (line !== undefined) return { ...connection, line: { ...line, host: address } }
  return { ...connection, host: address }
}
