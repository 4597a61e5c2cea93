export interface FrameFormat {
  /** Bytes of a frame that are looked at; the others are only counted. */
  readonly headBytes: number
  /** Bytes from which `lengthOf` tells the length. */
  readonly lengthBytes: number
  /** Of the whole frame; null where this cannot be the beginning of one. */
  lengthOf(head: Buffer): number | null
}

export interface FrameHead {
  /** The first bytes, or all of a short frame. */
  readonly head: Buffer
  readonly length: number
  /** The place after the frame in the bytes that were read. */
  readonly end: number
}

/** Finds the frames in a stream that comes in any cut, and keeps of each only what is looked at. */
export class FrameHeads {
  readonly #format: FrameFormat
  readonly #head: Buffer
  /** Bytes of the present frame that have come. */
  #come = 0
  #length: number | null = null
  #lost: Buffer | null = null

  constructor(format: FrameFormat) {
    this.#format = format
    this.#head = Buffer.alloc(format.headBytes)
  }

  get isBetween(): boolean {
    return this.#come === 0
  }

  /** The bytes at which no frame begins; from there on nothing is found any more. */
  get lost(): Buffer | null {
    return this.#lost
  }

  /** The frames that are whole now, in their order. */
  read(bytes: Buffer): FrameHead[] {
    const { headBytes, lengthBytes, lengthOf } = this.#format
    const frames: FrameHead[] = []
    let at = 0
    while (at < bytes.length && this.#lost === null) {
      const wanted = (this.#length ?? lengthBytes) - this.#come
      const taken = Math.min(wanted, bytes.length - at)
      // `copy` stops at the end of the head.
      if (this.#come < headBytes) bytes.copy(this.#head, this.#come, at, at + taken)
      at += taken
      this.#come += taken
      if (this.#length === null && this.#come === lengthBytes) {
        this.#length = lengthOf(this.#head)
        if (this.#length === null) this.#lost = this.#head.subarray(0, lengthBytes)
      }
      if (this.#length === null || this.#come < this.#length) continue
      const head = Buffer.from(this.#head.subarray(0, Math.min(this.#length, headBytes)))
      frames.push({ head, length: this.#length, end: at })
      this.#come = 0
      this.#length = null
    }
    return frames
  }
}
