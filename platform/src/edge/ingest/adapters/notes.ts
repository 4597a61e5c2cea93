import { showName } from '../../../kernel/storable-text.ts'

/** Notes kept of one message. */
const notesMax = 20
/** Of a number as it was written. */
const shownCharactersMax = 100

/** The notes of one message: each once, and no more than are kept. Most messages have none. */
export class Notes {
  #texts: Set<string> | undefined

  /** In the order in which they came. */
  get texts(): readonly string[] {
    return this.#texts ? [...this.#texts] : []
  }

  add(text: string): void {
    this.#texts ??= new Set()
    if (this.#texts.size < notesMax) this.#texts.add(text)
  }

  addAll(texts: Iterable<string> = []): void {
    for (const text of texts) this.add(text)
  }

  /** A note of a variable, an attribute or an alarm. */
  addOf(name: string, text: string): void {
    this.add(`"${showName(name)}"${text}`)
  }

  /** A number that lost digits. */
  addRounded(name: string, written: string, stored: number): void {
    this.addOf(name, ` is rounded: ${written.slice(0, shownCharactersMax)} is read as ${stored}`)
  }
}
