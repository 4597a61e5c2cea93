import type { Document, Node } from 'yaml'
import { isAlias, isMap, isScalar, isSeq } from 'yaml'

/** One problem in the file. `line` counts from 1. */
export interface ConfigProblem {
  path: string
  line: number | null
  message: string
}

/** Collects problems, and turns an offset into a line. */
export interface ConfigSource {
  document: Document
  problems: ConfigProblem[]
  lineAt(offset: number): number
}

/**
 * The fields of one mapping of the file. Each read takes a field out, checks it and gives its value; a
 * problem is noted with its path, and the default or an empty value is returned, so that one pass finds every
 * problem. `finish` reports fields that were not read.
 */
export class Fields {
  readonly path: string
  readonly #source: ConfigSource
  readonly #node: Node | null
  readonly #values = new Map<string, Node | null>()
  readonly #asked = new Set<string>()

  constructor(source: ConfigSource, node: Node | null, path: string) {
    this.#source = source
    this.#node = node
    this.path = path
    const resolved = resolve(source, node)
    if (!isMap(resolved)) {
      if (resolved !== null) this.problem(null, 'has to be fields with names (name: value)')
      return
    }
    for (const pair of resolved.items) {
      const key = isScalar(pair.key) ? String(pair.key.value) : ''
      this.#values.set(key, (pair.value ?? null) as Node | null)
    }
  }

  /** True if the field is set and not empty. */
  has(key: string): boolean {
    return this.#take(key) !== null
  }

