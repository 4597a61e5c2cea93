import decodeQR from 'qr/decode.js'

/** Longer sides are drawn smaller: a photo of a phone has more pixels than a code needs, and reading them takes seconds. */
const sideMax = 2_000
/** A code drawn with a pixel or two a square is too small to be found. */
const sideMin = 400

export type PictureReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'nothing' | 'unreadable' }

/** The text of the QR code in a chosen picture. */
export async function readQrPicture(file: Blob): Promise<PictureReading> {
  let picture: ImageBitmap
  try {
    picture = await createImageBitmap(file)
  } catch {
    return { kind: 'unreadable' }
  }
  const side = Math.max(picture.width, picture.height)
  const scale = side > sideMax ? sideMax / side : Math.max(1, Math.ceil(sideMin / side))
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (!pen) return { kind: 'unreadable' }
  // Transparent parts count as paper.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, width, height)
  pen.imageSmoothingEnabled = scale < 1
  pen.drawImage(picture, 0, 0, width, height)
  picture.close()
  try {
    const pixels = pen.getImageData(0, 0, width, height)
    return {
      kind: 'text',
      text: decodeQR(pixels, { effort: Number.POSITIVE_INFINITY, timeLimit: readMsMax }),
    }
  } catch {
    return { kind: 'nothing' }
  }
}

/** A person waits no longer. */
const readMsMax = 3_000
