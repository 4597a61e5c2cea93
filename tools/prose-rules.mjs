// How comments, test titles and documents are written: the sentence forms that they avoid.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from './checkout.mjs'

/** @typedef {import('./word-rules.mjs').WordRule} WordRule */
/** @typedef {{ line: number, text: string }} Sentence */

/**
 * A sentence has a subject, a verb and an object, and says what happens rather than what does not.
 * @type {readonly WordRule[]}
 */
export const proseRules = [
  {
    pattern: /^(What|Who|Whoever|Whom|Whose|Whatever|Nobody)\b(?!.*\?$)/,
    use: 'a subject: the thing or the person',
    example: 'What the platform asks for beside the password.',
  },
  {
    pattern: /\b(by|for|from|of|to) whoever\b|\bnobody else[’']s\b/i,
    use: 'the person who; only',
    example: 'A code is sent to whoever signs in.',
  },
  {
    pattern:
      /(?<!\b(?:there|here) )\b(is|are|was|were) (none|no (?!longer\b|more\b|less\b|fewer\b|one\b|\w+er than\b))/i,
    use: 'is not, lacks, without',
    example: 'A text that is no code.',
  },
  {
    pattern: /\bmeans? nothing\b/i,
    use: 'the reason: is ignored, is unknown',
    example: 'A code of another brand means nothing to it.',
  },
  { pattern: /\bfor ever\b/i, use: 'without end', example: 'Valid for ever.' },
  {
    pattern: /\bdecisions? \d/i,
    use: 'the rule itself, or its page in docs/rules',
    example: 'The code is sent again (decisions 12 and 13).',
  },
  {
    pattern: /\b(doors?|whyNot)\b/,
    use: 'port, guard, origin; denial (GLOSSARY.md)',
    example: 'The door has checked the input.',
  },
]

/**
 * Folders and files whose sentences are still to be rewritten; the check skips them.
 * @type {readonly string[]}
 */
export const unfinished = []

/** Records of their time, which are not rewritten. */
const records = ['bench/RESULTS.md', 'docs/decisions/', 'platform/src/kernel/database/migrations/']

/** Generated from the titles of tests, which are read there. */
const generated = ['docs/mqtt-conformance.md']

/**
 * The rules that a sentence breaks.
 * @param {string} sentence
 */
export function findProseProblems(sentence) {
  return proseRules.flatMap(({ pattern, use }) => {
    const found = pattern.exec(sentence)
    return found ? [`“${found[0]}” in “${sentence}”: use ${use}`] : []
  })
}

/**
 * The sentences of a paragraph. Text between backticks is code, and left out.
 * @param {string} paragraph
 * @param {number} line
 * @returns {Sentence[]}
 */
function split(paragraph, line) {
  return paragraph
    .replace(/`[^`]*`/g, '`…`')
    .split(/(?<=[.!?])\s+/)
    .flatMap((text) => (/\p{L}{2}/u.test(text) ? [{ line, text: text.trim() }] : []))
}

/** Begins a paragraph within a comment: a tag with its type and name, or an item of a list. */
const opening = /^\s*(?:@\w+(?:\s+\{[^}]*\})?(?:\s+\[?[\w.]+\]?(?=\s+\p{Lu}))?|[-*]|\d+\.)\s+/u

/**
 * The sentences of a source's comments.
 * @param {string} source
 * @returns {Sentence[]}
 */
export function readComments(source) {
  /** @type {Sentence[]} */
  const sentences = []
  let paragraph = ''
  let began = 0
  let isBlock = false
  let isLine = false
  const end = () => {
    sentences.push(...split(paragraph.trim(), began))
    paragraph = ''
  }
  /**
   * @param {string} text
   * @param {number} line
   */
  const add = (text, line) => {
    if (text.trim() === '' || opening.test(text)) end()
    if (paragraph.trim() === '') began = line
    paragraph += ` ${text.replace(opening, '').trim()}`
  }
  for (const [index, text] of source.split('\n').entries()) {
    const line = index + 1
    if (!isBlock && !isLine && !text.includes('//') && !text.includes('/*')) continue
    if (isBlock) {
      add(text.replace(/\*\/.*$/, '').replace(/^\s*\*/, ''), line)
      if (text.includes('*/')) isBlock = false
      if (!isBlock) end()
      continue
    }
    const comment = /(^|\s|\{)\/\/(?: (.*))?$/.exec(text)
    const block = /(^|\s|\{|\()\/\*\*?(?!\/)(.*)$/.exec(text)
    const isWhole = comment !== null && text.trimStart().startsWith('//')
    if (isLine && !isWhole) end()
    isLine = isWhole
    if (comment && !(block && block.index < comment.index)) {
      if (isWhole) add(comment[2] ?? '', line)
      else if (!/['"`]/.test(comment[2] ?? '')) {
        add(comment[2] ?? '', line)
        end()
      }
    } else if (block) {
      add((block[2] ?? '').replace(/\*\/.*$/, ''), line)
      isBlock = !(block[2] ?? '').includes('*/')
      if (!isBlock) end()
    }
  }
  end()
  return sentences
}

