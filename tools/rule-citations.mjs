import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')
const rulesFolder = 'docs/rules'
const folders = [
  'agent',
  'bench',
  'connect',
  'console',
  'contract',
  'deploy',
  'docs',
  'e2e',
  'link',
  'platform',
  'simulator',
  'testkit',
  'tools',
]
const outside = /\/(?:node_modules|dist|\.busbar|test-results)$/
const readable = /\.(?:ts|tsx|mjs|css|proto|sql|md|ya?ml|sh)$/

/**
 * A place that names a rule, as `rules/access.md: visit time`.
 * @typedef {object} Citation
 * @property {string} path The citing file.
 * @property {number} line
 * @property {string} file The cited file of docs/rules.
 * @property {string} heading In small letters.
 */

/**
 * The headings of the rules by their file, in small letters and in their order.
 * @returns {Map<string, string[]>}
 */
export function readHeadings() {
  const names = readdirSync(join(root, rulesFolder)).filter((name) => name.endsWith('.md'))
  return new Map(
    names.map((name) => [name, findHeadings(readFileSync(join(root, rulesFolder, name), 'utf8'))]),
  )
}

/** @param {string} text */
export const findHeadings = (text) =>
  [...text.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading.trim().toLowerCase())

/** The text of every file of the repository that may cite a rule, by its path. */
export function readCitingFiles() {
  const top = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = [
    ...top.map(({ name }) => join(root, name)),
    ...folders.flatMap((name) => listFiles(join(root, name))),
  ]
  return Object.fromEntries(
    paths
      .filter((path) => readable.test(path))
      .map((path) => [relative(root, path), readFileSync(path, 'utf8')]),
  )
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return outside.test(path) ? [] : listFiles(path)
    return entry.isFile() ? [path] : []
  })
}

/**
 * The citations of a text. A heading ends at a mark that no heading has, or with its comment; it may go on in the next line
 * of the comment.
 * @param {string} path
 * @param {string} text
 * @returns {Citation[]}
 */
export function findCitations(path, text) {
  return [...text.matchAll(/\brules\/([a-z-]+\.md):/g)].map((match) => {
    const [whole, file = ''] = match
    const rest = text.slice(match.index + whole.length, match.index + whole.length + 200)
    const [heading = ''] = rest.replace(/\n[ \t]*(?:\*(?!\/)|\/\/|#)[ \t]*/g, ' ').split(/[).;,`"|\n]|\*\//)
    return {
      path,
      line: text.slice(0, match.index).split('\n').length,
      file,
      heading: heading.trim().toLowerCase(),
    }
  })
}

/**
 * The citations that name no heading, each as a line for a person.
 * @param {readonly Citation[]} citations
 * @param {ReadonlyMap<string, readonly string[]>} headings
 */
export const findWrongCitations = (citations, headings) =>
  citations
    .filter(({ file, heading }) => !headings.get(file)?.includes(heading))
    .map(({ path, line, file, heading }) => `${path}:${line}: ${file} has no heading “${heading}”`)
