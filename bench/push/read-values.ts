/* The part of a push socket that a measuring page needs, with as little work as possible: it shares two cores
   with what it measures. */

const wireTypes = { varint: 0, fixed64: 1, bytes: 2 } as const
/** Fields of Push, TagValues and TagValue. */
const bodyField = 2
const valuesField = 2
const numberField = 4

/** Cuts a stream of unmasked WebSocket frames into messages. */
export class FrameReader {
  readonly #onMessage: (message: Buffer) => void
  #rest: Buffer | undefined

  constructor(onMessage: (message: Buffer) => void) {
    this.#onMessage = onMessage
  }

  push(chunk: Buffer): void {
    let bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk
    this.#rest = undefined
    while (bytes.length >= 2) {
      const short = (bytes[1] ?? 0) & 0x7f
      const header = short === 126 ? 4 : short === 127 ? 10 : 2
      if (bytes.length < header) break
      const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? bytes.readUInt32BE(6) : short
      const end = header + length
      if (bytes.length < end) break
      if (bytes[0] !== 0x82) throw new Error(`the platform sent a frame of kind ${bytes[0]}`)
      this.#onMessage(bytes.subarray(header, end))
      bytes = bytes.subarray(end)
    }
    if (bytes.length > 0) this.#rest = bytes
  }
}

/** Calls `onNumber` for each number among the values of a frame; other frames are skipped. */
export function readNumbers(push: Buffer, onNumber: (number: number) => void): void {
  eachField(push, bodyField, (body) =>
    eachField(body, valuesField, (value) =>
      eachField(value, numberField, (number) => number.length === 8 && onNumber(number.readDoubleLE())),
    ),
  )
}

function eachField(message: Buffer, wanted: number, told: (content: Buffer) => void): void {
  let place = 0
  const varint = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = message[place++] ?? 0
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }
  while (place < message.length) {
    const tag = varint()
    const wire = tag & 7
    if (wire === wireTypes.varint) varint()
    else {
      const length = wire === wireTypes.fixed64 ? 8 : varint()
      if (tag >> 3 === wanted) told(message.subarray(place, place + length))
      place += length
    }
  }
}
