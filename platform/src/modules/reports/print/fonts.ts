import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font, type Glyph } from 'fontkit'
import { unpackWoff } from './unpack-woff.ts'

export type Weight = 'normal' | 'bold'

/** A character, with the font that has it. */
interface FoundSign {
  readonly font: string
  readonly glyph: Glyph
  /** In thousandths of the size. */
  readonly width: number
  readonly shown: string
}

const weightNumbers = { normal: 400, bold: 600 } as const

/** Characters of one line that one font has, in their order. */
export interface TextRun {
  /** The font's name in a PDF. */
  readonly font: string
  readonly text: string
  /** In thousandths of the size. */
  readonly width: number
  readonly glyphs: readonly Glyph[]
}

const require = createRequire(import.meta.url)
const filesOf = (subset: string, weight: Weight) =>
  require.resolve(
    `@fontsource/noto-sans-sc/files/noto-sans-sc-${subset}-${weightNumbers[weight]}-normal.woff`,
  )

/** It has Latin letters, punctuation and 6,700 Chinese characters; the others are in a hundred small files. */
const mainSubset = 'chinese-simplified'
/** Replaces a character that no file has. */
const missing = '□'
/** Characters with another that looks the same, and is in the main file. */
const twins: Readonly<Record<string, string>> = { μ: 'µ', '℃': '°C', '℉': '°F', '\t': ' ' }
const invisible = /[\p{Cc}\p{Cf}]/u

/**
 * Noto Sans SC in two weights. Text is measured and drawn glyph by glyph, without the shaping of letters that Chinese and
 * Latin text does not need: it would take a hundred times as long.
 */
export class Fonts {
  readonly #fonts = new Map<string, Font>()
  readonly #runs = new Map<string, readonly TextRun[]>()
  readonly #signs = new Map<string, FoundSign>()
  #ranges: readonly { readonly subset: string; readonly ranges: readonly [number, number][] }[] | undefined

  /** The runs of a line; cached, since tables repeat their texts. */
  runsOf(text: string, weight: Weight): readonly TextRun[] {
    const key = `${weight} ${text}`
    const known = this.#runs.get(key)
    if (known) return known
    const runs = this.#split(text, weight)
    if (this.#runs.size > 20_000) this.#runs.clear()
    this.#runs.set(key, runs)
    return runs
  }

  /** Points that a line takes at a size. */
  widthOf(text: string, size: number, weight: Weight): number {
    return (this.runsOf(text, weight).reduce((sum, run) => sum + run.width, 0) * size) / 1_000
  }

  /** The fonts that were used, by their names in a PDF. */
  get used(): ReadonlyMap<string, Font> {
    return this.#fonts
  }

  #split(text: string, weight: Weight): readonly TextRun[] {
    const runs: { font: string; text: string; width: number; glyphs: Glyph[] }[] = []
    for (const sign of Array.from(text).flatMap((one) => Array.from(twins[one] ?? one))) {
      if (invisible.test(sign)) continue
      const { font, glyph, width, shown } = this.#find(sign, weight)
      let run = runs.at(-1)
      if (run?.font !== font) {
        run = { font, text: '', width: 0, glyphs: [] }
        runs.push(run)
      }
      run.text += shown
      run.width += width
      run.glyphs.push(glyph)
    }
    return runs
  }

  /** Each character is looked up once, because the look-up in a font's table is slow. */
  #find(sign: string, weight: Weight): FoundSign {
    const key = `${weight} ${sign}`
    let found = this.#signs.get(key)
    if (!found) {
      found = this.#lookUp(sign, weight)
      this.#signs.set(key, found)
    }
    return found
  }

  #lookUp(sign: string, weight: Weight): FoundSign {
    const code = sign.codePointAt(0) ?? 0
    for (const subset of [mainSubset, ...this.#subsetsOf(code)]) {
      const font = this.#open(subset, weight)
      if (!font.hasGlyphForCodePoint(code)) continue
      const glyph = font.glyphForCodePoint(code)
      return { font: `${subset} ${weight}`, glyph, width: glyph.advanceWidth, shown: sign }
    }
    return sign === missing ? this.#find('?', weight) : this.#find(missing, weight)
  }

  /** The small files that may have a character. */
  #subsetsOf(code: number): string[] {
    this.#ranges ??= readRanges()
    return this.#ranges
      .filter(({ ranges }) => ranges.some(([from, to]) => code >= from && code <= to))
      .map(({ subset }) => subset)
  }

  #open(subset: string, weight: Weight): Font {
    const name = `${subset} ${weight}`
    const known = this.#fonts.get(name)
    if (known) return known
    const font = create(unpackWoff(readFileSync(filesOf(subset, weight))))
    font.layout = (text) => layOut(font, text)
    this.#fonts.set(name, font)
    return font
  }
}

/** The ranges of characters that the package lists for its files. */
function readRanges(): { subset: string; ranges: [number, number][] }[] {
  const listed = require('@fontsource/noto-sans-sc/unicode.json') as Record<string, string>
  return Object.entries(listed).map(([name, text]) => ({
    subset: name.replace(/[[\]]/g, ''),
    ranges: text.split(',').map((range): [number, number] => {
      const [from = '', to = from] = range.slice(2).split('-')
      return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
    }),
  }))
}

/** The glyphs of a text one after the other. */
function layOut(font: Font, text: string): ReturnType<Font['layout']> {
  const glyphs = Array.from(text, (sign) => font.glyphForCodePoint(sign.codePointAt(0) ?? 0))
  const positions = glyphs.map(({ advanceWidth }) => ({
    xAdvance: advanceWidth,
    yAdvance: 0,
    xOffset: 0,
    yOffset: 0,
    advanceWidth,
  }))
  return { glyphs, positions, advanceWidth: glyphs.reduce((sum, glyph) => sum + glyph.advanceWidth, 0) }
}
