/** The two themes of the console. */
export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** A colour in OKLab: lightness 0 to 1, and two axes. */
interface Lab {
  readonly l: number
  readonly a: number
  readonly b: number
}

/**
 * The console's tones of a brand's accent on one theme, as `#rrggbb`; `base.css` calculates the same in the browser.
 */
export interface AccentTones {
  readonly accent: string
  readonly solid: string
  readonly background: string
}

/** Surfaces behind text in the accent, and the text on a solid button, by theme; they are in `tokens.json`. */
const surfaces: Readonly<Record<Theme, readonly string[]>> = {
  light: ['#ffffff', '#f4f5f7', '#f3f5f8'],
  dark: ['#11151c', '#0a0d12', '#171c25', '#181e28'],
}
const solidText = '#ffffff'
/** Of text against its background (WCAG 2.2, 1.4.3). */
const contrastMin = 4.5

/** Whether a text is a colour as a brand names it: `#` and six hexadecimal digits. */
export function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text)
}

/** The tones of an accent, brought to a lightness that can be read on the theme. */
export function accentTones(accent: string, theme: Theme): AccentTones {
  const brand = toLab(accent)
  const at = (l: number) => toHex({ ...brand, l })
  return theme === 'light'
    ? {
        accent: at(Math.min(brand.l, 0.49)),
        solid: at(Math.min(brand.l, 0.49)),
        background: mix(brand, toLab('#ffffff'), 0.1),
      }
    : {
        accent: at(Math.max(brand.l, 0.75)),
        solid: at(Math.min(Math.max(brand.l, 0.4), 0.5)),
        background: mix(brand, toLab('#11151c'), 0.18),
      }
}

/** Themes on which an accent, or the text on it, stays under 4.5:1 whatever its lightness is brought to. */
export function accentFaults(accent: string): Theme[] {
  return themes.filter((theme) => accentContrast(accent, theme) < contrastMin)
}

/** The lowest contrast that an accent's tones have on a theme's surfaces. */
export function accentContrast(accent: string, theme: Theme): number {
  const tones = accentTones(accent, theme)
  const behind = [...surfaces[theme], tones.background]
  return Math.min(contrast(solidText, tones.solid), ...behind.map((each) => contrast(tones.accent, each)))
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(hex: string): number {
  const [red, green, blue] = toLinear(hex)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function toLinear(hex: string): [number, number, number] {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [channel(1), channel(3), channel(5)]
}

function toLab(hex: string): Lab {
  const [red, green, blue] = toLinear(hex)
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const middle = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return {
    l: 0.2104542553 * long + 0.793617785 * middle - 0.0040720468 * short,
    a: 1.9779984951 * long - 2.428592205 * middle + 0.4505937099 * short,
    b: 0.0259040371 * long + 0.7827717662 * middle - 0.808675766 * short,
  }
}

/** Channels beyond a screen's range are cut, as browsers do. */
function toHex({ l, a, b }: Lab): string {
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  const channels = [
    4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short,
  ]
  return `#${channels.map(toByte).join('')}`
}

function toByte(linear: number): string {
  const cut = Math.min(Math.max(linear, 0), 1)
  const value = cut <= 0.0031308 ? cut * 12.92 : 1.055 * cut ** (1 / 2.4) - 0.055
  return Math.round(value * 255)
    .toString(16)
    .padStart(2, '0')
}

function mix(one: Lab, other: Lab, part: number): string {
  const between = (from: number, to: number) => from * part + to * (1 - part)
  return toHex({
    l: between(one.l, other.l),
    a: between(one.a, other.a),
    b: between(one.b, other.b),
  })
}
