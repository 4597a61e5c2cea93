import type { Node } from 'yaml'
import { LineCounter, parseDocument } from 'yaml'
import type { ConfigProblem, ConfigSource } from './fields.ts'

/** Everything wrong with a configuration, in words for the person who wrote it. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[]

  constructor(problems: readonly ConfigProblem[]) {
    super(problems.map(formatProblem).join('\n'))
    this.name = 'ConfigError'
    this.problems = problems
  }
}

function formatProblem({ path, line, message }: ConfigProblem): string {
  const place = line === null ? '' : `line ${line}: `
  return path === '' ? `${place}${message}` : `${place}${path} ${message}`
}

/** A file that is YAML, not checked yet. */
export interface ConfigText {
  readonly root: Node
  readonly source: ConfigSource
}

/** Reads YAML. Throws `ConfigError`. */
export function readConfigText(yamlText: string): ConfigText {
  const lines = new LineCounter()
  const document = parseDocument(yamlText, { lineCounter: lines, prettyErrors: false })
  const source: ConfigSource = { document, problems: [], lineAt: (offset) => lines.linePos(offset).line }
  const [syntaxError] = document.errors
  if (syntaxError !== undefined) {
    const message = `is not YAML here: ${syntaxError.message}`
    throw new ConfigError([{ path: 'the file', line: source.lineAt(syntaxError.pos[0]), message }])
  }
  if (document.contents === null)
    throw new ConfigError([{ path: 'the file', line: null, message: 'is empty' }])
  return { root: document.contents, source }
}
