import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { type Config, ConfigError } from '../../config.ts'
import { every } from '../every.ts'
import type { Logger } from '../logger.ts'
import { isFor, nodeOf } from './node-identity.ts'

const pollMs = 5_000

/** PEM texts that nodes authenticate each other with: each has a certificate of one authority, and accepts no other. */
export interface NodeCredentials {
  readonly ca: string
  readonly cert: string
  readonly key: string
}

/**
 * The certificate of this node, which names it. Its files are read again when they change; what cannot be used is logged,
 * and the certificate before stays.
 */
export class NodeCertificate {
  readonly nodeId: string
  readonly #read: () => NodeCredentials
  readonly #logger: Logger
  readonly #listeners = new Set<() => void>()
  #credentials: NodeCredentials
  #x509: X509Certificate
  #refused = ''
  #timer: NodeJS.Timeout | undefined

  /** @throws Error where the texts do not belong together, or name no node */
  constructor(read: () => NodeCredentials, logger: Logger) {
    this.#read = read
    this.#logger = logger
    this.#credentials = read()
    const { x509, nodeId } = check(this.#credentials)
    this.#x509 = x509
    this.nodeId = nodeId
  }

  /** That of the settings; undefined without one. @throws ConfigError */
  static open(config: Config, logger: Logger): NodeCertificate | undefined {
    const { NODE_CA_FILE: ca, NODE_CERT_FILE: cert, NODE_KEY_FILE: key } = config
    if (!ca || !cert || !key) return undefined
    const read = () => ({
      ca: readFileSync(ca, 'utf8'),
      cert: readFileSync(cert, 'utf8'),
      key: readFileSync(key, 'utf8'),
    })
    try {
      return new NodeCertificate(read, logger)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new ConfigError(
        `NODE_CERT_FILE: ${cert}, with NODE_KEY_FILE and NODE_CA_FILE, cannot be used (${why}); make it with: busbar node certificates`,
      )
    }
  }

  get credentials(): NodeCredentials {
    return this.#credentials
  }

  get validFrom(): Date {
    return this.#x509.validFromDate
  }

  get expiresAt(): Date {
    return this.#x509.validToDate
  }

  /** Called with a new certificate; answers a function that unsubscribes. */
  onRenewed(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  start(): void {
    this.#timer = every(pollMs, () => this.reload(), this.#logger)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Looks whether the files changed, as it does by itself every 5 s. */
  reload(): void {
    try {
      const credentials = this.#read()
      const { ca, cert, key } = this.#credentials
      if (credentials.ca === ca && credentials.cert === cert && credentials.key === key) return
      const { x509, nodeId } = check(credentials)
      if (nodeId !== this.nodeId) throw new Error(`it names ${nodeId}, and this node is ${this.nodeId}`)
      this.#credentials = credentials
      this.#x509 = x509
      this.#refused = ''
      this.#logger.info({ nodeId, expiresAt: x509.validToDate }, 'certificate.replaced')
      for (const listener of this.#listeners) listener()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      if (why !== this.#refused) this.#logger.warn({ err: error, nodeId: this.nodeId }, 'certificate.refused')
      this.#refused = why
    }
  }
}

function check(credentials: NodeCredentials): { x509: X509Certificate; nodeId: string } {
  createSecureContext(credentials)
  const x509 = new X509Certificate(credentials.cert)
  const nodeId = nodeOf(x509)
  if (nodeId === undefined) throw new Error('the certificate names no node')
  if (!isFor(x509, 'client') || !isFor(x509, 'server'))
    throw new Error('the certificate is not for both ends of a connection')
  return { x509, nodeId }
}
