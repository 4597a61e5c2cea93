import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The key that seals the audit log; the database alone is not enough to make a seal. */
export interface AuditKey {
  readonly bytes: Buffer
  /** Names the key without telling it; stands beside every seal. */
  readonly id: string
}

/** The newest seal, kept outside the database: it shows that batches were cut off the end. */
export interface AuditHead {
  readonly batchId: number
  readonly mac: Buffer
}

const keyBytes = 32
const privateMode = 0o600

/** The files that the audit log needs outside the database. A key elsewhere may be in a folder that cannot be written. */
export function auditFiles(dataDir: string, keyFile: string | undefined): { key: string; head: string } {
  const own = path.join(dataDir, 'audit.key')
  return { key: keyFile ?? own, head: `${own}.head` }
}

/** Reads the key; undefined if the file does not exist. @throws when it holds something else */
export async function readAuditKey(file: string): Promise<AuditKey | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const bytes = Buffer.from(text.trim(), 'base64url')
  if (bytes.length !== keyBytes) throw new Error(`${file} holds no audit key: 43 characters are expected`)
  return { bytes, id: createHash('sha256').update(bytes).digest('base64url').slice(0, 12) }
}

/** Reads the key, or makes one at the first start. */
export async function openAuditKey(file: string): Promise<AuditKey> {
  const known = await readAuditKey(file)
  if (known) return known
  try {
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, `${randomBytes(keyBytes).toString('base64url')}\n`, {
      flag: 'wx',
      mode: privateMode,
    })
  } catch (error) {
    // Another process of this platform was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const made = await readAuditKey(file)
  if (!made) throw new Error(`${file} was just written and is gone`)
  return made
}

/** The newest seal that was noted in the data folder; undefined if none was yet. */
export async function readAuditHead(file: string): Promise<AuditHead | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const [batchId, mac] = text.trim().split(' ')
  return batchId && mac ? { batchId: Number(batchId), mac: Buffer.from(mac, 'base64url') } : undefined
}

/** Notes the newest seal: the former one stays until the new one is whole. */
export async function writeAuditHead(file: string, head: AuditHead): Promise<void> {
  const next = `${file}.next`
  await writeFile(next, `${head.batchId} ${head.mac.toString('base64url')}\n`, { mode: privateMode })
  await rename(next, file)
}