  /** Refuses a field that another kind of mapping has. */
  refuse(key: string, message: string): void {
    if (!this.#values.has(key)) return
    this.#asked.add(key)
    this.problem(key, message)
  }

  /** A text. An unquoted number or a word like `true` keeps its spelling: `firmware: 1.10`. */
  text(key: string, charactersMax: number): string | undefined {
    const node = this.#take(key)
    if (node === null) return undefined
    const text = scalarText(node)
    if (text === undefined) {
      this.problem(key, 'has to be a text')
    } else if (text.length > charactersMax) {
      this.problem(key, `is ${text.length} characters long, at most ${charactersMax} are possible`)
    } else if (/[\p{Cc}\p{Bidi_Control}]/u.test(text)) {
      this.problem(key, 'has control characters, or characters that turn the direction of text, in it')
    } else {
      return text
    }
    return undefined
  }

  requiredText(key: string, charactersMax: number): string {
    if (!this.has(key)) {
      this.problem(key, 'is missing')
      return ''
    }
    return this.text(key, charactersMax) ?? ''
  }

  number(key: string): number | undefined {
    const node = this.#take(key)
    if (node === null) return undefined
    if (isScalar(node) && typeof node.value === 'number' && Number.isFinite(node.value)) return node.value
    this.problem(key, `has to be a number, not ${quoted(node)}`)
    return undefined
  }

  requiredNumber(key: string): number {
    if (!this.has(key)) this.problem(key, 'is missing')
    return this.number(key) ?? 0
  }

  integer(key: string, least: number, most: number): number | undefined {
    const value = this.number(key)
    if (value === undefined) return undefined
    if (Number.isInteger(value) && value >= least && value <= most) return value
    this.problem(key, `has to be a whole number from ${least} to ${most}, not ${value}`)
    return undefined
  }

  boolean(key: string): boolean | undefined {
    const node = this.#take(key)
    if (node === null) return undefined
    if (isScalar(node) && typeof node.value === 'boolean') return node.value
    this.problem(key, `has to be true or false, not ${quoted(node)}`)
    return undefined
  }

  oneOf<T extends string>(key: string, words: readonly T[]): T | undefined {
    const node = this.#take(key)
    if (node === null) return undefined
    const text = scalarText(node)
    const word = words.find((candidate) => candidate === text)
    if (word === undefined) this.problem(key, `is ${quoted(node)}; possible are ${words.join(', ')}`)
    return word
  }

  requiredOneOf<T extends string>(key: string, words: readonly [T, ...T[]]): T {
    if (!this.has(key)) this.problem(key, `is missing; possible are ${words.join(', ')}`)
    return this.oneOf(key, words) ?? words[0]
  }

  /** Whether the field is a mapping rather than a text. */
  isMapping(key: string): boolean {
    return isMap(this.#take(key))
  }

  mapping(key: string): Fields {
    return new Fields(this.#source, this.#take(key), this.#join(key))
  }

  /** The entries of a list of mappings, each with its place in the path: `tags[3]`. */
  list(key: string, entriesMax: number): Fields[] {
    const node = this.#take(key)
    if (node === null) return []
    if (!isSeq(node)) {
      this.problem(key, 'has to be a list (lines that begin with "- ")')
      return []
    }
    if (node.items.length > entriesMax) {
      this.problem(key, `has ${node.items.length} entries, at most ${entriesMax} are possible`)
      return []
    }
    return node.items.map(
      (item, index) => new Fields(this.#source, item as Node | null, `${this.#join(key)}[${index}]`),
    )
  }

  /** The entries of a list in which a text alone is an entry too. */
  listOrTexts(key: string, entriesMax: number, charactersMax: number): (Fields | string)[] {
    const node = this.#take(key)
    const items = isSeq(node) ? node.items.map((item) => resolve(this.#source, item as Node | null)) : []
    if (!items.some((item) => isScalar(item))) return this.list(key, entriesMax)
    if (items.length > entriesMax) {
      this.problem(key, `has ${items.length} entries, at most ${entriesMax} are possible`)
      return []
    }
    return items.map((item, index) => {
      const text = scalarText(item)
      if (text === undefined) return new Fields(this.#source, item, `${this.#join(key)}[${index}]`)
      if (text.length <= charactersMax) return text
      this.problem(key, `has an entry of ${text.length} characters, at most ${charactersMax} are possible`)
      return ''
    })
  }

  /** The entries of a list of texts. */
  texts(key: string, entriesMax: number, charactersMax: number): string[] {
    const node = this.#take(key)
    if (node === null) return []
    const items = isSeq(node) ? node.items.map((item) => scalarText(item as Node | null)) : []
    if (items.length === 0 || items.some((text) => text === undefined || text.length > charactersMax)) {
      this.problem(key, `has to be a list of texts, each of at most ${charactersMax} characters`)
    } else if (items.length > entriesMax) {
      this.problem(key, `has ${items.length} entries, at most ${entriesMax} are possible`)
    } else {
      return items as string[]
    }
    return []
  }

  /** Notes a problem of a field, or with null of the whole mapping. */
  problem(key: string | null, message: string): void {
    const node = (key === null ? null : this.#values.get(key)) ?? this.#node
    const offset = node?.range?.[0]
    this.#source.problems.push({
      path: key === null ? this.path : this.#join(key),
      line: offset === undefined ? null : this.#source.lineAt(offset),
      message,
    })
  }

  finish(): void {
    for (const key of this.#values.keys()) {
      if (this.#asked.has(key)) continue
      const known = [...this.#asked].join(', ')
      this.problem(key, `is not known here${known === '' ? '' : `; known are ${known}`}`)
    }
  }

  #take(key: string): Node | null {
    this.#asked.add(key)
    const node = resolve(this.#source, this.#values.get(key) ?? null)
    return isScalar(node) && node.value === null ? null : node
  }

  #join(key: string): string {
    return this.path === '' ? key : `${this.path}.${key}`
  }
}

function resolve(source: ConfigSource, node: Node | null): Node | null {
  return isAlias(node) ? (node.resolve(source.document) ?? null) : node
}

function scalarText(node: Node | null): string | undefined {
  if (!isScalar(node)) return undefined
  return typeof node.value === 'string' ? node.value : node.source
}

function quoted(node: Node): string {
  return isScalar(node) ? `"${scalarText(node) ?? ''}"` : 'a list or fields'
}
