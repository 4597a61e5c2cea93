import { createHash } from 'node:crypto'
import { type brands as contract, limits } from '@busbar/contract'
import { withTransaction } from '../../kernel/database/database.ts'
import { lockPerson } from '../../kernel/database/lock-person.ts'
import { Failure } from '../../kernel/http/failure.ts'
import { type PictureKind, readPicture } from './read-picture.ts'
import * as store from './uploads-store.ts'

/** The first half of a SHA-256: the same picture for the same purpose is kept once. */
const keyDigits = 32

const photos: readonly PictureKind[] = ['png', 'jpg', 'webp']
const drawings: readonly PictureKind[] = ['svg', ...photos]
/**
 * SVG may contain scripts, so only purposes whose pictures are shown as pictures alone accept it (rules/brands.md: uploads).
 */
const kindsOf: Readonly<Record<contract.UploadPurpose, readonly PictureKind[]>> = {
  logo: drawings,
  brand: drawings,
  projectImage: photos,
  machineType: photos,
  sitePlan: drawings,
}

/**
 * Stores a picture for a purpose, with the type of its content; answers its address.
 * @throws Failure PICTURE_INVALID, PICTURE_KIND, UPLOADS_FULL
 */
export async function createUpload(
  db: store.Db,
  upload: { userId: number; purpose: contract.UploadPurpose; bytes: Buffer },
): Promise<string> {
  const picture = readPicture(upload.bytes)
  if (!picture) throw new Failure('PICTURE_INVALID')
  const { kind, content } = picture
  if (!kindsOf[upload.purpose].includes(kind)) throw new Failure('PICTURE_KIND')
  const key = createHash('sha256').update(`${upload.purpose}\n${kind}\n`).update(content).digest('hex')
  const kept = { ...upload, kind, content, key: key.slice(0, keyDigits) }
  await withTransaction(db, async (trx) => {
    await lockPerson(trx, upload.userId)
    if ((await store.countUploads(trx, upload.userId)) >= limits.uploadsPerUser)
      throw new Failure('UPLOADS_FULL')
    await store.createUpload(trx, kept)
  })
  return toUrl(kept)
}

/**
 * Checks that every address is that of a picture kept for this purpose; empty ones are skipped.
 * @throws Failure PICTURE_UNKNOWN
 */
export async function requireUploads(
  db: store.Db,
  purpose: contract.UploadPurpose,
  urls: readonly string[],
): Promise<void> {
  const wished = urls.filter((url) => url !== '')
  if (wished.length === 0) return
  const keys = wished.map((url) => url.replace(/^\/uploads\//, '').slice(0, keyDigits))
  const known = new Set((await store.listUploads(db, purpose, keys)).map(toUrl))
  if (wished.some((url) => !known.has(url))) throw new Failure('PICTURE_UNKNOWN')
}

function toUrl({ key, kind }: { key: string; kind: string }): string {
  return `/uploads/${key}.${kind}`
}