/**
 * The titles of the tests in a source.
 * @param {string} source
 * @returns {Sentence[]}
 */
export function readTestTitles(source) {
  const call =
    /\b(?:test|it|describe)(?:\.\w+)*(?:\((?:[^()]|\([^()]*\))*\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g
  return [...source.matchAll(call)].map((match) => ({
    line: source.slice(0, match.index).split('\n').length,
    // A title that continues that of its group, such as "whose clock is off", is part of a sentence.
    text: (match[2] ?? '').replace(/^(?!whose\b)./, (first) => first.toUpperCase()),
  }))
}

/**
 * The sentences of a document: of its paragraphs, lists and tables, without code and headings.
 * @param {string} document
 * @returns {Sentence[]}
 */
export function readMarkdown(document) {
  /** @type {Sentence[]} */
  const sentences = []
  let isCode = false
  for (const [index, text] of document.split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(text)) isCode = !isCode
    else if (!isCode && !text.startsWith('#') && !/^[\s|:-]*$/.test(text))
      for (const part of text.startsWith('|')
        ? text.split('|')
        : [text.replace(/^\s*(?:[-*>]|\d+\.)\s+/, '')])
        sentences.push(
          ...split(
            part
              .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
              .replaceAll('**', '')
              .trim(),
            index + 1,
          ),
        )
  }
  return sentences
}

const workspaces = [
  'contract',
  'link',
  'platform',
  'agent',
  'connect',
  'console',
  'simulator',
  'testkit',
  'e2e',
  'bench',
  'tools',
]
const notRead = new Set(['node_modules', 'dist', 'releases', '.busbar'])

/** @param {string} path */
const isSkipped = (path) => [...unfinished, ...records, ...generated].some((start) => path.startsWith(start))

/**
 * The sentences of a folder by file: comments and test titles of sources, and documents.
 * @param {string} folder
 * @returns {{ path: string, sentences: Sentence[] }[]}
 */
function readFolder(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name)
    if (isSkipped(entry.isDirectory() ? `${path}/` : path)) return []
    if (entry.isDirectory()) return notRead.has(entry.name) ? [] : readFolder(path)
    const read = () => readFileSync(join(root, path), 'utf8')
    if (/\.md$/.test(path)) return [{ path, sentences: readMarkdown(read()) }]
    if (!/(?<!\.gen|_pb)\.(ts|tsx|mjs|js|css)$/.test(path)) return []
    const source = read()
    const titles = /\.test\.\w+$/.test(path) ? readTestTitles(source) : []
    return [{ path, sentences: [...readComments(source), ...titles] }]
  })
}

/** Each workspace and the documents beside them, with the sentences of their files. */
export function readProse() {
  const documents = readdirSync(root)
    .filter((name) => name.endsWith('.md') && !isSkipped(name))
    .map((path) => ({ path, sentences: readMarkdown(readFileSync(join(root, path), 'utf8')) }))
  return [
    { name: 'documents', files: [...documents, ...readFolder('docs')] },
    ...workspaces.filter((name) => !isSkipped(`${name}/`)).map((name) => ({ name, files: readFolder(name) })),
  ]
}
