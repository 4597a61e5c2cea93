import { isIPv4 } from 'node:net'
import { blockedPorts } from './blocked-ports.ts'
import { refuseAddress } from './outgoing-error.ts'

const usual = {
  http: { port: 80, isTls: false },
  https: { port: 443, isTls: true },
  mqtt: { port: 1883, isTls: false },
  mqtts: { port: 8883, isTls: true },
} as const
export type TypedProtocol = keyof typeof usual

/** An address that a person typed, in the one form in which it is checked, connected to and shown. */
export interface TypedAddress {
  readonly href: string
  /** `https://mes.example.com:8443` */
  readonly origin: string
  readonly protocol: TypedProtocol
  /** A name without a dot at its end, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** With its query. */
  readonly path: string
  readonly isTls: boolean
}

/**
 * Reads an address that a person typed. It says nothing about where the address leads: `OutgoingCalls.check` does.
 * @throws OutgoingError with the problem, and the address that another spelling of it became
 */
export function parseTypedAddress(
  text: string,
  { protocols }: { readonly protocols: readonly TypedProtocol[] },
): TypedAddress {
  const [, scheme = '', authority = '', rest = ''] =
    /^([a-z]+):\/\/([^/?#]+)([^\s\\\p{C}]*)$/iu.exec(text) ?? []
  const protocol = protocols.find((name) => name === scheme.toLowerCase())
  if (scheme === '') throw refuseAddress('syntax')
  if (!protocol) throw refuseAddress('protocol')
  if (authority.includes('@')) throw refuseAddress('user')
  const [, typedHost, typedPort] = /^(\[[^\]]*\]|[^:[\]]+)(?::(\d+))?$/.exec(authority) ?? []
  const port = typedPort === undefined ? usual[protocol].port : Number(typedPort)
  // The host of every scheme is read as in the addresses of browsers: `0x7f.1` is 127.0.0.1.
  const url = typedHost && URL.parse(`http://${typedHost}${rest}`)
  if (!url) throw refuseAddress('syntax')
  if (port > 65_535 || blockedPorts.has(port)) throw refuseAddress('port')
  if (isIPv4(url.hostname) && url.hostname !== typedHost) throw refuseAddress('form', url.hostname)
  const host = url.hostname.replace(/\.$/, '')
  if (host === '') throw refuseAddress('syntax')
  const { isTls } = usual[protocol]
  const path = url.pathname + url.search
  const origin = `${protocol}://${host}${port === usual[protocol].port ? '' : `:${port}`}`
  return {
    href: path === '/' && rest !== '/' ? origin : origin + path,
    origin,
    protocol,
    host: host.replace(/^\[|\]$/g, ''),
    port,
    path,
    isTls,
  }
}
