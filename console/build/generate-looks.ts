import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The generated stylesheet of the layout parts. */
export const looksCssFile = new URL('../src/shared/ui/layout/looks.gen.css', import.meta.url)

const spaces = [2, 4, 6, 8, 10, 12, 14, 16, 20, 24] as const
type Space = (typeof spaces)[number]

/** One declaration for each of these pixels, such as `{ 8: 'gap: 8px' }`. */
const inPixels = <Pixels extends number>(property: string, pixels: readonly Pixels[]) =>
  Object.fromEntries(pixels.map((px) => [px, `${property}: ${px}px`])) as Record<Pixels, string>
const spaced = (property: string) => inPixels<Space>(property, spaces)

/** The same for two values, those of the block and of the line: `{ '8 12': 'padding: 8px 12px' }`. */
const inPairs = <Pair extends string>(property: string, pairs: readonly Pair[]) =>
  Object.fromEntries(
    pairs.map((pair) => [pair, `${property}: ${pair.replace(/[1-9]\d*/g, '$&px')}`]),
  ) as Record<Pair, string>

/** Font sizes with the height of their lines, as in `{ '12/16': … }`. */
const inLines = <Size extends string>(sizes: readonly Size[]) =>
  Object.fromEntries(
    sizes.map((size) => {
      const [font, line] = size.split('/')
      return [size, `font-size: ${font}px; line-height: ${line}px`]
    }),
  ) as Record<Size, string>

/**
 * The looks of the layout parts: each property of a part with its values, or with the declarations that it stands for. The
 * types of the parts and their stylesheet follow from it; later ones win.
 */
export const looks = {
  // Around
  surface: {
    panel: 'border: 1px solid var(--line); border-radius: var(--radius-panel); background: var(--surface)',
    well: 'border: 1px solid var(--line); border-radius: var(--radius); background: var(--sunken)',
    frame: 'border: 1px solid var(--line); border-radius: var(--radius)',
    sunken: 'background: var(--sunken)',
    plain: 'background: var(--surface)',
  },
  line: {
    top: 'border-top: 1px solid var(--line)',
    bottom: 'border-bottom: 1px solid var(--line)',
  },
  pad: {
    ...inPixels('padding', [12, 16]),
    ...inPairs('padding', ['4 8', '8 12', '10 12', '10 14', '10 16', '12 14', '12 16', '14 16', '20 16']),
  },
  padX: inPixels('padding-inline', [4, 8, 10, 12, 16, 24]),
  padY: inPixels('padding-block', [4, 6, 8, 10, 12, 16]),
  above: spaced('margin-top'),
  below: spaced('margin-bottom'),

  // Between its children
  gap: {
    ...spaced('gap'),
    ...inPairs('gap', [
      '0 6',
      '0 8',
      '0 10',
      '0 16',
      '4 10',
      '4 16',
      '6 12',
      '6 16',
      '8 12',
      '8 16',
      '10 16',
    ]),
  },
  align: {
    start: 'align-items: flex-start',
    center: 'align-items: center',
    end: 'align-items: flex-end',
    baseline: 'align-items: baseline',
    stretch: 'align-items: stretch',
  },
  justify: {
    center: 'justify-content: center',
    end: 'justify-content: flex-end',
    between: 'justify-content: space-between',
  },
  columns: {
    2: 'grid-template-columns: repeat(2, minmax(0, 1fr))',
    3: 'grid-template-columns: repeat(3, minmax(0, 1fr))',
    'auto-rest': 'grid-template-columns: auto minmax(0, 1fr)',
  },
  wraps: 'flex-wrap: wrap',
  inline: 'display: inline-flex',

  // Among its siblings
  grows: 'flex: 1; min-width: 0',
  fixed: 'flex: none',
  shrinks: 'min-width: 0',
  last: 'margin-inline-start: auto',
  wide: 'width: 100%',
  spans: 'grid-column: 1 / -1',

  // Text
  tone: {
    text: 'color: var(--text)',
    soft: 'color: var(--text2)',
    quiet: 'color: var(--text3)',
    accent: 'color: var(--accent)',
    crit: 'color: var(--crit-text)',
    warn: 'color: var(--warn-text)',
  },
  size: {
    ...inPixels('font-size', [11, 12, 13, 14, 16]),
    ...inLines([
      '11/14',
      '11/16',
      '12/16',
      '12/18',
      '13/20',
      '14/20',
      '14/22',
      '16/22',
      '18/24',
      '21/28',
      '24/32',
    ]),
  },
  leading: inPixels('line-height', [16, 18, 20]),
  weight: {
    400: 'font-weight: 400',
    500: 'font-weight: 500',
    550: 'font-weight: 550',
    600: 'font-weight: 600',
  },
  cut: 'unicode-bidi: isolate; overflow: hidden; text-overflow: ellipsis; white-space: nowrap',
  oneLine: 'white-space: nowrap',
  breaks: 'overflow-wrap: anywhere',
  pretty: 'text-wrap: pretty',
  numbers: 'font-variant-numeric: tabular-nums',
  mono: 'font-family: var(--font-mono); font-variant-ligatures: none',
  to: { end: 'text-align: end', center: 'text-align: center' },
} as const

/** The declarations that make a part what it is, before its looks. */
export const parts = {
  stack: 'display: flex; flex-direction: column',
  row: 'display: flex; align-items: center',
  grid: 'display: grid',
  panel: looks.surface.panel,
  note: 'color: var(--text3); font-size: 12px; text-wrap: pretty',
}

/** Looks whose rules are in base.css. */
const inBase = ['cut', 'numbers', 'mono']

/** The stylesheet's text: a layer under every other style, so that the class of a feature wins wherever it is loaded. */
export function looksCss(): string {
  const rules = Object.entries({ ...parts, ...looks })
    .filter(([name]) => !inBase.includes(name))
    .flatMap(([name, look]) =>
      typeof look === 'string'
        ? [[name, look]]
        : Object.entries(look).map(([value, declarations]) => [
            `${name}-${value.replace(/\W/g, '-')}`,
            declarations,
          ]),
    )
  const blocks = rules.map(([name, declarations]) => {
    const lines = String(declarations).split('; ')
    return `  .${name} {\n${lines.map((line) => `    ${line};\n`).join('')}  }\n`
  })
  return `/* Generated by build/generate-looks.ts. */\n@layer base, parts;\n\n@layer parts {\n${blocks.join('\n')}}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(looksCssFile, looksCss())
