import { z } from 'zod'

/** An answer that is a file: the server sends its bytes instead of the envelope, whole or the requested range. */
export interface FileAnswer {
  /** As it is saved under; any characters. */
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
  /** Another one for other bytes; characters of base64url. */
  readonly tag: string
  /** The same for everybody, and never another one under its address: caches on the way may keep it. */
  readonly isPublic?: boolean
  /** For so many seconds its reader, and nothing on the way, may use a copy without asking; then it may ask by its tag. */
  readonly freshS?: number | undefined
  /** The bytes from one place to another, both included. */
  open(from: number, to: number): AsyncIterable<Uint8Array>
}

/** The answer of a route that declares `file`. */
export const fileAnswer = z.custom<FileAnswer>()
