/** Longest header of an unmasked WebSocket frame (RFC 6455, 5.2). */
const headerBytesMax = 10
/** The last fragment of a binary message, uncompressed. */
const finalBinary = 0x82
/** Above these, the length takes two bytes, and eight. */
const shortLengthMax = 125
const mediumLengthMax = 0xffff

/**
 * A message for many sockets: `wire` is the whole WebSocket frame, made once and written to each socket as it is. A
 * server does not mask, and pages' sockets have no compression, so the bytes are the same for all of them. Receivers
 * must not change the bytes: a socket that is behind still holds them.
 */
export interface SharedFrame {
  /** The message without the frame. */
  readonly payload: Uint8Array
  readonly wire: Uint8Array
}

/** Copies the bytes from `from` on into a frame. */
export function frameFrom(bytes: Uint8Array, from: number): SharedFrame {
  const length = bytes.length - from
  const headerBytes = length <= shortLengthMax ? 2 : length <= mediumLengthMax ? 4 : headerBytesMax
  const wire = Buffer.allocUnsafe(headerBytes + length)
  wire[0] = finalBinary
  if (headerBytes === 2) wire[1] = length
  else if (headerBytes === 4) {
    wire[1] = 126
    wire.writeUInt16BE(length, 2)
  } else {
    wire[1] = 127
    wire.writeUInt32BE(0, 2)
    wire.writeUInt32BE(length, 6)
  }
  wire.set(from === 0 ? bytes : bytes.subarray(from), headerBytes)
  return { payload: wire.subarray(headerBytes), wire }
}
