import { once } from 'node:events'
import PDFDocument from 'pdfkit'
import type { Fonts } from './fonts.ts'
import { type Drawn, type Page, paper } from './sheet.ts'

/** The facts of a document that viewers show. */
export interface PdfFacts {
  readonly title: string
  readonly author: string
  readonly lang: 'cn' | 'en'
  readonly madeAt: number
}

/** The bytes of pages as a PDF; of each font only the glyphs that it uses. */
export async function toPdf(pages: readonly Page[], fonts: Fonts, facts: PdfFacts): Promise<Buffer> {
  const document = new PDFDocument({
    size: [paper.width, paper.height],
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    lang: facts.lang === 'cn' ? 'zh-CN' : 'en',
    displayTitle: true,
    info: {
      Title: facts.title,
      Author: facts.author,
      Creator: facts.author,
      CreationDate: new Date(facts.madeAt),
    },
  })
  const pieces: Buffer[] = []
  document.on('data', (piece: Buffer) => pieces.push(piece))
  const ended = once(document, 'end')
  const registered = new Set<string>()
  for (const page of pages) {
    document.addPage()
    for (const drawn of page) draw(document, drawn, fonts, registered)
  }
  document.end()
  await ended
  return Buffer.concat(pieces)
}

function draw(document: PDFDocument, drawn: Drawn, fonts: Fonts, registered: Set<string>): void {
  if (drawn.kind === 'text') drawText(document, drawn, fonts, registered)
  else if (drawn.kind === 'rect') {
    const { x, y, width, height, radius, color } = drawn
    document.fillColor(color)
    if (radius > 0) document.roundedRect(x, y, width, height, Math.min(radius, width / 2, height / 2))
    else document.rect(x, y, width, height)
    document.fill()
  } else drawPath(document, drawn)
}

function drawText(
  document: PDFDocument,
  { text, x, y, size, weight, color }: Extract<Drawn, { kind: 'text' }>,
  fonts: Fonts,
  registered: Set<string>,
): void {
  document.fillColor(color).fontSize(size)
  let at = x
  for (const run of fonts.runsOf(text, weight)) {
    if (!registered.has(run.font)) {
      const font = fonts.used.get(run.font)
      if (!font) continue
      document.registerFont(run.font, font)
      registered.add(run.font)
    }
    document.font(run.font).text(run.text, at, y, { lineBreak: false, baseline: 'alphabetic' })
    at += (run.width * size) / 1_000
  }
}

function drawPath(
  document: PDFDocument,
  { points, isFilled, color, width, dash }: Extract<Drawn, { kind: 'path' }>,
): void {
  const [x = 0, y = 0] = points
  document.moveTo(x, y)
  for (let place = 2; place < points.length; place += 2)
    document.lineTo(points[place] as number, points[place + 1] as number)
  if (isFilled) {
    document.fillColor(color).closePath().fill()
    return
  }
  document.strokeColor(color).lineWidth(width).lineJoin('round')
  if (dash > 0) document.dash(dash, { space: dash })
  document.stroke()
  if (dash > 0) document.undash()
}
