// The rule for style sheets of the console: a class is for what the layout parts cannot express
// (docs/decisions/0090-layout-parts.md).
import { posix } from 'node:path'
import { looks, parts } from '../console/build/generate-looks.ts'

/** Elements that a part can stand for. */
const tags =
  'article|aside|b|dd|div|dl|dt|em|figcaption|figure|footer|h1|h2|h3|header|label|li|main|nav|ol|output|p|section|small|span|strong|time|ul'
/** More of them are longer as properties of an element than as a rule. */
const declarationsMax = 5
/** A look in more places is a word of its own. */
const usesMax = 3

/** Each look as its declarations, the longest first. */
const known = [...Object.values(parts), ...Object.values(looks)]
  .flatMap((look) => (typeof look === 'string' ? [look] : Object.values(look)))
  .map((declarations) => declarations.split('; '))
  .sort((a, b) => b.length - a.length)

/** @param {readonly string[]} declarations */
function areLooks(declarations) {
  let rest = declarations
  for (const look of known)
    if (look.every((each) => rest.includes(each))) rest = rest.filter((each) => !look.includes(each))
  return rest.length === 0
}

/** @typedef {Readonly<Record<string, string>>} Sources texts by path */

/**
 * The classes that a layout part can replace: one short rule, each declaration of which is a look, on few elements, all of
 * them plain.
 * @param {Sources} sheets style sheets
 * @param {Sources} sources the files that import them
 * @returns {string[]} path and class
 */
export function listReplaceable(sheets, sources) {
  return Object.entries(sheets).flatMap(([path, sheet]) => {
    const css = sheet.replace(/\/\*[\s\S]*?\*\//g, '')
    const users = Object.entries(sources).flatMap(([from, text]) => {
      const [, user, specifier] =
        new RegExp(`import (\\w+) from '([^']*${posix.basename(path)})'`).exec(text) ?? []
      return specifier && posix.join(posix.dirname(from), specifier) === path
        ? [{ user: user ?? '', text }]
        : []
    })
    return [...css.matchAll(/(?<=^|\}\s*)\.([\w-]+) \{([^{}]*)\}/g)].flatMap(([, name = '', body = '']) => {
      const declarations = body.split(';').flatMap((each) => each.trim().replace(/\s+/g, ' ') || [])
      const isShort = declarations.length <= declarationsMax
      const isOnly = css.match(new RegExp(`\\.${name}(?![\\w-])`, 'g'))?.length === 1
      if (!isShort || !isOnly || !areLooks(declarations)) return []
      const count = (/** @type {(user: string) => string} */ pattern) =>
        users.reduce(
          (sum, { text, user }) => sum + (text.match(new RegExp(pattern(user), 'g'))?.length ?? 0),
          0,
        )
      const uses = count((user) => `\\b${user}\\.${name}\\b`)
      const plain = count((user) => `<(?:${tags})\\b[^<>]*?className=\\{${user}\\.${name}\\}`)
      const isPlain = uses > 0 && uses <= usesMax && uses === plain
      return isPlain ? [`${path} .${name}`] : []
    })
  })
}
