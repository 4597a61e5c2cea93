import { createHash, X509Certificate } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OPCUAClientOptions } from 'node-opcua-client'
import { StatusCodes } from 'node-opcua-client'
import type { Log } from '../../log.ts'
import { errorReason } from '../../log.ts'
import type { ServerTrust } from './opcua-connection.ts'

type CertificateStore = NonNullable<OPCUAClientOptions['clientCertificateManager']>

export interface ServerTrustOptions {
  trust: ServerTrust
  url: string
  connection: string
  /** The folder that keeps the first certificate of a server. */
  folder: string
  log: Log
}

/** SHA-256 of a certificate, 64 lower-case hex digits. A chain begins with the server's own. */
export function fingerprintOf(certificate: Buffer): string {
  return new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase()
}

/** Decides whether a server's certificate is the expected one. */
export class ServerCheck {
  readonly #options: ServerTrustOptions
  readonly #path: string

  constructor(options: ServerTrustOptions) {
    this.#options = options
    const name = createHash('sha256').update(options.url).digest('hex').slice(0, 16)
    this.#path = join(options.folder, `server-${name}.json`)
  }

  /** Rejects with a reason for a person if the certificate differs from the expected one. */
  async check(certificate: Buffer): Promise<void> {
    const shown = fingerprintOf(certificate)
    const { trust } = this.#options
    const expected = trust.kind === 'fingerprint' ? trust.fingerprint : await this.#kept()
    if (expected === null || expected === shown) return
    const mend =
      trust.kind === 'fingerprint'
        ? 'if it is the right server, write this fingerprint into the configuration'
        : `if the server was given a new certificate, remove ${this.#path}`
    throw new Error(`the server showed another certificate, ${shown}, than the trusted ${expected}; ${mend}`)
  }

  /** Keeps the certificate of a server that has proved to own it, if none was kept before. */
  async keep(certificate: Buffer): Promise<void> {
    const { trust, url, connection, folder, log } = this.#options
    if (trust.kind !== 'first') return
    const fingerprint = fingerprintOf(certificate)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      await writeFile(this.#path, `${JSON.stringify({ url, fingerprint })}\n`, { flag: 'wx', flush: true })
    } catch (error) {
      if (errorReason(error) === 'EEXIST') return
      throw error
    }
    log('warn', 'opcua.serverTrusted', { connection, url, fingerprint })
  }

  async #kept(): Promise<string | null> {
    let text: string
    try {
      text = await readFile(this.#path, 'utf8')
    } catch (error) {
      if (errorReason(error) === 'ENOENT') return null
      throw error
    }
    // An unreadable file must not lead to trust in the next server.
    const kept: unknown = JSON.parse(text)
    if (typeof kept === 'object' && kept !== null && 'fingerprint' in kept) return String(kept.fingerprint)
    throw new Error(`${this.#path} holds no fingerprint`)
  }
}

/** The library's view of what is trusted: the certificates that `accept` takes. */
export function createStore(accept: (certificate: Buffer) => Promise<void>): CertificateStore {
  const judge = async (certificate: Buffer | Buffer[]) => {
    try {
      const own = Array.isArray(certificate) ? certificate[0] : certificate
      if (own === undefined) return StatusCodes.BadCertificateInvalid
      await accept(own)
      return StatusCodes.Good
    } catch {
      return StatusCodes.BadCertificateUntrusted
    }
  }
  return {
    referenceCounter: 0,
    initialize: async () => undefined,
    dispose: async () => undefined,
    checkCertificate: judge,
    // Called only for the agent's own certificate, which needs no check.
    verifyCertificate: async () => 'Good',
    trustCertificate: async () => undefined,
    rejectCertificate: async () => undefined,
    getTrustStatus: judge,
    addIssuer: async () => undefined,
    addRevocationList: async () => undefined,
  }
}
