declare module 'fontkit' {
  /** A glyph of a font; lengths in units of the font. */
  export interface Glyph {
    readonly id: number
    readonly advanceWidth: number
    readonly codePoints: number[]
    readonly path: { toSVG(): string }
  }

  export interface GlyphRun {
    readonly glyphs: Glyph[]
    readonly positions: {
      xAdvance: number
      yAdvance: number
      xOffset: number
      yOffset: number
      advanceWidth: number
    }[]
    readonly advanceWidth: number
  }

  export interface Font {
    readonly unitsPerEm: number
    hasGlyphForCodePoint(code: number): boolean
    glyphForCodePoint(code: number): Glyph
    layout: (text: string) => GlyphRun
  }

  export function create(data: Uint8Array): Font
}
