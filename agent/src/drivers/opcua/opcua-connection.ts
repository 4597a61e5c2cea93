import type { Tag } from '../../tag.ts'
import type { NodeAddress } from './node-address.ts'

export const securityModes = ['none', 'Sign', 'SignAndEncrypt'] as const
export type SecurityWord = (typeof securityModes)[number]

/** The policies that are still considered safe. */
export const securityPolicies = ['Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss'] as const
export type PolicyWord = (typeof securityPolicies)[number]

/** The way to recognize the server's certificate. */
export type ServerTrust =
  /** Its SHA-256, 64 lower-case hex digits. */
  | { kind: 'fingerprint'; fingerprint: string }
  /** The first certificate is kept; another one is refused from then on. */
  | { kind: 'first' }

/** The credentials. Paths of files are relative to the configuration. */
export type OpcUaUser =
  | { kind: 'anonymous' }
  | { kind: 'name'; name: string; password?: string; passwordFile?: string }
  | { kind: 'certificate'; certificateFile: string; keyFile: string }

export interface OpcUaOptions {
  /** `opc.tcp://host:port`, perhaps with a path. */
  url: string
  security: SecurityWord
  policy: PolicyWord
  /** Null without security, because there is nothing to check. */
  trust: ServerTrust | null
  user: OpcUaUser
  /** For the connection and for each answer. */
  timeoutMs: number
  /** Sampling interval of nodes whose tag does not set one. */
  samplingIntervalMs: number
  /** `source`: the time of the value in the controller; `agent`: when it came here. */
  times: 'source' | 'agent'
}

export interface OpcUaTag extends Tag {
  nodeId: NodeAddress
  /** The configuration sets the type; otherwise the node's type applies. */
  isTypeGiven: boolean
  samplingIntervalMs?: number
}

export interface OpcUaConnection extends OpcUaOptions {
  driver: string
  name: string
  pollIntervalMs: number
  tags: readonly OpcUaTag[]
}
