import { crc32, deflateSync } from 'node:zlib'

const side = 256
/** Between both themes: it says that something is missing on either. */
const shade = 0x9a

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** A grey square as PNG: eight bits of grey, each line without a filter. */
function drawGrey(): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head[8] = 8
  const line = Buffer.alloc(side + 1, shade)
  line[0] = 0
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.concat(Array<Buffer>(side).fill(line)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The picture in place of a tile that cannot be had. */
export const greyTile: Buffer = drawGrey()
