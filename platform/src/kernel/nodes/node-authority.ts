import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { nodeUri } from './node-identity.ts'

const run = promisify(execFile)

/** The files of the authority in its folder. */
const authority = { cert: 'nodes-ca.pem', key: 'nodes-ca.key' } as const
const authorityDays = 3_650
/** Certificates of nodes are valid for this long (rules/operations.md: nodes). */
export const certificateDays = 90
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc'] as const
const privateMode = 0o600

/** A node, and the names and addresses at which the others reach it. */
export interface NamedNode {
  readonly id: string
  readonly hosts: readonly string[]
}

/** The extensions of a node's certificate, as openssl reads them. */
export function nodeExtensions({ id, hosts }: NamedNode): string {
  const names = hosts.map((host) => `${isIP(host) ? 'IP' : 'DNS'}:${host}`)
  return [
    'basicConstraints=critical,CA:FALSE',
    'keyUsage=critical,digitalSignature',
    'extendedKeyUsage=serverAuth,clientAuth',
    `subjectAltName=${[`URI:${nodeUri(id)}`, ...names].join(',')}`,
  ].join('\n')
}

/** A certificate authority in a folder, and the certificates it signs, as openssl makes them. */
export class NodeAuthority {
  readonly #folder: string
  readonly #openssl: string

  private constructor(folder: string, openssl: string) {
    this.#folder = folder
    this.#openssl = openssl
  }

  /**
   * Makes the authority where the folder has none.
   * @throws Error where there is no openssl; its message says what to install
   */
  static async open(folder: string, openssl = 'openssl'): Promise<NodeAuthority> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const made = new NodeAuthority(folder, openssl)
    if (!existsSync(join(folder, authority.cert)))
      await made.#write(authority, (part) =>
        made.#run([
          ...['req', '-x509', ...newKey, '-days', String(authorityDays), '-subj', '/CN=Busbar nodes'],
          ...['-addext', 'basicConstraints=critical,CA:TRUE,pathlen:0'],
          ...['-addext', 'keyUsage=critical,keyCertSign,cRLSign'],
          ...['-keyout', part('key'), '-out', part('cert')],
        ]),
      )
    return made
  }

  get certFile(): string {
    return join(this.#folder, authority.cert)
  }

  /** Writes NAME.key, a new one, and NAME.pem; files of before are replaced. */
  async sign(name: string, extensions: string, days = certificateDays): Promise<void> {
    await this.#write({ cert: `${name}.pem`, key: `${name}.key` }, async (part) => {
      await this.#run(['req', ...newKey, '-subj', `/CN=${name}`, '-keyout', part('key'), '-out', part('csr')])
      await writeFile(part('names'), extensions)
      await this.#run([
        ...['x509', '-req', '-in', part('csr'), '-CA', this.certFile],
        ...['-CAkey', join(this.#folder, authority.key), '-days', String(days), '-extfile', part('names')],
        ...['-out', part('cert')],
      ])
    })
  }

  /** Files appear under their names only when they are complete. */
  async #write(
    files: { readonly cert: string; readonly key: string },
    make: (part: (name: string) => string) => Promise<void>,
  ): Promise<void> {
    const dir = await mkdtemp(join(this.#folder, 'new-'))
    const part = (name: string) => join(dir, name)
    try {
      await make(part)
      await writeFile(part('key'), await readFile(part('key')), { mode: privateMode })
      await rename(part('key'), join(this.#folder, files.key))
      await rename(part('cert'), join(this.#folder, files.cert))
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  }

  async #run(args: readonly string[]): Promise<void> {
    try {
      await run(this.#openssl, args)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new Error(
          'There is no openssl here, which makes the certificates: install it (apt install openssl)',
        )
      throw error
    }
  }
}
