import type { Fonts, Weight } from './fonts.ts'

/** A4 upright, points. */
export const paper = { width: 595.28, height: 841.89 } as const
export const margin = { left: 44, right: 44, top: 62, bottom: 50 } as const
export const contentWidth = paper.width - margin.left - margin.right

/** The style of a line of text; `size` in points. */
export interface TextStyle {
  readonly size: number
  readonly weight?: Weight
  readonly color?: string
}

/** A thing drawn on a page; points from its upper left corner. `y` of a text is its baseline. */
export type Drawn =
  | {
      readonly kind: 'text'
      readonly x: number
      readonly y: number
      readonly text: string
      readonly size: number
      readonly weight: Weight
      readonly color: string
    }
  | {
      readonly kind: 'rect'
      readonly x: number
      readonly y: number
      readonly width: number
      readonly height: number
      readonly color: string
      readonly radius: number
    }
  | {
      readonly kind: 'path'
      /** x and y in turn. */
      readonly points: readonly number[]
      readonly isFilled: boolean
      readonly color: string
      readonly width: number
      readonly dash: number
    }

export type Page = Drawn[]

export const ink = {
  text: '#1b2733',
  soft: '#5b6775',
  faint: '#8b96a3',
  line: '#dfe4ea',
  fill: '#f4f6f9',
  warn: '#9a5b00',
  warnFill: '#fff6e5',
  bad: '#c0362c',
  good: '#2f855a',
} as const

/** The next room on a page: things are put below one another, and a thing that does not fit begins a new page. */
export class Sheet {
  readonly pages: Page[] = []
  readonly fonts: Fonts
  readonly #pagesMax: number
  /** The height of the page that is filled. */
  y = 0
  /** More pages would have been needed than a report has. */
  isFull = false

  constructor(fonts: Fonts, pagesMax: number) {
    this.fonts = fonts
    this.#pagesMax = pagesMax
    this.turn()
  }

  /** Begins a page. */
  turn(): void {
    if (this.pages.length >= this.#pagesMax) {
      this.isFull = true
      // Drawn, and thrown away.
      this.pages[this.#pagesMax] = []
    } else this.pages.push([])
    this.y = margin.top
  }

  /** The pages that a report has. */
  get kept(): readonly Page[] {
    return this.pages.slice(0, this.#pagesMax)
  }

  get room(): number {
    return paper.height - margin.bottom - this.y
  }

  /** Begins a page where less than this is left. Answers whether it did. */
  need(height: number): boolean {
    if (this.room >= height) return false
    this.turn()
    return true
  }

  put(drawn: Drawn): void {
    this.pages.at(-1)?.push(drawn)
  }

  text(text: string, x: number, y: number, { size, weight = 'normal', color = ink.text }: TextStyle): void {
    if (text) this.put({ kind: 'text', x, y, text, size, weight, color })
  }

  /** The same, ending at `x`. */
  textRight(text: string, x: number, y: number, style: TextStyle): void {
    this.text(text, x - this.width(text, style), y, style)
  }

  textCentred(text: string, x: number, y: number, style: TextStyle): void {
    this.text(text, x - this.width(text, style) / 2, y, style)
  }

  rect(x: number, y: number, width: number, height: number, color: string, radius = 0): void {
    if (width > 0 && height > 0) this.put({ kind: 'rect', x, y, width, height, color, radius })
  }

  line(
    x1: number,
    y1: number,
    x2: number,
    y2: number,
    color: string = ink.line,
    width = 0.6,
    dash = 0,
  ): void {
    this.put({ kind: 'path', points: [x1, y1, x2, y2], isFilled: false, color, width, dash })
  }

  path(points: readonly number[], color: string, width: number): void {
    if (points.length >= 4) this.put({ kind: 'path', points, isFilled: false, color, width, dash: 0 })
  }

  area(points: readonly number[], color: string): void {
    if (points.length >= 6) this.put({ kind: 'path', points, isFilled: true, color, width: 0, dash: 0 })
  }

  width(text: string, { size, weight = 'normal' }: TextStyle): number {
    return this.fonts.widthOf(text, size, weight)
  }

  /** A text that is not wider than `max`: the end is cut off with an ellipsis. */
  fit(text: string, max: number, style: TextStyle): string {
    if (this.width(text, style) <= max) return text
    const signs = Array.from(text)
    let [low, high] = [0, signs.length]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.width(`${signs.slice(0, middle).join('')}…`, style) <= max) low = middle
      else high = middle - 1
    }
    return `${signs.slice(0, low).join('').trimEnd()}…`
  }

  /** A text in lines of at most `max`; beyond `linesMax` it is cut off. Chinese breaks anywhere, words at blanks. */
  wrap(text: string, max: number, style: TextStyle, linesMax = 3): string[] {
    const parts =
      text.match(
        /[\p{Script=Han}\u3000-\u303f\uff00-\uffef]|[^\s\p{Script=Han}\u3000-\u303f\uff00-\uffef]+\s*|\s+/gu,
      ) ?? []
    const lines: string[] = []
    let line = ''
    for (const part of parts.flatMap((one) => this.#pieces(one, max, style))) {
      if (line && this.width((line + part).trimEnd(), style) > max) {
        lines.push(line.trimEnd())
        line = part.trimStart()
      } else line += part
    }
    if (line.trim()) lines.push(line.trimEnd())
    if (lines.length <= linesMax) return lines
    const last = lines.slice(linesMax - 1).join(' ')
    return [...lines.slice(0, linesMax - 1), this.fit(last, max, style)]
  }

  /** A word that is longer than a line, in pieces. */
  #pieces(word: string, max: number, style: TextStyle): string[] {
    if (this.width(word.trimEnd(), style) <= max) return [word]
    const pieces: string[] = []
    let piece = ''
    for (const sign of word) {
      if (piece && this.width(piece + sign, style) > max) {
        pieces.push(piece)
        piece = ''
      }
      piece += sign
    }
    return [...pieces, piece]
  }
}
