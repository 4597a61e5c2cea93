import type { Fonts } from './fonts.ts'
import { type Drawn, type Page, paper } from './sheet.ts'

/**
 * A page as a picture that every browser shows: the letters are drawn by their outlines, so it needs no font and looks
 * like the PDF.
 */
export function toSvg(page: Page, fonts: Fonts): string {
  const outlines = new Map<string, string>()
  const body = page.map((drawn) => draw(drawn, fonts, outlines)).join('')
  const definitions = Array.from(outlines.values()).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${paper.width} ${paper.height}"><defs>${definitions}</defs><rect width="100%" height="100%" fill="#fff"/>${body}</svg>`
}

const round = (value: number): string => String(Math.round(value * 100) / 100)

function draw(drawn: Drawn, fonts: Fonts, outlines: Map<string, string>): string {
  if (drawn.kind === 'rect') {
    const { x, y, width, height, radius, color } = drawn
    const corner = radius > 0 ? ` rx="${round(radius)}"` : ''
    return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"${corner} fill="${color}"/>`
  }
  if (drawn.kind === 'path') {
    const { points, isFilled, color, width, dash } = drawn
    const way = points.map(round).join(' ')
    if (isFilled) return `<polygon points="${way}" fill="${color}"/>`
    const dashes = dash > 0 ? ` stroke-dasharray="${dash}"` : ''
    return `<polyline points="${way}" fill="none" stroke="${color}" stroke-width="${round(width)}" stroke-linejoin="round"${dashes}/>`
  }
  return drawText(drawn, fonts, outlines)
}

function drawText(
  { text, x, y, size, weight, color }: Extract<Drawn, { kind: 'text' }>,
  fonts: Fonts,
  outlines: Map<string, string>,
): string {
  const scale = size / 1_000
  let at = 0
  let uses = ''
  for (const run of fonts.runsOf(text, weight)) {
    for (const glyph of run.glyphs) {
      const name = `${run.font}/${glyph.id}`
      if (!outlines.has(name)) outlines.set(name, `<path id="g${outlines.size}" d="${glyph.path.toSVG()}"/>`)
      const id = idOf(outlines, name)
      if (id !== undefined) uses += `<use href="#${id}" x="${at}"/>`
      at += glyph.advanceWidth
    }
  }
  const place = `translate(${round(x)} ${round(y)}) scale(${scale.toFixed(4)} ${(-scale).toFixed(4)})`
  return `<g transform="${place}" fill="${color}" role="img" aria-label="${escapeMarkup(text)}">${uses}</g>`
}

const idOf = (outlines: ReadonlyMap<string, string>, name: string): string | undefined =>
  /id="(g\d+)"/.exec(outlines.get(name) ?? '')?.[1]

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeMarkup = (text: string): string =>
  text.replace(/\p{Cc}/gu, ' ').replace(/[&<>"]/g, (sign) => marks[sign] ?? '')
