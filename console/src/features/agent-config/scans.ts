import type { AnswerOf, agentConfig } from '@busbar/contract'
import { type Connection, textOf } from './draft.ts'

type Scan = AnswerOf<typeof agentConfig.getScan>
export type FoundController = Scan['found'][number]

/** Of one scan; the agent refuses more. */
const hostsMax = 1_024
const kindsTried = 3
/** An address without a controller is given up after a second, 64 at once. */
const triesPerSecond = 64
const nameCharactersMax = 64

/** The addresses of an IPv4 network such as `192.168.0.0/24`; undefined for any other text. */
export function countHosts(network: string): number | undefined {
  const [, address = '', bitsText = ''] = /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,2})$/.exec(network.trim()) ?? []
  const bits = Number(bitsText)
  if (!address || bits > 32 || address.split('.').some((part) => Number(part) > 255)) return undefined
  const size = 2 ** (32 - bits)
  return size <= 2 ? size : size - 2
}

export function isScannable(network: string): boolean {
  const hosts = countHosts(network)
  return hosts !== undefined && hosts <= hostsMax
}

/** The networks of the agent's file as a scan takes them: of a wide one its first 254 addresses, which can be changed. */
export function firstPartOf(network: string): string {
  return isScannable(network) ? network : network.replace(/\/\d+$/, '/24')
}

/** Seconds that a scan takes where hardly any address answers. */
export function scanLastsS(hosts: number): number {
  return Math.max(1, Math.ceil((hosts * kindsTried) / triesPerSecond))
}

/** The connection to a controller that a scan found, for its dialog. */
export function connectionTo(found: FoundController, driverName: string): Connection {
  const { kind: driver, address, port } = found
  const name = (found.name || `${driverName} ${address}`).replaceAll('/', '_').slice(0, nameCharactersMax)
  if (driver === 'opcua') return { driver, name, url: `opc.tcp://${address}:${port}` }
  return { driver, name, host: address, port }
}

/** Whether a connection leads there already. */
export function leadsThere(connection: Connection, { kind, address, port }: FoundController): boolean {
  if (textOf(connection, 'driver') !== kind) return false
  if (kind === 'opcua') return textOf(connection, 'url').startsWith(`opc.tcp://${address}:${port}`)
  return (
    textOf(connection, 'host') === address && (textOf(connection, 'port') || usualPort[kind]) === String(port)
  )
}

const usualPort: Readonly<Record<string, string>> = { 'modbus-tcp': '502', s7: '102' }
