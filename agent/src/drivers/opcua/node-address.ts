import { NodeId } from 'node-opcua-client'

const { NodeIdType } = NodeId

/** A node as a person writes it: the namespace by its number or its URI, then `i=`, `s=`, `g=` or `b=`. */
export interface NodeAddress {
  namespace: number | string
  /** With its kind: `s=Tank.Level`. */
  identifier: string
}

const form = /^(?:ns=(\d{1,5});|nsu=([^;]+);)?([isgb]=[\s\S]+)$/
const guid = /^g=[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads `ns=2;s=Tank.Level`, `nsu=urn:maker:plc;s=Tank.Level` or `i=2258`; null for any other text. */
export function parseNodeAddress(text: string): NodeAddress | null {
  const [, index, uri, identifier] = form.exec(text) ?? []
  if (identifier === undefined || Number(index ?? 0) > 0xffff) return null
  if (identifier.startsWith('i=') && !isNumericId(identifier.slice(2))) return null
  if (identifier.startsWith('g=') && !guid.test(identifier)) return null
  // In a URI "%3B" stands for ";" and "%25" for "%" (OPC 10000-6, 5.1.12).
  const namespace = uri === undefined ? Number(index ?? 0) : uri.replace(/%3B/gi, ';').replace(/%25/g, '%')
  return { namespace, identifier }
}

function isNumericId(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) <= 0xffff_ffff
}

export function formatNodeAddress({ namespace, identifier }: NodeAddress): string {
  if (namespace === 0) return identifier
  if (typeof namespace === 'number') return `ns=${namespace};${identifier}`
  return `nsu=${namespace.replace(/%/g, '%25').replace(/;/g, '%3B')};${identifier}`
}

/** The node's id in a session whose namespaces are `namespaces`; null if the server does not have its URI. */
export function resolveNode(
  { namespace, identifier }: NodeAddress,
  namespaces: readonly string[],
): NodeId | null {
  const index = typeof namespace === 'number' ? namespace : namespaces.indexOf(namespace)
  if (index < 0) return null
  const value = identifier.slice(2)
  switch (identifier[0]) {
    case 'i':
      return new NodeId(NodeIdType.NUMERIC, Number(value), index)
    case 'g':
      return new NodeId(NodeIdType.GUID, value.toUpperCase(), index)
    case 'b':
      return new NodeId(NodeIdType.BYTESTRING, Buffer.from(value, 'base64'), index)
    default:
      return new NodeId(NodeIdType.STRING, value, index)
  }
}

/**
 * A node of a session as an address that outlives a restart of the server: its namespace by URI, since numbers may
 * change then. The namespace of OPC UA itself is always 0.
 */
export function addressOfNode(nodeId: NodeId, namespaces: readonly string[]): NodeAddress {
  const namespace = nodeId.namespace === 0 ? 0 : (namespaces[nodeId.namespace] ?? nodeId.namespace)
  return { namespace, identifier: identifierOf(nodeId) }
}

function identifierOf({ identifierType, value }: NodeId): string {
  switch (identifierType) {
    case NodeIdType.NUMERIC:
      return `i=${value}`
    case NodeIdType.GUID:
      return `g=${value}`
    case NodeIdType.BYTESTRING:
      return `b=${(value as Buffer).toString('base64')}`
    default:
      return `s=${value}`
  }
}
