import qrcode from 'qrcode-generator'
import css from './qr-picture.module.css'

/** Squares that stay white around the code: cameras look for them (ISO/IEC 18004). */
const quietSquares = 4

interface QrPictureProps {
  text: string
  /** What it is, for those who do not see it. */
  label: string
  /** Side in pixels. */
  size?: number
}

/** A QR code, dark on white in both themes: many cameras read no other. */
export function QrPicture({ text, label, size = 200 }: QrPictureProps) {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const count = code.getModuleCount()
  const side = count + 2 * quietSquares
  let path = ''
  for (let row = 0; row < count; row++)
    for (let column = 0; column < count; column++)
      if (code.isDark(row, column)) path += `M${column + quietSquares} ${row + quietSquares}h1v1h-1z`
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
