import type { RemoteFields } from '@busbar/link'
import type { Clock } from '../clock.ts'
import type { DriverDeps } from '../drivers/driver-kind.ts'
import type { Explorer } from '../drivers/explorer.ts'
import { Turns } from '../drivers/turns.ts'
import type { Networks } from './networks.ts'
import type { DocumentProblem, DocumentRules } from './parse-document.ts'
import { parseDocument } from './parse-document.ts'
import { hostOf, leadTo } from './remote-kinds.ts'

/** Controllers looked into at the same time; another one closes the least recently used one. */
const explorersMax = 3
/** An unused explorer is closed after this time. */
const idleMs = 60_000

export interface ExplorersParts {
  readonly rules: DocumentRules
  readonly networks: Networks
  readonly clock: Clock
  depsOf(kind: string): DriverDeps
}

interface OpenExplorer {
  readonly explorer: Explorer
  readonly turns: Turns
  cancelIdle: () => void
}

/** A connection of a query is wrong. */
export class ConnectionWrong extends Error {
  readonly problems: readonly DocumentProblem[]

  constructor(problems: readonly DocumentProblem[]) {
    super('the connection is not right')
    this.problems = problems
  }
}

/** Explores controllers for a configuration that is being made; keeps the line open between queries. */
export class Explorers {
  readonly #parts: ExplorersParts
  /** By the connection's text, the one asked last at the end. */
  readonly #open = new Map<string, OpenExplorer>()
  /** Explorers being opened: controllers accept few connections, and requests come together. */
  readonly #opening = new Map<string, Promise<OpenExplorer>>()
  #isStopped = false

  constructor(parts: ExplorersParts) {
    this.#parts = parts
  }

  /**
   * Sends one query to the controller of a document's connection. Rejects with `ConnectionWrong`, or in words
   * for a person.
   */
  async ask<T>(fields: RemoteFields, question: (explorer: Explorer) => Promise<T>): Promise<T> {
    const key = JSON.stringify({ ...fields, tags: [] })
    const opened = this.#open.get(key) ?? (await this.#openOnce(key, fields))
    this.#open.delete(key)
    this.#open.set(key, opened)
    opened.cancelIdle()
    opened.cancelIdle = this.#parts.clock.after(idleMs, () => this.#close(key))
    return opened.turns.take(() => question(opened.explorer))
  }

  stop(): void {
    this.#isStopped = true
    for (const key of [...this.#open.keys()]) this.#close(key)
  }

  #openOnce(key: string, fields: RemoteFields): Promise<OpenExplorer> {
    const present = this.#opening.get(key)
    if (present !== undefined) return present
    const opening = this.#openNew(key, fields).finally(() => this.#opening.delete(key))
    this.#opening.set(key, opening)
    return opening
  }

  async #openNew(key: string, fields: RemoteFields): Promise<OpenExplorer> {
    const { rules, networks, depsOf } = this.#parts
    // The name and the tags do not matter here.
    const document = { connections: [{ ...fields, name: 'explored', tags: [] }] }
    const { connections, problems, kinds } = await parseDocument(document, { ...rules, local: [] })
    const connection = connections[0]?.connection
    if (problems.length > 0 || connection === undefined) throw new ConnectionWrong(problems)
    const kind = kinds.get(connection.driver)
    if (kind === undefined || 'path' in kind || kind.explore === undefined)
      throw new Error(`controllers of ${connection.driver} cannot be looked into`)
    const led = leadTo(connection, await networks.find(hostOf(connection)))
    if (this.#isStopped) throw new Error('the agent is stopping')
    const first = this.#open.size < explorersMax ? undefined : this.#open.keys().next().value
    if (first !== undefined) this.#close(first)
    const explorer = kind.explore(led, depsOf(kind.kind))
    const opened = { explorer, turns: new Turns(), cancelIdle: () => undefined }
    this.#open.set(key, opened)
    return opened
  }

  #close(key: string): void {
    const opened = this.#open.get(key)
    if (opened === undefined) return
    this.#open.delete(key)
    opened.cancelIdle()
    void opened.turns.take(() => opened.explorer.close()).catch(() => undefined)
  }
}
