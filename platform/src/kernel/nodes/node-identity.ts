import type { X509Certificate } from 'node:crypto'
import type { NodeDirectory } from './node-directory.ts'
import { nodeIdForm } from './node-id.ts'

const uriHead = 'urn:busbar:node:'
/** RFC 5280, 4.2.1.12. */
const usage = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const

/** The name of a node in its certificate. */
export const nodeUri = (id: string): string => `${uriHead}${id}`

/** Whether a text can be a node's id. */
export const isNodeId = (text: string): boolean => nodeIdForm.test(text)

/** The node that a certificate names; undefined for none, or for several. */
export function nodeOf({ subjectAltName = '' }: Pick<X509Certificate, 'subjectAltName'>): string | undefined {
  // Node quotes a name that could be taken for several.
  if (subjectAltName.includes('"')) return undefined
  const ids = subjectAltName
    .split(', ')
    .flatMap((name) => (name.startsWith(`URI:${uriHead}`) ? [name.slice(`URI:${uriHead}`.length)] : []))
  const [id] = ids
  return ids.length === 1 && id !== undefined && isNodeId(id) ? id : undefined
}

/** Whether a certificate is for this end of a connection; one that names no use is for none. */
export const isFor = ({ keyUsage }: Pick<X509Certificate, 'keyUsage'>, end: keyof typeof usage): boolean =>
  (keyUsage as readonly string[] | undefined)?.includes(usage[end]) ?? false

/** Why the other end of a connection is not taken for a node. */
export type IdentityFault = 'unnamed' | 'use' | 'revoked' | 'unknown'

/** Judges a certificate of the platform's authority: it names a living node, serves this end, and was not revoked. */
export function judgeNode(
  certificate: X509Certificate,
  end: 'server' | 'client',
  directory: Pick<NodeDirectory, 'peek' | 'isRevoked'>,
): { readonly id: string } | { readonly fault: IdentityFault } {
  const id = nodeOf(certificate)
  if (id === undefined) return { fault: 'unnamed' }
  if (!isFor(certificate, end)) return { fault: 'use' }
  if (directory.isRevoked(id, certificate.validFromDate)) return { fault: 'revoked' }
  return directory.peek(id) ? { id } : { fault: 'unknown' }
}
