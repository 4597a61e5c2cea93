/** The size on a screen of double density. */
const sideMax = 960
const quality = 0.85

/**
 * Draws a photo smaller and without its metadata: a phone's photo has several megabytes and contains the
 * place where it was taken. Throws for a file that the browser cannot draw.
 */
export async function shrinkPhoto(file: File): Promise<File> {
  const bitmap = await createImageBitmap(file)
  try {
    const scale = Math.min(1, sideMax / Math.max(bitmap.width, bitmap.height))
    const side = (length: number) => Math.max(1, Math.round(length * scale))
    const canvas = document.createElement('canvas')
    canvas.width = side(bitmap.width)
    canvas.height = side(bitmap.height)
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    // A browser without support for writing WebP writes PNG.
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', quality))
    if (!blob) throw new Error('the picture could not be written')
    return new File([blob], file.name, { type: blob.type })
  } finally {
    bitmap.close()
  }
}
