import encodeQr from 'qr'

const quietSquares = 2

/** A QR code of half blocks, dark on light whatever the colours of the terminal are. */
export function formatQr(text: string): string {
  const rows = encodeQr(text, 'raw', { ecc: 'low', border: quietSquares })
  const lines: string[] = []
  for (let at = 0; at < rows.length; at += 2) {
    const [upper = [], lower] = [rows[at], rows[at + 1]]
    const blocks = upper.map((isDark, column) => {
      const isDarkBelow = lower?.[column] ?? false
      if (isDark) return isDarkBelow ? '█' : '▀'
      return isDarkBelow ? '▄' : ' '
    })
    lines.push(`\u001b[30;107m${blocks.join('')}\u001b[0m`)
  }
  return lines.join('\n')
}
