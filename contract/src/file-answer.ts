import { z } from 'zod'

/** An answer that is a file: the server sends its bytes instead of the envelope, whole or the requested range. */
export interface FileAnswer {
  /** As it is saved under; any characters. */
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
  /** Another one for other bytes; characters of base64url. */
  readonly tag: string
  /** The bytes from one place to another, both included. */
  open(from: number, to: number): AsyncIterable<Uint8Array>
}

/** The answer of a route that declares `file`. */
export const fileAnswer = z.custom<FileAnswer>()
