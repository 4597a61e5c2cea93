import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2'
import { portHeader, tunnelHeader, tunnelTarget } from '@busbar/link'
import { encodeWire } from '../../kernel/cluster/wire.ts'
import type { Role } from '../../kernel/roles.ts'
import type { StreamPurpose } from '../edge-link.ts'

/** The work of a node that permits a stream (rules/operations.md: nodes). */
export const roleOf: Readonly<Record<StreamPurpose, Role>> = { visit: 'visits', agent: 'api' }

/** The purpose of a stream by its target. */
export const purposeOf = (headers: OutgoingHttpHeaders | IncomingHttpHeaders): StreamPurpose =>
  headers[':authority'] === tunnelTarget.agent ? 'agent' : 'visit'

/** @throws Error where a stream of a visit would reach the agent itself, or the other way round */
export function requirePurpose(headers: OutgoingHttpHeaders, purpose: StreamPurpose): void {
  if (purposeOf(headers) !== purpose) throw new Error(`the target is not one of a ${purpose}`)
}

/** Parts of a request that the agent believes. */
const believed = [
  ':method',
  ':path',
  ':authority',
  ':protocol',
  ...Object.values(tunnelHeader),
  ...Object.values(portHeader),
] as const

/** The act that a permit for a stream allows: this request, of this visit, in this tunnel. */
export function streamAct(
  tunnel: { readonly machineId: number; readonly openedAt: number },
  headers: OutgoingHttpHeaders | IncomingHttpHeaders,
): string {
  const parts = believed.map((name) => headers[name] ?? null)
  return encodeWire(['stream', purposeOf(headers), tunnel.machineId, tunnel.openedAt, ...parts])
}
