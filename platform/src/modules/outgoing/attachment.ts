import type { Readable } from 'node:stream'

/**
 * Bytes that the files of one e-mail may have together. Mail servers commonly take 20 MB or more, and an attachment grows by
 * a third on its way.
 */
const attachmentBytesMax = 10 * 1024 * 1024
/** Files of one e-mail. */
const attachmentsMax = 5
/** Characters of a file's name, its ending included. */
const nameLengthMax = 120

/** A file that goes with an e-mail. Its bytes stay with the module that made it. */
export interface Attachment {
  /** Names the file to the module that opens it. */
  readonly key: string
  /** As the recipient sees it, in any language. */
  readonly name: string
  /** `type/subtype`. */
  readonly contentType: string
  readonly bytes: number
}

/**
 * Opens a file that is attached to an e-mail; undefined when it is gone, or when the recipient may not have it any more: then
 * the e-mail is not sent.
 */
export type OpenAttachment = (key: string) => Promise<Readable | undefined>

/** A file as a provider gets it. */
export interface MailFile {
  readonly name: string
  readonly contentType: string
  readonly content: Readable
}

/** Whether files are small enough for one e-mail; otherwise it has to link to the downloads. */
export const fitMail = (files: readonly Pick<Attachment, 'bytes'>[]): boolean =>
  files.length <= attachmentsMax && files.reduce((sum, { bytes }) => sum + bytes, 0) <= attachmentBytesMax

/** Throws for attachments that no e-mail may have: their sender asks `fitMail` before. */
export function requireFit(files: readonly Attachment[]): void {
  if (!fitMail(files)) throw new RangeError('The attachments are too large for an e-mail.')
  for (const { contentType } of files)
    if (!/^[a-z]+\/[a-z0-9.+-]+$/.test(contentType)) throw new RangeError(`No content type: ${contentType}`)
}

/** Control characters, and those that some system does not allow in a file's name. */
const forbidden = /[\p{Cc}/\\:*?"<>|]+/gu

/** A name that is one line without folders, short enough for every system, with its ending. */
export function attachmentName(name: string, ending: string): string {
  const plain = name
    .replace(forbidden, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
  const short = Array.from(plain).slice(0, nameLengthMax - ending.length - 1)
  return `${short.join('').trim() || 'file'}.${ending}`
}
