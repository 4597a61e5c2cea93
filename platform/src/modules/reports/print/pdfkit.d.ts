declare module 'pdfkit' {
  import type { Readable } from 'node:stream'
  import type { Font } from 'fontkit'

  interface PdfOptions {
    readonly size?: readonly [width: number, height: number]
    readonly margin?: number
    readonly autoFirstPage?: boolean
    readonly compress?: boolean
    readonly pdfVersion?: '1.7'
    readonly lang?: string
    readonly displayTitle?: boolean
    readonly info?: Readonly<Record<string, string | Date>>
  }

  /** Writes a PDF; only the parts that reports use are declared. */
  export default class PDFDocument extends Readable {
    constructor(options?: PdfOptions)
    addPage(options?: PdfOptions): this
    registerFont(name: string, source: Font): this
    font(name: string): this
    fontSize(size: number): this
    fillColor(color: string): this
    strokeColor(color: string): this
    lineWidth(width: number): this
    lineJoin(join: 'round'): this
    lineCap(cap: 'round' | 'butt'): this
    dash(length: number, options: { readonly space: number }): this
    undash(): this
    moveTo(x: number, y: number): this
    lineTo(x: number, y: number): this
    closePath(): this
    rect(x: number, y: number, width: number, height: number): this
    roundedRect(x: number, y: number, width: number, height: number, radius: number): this
    fill(): this
    stroke(): this
    text(
      text: string,
      x: number,
      y: number,
      options: { readonly lineBreak: false; readonly baseline: 'alphabetic' },
    ): this
    end(): void
  }
}
