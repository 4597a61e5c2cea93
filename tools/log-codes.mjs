import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A call that writes a line to a log.
 * @typedef {object} LogCall
 * @property {boolean} isProblem Whether the line can be a warning or an error.
 * @property {string[]} names The literals that can be the name of the line.
 */

const root = join(import.meta.dirname, '..')

/** The form of a name: a noun and a verb, or the state that the noun has now. */
export const logName = /^[a-z][a-zA-Z0-9]*\.[a-z][a-zA-Z]*$/

/** `logger.warn(`, `once.error(` and `this.#log.info(` of the platform; `log(` of the agent and of connections. */
const calls =
  /(?:(?:\b(?:logger|log|once)|#log(?:ger)?)\s*\.\s*(debug|info|warn|error)|(?<!console\.)\blog)\(/g

/**
 * The literals among the arguments of a call, nested calls and objects left out.
 * @param {string} source
 * @param {number} from The place after the opening bracket.
 */
function readLiterals(source, from) {
  /** @type {string[]} */
  const literals = []
  for (let at = from, depth = 1; depth > 0 && at < source.length; at += 1) {
    const character = source.charAt(at)
    if ('([{'.includes(character)) depth += 1
    else if (')]}'.includes(character)) depth -= 1
    else if ('\'"`'.includes(character)) {
      const end = source.indexOf(character, at + 1)
      if (end < 0) break
      if (depth === 1) literals.push(source.slice(at + 1, end))
      at = end
    }
  }
  return literals
}

/**
 * The calls of a source that write to a log.
 * @param {string} source
 * @returns {LogCall[]}
 */
export function findLogCalls(source) {
  const levels = ['debug', 'info', 'warn', 'error']
  return [...source.matchAll(calls)].flatMap((call) => {
    const literals = readLiterals(source, call.index + call[0].length).filter((literal) => literal !== '')
    const names = literals.filter((literal) => !levels.includes(literal))
    if (names.length === 0) return []
    const written = call[1] ? [call[1]] : literals.filter((literal) => levels.includes(literal))
    const isProblem = written.length === 0 || written.includes('warn') || written.includes('error')
    return [{ isProblem, names }]
  })
}

/**
 * The calls of a workspace that write to a log, tests left out.
 * @param {'platform' | 'agent'} workspace
 */
export function readLogCalls(workspace) {
  return globSync(`${workspace}/src/**/*.ts`, { cwd: root })
    .filter((path) => !/\.test\.ts$|\/testing\//.test(path))
    .flatMap((path) => findLogCalls(readFileSync(join(root, path), 'utf8')))
}

/**
 * The names in the first column of the tables below a heading, up to the next heading of the same or a higher level, of the guide for operators.
 * @param {string} guide
 * @param {string} heading
 */
export function readListedNames(guide, heading) {
  const [, section = ''] = guide.split(`\n### ${heading}\n`)
  const text = section.split(/\n#{2,3} /)[0] ?? ''
  return [...text.matchAll(/^\| (`[^|]+)\|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  )
}
