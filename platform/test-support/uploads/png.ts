/** The head of a PNG, because the platform reads only that; `seed` makes the picture unique. */
export function pngHead(width = 8, height = 8, seed = 0): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(64)
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.writeUInt32BE(seed, 60)
  return bytes
}
