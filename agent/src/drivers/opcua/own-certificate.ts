import { randomUUID, X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { crypto_utils as crypto } from 'node-opcua-client'

/** The agent's certificate as an OPC UA application, and its key. */
export interface OwnCertificate {
  certificate: Buffer
  privateKey: ReturnType<typeof crypto.makePrivateKeyFromPem>
  /** The URI in the certificate, which the agent names in every session. */
  applicationUri: string
  /** SHA-1 as servers show it, 40 hex digits. */
  thumbprint: string
}

const validDays = 20 * 365
const making = new Map<string, Promise<OwnCertificate>>()

/** The certificate in `folder`, created at the first use. An administrator has to trust it once in each server. */
export function ownCertificate(folder: string): Promise<OwnCertificate> {
  const known = making.get(folder)
  if (known !== undefined) return known
  const made = readCertificate(folder).then((kept) => kept ?? makeCertificate(folder))
  making.set(folder, made)
  made.catch(() => making.delete(folder))
  return made
}

const certificatePath = (folder: string): string => join(folder, 'certificate.pem')
const keyPath = (folder: string): string => join(folder, 'key.pem')

async function readCertificate(folder: string): Promise<OwnCertificate | null> {
  try {
    const [certificate, key] = await Promise.all([
      readFile(certificatePath(folder), 'utf8'),
      readFile(keyPath(folder), 'utf8'),
    ])
    return parse(certificate, key)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function makeCertificate(folder: string): Promise<OwnCertificate> {
  const privateKey = await crypto.generatePrivateKey(2048)
  const { cert } = await crypto.createSelfSignedCertificate({
    privateKey,
    subject: '/CN=Busbar agent/O=Busbar',
    applicationUri: `urn:busbar:agent:${randomUUID()}`,
    dns: [hostname()],
    // A clock slightly ahead of the server's must not produce a certificate that is not valid yet.
    notBefore: new Date(Date.now() - 24 * 3_600_000),
    validity: validDays,
    purpose: crypto.CertificatePurpose.ForApplication,
  })
  const { privPem } = await crypto.privateKeyToPEM(privateKey)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeWhole(keyPath(folder), privPem)
  await writeWhole(certificatePath(folder), cert)
  return parse(cert, privPem)
}

/** A half-written key after a power failure could not be read. */
async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
}

function parse(certificatePem: string, keyPem: string): OwnCertificate {
  const x509 = new X509Certificate(certificatePem)
  const applicationUri = /URI:(urn:[^,\s"]+)/.exec(x509.subjectAltName ?? '')?.[1]
  if (applicationUri === undefined) throw new Error('the agent’s OPC UA certificate names no application URI')
  return {
    certificate: x509.raw,
    privateKey: crypto.makePrivateKeyFromPem(keyPem),
    applicationUri,
    thumbprint: x509.fingerprint.replaceAll(':', '').toLowerCase(),
  }
}
