import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'
import type { BrowserContext, Locator } from 'playwright-core'

/* A map with a single crossing, and where it is on a picture of the console. */

interface Position {
  readonly lat: number
  readonly lng: number
}

/** The maker of maps on loopback: `/{system}/{z}/{x}/{y}` has two lines that cross where that system has the crossing. */
export interface CrossingMaps {
  /** Of `127.0.0.1`. */
  readonly port: number
  urlOf(system: string): string
  close(): void
}

const side = 256
const lineWidth = 3
const paper = [244, 244, 240]
const ink = [255, 0, 255]

export async function startCrossingMaps(
  crossings: Readonly<Record<string, Position>>,
): Promise<CrossingMaps> {
  const server = createServer(({ url = '' }, response) => {
    const [, system = '', z, x, y] = url.split('/')
    const crossing = crossings[system]
    if (!crossing) return void response.writeHead(404).end()
    const at = pixelsOf(crossing, Number(z))
    const tile = drawTile({ x: at.x - Number(x) * side, y: at.y - Number(y) * side })
    response.setHeader('content-type', 'image/png').end(tile)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  return {
    port,
    urlOf: (system) => `http://127.0.0.1:${port}/${system}/{z}/{x}/{y}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Web Mercator: pixels from the upper left of the world at a zoom. */
function pixelsOf({ lat, lng }: Position, zoom: number): { x: number; y: number } {
  const world = side * 2 ** zoom
  const sine = Math.sin((lat * Math.PI) / 180)
  return {
    x: ((lng + 180) / 360) * world,
    y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * world,
  }
}

/** A PNG with a vertical line through x and a horizontal one through y, as far as they are in it. */
function drawTile(at: { x: number; y: number }): Buffer {
  const isOn = (pixel: number, line: number) => Math.abs(pixel + 0.5 - line) <= lineWidth / 2
  const rows = Array.from({ length: side }, (_, y) => [
    0,
    ...Array.from({ length: side }, (_, x) => (isOn(x, at.x) || isOn(y, at.y) ? ink : paper)).flat(),
  ])
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunkOf('IHDR', head),
    chunkOf('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

function chunkOf(kind: string, content: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  const body = Buffer.concat([Buffer.from(kind), content])
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** The middle of the row and of the column with the most ink; in the page's words, whose types a test lacks. */
const findLines = `async (picture) => {
  const image = new Image()
  image.src = 'data:image/png;base64,' + picture
  await image.decode()
  const canvas = document.createElement('canvas')
  const { width, height } = Object.assign(canvas, { width: image.width, height: image.height })
  const context = canvas.getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  const [rows, columns] = [new Array(height).fill(0), new Array(width).fill(0)]
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [red, green, blue] = data.subarray(4 * (y * width + x))
      if (red > 200 && green < 90 && blue > 200) [rows[y]++, columns[x]++]
    }
  const middleOf = (counts, length) => {
    const most = Math.max(...counts)
    if (most < length / 3) return null
    const full = counts.flatMap((count, place) => (count > most * 0.8 ? [place] : []))
    return full.reduce((sum, place) => sum + place + 0.5, 0) / full.length
  }
  return { x: middleOf(columns, height), y: middleOf(rows, width) }
}`

/** Where the lines cross in the picture of a map, in pixels of its upper left; undefined as long as they are not drawn. */
export async function findCrossing(
  context: BrowserContext,
  map: Locator,
): Promise<{ x: number; y: number } | undefined> {
  const picture = (await map.screenshot()).toString('base64')
  // The console's own pages admit no pictures of others.
  const page = await context.newPage()
  try {
    const { x, y } = await page.evaluate<{ x: number | null; y: number | null }>(
      `(${findLines})(${JSON.stringify(picture)})`,
    )
    return x === null || y === null ? undefined : { x, y }
  } finally {
    await page.close()
  }
}
