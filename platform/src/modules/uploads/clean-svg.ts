import { type SaxesAttributeNS, SaxesParser } from 'saxes'
import { svgAttributes, svgElements, svgReferrers, svgTextElements } from './svg-names.ts'

/** See rules/brands.md: uploads. */
const svgBytesMax = 512 * 1024
const elementsMax = 5_000
/** Of all elements together: each costs a search among those of its element. */
const attributesMax = 20_000
const depthMax = 64
/** A `use` of a `use` doubles the drawn elements each time. */
const usesMax = 20
const svgNamespace = 'http://www.w3.org/2000/svg'
const linkNamespace = 'http://www.w3.org/1999/xlink'

/** The picture is refused as a whole. */
class SvgFault extends Error {}

/**
 * Rewrites an SVG with drawing elements only; undefined for an invalid or too large one. Elements and attributes that
 * could run, fetch, link or animate are left out with all their contents; a document type is refused, because it can
 * define entities.
 */
export function cleanSvg(bytes: Buffer): string | undefined {
  if (bytes.length > svgBytesMax) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return write(text)
  } catch (error) {
    if (error instanceof SvgFault || error instanceof TypeError) return undefined
    throw error
  }
}

function write(text: string): string {
  const parser = new SaxesParser({ xmlns: true })
  const out: string[] = []
  /** Elements that are open: their names as written, or undefined for those left out. */
  const open: (string | undefined)[] = []
  let elements = 0
  let attributesRead = 0
  let uses = 0
  /** The contents of the `style` that is open: judged as a whole, when it ends. */
  let style = ''

  parser.on('error', (error) => {
    throw new SvgFault(error.message)
  })
  parser.on('doctype', () => {
    throw new SvgFault('a document type')
  })
  parser.on('attribute', () => {
    if (++attributesRead > attributesMax) throw new SvgFault('too many attributes')
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (++elements > elementsMax || open.length >= depthMax) throw new SvgFault('too large')
    const isRoot = open.length === 0
    if (isRoot && (local !== 'svg' || uri !== svgNamespace)) throw new SvgFault('not an SVG')
    const isKept = isRoot || (open.at(-1) !== undefined && uri === svgNamespace && svgElements.has(local))
    if (local === 'use' && ++uses > usesMax) throw new SvgFault('too many uses')
    open.push(isKept ? local : undefined)
    if (!isKept) return
    const kept = Object.values(attributes).flatMap((attribute) => writeAttribute(local, attribute))
    out.push(`<${[local, ...(isRoot ? [`xmlns="${svgNamespace}"`] : []), ...kept].join(' ')}>`)
  })
  parser.on('closetag', () => {
    const name = open.pop()
    if (name === undefined) return
    if (name === 'style') {
      if (isHarmless(style)) out.push(escapeText(style))
      style = ''
    }
    out.push(`</${name}>`)
  })
  const keepText = (content: string) => {
    const name = open.at(-1)
    if (name === 'style') style += content
    else if (name !== undefined && svgTextElements.has(name)) out.push(escapeText(content))
  }
  parser.on('text', keepText)
  parser.on('cdata', keepText)
  parser.write(text).close()
  return out.join('')
}

function writeAttribute(element: string, { local, prefix, uri, value }: SaxesAttributeNS): string[] {
  if (local === 'href' && (prefix === '' || uri === linkNamespace))
    return svgReferrers.has(element) && /^#[\w.:-]+$/.test(value) ? [`href="${value}"`] : []
  if (prefix !== '' || !svgAttributes.has(local) || !isHarmless(value)) return []
  return [`${local}="${escapeText(value)}"`]
}

/**
 * Whether a value or a style sheet requests nothing from elsewhere. Every function that can is refused by name except
 * `url(#…)`, and also other ways to write such a name: escapes, comments, rules with an at-sign.
 */
function isHarmless(css: string): boolean {
  const rest = css.replace(/url\(\s*(["']?)#[\w.:-]+\1\s*\)/gi, '')
  return !/[\\@]|\/\*|(?:url|image|image-set|cross-fade|element|src|attr|var|env|expression|paint)\s*\(|javascript:/i.test(
    rest,
  )
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
