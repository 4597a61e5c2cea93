import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16
const cipher = 'aes-256-gcm'
const privateMode = 0o600

/** Encrypts data that the platform has to read again; the key is never in the database. */
export interface SecretBox {
  /** AES-256-GCM; `owner` must be the same to open it: a sealed secret cannot be moved to another row. */
  seal(secret: Buffer, owner: string): Buffer
  /** Undefined if it was sealed with another key, for another owner, or changed since. */
  open(sealed: Buffer, owner: string): Buffer | undefined
  /** A key of 32 bytes for another use, which says nothing about this one (HKDF, RFC 5869). */
  derive(use: string): Buffer
}

/** A box with a key of 32 bytes; without one, a key that ends with this process. */
export function createSecretBox(key: Buffer = randomBytes(keyBytes)): SecretBox {
  return {
    seal(secret, owner) {
      const nonce = randomBytes(nonceBytes)
      const sealing = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(owner))
      const hidden = Buffer.concat([sealing.update(secret), sealing.final()])
      return Buffer.concat([nonce, sealing.getAuthTag(), hidden])
    },
    open(sealed, owner) {
      const tagEndsAt = nonceBytes + tagBytes
      if (sealed.length < tagEndsAt) return undefined
      const opening = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      opening.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(nonceBytes, tagEndsAt))
      try {
        return Buffer.concat([opening.update(sealed.subarray(tagEndsAt)), opening.final()])
      } catch {
        return undefined
      }
    },
    derive: (use) => Buffer.from(hkdfSync('sha256', key, '', use, keyBytes)),
  }
}

/** Opens the box whose key is in a file; the first start makes one. @throws when the file holds something else */
export async function openSecretBox(file: string): Promise<SecretBox> {
  await mkdir(dirname(file), { recursive: true })
  const made = `${randomBytes(keyBytes).toString('base64url')}\n`
  await writeFile(file, made, { flag: 'wx', mode: privateMode }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  const key = Buffer.from((await readFile(file, 'utf8')).trim(), 'base64url')
  if (key.length !== keyBytes) throw new Error(`${file} holds no key: 43 characters are expected`)
  return createSecretBox(key)
}
