import { createCipheriv, createHash } from 'node:crypto'

/** A prime: bytes that came to another place do not stand there in the sequence. */
const periodBytes = 262_147

/** A pseudo-random sequence of bytes that both ends know. */
export class KnownBytes {
  readonly #bytes: Buffer

  constructor(name: string) {
    const key = createHash('sha256').update(name).digest().subarray(0, 16)
    const cipher = createCipheriv('aes-128-ctr', key, Buffer.alloc(16))
    this.#bytes = cipher.update(Buffer.alloc(periodBytes))
  }

  at(position: number, length: number): Buffer {
    const from = position % periodBytes
    if (from + length <= periodBytes) return this.#bytes.subarray(from, from + length)
    return Buffer.concat([this.#bytes.subarray(from), this.at(0, length - (periodBytes - from))])
  }
}

/** One direction of a stream: the bytes that were sent, and whether those that came are the next of them. */
export class Flow {
  readonly #known: KnownBytes
  sent = 0
  received = 0
  /** Position at which another byte came than was sent there. */
  wrongFrom: number | undefined

  constructor(name: string) {
    this.#known = new KnownBytes(name)
  }

  next(length: number): Buffer {
    const bytes = this.#known.at(this.sent, length)
    this.sent += length
    return bytes
  }

  read(bytes: Buffer): void {
    const isNext =
      this.received + bytes.length <= this.sent && bytes.equals(this.#known.at(this.received, bytes.length))
    if (!isNext) this.wrongFrom ??= this.received
    this.received += bytes.length
  }
}
