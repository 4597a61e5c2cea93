import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ByteReader, ByteWriter } from './bytes.ts'
import { decodeFrame, encodeFrame, frameKind } from './frame.ts'

/** The end of the acknowledged part: the oldest segment, and the number of samples from its beginning. */
export interface Cursor {
  segment: number
  samples: number
}

export async function readCursor(folder: string): Promise<Cursor | null> {
  try {
    const frame = decodeFrame(await readFile(join(folder, 'cursor')), 0)
    if (frame?.kind !== frameKind.cursor) return null
    const reader = new ByteReader(frame.payload)
    return { segment: reader.float64(), samples: reader.float64() }
  } catch {
    // Without a cursor, acknowledged samples are sent once more.
    return null
  }
}

/** Written at every acknowledgement and never synced: behind the truth after a power failure, it costs repeats only. */
export class CursorFile {
  readonly #file: FileHandle
  #written = ''

  private constructor(file: FileHandle) {
    this.#file = file
  }

  static async open(folder: string): Promise<CursorFile> {
    return new CursorFile(await open(join(folder, 'cursor'), constants.O_RDWR | constants.O_CREAT))
  }

  async write({ segment, samples }: Cursor): Promise<void> {
    const text = `${segment} ${samples}`
    if (text === this.#written) return
    const writer = new ByteWriter()
    writer.float64(segment)
    writer.float64(samples)
    const bytes = encodeFrame(frameKind.cursor, writer.bytes())
    await this.#file.write(bytes, 0, bytes.length, 0)
    this.#written = text
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}
