import encodeQR from 'qr'

/** A QR code as the path data of its dark squares, one unit each, in a box with `quietSquares` left white around it. */
export function formatQrSquares(text: string, quietSquares: number): { side: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: quietSquares })
  let path = ''
  for (const [row, squares] of rows.entries())
    for (const [column, isDark] of squares.entries()) if (isDark) path += `M${column} ${row}h1v1h-1z`
  return { side: rows.length, path }
}
