import { printable } from './model.ts'

/** The program's surroundings, handed in so that a test is its own computer. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly hostName: string
  readonly version: string
  readonly write: (text: string) => void
  readonly writeError: (text: string) => void
  /** The terminal, where both input and output are one. */
  readonly terminal: Terminal | undefined
  /** Aborted when the program has to stop. */
  readonly stopped: AbortSignal
  readonly fetch?: typeof fetch
}

export interface Terminal {
  readonly columns: () => number
  readonly rows: () => number
  /** Each key as it is pressed; the returned function gives the keyboard back. */
  readonly onKey: (press: (key: string) => void) => () => void
}

/** Lines for people, or one JSON object a line. */
export class Output {
  readonly isJson: boolean
  readonly #write: (text: string) => void

  constructor(isJson: boolean, write: (text: string) => void) {
    this.isJson = isJson
    this.#write = write
  }

  /** A line of either form. */
  say(text: string, fields: object): void {
    this.#write(this.isJson ? `${JSON.stringify(fields)}\n` : `${printable(text)}\n`)
  }

  /** For people only. */
  note(text: string): void {
    if (!this.isJson) this.#write(`${printable(text)}\n`)
  }

  /** Text of our own, which steers the terminal. */
  raw(text: string): void {
    if (!this.isJson) this.#write(text)
  }
}
