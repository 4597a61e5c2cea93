import { Readable, Writable } from 'node:stream'
import { encodePortFrame, type PortFrame, PortFrameReader, portLimits } from '@busbar/link'
import type { WebSocket } from 'ws'

/** Bytes on their way between a program and the tunnel, in each direction. */
const bufferBytesMax = 256 * 1024

/** A program's messages, as the frames that a tunnel carries; one that does not read them stops the program. */
export class MessageSource extends Readable {
  readonly #ws: WebSocket

  constructor(ws: WebSocket) {
    super({ highWaterMark: bufferBytesMax })
    this.#ws = ws
  }

  override _read(): void {
    this.#ws.resume()
  }

  add(frame: PortFrame): void {
    let wantsMore = true
    for (const part of encodePortFrame(frame)) wantsMore = this.push(part)
    if (!wantsMore) this.#ws.pause()
  }

  /** The last frame was added. */
  finish(): void {
    this.push(null)
  }
}

/** Takes the bytes of a tunnel, and tells their frames; it takes no more while the program does not read. */
export class FrameSink extends Writable {
  readonly #ws: WebSocket
  readonly #reader = new PortFrameReader()
  readonly #onFrame: (frame: PortFrame) => void

  constructor(ws: WebSocket, onFrame: (frame: PortFrame) => void) {
    super({ highWaterMark: bufferBytesMax })
    this.#ws = ws
    this.#onFrame = onFrame
  }

  override _write(bytes: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    try {
      for (const frame of this.#reader.read(bytes)) this.#onFrame(frame)
    } catch (error) {
      done(error as Error)
      return
    }
    // An empty ping leaves behind all that waits.
    if (this.#ws.bufferedAmount > bufferBytesMax) this.#ws.ping('', false, () => done())
    else done()
  }
}

/** A program's text; undefined where a program may not send it. */
export function parseText(text: string): PortFrame | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 1) return undefined
  const { got, end, close } = value as { got?: unknown; end?: unknown; close?: unknown }
  if (end === true) return { kind: 'end' }
  if (close === true) return { kind: 'over' }
  const isPosition = typeof got === 'number' && Number.isSafeInteger(got) && got >= 0
  return isPosition ? { kind: 'got', position: got } : undefined
}

/** A frame as a message to the program. */
export function formatMessage(frame: Exclude<PortFrame, { kind: 'over' | 'writes' }>): Buffer | string {
  if (frame.kind === 'data') return frame.bytes
  if (frame.kind === 'got') return JSON.stringify({ got: frame.position })
  return JSON.stringify(frame.kind === 'end' ? { end: true } : { counts: frame.counts })
}

export const isWrongLength = (message: Buffer): boolean =>
  message.length === 0 || message.length > portLimits.frameBytesMax
