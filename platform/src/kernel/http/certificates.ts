import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { createSecureContext, type SecureContext } from 'node:tls'
import { type Config, ConfigError } from '../../config.ts'
import { every } from '../every.ts'
import type { Logger } from '../logger.ts'
import { gauge, type Metric } from '../metrics/index.ts'

const pollIntervalMs = 5_000
/** Options of Node's TLS servers beside the certificates. */
const tlsOptions = { minVersion: 'TLSv1.2', handshakeTimeout: 10_000 } as const

interface Pair {
  readonly certFile: string
  readonly keyFile: string
  readonly cert: Buffer
  readonly key: Buffer
  readonly context: SecureContext
  readonly stamp: string
}

/** When a certificate ends, in epoch milliseconds. */
export interface CertificateExpiry {
  readonly certificate: 'console' | 'visits' | 'node'
  readonly expiresAt: number
}

/** The end of the first certificate in a PEM text. */
const expiryOf = (pem: Buffer | string): number => Date.parse(new X509Certificate(pem).validTo)

export const expiryGauge = (expiries: readonly CertificateExpiry[]): Metric =>
  gauge(
    'busbar_certificate_expires_seconds',
    'When a certificate of this process expires, since 1970',
    expiries.map(({ certificate, expiresAt }) => ({ labels: { certificate }, value: expiresAt / 1_000 })),
  )

/** A TLS server that takes other certificates while it runs. */
interface SecureServer {
  setSecureContext(options: { cert: Buffer; key: Buffer }): void
}

/**
 * The certificates of the web port: the console's pair and that of the visit hosts, read from files and
 * read again when they change. A changed pair that cannot be used is logged, and the one before stays.
 */
export class Certificates {
  #console: Pair
  #visits: Pair
  readonly #logger: Logger
  readonly #isVisitHost: (name: string) => boolean
  readonly #servers = new Set<SecureServer>()
  /** Stamps of changes that could not be used: each is logged once. */
  readonly #refused = new Map<string, string>()
  readonly #timer: NodeJS.Timeout

  /** Undefined without TLS_CERT_FILE. Throws ConfigError naming the setting whose file cannot be used. */
  static open(
    config: Config,
    logger: Logger,
    isVisitHost: (name: string) => boolean,
  ): Certificates | undefined {
    const { TLS_CERT_FILE: cert, TLS_KEY_FILE: key } = config
    if (!cert || !key) return undefined
    const own = openPair('TLS_CERT_FILE', cert, key)
    const { VISIT_TLS_CERT_FILE: visitCert, VISIT_TLS_KEY_FILE: visitKey } = config
    const visits = visitCert && visitKey ? openPair('VISIT_TLS_CERT_FILE', visitCert, visitKey) : own
    return new Certificates(own, visits, logger, isVisitHost)
  }

  private constructor(own: Pair, visits: Pair, logger: Logger, isVisitHost: (name: string) => boolean) {
    this.#console = own
    this.#visits = visits
    this.#logger = logger
    this.#isVisitHost = isVisitHost
    this.#timer = every(pollIntervalMs, () => this.reload(), logger)
  }

  /** Options to create a TLS server with; `attach` it afterwards. */
  get serverOptions() {
    return {
      ...tlsOptions,
      cert: this.#console.cert,
      key: this.#console.key,
      SNICallback: (name: string, done: (error: Error | null, context?: SecureContext) => void) =>
        done(null, (this.#isVisitHost(name) ? this.#visits : this.#console).context),
    }
  }

  /** The certificates in use. */
  get expiries(): readonly CertificateExpiry[] {
    return [
      { certificate: 'console', expiresAt: expiryOf(this.#console.cert) },
      { certificate: 'visits', expiresAt: expiryOf(this.#visits.cert) },
    ]
  }

  /** Keeps a server's certificate for clients that name no host as new as the others. */
  attach(server: SecureServer): void {
    this.#servers.add(server)
  }

  /** Looks whether files changed, as it does by itself every 5 s. */
  reload(): void {
    const isShared = this.#visits === this.#console
    const own = this.#renewed(this.#console)
    this.#visits = isShared ? own : this.#renewed(this.#visits)
    if (own === this.#console) return
    this.#console = own
    for (const server of this.#servers) server.setSecureContext({ cert: own.cert, key: own.key })
  }

  close(): void {
    clearInterval(this.#timer)
    this.#servers.clear()
  }

  #renewed(pair: Pair): Pair {
    let stamp = ''
    try {
      stamp = stampOf(pair.certFile, pair.keyFile)
      if (stamp === pair.stamp || stamp === this.#refused.get(pair.certFile)) return pair
      const renewed = readPair(pair.certFile, pair.keyFile)
      this.#refused.delete(pair.certFile)
      this.#logger.info({ file: pair.certFile }, 'certificate.replaced')
      return renewed
    } catch (error) {
      if (this.#refused.get(pair.certFile) !== stamp)
        this.#logger.warn({ err: error, file: pair.certFile }, 'certificate.refused')
      this.#refused.set(pair.certFile, stamp)
      return pair
    }
  }
}

function openPair(setting: string, certFile: string, keyFile: string): Pair {
  try {
    return readPair(certFile, keyFile)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ConfigError(
      `${setting}: the certificate ${certFile} with the key ${keyFile} cannot be used (${why}); give PEM files that belong together and that this user may read`,
    )
  }
}

function readPair(certFile: string, keyFile: string): Pair {
  // Before the files: one that changes while it is read is then read again.
  const stamp = stampOf(certFile, keyFile)
  const cert = readFileSync(certFile)
  const key = readFileSync(keyFile)
  return { certFile, keyFile, cert, key, context: createSecureContext({ cert, key }), stamp }
}

function stampOf(...files: string[]): string {
  return files
    .map((file) => {
      const { mtimeMs, size, ino } = statSync(file)
      return `${mtimeMs}/${size}/${ino}`
    })
    .join(' ')
}
