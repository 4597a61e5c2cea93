import { LinkError } from './link-error.ts'
import { parsePortWrites } from './port-writes.ts'
import { type PortCounts, type PortOverReason, type PortWrite, portLimits, portOverReasons } from './ports.ts'

/** A stream to a port travels in the tunnel as these, in both directions. */
export type PortFrame =
  | { readonly kind: 'data'; readonly bytes: Buffer }
  /** Position up to which the reader behind the sender of this frame has taken what came. */
  | { readonly kind: 'got'; readonly position: number }
  /** Half closed: the sender has no more bytes; counts as one position. */
  | { readonly kind: 'end' }
  /** The stream is over: it is not kept for another line. */
  | { readonly kind: 'over'; readonly reason?: PortOverReason }
  /** Of the agent. */
  | { readonly kind: 'counts'; readonly counts: PortCounts }
  /** Of the agent: places written since it last told them, each with all its writes of this stream. */
  | { readonly kind: 'writes'; readonly writes: readonly PortWrite[] }

const codes = { data: 0, got: 1, end: 2, over: 3, counts: 4, writes: 5 } as const
const headBytes = 5
const positionBytes = 8
const countsBytes = 3 * positionBytes

/** Head and body of a frame: one byte for its kind, four for the length of the body (big-endian). */
export function encodePortFrame(frame: PortFrame): Buffer[] {
  if (frame.kind === 'data') return [headOf('data', frame.bytes.length), frame.bytes]
  if (frame.kind === 'got') return [headOf('got', positionBytes), encodeNumbers([frame.position])]
  if (frame.kind === 'over' && frame.reason !== undefined)
    return [headOf('over', 1), Buffer.of(portOverReasons.indexOf(frame.reason))]
  if (frame.kind === 'writes') {
    const body = Buffer.from(JSON.stringify(frame.writes))
    return [headOf('writes', body.length), body]
  }
  if (frame.kind !== 'counts') return [headOf(frame.kind, 0)]
  const { reads, writes, refused } = frame.counts
  return [headOf('counts', countsBytes), encodeNumbers([reads, writes, refused])]
}

function headOf(kind: PortFrame['kind'], length: number): Buffer {
  const head = Buffer.allocUnsafe(headBytes)
  head.writeUInt8(codes[kind], 0)
  head.writeUInt32BE(length, 1)
  return head
}

function encodeNumbers(numbers: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(numbers.length * positionBytes)
  for (const [place, number] of numbers.entries())
    bytes.writeBigUInt64BE(BigInt(number), place * positionBytes)
  return bytes
}

const bodyBytesOf: Readonly<Record<number, readonly [min: number, max: number]>> = {
  [codes.data]: [1, portLimits.frameBytesMax],
  [codes.got]: [positionBytes, positionBytes],
  [codes.end]: [0, 0],
  [codes.over]: [0, 1],
  [codes.counts]: [countsBytes, countsBytes],
  [codes.writes]: [2, portLimits.frameBytesMax],
}

/** Puts the bytes of a stream together to frames again, however they were cut. */
export class PortFrameReader {
  #rest: Buffer = Buffer.alloc(0)

  /**
   * The frames that are whole now, in their order.
   * @throws LinkError for bytes that are not a frame: the stream cannot go on
   */
  read(bytes: Buffer): PortFrame[] {
    let left = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const frames: PortFrame[] = []
    while (left.length >= headBytes) {
      const code = left.readUInt8(0)
      const length = left.readUInt32BE(1)
      const [min, max] = bodyBytesOf[code] ?? [1, 0]
      if (length < min || length > max)
        throw new LinkError('malformed', 'a stream to a port carries a wrong frame')
      if (left.length < headBytes + length) break
      frames.push(decode(code, left.subarray(headBytes, headBytes + length)))
      left = left.subarray(headBytes + length)
    }
    // A copy: a short rest must not keep a large chunk in memory.
    this.#rest = left.length === 0 ? left : Buffer.from(left)
    return frames
  }
}

function decode(code: number, body: Buffer): PortFrame {
  if (code === codes.data) return { kind: 'data', bytes: body }
  if (code === codes.end) return { kind: 'end' }
  if (code === codes.over) {
    const reason = portOverReasons[body[0] ?? portOverReasons.length]
    return reason === undefined ? { kind: 'over' } : { kind: 'over', reason }
  }
  if (code === codes.writes) return { kind: 'writes', writes: parsePortWrites(body) }
  const numberAt = (place: number): number => {
    const number = Number(body.readBigUInt64BE(place * positionBytes))
    if (!Number.isSafeInteger(number))
      throw new LinkError('limit', 'a stream to a port carries a wrong number')
    return number
  }
  if (code === codes.got) return { kind: 'got', position: numberAt(0) }
  return { kind: 'counts', counts: { reads: numberAt(0), writes: numberAt(1), refused: numberAt(2) } }
}
