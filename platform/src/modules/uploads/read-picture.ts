import { limits } from '@busbar/contract'
import { cleanSvg } from './clean-svg.ts'

export type PictureKind = 'svg' | 'png' | 'jpg' | 'webp'

/** Chosen by the platform, never by the uploader. */
export const pictureTypes: Readonly<Record<PictureKind, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
}

/** A picture as it is kept. */
export interface Picture {
  readonly kind: PictureKind
  readonly content: Buffer
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The type of a file by its content, whatever its name; undefined for unsupported ones. */
export function readPicture(bytes: Buffer): Picture | undefined {
  const raster = readRaster(bytes)
  if (raster) return fits(raster.size) ? { kind: raster.kind, content: bytes } : undefined
  const svg = cleanSvg(bytes)
  return svg === undefined ? undefined : { kind: 'svg', content: Buffer.from(svg) }
}

/** A photo by its first bytes; undefined for anything else. */
export function readRaster(
  bytes: Buffer,
): { kind: Exclude<PictureKind, 'svg'>; size: Size | undefined } | undefined {
  if (bytes.subarray(0, 8).equals(pngSignature)) return { kind: 'png', size: pngSize(bytes) }
  if (bytes.subarray(0, 3).equals(jpegSignature)) return { kind: 'jpg', size: jpegSize(bytes) }
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP')
    return { kind: 'webp', size: webpSize(bytes) }
  return undefined
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const jpegSignature = Buffer.from([0xff, 0xd8, 0xff])

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

/** A small file can unfold to gigabytes of pixels in a viewer. */
function fits(size: Size | undefined): boolean {
  if (!size) return false
  const { width, height } = size
  return width > 0 && height > 0 && Math.max(width, height) <= limits.uploadPixelsMax
}

/** IHDR is the first chunk of every PNG. */
function pngSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 24 || ascii(bytes, 12, 16) !== 'IHDR') return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** Goes from marker to marker up to the frame header, SOF0 to SOF15 without DHT, JPG and DAC. */
function jpegSize(bytes: Buffer): Size | undefined {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at++
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

/** The three forms of WebP: lossy, lossless, extended. */
function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30) return undefined
  const form = ascii(bytes, 12, 16)
  if (form === 'VP8 ')
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  if (form === 'VP8L') {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (form === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  return undefined
}
