import css from './qr-picture.module.css'
import { formatQrSquares } from './qr-squares.ts'

/** Squares that stay white around the code: cameras look for them (ISO/IEC 18004). */
const quietSquares = 4

interface QrPictureProps {
  text: string
  /** Describes the picture to people who do not see it. */
  label: string
  /** Side in pixels. */
  size?: number
}

/** A QR code, dark on white in both themes: many cameras read no other. */
export function QrPicture({ text, label, size = 200 }: QrPictureProps) {
  const { side, path } = formatQrSquares(text, quietSquares)
  return (
    <svg
      className={css.picture}
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${side}v${side}h-${side}z`} />
      <path fill="#000" d={path} />
    </svg>
  )
}
