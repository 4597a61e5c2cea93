/** The terminal's other screen, which leaves the lines before it as they were. */
const enter = '\u001b[?1049h\u001b[?25l'
const leave = '\u001b[?25h\u001b[?1049l'
const home = '\u001b[H'
const clearRest = '\u001b[K'
const redrawMs = 500

/** Draws rows again and again until it is closed. */
export class Screen {
  readonly #write: (text: string) => void
  readonly #render: () => readonly string[]
  readonly #timer: NodeJS.Timeout
  #drawn = ''

  constructor(write: (text: string) => void, render: () => readonly string[]) {
    this.#write = write
    this.#render = render
    write(enter)
    this.draw()
    this.#timer = setInterval(() => this.draw(), redrawMs)
  }

  draw(): void {
    const text = `${home}${this.#render()
      .map((row) => `${row}${clearRest}`)
      .join('\r\n')}\u001b[J`
    if (text === this.#drawn) return
    this.#drawn = text
    this.#write(text)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#write(leave)
  }
}
